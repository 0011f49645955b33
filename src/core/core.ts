import { readdir, stat } from 'node:fs/promises'
import { homedir, platform, totalmem } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { ContractRouterClient } from '@orpc/contract'
import { createRouterClient } from '@orpc/server'
import { SikuError } from '../contract/errors.ts'
import type { Contract } from '../contract/contract.ts'
import type { ModelsState } from '../contract/models.ts'
import type { DoctorReport, Settings, SettingsPatch, Status } from '../contract/settings.ts'
import { createAgent, createTools, type Tool } from './agent/agent.ts'
import { createAnswerRunner, createOverviewCalls } from './answer/answer.ts'
import type { CoreContext, SystemInfo } from './context.ts'
import type { CoreDeps } from './deps.ts'
import { examine } from './doctor/doctor.ts'
import { createEmbedding } from './embedding.ts'
import { createIngest, type DocumentFile, type Hearing } from './ingest/ingest.ts'
import { createTableReader } from './ingest/tables/tables.ts'
import { createMcp } from './mcp/mcp.ts'
import { createMemories } from './memory/memory.ts'
import { createModels } from './models/models.ts'
import { createNet } from './net/net.ts'
import { createRouter, type Caller, type Router } from './router.ts'
import { createSearch, searchPresent } from './search/search.ts'
import { openStore, restoreScheduled } from './store/store.ts'
import { createTables } from './tables/tables.ts'
import { createTurns } from './turns/turns.ts'

export { defineTool } from './agent/agent.ts'

export type { DocumentFile } from './ingest/ingest.ts'

export type Client = ContractRouterClient<Contract>

export interface Core {
  readonly context: CoreContext
  readonly router: Router
  /** The file behind a document of the library; null for anything else. */
  documentFile(documentId: number): Promise<DocumentFile | null>
  /**
   * One more tool for the agent, for as long as this core is open. Throws `bad-input` for a name that models cannot call
   * and `conflict` for one that is taken.
   *
   *     core.addTool(
   *       defineTool({
   *         name: 'count_sheep',
   *         description: 'Says how many sheep are in a field.',
   *         schema: z.object({ field: z.string().describe('the name of the field') }),
   *         access: 'read',
   *         run: ({ field }) => `There are 42 sheep in ${field}.`,
   *       }),
   *     )
   *     const client = createClient(core)
   *     const { turnId } = await client.chats.ask({ question: 'How many sheep are in the north field?', mode: 'agent' })
   *     for await (const event of await client.turns.watch({ turnId })) {
   *       if (event.type === 'approval-request') await client.turns.approve({ turnId, ...event.approval, decision: 'refuse' })
   *       if (event.type === 'text-delta') console.log(event.text)
   *     }
   */
  addTool(tool: Tool): void
  /** Ends running turns as stopped, saves the index, closes the store. What was done is kept. */
  close(): Promise<void>
}

/**
 * Opens a library and wires everything by hand: the only door for hosts, and the public TypeScript API.
 *
 *     const core = await openCore(deps)
 *     const client = createClient(core)
 *     await client.folders.add({ paths: ['/home/me/papers'] })
 *     for await (const progress of await client.library.progress()) if (progress.phase === 'idle') break
 *     const { turnId } = await client.chats.ask({ question: 'When does the lease end?' })
 *     for await (const event of await client.turns.watch({ turnId })) console.log(event)
 *     await core.close()
 *
 * Rejects with a SikuError: `store-newer`, `store-damaged`, `no-permission`, `disk-full`, …
 */
export async function openCore(given: CoreDeps): Promise<Core> {
  // The store keeps times as whole milliseconds.
  const deps: CoreDeps = { ...given, now: () => Math.trunc(given.now()) }
  const readOnly = deps.readOnly ?? false
  if (!readOnly)
    await restoreScheduled(deps.dataDir, deps.now, (error) => deps.log('error', 'a backup could not be put back', { error: String(error) }))
  const store = await openStore({
    dataDir: deps.dataDir,
    workerUrl: deps.workerUrl('writer-thread'),
    now: deps.now,
    log: deps.log,
    readOnly,
  })
  const net = createNet({
    fetch: deps.fetch,
    ...(deps.outside === undefined ? {} : { outside: deps.outside }),
    now: deps.now,
    env: deps.env,
    isOffline: () => store.settings.read().offline,
    note: (contact) => (readOnly ? undefined : store.contacts.note(contact)),
  })
  const models = createModels({
    net,
    secrets: deps.secrets,
    env: deps.env,
    settings: store.settings,
    tokenRates: store.tokenRates,
    now: deps.now,
  })
  const embedding = await createEmbedding({ deps, net, store })
  const search = searchPresent(createSearch({ deps, store, embedder: embedding.current, log: deps.log }), deps.now)
  const hearing: Hearing = {
    allowed: () => models.hearsFolders().allowed,
    needed() {
      const hears = models.hearsFolders()
      return hears.allowed ? '' : hears.needed
    },
    transcribe: models.transcribe,
  }
  const ingest = createIngest({ deps, store, embedder: embedding.current, search, hearing })
  const tableReader = createTableReader(deps, store)
  const tables = createTables({ deps, store, read: tableReader.read })
  const overview = createOverviewCalls({ store, tables, models })
  const answer = createAnswerRunner({
    search,
    models,
    embedder: embedding.current,
    settings: store.settings.read,
    overview: { store, tables, now: deps.now },
  })
  const memories = createMemories({ deps, store, embedder: embedding.current })
  const mcp = createMcp({ deps, net, settings: store.settings })
  const tools = createTools({ deps, settings: store.settings.read, store, search, net, memories, overview })
  const agent = createAgent({ deps, store, models, memories, mcp, embedder: embedding.current, tools })
  const turns = createTurns({ deps, store, runners: { answer, agent: agent.runTurn } })

  async function providersChanged(): Promise<void> {
    if (!(await embedding.refresh())) return
    search.embeddingChanged()
    memories.embeddingChanged()
    ingest.embeddingChanged()
  }

  async function patchSettings(patch: SettingsPatch): Promise<Settings> {
    const settings = await store.settings.patch(await checkedPatch(patch))
    if (patch.embedding !== undefined || patch.providers !== undefined) await providersChanged()
    if (patch.offline !== undefined || patch.mcpServers !== undefined) mcp.settingsChanged()
    if (
      patch.folderRules !== undefined ||
      patch.ignoreRules !== undefined ||
      patch.skipHidden !== undefined ||
      patch.skipDependencies !== undefined
    )
      ingest.rulesChanged()
    return settings
  }

  async function modelsState(refresh: boolean): Promise<ModelsState> {
    return { ...(await models.state({ refresh })), embedding: embedding.state() }
  }

  function status(): Status {
    return {
      ...store.status(),
      version: deps.version ?? '0.0.0',
      dataDir: deps.dataDir,
      vectorIndex: search.state(),
      embeddingModel: embedding.state().key,
    }
  }

  async function doctor(): Promise<DoctorReport> {
    return examine({
      dataDir: deps.dataDir,
      readOnly,
      secretsKind: deps.secrets.kind,
      settings: store.settings.read(),
      folders: ingest.folders(),
      vectorIndex: search.state(),
      hnswAvailable: await search.hasHnsw(),
      models: await modelsState(true),
      setAside: store.setAside(),
      integrityProblems: () => store.quickCheck(),
      tryEmbedding: async () => {
        await embedding.current().embedQuestion('siku')
      },
    })
  }

  function info(): SystemInfo {
    return {
      version: deps.version ?? '0.0.0',
      host: deps.host ?? 'terminal',
      platform: platform(),
      homeDir: homedir(),
      memoryBytes: totalmem(),
      secrets: deps.secrets.kind,
      canPickFolders: deps.desktop?.pickFolders !== undefined,
      canOpenOutside: deps.desktop !== undefined,
      canLocateDrops: deps.host === 'electron',
    }
  }

  const context: CoreContext = {
    deps,
    store,
    search,
    ingest,
    tables,
    overview,
    models,
    turns,
    agent,
    memories,
    mcp,
    status,
    modelsState,
    patchSettings,
    providersChanged,
    doctor,
    info,
  }
  if (!readOnly) {
    await turns.recover()
    await ingest.start()
    tables.start()
  }

  return {
    context,
    router: createRouter(),
    documentFile: (documentId) => ingest.file(documentId),
    addTool: agent.addTool,
    async close() {
      await turns.close()
      for (const tool of tools) await tool.close?.()
      await mcp.close()
      await memories.close()
      await tables.close()
      tableReader.close()
      await ingest.close()
      await search.close()
      await embedding.close()
      await net.close()
      await store.close()
    },
  }
}

/** A folder for notes is one that is there; '' means none. */
async function checkedPatch(patch: SettingsPatch): Promise<SettingsPatch> {
  const { noteFolder } = patch
  if (noteFolder === undefined || noteFolder === null) return patch
  if (noteFolder.trim() === '') return { ...patch, noteFolder: null }
  if (!isAbsolute(noteFolder)) throw new SikuError('bad-input', 'The folder for notes must be a whole path.')
  const isFolder = await stat(noteFolder).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (!isFolder) throw new SikuError('bad-input', 'The folder for notes is not there, or is no folder.')
  return patch
}

/** The contract in memory. The caller is known from here, never from the input. */
export function createClient(core: Core, caller: Caller = { kind: 'local' }): Client {
  return createRouterClient(core.router, { context: { core: core.context, caller } })
}

/** The sample library becomes a folder of its own, once, when the library is still empty. */
export async function addSampleLibrary(core: Core): Promise<void> {
  const { context } = core
  if (context.ingest.folders().length > 0) return
  const path = join(context.deps.resourcesDir, 'sample-library')
  const isThere = await readdir(path).then(
    (names) => names.length > 0,
    () => false,
  )
  if (isThere) await context.ingest.addSample(path)
}
