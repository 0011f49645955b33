import { implement, ORPCError } from '@orpc/server'
import { contract } from '../../src/contract/contract.ts'
import { settingsSchema, type Settings } from '../../src/contract/settings.ts'
import { createAgentCalls } from './fake-agent.ts'
import { createChatCalls } from './fake-chats.ts'
import { createCareCalls } from './fake-care.ts'
import { addKinds, kindSections } from './fake-kinds.ts'
import { createModelCalls, engineOf, type Engine } from './fake-models.ts'
import { createOverviewCalls } from './fake-overview.ts'
import {
  breakdownOf,
  filterRows,
  sortRows,
  findPassages,
  createLibrary,
  passagesOf,
  progressOf,
  sectionsOf,
  type Scenario,
} from './fake-library.ts'

export interface FakeOptions {
  scenario: Scenario
  /** The sample library that ships with the app: its files are the fake's documents. */
  sampleDir: string
  settings?: Partial<Settings>
  /** Turns are written at once instead of at a reading pace. */
  fast?: boolean
  /** So many chats beside the usual ones. */
  moreChats?: number
  /** A chat with so many turns. */
  longChat?: number
  /** How many documents the big folder holds. */
  documents?: number
  /** How far the Ollama of this computer is; left out, as the scenario has it. */
  engine?: Engine
  /** Where the sample library is said to lie; else where it does. */
  sampleAt?: string
  /** Nothing goes on by itself: reading, fetching a model and what is asked stand still half-way. */
  still?: boolean
  /** A folder with a document of each kind the samples do not have. */
  kinds?: boolean
  /** Filled in by the core: what a crash and a new start leave of the turns that ran. */
  control?: { crash?: () => void }
}

const done = { done: true as const }
function gone(message: string): ORPCError<string, unknown> {
  return new ORPCError('not-found', { message, data: { retryable: false } })
}

/** A core that does nothing but play its part: every call of the contract, answered from memory. */
export function createFakeCore(options: FakeOptions) {
  const { scenario, sampleDir, settings: given = {}, fast = false, still = false, engine, documents } = options
  const os = implement(contract)
  const library = createLibrary(scenario, options.sampleAt ?? sampleDir, documents)
  if (options.kinds === true) addKinds(library)
  const broken = scenario === 'broken'
  let settings = settingsSchema.parse(given)
  if (broken)
    settings.providers.push({ id: 'zhipu', kind: 'openai', name: 'Zhipu', address: 'https://open.bigmodel.cn/api/paas/v4', hasKey: true })
  const removed = new Map<number, (typeof library.folders)[number]>()
  const startedAt = Date.now()
  const woken: (() => void)[] = []
  const store = {
    read: () => settings,
    patch: (patch: Partial<Settings>) => {
      settings = { ...settings, ...patch }
    },
  }

  function row(documentId: number) {
    const found = library.rows.find((each) => each.id === documentId)
    if (found === undefined) throw gone(`document ${documentId}`)
    return found
  }
  function changed() {
    for (const wake of woken.splice(0)) wake()
  }
  const chatCalls = createChatCalls(options)

  return os.router({
    library: {
      status: os.library.status.handler(() => ({
        version: '0.1.0',
        dataDir: '/home/lin/.local/share/siku',
        mode: 'writer',
        folders: library.folders.length,
        documents: progressOf(library, scenario, 0).counts,
        passages: 4821,
        embedded: 4821,
        pagesToRecognise: 0,
        vectorIndex: 'hnsw',
        embeddingModel: 'multilingual-e5-small',
        sizeBytes: 182_000_000,
      })),
      progress: os.library.progress.handler(async function* ({ signal }) {
        if (broken) throw new ORPCError('store-damaged', { message: 'database disk image is malformed', data: { retryable: false } })
        while (signal?.aborted !== true) {
          if (scenario === 'busy' && !still) advance()
          yield progressOf(library, scenario, Date.now() - startedAt)
          await new Promise<void>((resolve) => {
            woken.push(resolve)
            setTimeout(resolve, scenario === 'busy' && !still ? 400 : 2000)
          })
        }
      }),
      pause: os.library.pause.handler(() => done),
      resume: os.library.resume.handler(() => done),
    },
    folders: {
      list: os.folders.list.handler(() => library.folders),
      add: os.folders.add.handler(({ input }) => {
        const sample = library.folders[0]
        const added = input.paths.map((path, index) => ({
          ...(sample ?? createLibrary('normal', sampleDir).folders[0]!),
          id: 50 + library.folders.length + index,
          path,
          name: path.split('/').at(-1) ?? path,
          sample: false,
          copied: input.copied,
        }))
        library.folders.push(...added)
        changed()
        return { folders: added, refused: [] }
      }),
      remove: os.folders.remove.handler(({ input }) => {
        const at = library.folders.findIndex((folder) => folder.id === input.folderId)
        const [folder] = library.folders.splice(at, at < 0 ? 0 : 1)
        if (folder === undefined) throw gone('folder')
        removed.set(folder.id, folder)
        changed()
        return done
      }),
      restore: os.folders.restore.handler(({ input }) => {
        const folder = removed.get(input.folderId)
        if (folder === undefined) throw gone('folder')
        library.folders.push(folder)
        changed()
        return folder
      }),
      pause: os.folders.pause.handler(({ input }) => setState(input.folderId, 'paused')),
      resume: os.folders.resume.handler(({ input }) => setState(input.folderId, 'following')),
      rescan: os.folders.rescan.handler(() => done),
    },
    documents: {
      list: os.documents.list.handler(({ input }) => {
        const found = sortRows(filterRows(library.rows, input), input)
        return { total: found.length, documents: found.slice(input.offset, input.offset + input.limit) }
      }),
      breakdown: os.documents.breakdown.handler(({ input }) =>
        breakdownOf(library.rows.filter((each) => input.folderId === undefined || each.folderId === input.folderId)),
      ),
      get: os.documents.get.handler(({ input }) => row(input.documentId)),
      file: os.documents.file.handler(({ input }) => {
        const { path, sizeBytes } = row(input.documentId)
        return { path, sizeBytes, contentType: 'text/plain' }
      }),
      sections: os.documents.sections.handler(({ input }) => {
        const sections = kindSections(row(input.documentId)) ?? sectionsOf(sampleDir, row(input.documentId))
        return { total: sections.length, sections: sections.slice(input.offset, input.offset + input.limit) }
      }),
      passages: os.documents.passages.handler(({ input }) => {
        const passages = passagesOf(sampleDir, row(input.documentId))
        return { total: passages.length, passages: passages.slice(input.offset, input.offset + input.limit) }
      }),
      retry: os.documents.retry.handler(() => done),
      unlock: os.documents.unlock.handler(({ input }) => {
        if (input.password !== 'secret') return { opened: false, reason: { code: 'encrypted', message: 'The password is wrong.' } }
        Object.assign(row(input.documentId), { status: 'ready', reason: null, passages: 1, embedded: 1 })
        return { opened: true, reason: null }
      }),
      extract: os.documents.extract.handler(({ input }) => ({
        path: input.path,
        kind: 'text',
        status: 'ready',
        reason: null,
        sections: [],
        inner: [],
      })),
      split: os.documents.split.handler(() => []),
      openOutside: os.documents.openOutside.handler(() => done),
      showInFolder: os.documents.showInFolder.handler(() => done),
    },
    ...createOverviewCalls(library.rows.length),
    search: {
      query: os.search.query.handler(({ input }) => {
        const rows = filterRows(library.rows, input.scope)
        return {
          query: input.query,
          mode: input.mode,
          elapsedMs: 12,
          hits: findPassages(sampleDir, rows, input.query, input.k ?? 10),
          notes: [],
        }
      }),
    },
    ...chatCalls,
    models: createModelCalls({ scenario, settings: store, fast, still, engine: engine ?? engineOf(scenario) }),
    ...createAgentCalls(scenario, store),
    providers: {
      save: os.providers.save.handler(({ input }) => {
        const provider = { ...input.provider, hasKey: input.provider.hasKey || (input.key ?? '') !== '' }
        settings.providers = [...settings.providers.filter((each) => each.id !== provider.id), provider]
        return provider
      }),
      remove: os.providers.remove.handler(({ input }) => {
        settings.providers = settings.providers.filter((each) => each.id !== input.providerId)
        return done
      }),
      test: os.providers.test.handler(({ input }) => ({
        provider: input.provider,
        reachable: !input.provider.address.includes('bad'),
        version: null,
        error: input.provider.address.includes('bad')
          ? { code: 'model-unreachable' as const, message: 'getaddrinfo ENOTFOUND', retryable: true }
          : null,
        models: [],
      })),
    },
    settings: {
      get: os.settings.get.handler(() => settings),
      patch: os.settings.patch.handler(({ input }) => {
        settings = { ...settings, ...input } as Settings
        return settings
      }),
    },
    ...createCareCalls(scenario, startedAt),
    system: {
      info: os.system.info.handler(() => ({
        version: '0.1.0',
        host: 'browser' as const,
        platform: 'linux',
        homeDir: '/home/lin',
        memoryBytes: 16e9,
        secrets: 'owner-file' as const,
        canPickFolders: false,
        canOpenOutside: false,
        canLocateDrops: false,
      })),
      listDirectory: os.system.listDirectory.handler(({ input }) => {
        if (input.path.includes('secret'))
          throw new ORPCError('no-permission', { message: `EACCES: ${input.path}`, data: { retryable: false } })
        const path = input.path === '' ? '/home/lin' : input.path
        const parent = path === '/' ? null : path.split('/').slice(0, -1).join('/') || '/'
        const directories = ['Desktop', 'Documents', 'secret', '下载', '图片', '资料', '项目 2026']
        if (!['', 'home', 'lin', ...directories].includes(path.replace(/\/$/, '').split('/').at(-1) ?? ''))
          throw new ORPCError('not-found', { message: `ENOENT: ${path}`, data: { retryable: false } })
        return { path, parent, directories }
      }),
      pickFolders: os.system.pickFolders.handler(() => ({ paths: [] })),
    },
  })

  function setState(folderId: number, state: 'paused' | 'following') {
    const folder = library.folders.find((each) => each.id === folderId)
    if (folder !== undefined) folder.state = state
    changed()
    return done
  }
  function advance() {
    const waiting = library.rows.filter((each) => each.status === 'waiting' || each.status === 'reading').slice(0, 24)
    waiting.forEach((each, index) => {
      each.status = index < 20 ? 'ready' : 'reading'
      each.passages = index < 20 ? 8 : 0
      each.embedded = index < 10 ? 8 : 0
    })
    for (const folder of library.folders) {
      const rows = library.rows.filter((each) => each.folderId === folder.id)
      if (folder.id !== 2) continue
      folder.counts = progressOf({ rows, folders: [] }, scenario, 0).counts
      folder.passages = rows.reduce((sum, each) => sum + each.passages, 0)
      folder.embedded = rows.reduce((sum, each) => sum + each.embedded, 0)
    }
  }
}
