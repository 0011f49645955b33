import { readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { implement } from '@orpc/server'
import type { NamedAgent } from '../contract/agent.ts'
import type { Chat, ChatState } from '../contract/answer.ts'
import { contract } from '../contract/contract.ts'
import { SikuError } from '../contract/errors.ts'
import { coded, toCallError } from './call-error.ts'
import type { CoreContext } from './context.ts'
import { listBackups, makeBackup, restoreAtStart } from './store/store.ts'

/** Who calls. It comes from the transport, never from the input. */
export interface Caller {
  kind: 'window' | 'browser' | 'terminal' | 'local'
}

export interface CallContext {
  core: CoreContext
  caller: Caller
}

const done = { done: true } as const

/** The contract's procedures: each hands on to the folder that does the work. Input and output are checked inside `guard`. */
export function createRouter() {
  const os = implement(contract)
    .$context<CallContext>()
    .$config({ initialInputValidationIndex: Number.POSITIVE_INFINITY, initialOutputValidationIndex: Number.POSITIVE_INFINITY })
    .use(async ({ next }) => {
      try {
        return await next()
      } catch (error) {
        throw toCallError(error)
      }
    })

  return os.router({
    library: {
      status: os.library.status.handler(({ context: { core } }) => core.status()),
      progress: os.library.progress.handler(async function* ({ context: { core }, signal }) {
        yield* coded(core.ingest.progress(signal))
      }),
      pause: os.library.pause.handler(async ({ context: { core } }) => {
        await core.ingest.pause()
        return done
      }),
      resume: os.library.resume.handler(async ({ context: { core } }) => {
        await core.ingest.resume()
        return done
      }),
    },
    folders: {
      list: os.folders.list.handler(({ context: { core } }) => core.ingest.folders()),
      add: os.folders.add.handler(({ context: { core }, input }) => core.ingest.add(input.paths, { copied: input.copied })),
      remove: os.folders.remove.handler(async ({ context: { core }, input }) => {
        await core.ingest.remove(input.folderId)
        return done
      }),
      restore: os.folders.restore.handler(({ context: { core }, input }) => core.ingest.restore(input.folderId)),
      pause: os.folders.pause.handler(async ({ context: { core }, input }) => {
        await core.ingest.pause(input.folderId)
        return done
      }),
      resume: os.folders.resume.handler(async ({ context: { core }, input }) => {
        await core.ingest.resume(input.folderId)
        return done
      }),
      rescan: os.folders.rescan.handler(async ({ context: { core }, input }) => {
        await core.ingest.rescan(input.folderId)
        return done
      }),
    },
    documents: {
      list: os.documents.list.handler(({ context: { core }, input }) => core.store.documents.list(input)),
      breakdown: os.documents.breakdown.handler(({ context: { core }, input }) => core.store.documents.breakdown(input.folderId)),
      get: os.documents.get.handler(({ context: { core }, input }) => known(core.store.documents.get(input.documentId))),
      file: os.documents.file.handler(async ({ context: { core }, input }) => known(await core.ingest.file(input.documentId))),
      sections: os.documents.sections.handler(({ context: { core }, input }) => {
        known(core.store.documents.get(input.documentId))
        return core.store.documents.sections(input.documentId, input.offset, input.limit)
      }),
      passages: os.documents.passages.handler(({ context: { core }, input }) => {
        known(core.store.documents.get(input.documentId))
        return core.store.documents.passages(input.documentId, input.offset, input.limit)
      }),
      retry: os.documents.retry.handler(async ({ context: { core }, input }) => {
        known(core.store.documents.get(input.documentId))
        await core.ingest.retry(input.documentId, input.more)
        return done
      }),
      unlock: os.documents.unlock.handler(({ context: { core }, input }) => {
        known(core.store.documents.get(input.documentId))
        return core.ingest.unlock(input.documentId, input.password, input.keep)
      }),
      extract: os.documents.extract.handler(({ context: { core }, input, signal }) =>
        core.ingest.extract(input.path, { ocr: input.ocr, password: input.password, signal }),
      ),
      split: os.documents.split.handler(({ context: { core }, input, signal }) => core.ingest.split(input.path, input, signal)),
      openOutside: os.documents.openOutside.handler(async ({ context: { core }, input }) => {
        await desktop(core).openPath(known(await core.ingest.file(input.documentId, { outside: true })).path)
        return done
      }),
      showInFolder: os.documents.showInFolder.handler(async ({ context: { core }, input }) => {
        const { path, within } = known(core.store.documents.get(input.documentId))
        await desktop(core).showInFolder(within?.filePath ?? path)
        return done
      }),
    },
    tables: {
      list: os.tables.list.handler(({ context: { core }, input }) => core.tables.list(input.scope)),
      query: os.tables.query.handler(({ context: { core }, input, signal }) => core.overview.queryTable(input, signal)),
    },
    overview: {
      count: os.overview.count.handler(({ context: { core }, input, signal }) => core.overview.countInLibrary(input, signal)),
      files: os.overview.files.handler(({ context: { core }, input }) => core.overview.listFiles(input)),
      summarise: os.overview.summarise.handler(async function* ({ context: { core }, input, signal }) {
        yield* coded(core.overview.summarise(input, signal))
      }),
    },
    search: {
      query: os.search.query.handler(async ({ context: { core }, input, signal }) => (await core.search.query(input, { signal })).result),
    },
    chats: {
      list: os.chats.list.handler(({ context: { core }, input }) =>
        core.store.chats.list(input.text).map((chat) => {
          const state = stateOf(core, chat.id)
          return state === undefined ? chat : { ...chat, state }
        }),
      ),
      get: os.chats.get.handler(({ context: { core }, input }) => knownChat(core, input.chatId)),
      rename: os.chats.rename.handler(async ({ context: { core }, input }) => {
        await core.store.chats.rename(input.chatId, input.title)
        return done
      }),
      pin: os.chats.pin.handler(async ({ context: { core }, input }) => {
        await core.store.chats.pin(input.chatId, input.pinned)
        return done
      }),
      draft: os.chats.draft.handler(({ context: { core }, input }) => core.store.chats.draft(input.chatId ?? '')),
      saveDraft: os.chats.saveDraft.handler(async ({ context: { core }, input }) => {
        await core.store.chats.saveDraft(input.chatId ?? '', input.draft)
        return done
      }),
      activity: os.chats.activity.handler(({ context: { core } }) => ({
        revision: core.store.chats.revision(),
        chats: core.turns.busy().flatMap((id) => {
          const state = stateOf(core, id)
          return state === undefined ? [] : [{ id, title: core.store.chats.title(id) ?? '', state }]
        }),
      })),
      remove: os.chats.remove.handler(async ({ context: { core }, input }) => {
        await core.turns.stopChat(input.chatId)
        await core.store.chats.remove(input.chatId)
        return done
      }),
      restore: os.chats.restore.handler(async ({ context: { core }, input }) => {
        await core.store.chats.restore(input.chatId)
        return done
      }),
      exportMarkdown: os.chats.exportMarkdown.handler(({ context: { core }, input }) => core.turns.exportMarkdown(input.chatId)),
      exportJson: os.chats.exportJson.handler(({ context: { core }, input }) => core.turns.exportJson(input.chatId)),
      importJson: os.chats.importJson.handler(({ context: { core }, input }) => core.turns.importJson(input.json)),
      configure: os.chats.configure.handler(async ({ context: { core }, input }) => {
        known(core.store.chats.get(input.chatId))
        // What the user saves is their own.
        const { imported: _imported, ...agent } = input.agent ?? {}
        await core.store.chats.configure(input.chatId, input.agent === null ? null : (agent as typeof input.agent))
        return done
      }),
      ask: os.chats.ask.handler(({ context: { core }, input }) => core.turns.ask(input)),
    },
    turns: {
      watch: os.turns.watch.handler(async function* ({ context: { core }, input, signal }) {
        yield* coded(core.turns.watch(input.turnId, input.from, signal))
      }),
      stop: os.turns.stop.handler(async ({ context: { core }, input }) => {
        await core.turns.stop(input.turnId)
        return done
      }),
      approve: os.turns.approve.handler(async ({ context: { core }, input }) => {
        await core.agent.approve(input.turnId, input.approvalId, input.digest, input.decision)
        return done
      }),
      messages: os.turns.messages.handler(({ context: { core }, input }) => core.store.messages.list(input.turnId)),
      openCitation: os.turns.openCitation.handler(({ context: { core }, input }) => core.turns.openCitation(input.turnId, input.marker)),
    },
    hearing: {
      transcribe: os.hearing.transcribe.handler(async ({ context: { core }, input, signal }) => {
        const recording = { name: 'recording', mediaType: input.mediaType, data: Buffer.from(input.data, 'base64') }
        const { text } = await core.models.transcribe(recording, signal === undefined ? {} : { signal })
        return { text: text.trim() }
      }),
    },
    models: {
      state: os.models.state.handler(({ context: { core }, input }) => core.modelsState(input.refresh)),
      choose: os.models.choose.handler(async ({ context: { core }, input }) => {
        await core.store.settings.patch({ chatModel: input.ref })
        return core.modelsState(false)
      }),
      pull: os.models.pull.handler(async function* ({ context: { core }, input, signal }) {
        yield* coded(core.models.pull(input.providerId, input.name, signal))
      }),
      remove: os.models.remove.handler(async ({ context: { core }, input }) => {
        await core.models.remove(input.providerId, input.name)
        return done
      }),
      show: os.models.show.handler(({ context: { core }, input, signal }) => core.models.show(input.providerId, input.name, signal)),
      copy: os.models.copy.handler(async ({ context: { core }, input }) => {
        await core.models.copy(input.providerId, input.from, input.to)
        return done
      }),
      local: os.models.local.handler(({ context: { core }, input }) => core.models.local(input.providerId)),
      start: os.models.start.handler(async ({ context: { core }, input }) => {
        await core.models.start(input.providerId)
        return core.modelsState(true)
      }),
      unload: os.models.unload.handler(async ({ context: { core }, input }) => {
        await core.models.unload(input.providerId, input.name)
        return done
      }),
    },
    agents: {
      list: os.agents.list.handler(({ context: { core } }) => core.store.agents.list()),
      save: os.agents.save.handler(async ({ context: { core }, input }) => {
        const agent = await checkedAgent(core, { ...input.agent, id: input.agent.id ?? core.deps.newId() })
        await core.store.agents.save(agent)
        return agent
      }),
      remove: os.agents.remove.handler(async ({ context: { core }, input }) => {
        await core.store.agents.remove(input.agentId)
        return done
      }),
    },
    tools: {
      list: os.tools.list.handler(({ context: { core } }) => core.agent.listTools()),
      setEnabled: os.tools.setEnabled.handler(async ({ context: { core }, input }) => {
        await core.agent.setToolEnabled(input.name, input.enabled)
        return done
      }),
      revoke: os.tools.revoke.handler(async ({ context: { core }, input }) => {
        await core.agent.revoke(input.tool, input.site)
        return done
      }),
    },
    mcp: {
      list: os.mcp.list.handler(({ context: { core }, signal }) => core.mcp.states(signal)),
      save: os.mcp.save.handler(({ context: { core }, input }) => core.mcp.save(input.server, input.secrets)),
      remove: os.mcp.remove.handler(async ({ context: { core }, input }) => {
        await core.mcp.remove(input.serverId)
        return done
      }),
      test: os.mcp.test.handler(({ context: { core }, input, signal }) => core.mcp.test(input.server, input.secrets, signal)),
      setTool: os.mcp.setTool.handler(({ context: { core }, input }) =>
        core.mcp.setTool(input.serverId, input.tool, input.hash, input.enabled),
      ),
    },
    memory: {
      list: os.memory.list.handler(({ context: { core }, input }) => core.memories.list(input)),
      find: os.memory.find.handler(({ context: { core }, input, signal }) => core.memories.find(input, signal)),
      add: os.memory.add.handler(({ context: { core }, input }) =>
        core.memories.add({ ...input, source: { from: 'user', chatId: null, turnId: null } }),
      ),
      update: os.memory.update.handler(({ context: { core }, input }) => core.memories.update(input.id, input.text)),
      remove: os.memory.remove.handler(async ({ context: { core }, input }) => {
        await core.memories.remove(input.id)
        return done
      }),
      restore: os.memory.restore.handler(({ context: { core }, input }) => core.memories.restore(input.id)),
      clear: os.memory.clear.handler(async ({ context: { core } }) => ({ removed: await core.memories.clear() })),
      exportJson: os.memory.exportJson.handler(({ context: { core } }) => core.memories.exportJson()),
      importJson: os.memory.importJson.handler(async ({ context: { core }, input }) => ({
        added: await core.memories.importJson(input.json),
      })),
    },
    providers: {
      save: os.providers.save.handler(async ({ context: { core }, input }) => {
        const saved = await core.models.saveProvider(input.provider, input.key)
        await core.providersChanged()
        return saved
      }),
      remove: os.providers.remove.handler(async ({ context: { core }, input }) => {
        await core.models.removeProvider(input.providerId)
        await core.providersChanged()
        return done
      }),
      test: os.providers.test.handler(({ context: { core }, input, signal }) => core.models.test(input.provider, input.key, signal)),
    },
    settings: {
      get: os.settings.get.handler(({ context: { core } }) => core.store.settings.read()),
      patch: os.settings.patch.handler(({ context: { core }, input }) => core.patchSettings(input)),
    },
    backups: {
      list: os.backups.list.handler(({ context: { core } }) => listBackups(core.deps.dataDir)),
      create: os.backups.create.handler(({ context: { core } }) => makeBackup(core.deps.dataDir, core.store, core.deps.now())),
      restoreAtStart: os.backups.restoreAtStart.handler(({ context: { core }, input }) => {
        if (core.deps.readOnly === true) throw new SikuError('read-only', 'the library is open for reading only')
        return restoreAtStart(core.deps.dataDir, input.name)
      }),
    },
    network: {
      ledger: os.network.ledger.handler(({ context: { core } }) => core.store.contacts.list()),
    },
    doctor: {
      run: os.doctor.run.handler(({ context: { core } }) => core.doctor()),
    },
    system: {
      info: os.system.info.handler(({ context: { core } }) => core.info()),
      listDirectory: os.system.listDirectory.handler(({ input }) => listDirectory(input.path)),
      pickFolders: os.system.pickFolders.handler(async ({ context: { core } }) => {
        const pick = core.deps.desktop?.pickFolders
        if (pick === undefined) throw new SikuError('unsupported', 'this host has no folder dialog')
        return { paths: await pick() }
      }),
    },
  })
}
export type Router = ReturnType<typeof createRouter>

/** What a chat does just now. */
function stateOf({ turns, agent }: CoreContext, chatId: string): ChatState | undefined {
  const turnId = turns.running(chatId)
  return turnId === null ? undefined : agent.waits(turnId) ? 'waiting' : 'running'
}

/** A name that can be chosen by, and tools that there are. What an agent had before may stay, also of a server that is away. */
async function checkedAgent({ store, agent }: CoreContext, given: NamedAgent): Promise<NamedAgent> {
  const name = given.name.normalize('NFC').trim()
  if (name === '') throw new SikuError('bad-input', 'An agent needs a name.')
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(name)) throw new SikuError('bad-input', 'The name of an agent is one line, without control characters.')
  const others = store.agents.list()
  if (others.some((each) => each.id !== given.id && each.name.trim().toLowerCase() === name.toLowerCase()))
    throw new SikuError('conflict', `There is an agent named “${name}” already.`, { hint: 'Give it another name.' })
  const before = others.find(({ id }) => id === given.id)?.tools ?? []
  const isNew = (tool: string): boolean => !before.includes(tool)
  if (given.tools?.some(isNew) === true) {
    const names = new Set((await agent.listTools()).map((tool) => tool.name))
    const unknown = given.tools.find((tool) => isNew(tool) && !names.has(tool))
    if (unknown !== undefined)
      throw new SikuError('bad-input', `There is no tool named “${unknown}”.`, {
        hint: 'A tool of an MCP server can be chosen while its server answers.',
      })
  }
  return { ...given, name, tools: given.tools === null ? null : [...new Set(given.tools)] }
}

function knownChat({ store }: CoreContext, chatId: string): Chat {
  const chat = store.chats.get(chatId)
  if (chat !== null) return chat
  if (store.mode === 'writer') throw new SikuError('not-found', 'This chat is no longer in the library.')
  throw new SikuError('not-found', 'This chat is not stored: the library is open for reading only.')
}

function known<T>(value: T | null): T {
  if (value === null) throw new SikuError('not-found', 'it is no longer in the library')
  return value
}

function desktop(core: CoreContext) {
  if (core.deps.desktop === undefined) throw new SikuError('unsupported', 'this host cannot open files')
  return core.deps.desktop
}

async function listDirectory(path: string): Promise<{ path: string; parent: string | null; directories: string[] }> {
  const directory = path === '' ? homedir() : path
  if (!isAbsolute(directory)) throw new SikuError('bad-input', 'the path must be absolute')
  const here = resolve(directory)
  const entries = await readdir(here, { withFileTypes: true })
  const directories = entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => entry.name)
    .sort((a, b) => a.localeCompare(b))
  const parent = dirname(here)
  return { path: here, parent: parent === here ? null : parent, directories: directories.map((name) => join(here, name)) }
}
