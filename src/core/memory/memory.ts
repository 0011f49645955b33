export { looksSecret } from './secret-like.ts'
import type { Memory } from '../../contract/memory.ts'
import { failure, toSikuError } from '../../contract/errors.ts'
import type { CoreDeps } from '../deps.ts'
import { cosine, type Embedder } from '../embed/embed.ts'
import { foldText } from '../search/search.ts'
import type { Store } from '../store/store.ts'
import { memoryFile, readMemoryFile } from './memory-file.ts'
import { cleanMemory, foldedMemory, saysTheSame } from './memory-text.ts'
import { createMemoryVectors } from './memory-vectors.ts'

export { answerTokens, fitWindow, usableTokens, type FittedWindow, type WindowSummary } from './window.ts'
export { tokensOf as messageTokens } from './window-tokens.ts'

export interface MemoriesDeps {
  deps: Pick<CoreDeps, 'now' | 'newId' | 'log' | 'dataDir' | 'resourcesDir'>
  store: Store
  embedder: () => Embedder
}

export interface RecallOptions {
  limit?: number
  signal?: AbortSignal
  /** Preferences of language and manner too, whatever the text is about: true when left out. They come last. */
  manner?: boolean
}

/** Long-term memories: small facts and preferences, found by meaning. */
export interface Memories {
  /** Newest first. */
  list(filter: { text?: string; offset: number; limit: number }): { total: number; memories: Memory[] }
  /** For the user, also while memories are off: those that hold the text, newest first, then those that fit it, best first. */
  find(filter: { text: string; limit: number }, signal?: AbortSignal): Promise<{ memories: Memory[] }>
  get(id: string): Memory | null
  /** The one that is there and says the same becomes what is given: nothing is doubled. `refused` from a chat while memories are off. */
  add(memory: Pick<Memory, 'text' | 'kind' | 'source'>): Promise<Memory>
  update(id: string, text: string): Promise<Memory>
  /** Hidden at once and dropped at the next start, so that it can be restored. */
  remove(id: string): Promise<void>
  restore(id: string): Promise<Memory>
  clear(): Promise<number>
  exportJson(): { fileName: string; json: string }
  /** How many were new. A file that is not right in every part changes nothing. */
  importJson(json: string): Promise<number>
  /** Those that fit the text, best first; none rather than ones that don't. Notes that they were used. None while memories are off. */
  recall(text: string, options?: RecallOptions): Promise<Memory[]>
  /** Vectors of another model are made anew. */
  embeddingChanged(): void
  /** Resolves when the vectors of all memories are made, or cannot be. */
  whenIdle(): Promise<void>
  close(): Promise<void>
}

/** Of a long question, what memories are looked up by. */
const readCharacters = 2000
/** So few that it is quicker to wait for their vectors than to go without. */
const worthWaiting = 64
const mostOfManner = 3
/** Raw cosine of E5 from which two texts of the same words mean the same. */
const sameMeaning = 0.93

export function createMemories({ deps, store, embedder }: MemoriesDeps): Memories {
  const vectors = createMemoryVectors({ deps, store, embedder })
  const canWrite = store.mode === 'writer'
  /** Writes come one after the other: two at once could double a memory. */
  let queue: Promise<unknown> = Promise.resolve()

  function inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = queue.then(work)
    queue = done.catch(() => undefined)
    return done
  }

  function known(id: string): Memory {
    const memory = store.memories.get(id)
    if (memory === null) throw failure('memory-gone')
    return memory
  }

  /** The memory that says the same already. */
  async function sameAs(text: string): Promise<Memory | null> {
    const index = vectors.words()
    const exact = index.idOf(text)
    if (exact !== null) return store.memories.get(exact)
    for (const id of index.idsWith(text)) {
      const memory = store.memories.get(id)
      if (memory === null || !saysTheSame(memory.text, text)) continue
      const [one, two] = await embedder()
        .embedPassages([{ text: memory.text }, { text }])
        .catch(() => [])
      if (one?.kind === 'ok' && two?.kind === 'ok' && cosine(one.vector, two.vector) >= sameMeaning) return memory
    }
    return null
  }

  async function change(memory: Memory): Promise<Memory> {
    if (!(await store.memories.update(memory))) throw failure('memory-gone')
    vectors.changed([memory])
    return memory
  }

  async function add(given: Pick<Memory, 'text' | 'kind' | 'source'>): Promise<Memory> {
    const text = cleanMemory(given.text)
    const at = deps.now()
    const same = await sameAs(text)
    if (same !== null) return change({ ...same, text, kind: given.kind, updatedAt: at })
    const { kind, source } = given
    const memory: Memory = { id: deps.newId(), text, kind, source, createdAt: at, updatedAt: at, usedAt: null, uses: 0 }
    await store.memories.add([memory])
    vectors.changed([memory])
    return memory
  }

  async function importAll(memories: Memory[]): Promise<number> {
    const index = vectors.words()
    const seen = new Set<string>()
    const fresh = memories.filter(({ text }) => {
      const folded = foldedMemory(text)
      if (seen.has(folded) || index.idOf(text) !== null) return false
      seen.add(folded)
      return true
    })
    await store.memories.add(fresh.map((memory) => ({ ...memory, id: deps.newId() })))
    vectors.allChanged()
    return fresh.length
  }

  /** By meaning where the embedder answers, else by words. */
  async function fittingIds(text: string, limit: number, signal?: AbortSignal): Promise<string[]> {
    let question: Float32Array | null = null
    try {
      await vectors.open(signal)
      if (vectors.missing() > 0) {
        vectors.fill()
        if (vectors.missing() <= worthWaiting) await untilAborted(vectors.whenFilled(), signal)
      }
      question = await embedder().embedQuestion(text, signal === undefined ? {} : { signal })
    } catch (error) {
      if (signal?.aborted === true) throw toSikuError(error)
      deps.log('warn', 'memories are looked up by words only', { why: toSikuError(error).message })
    }
    return vectors
      .words()
      .fitting(text, question, limit)
      .map((each) => each.id)
  }

  async function recall(text: string, { limit = 5, signal, manner = true }: RecallOptions = {}): Promise<Memory[]> {
    if (!store.settings.read().memory || store.memories.count() === 0) return []
    const general = manner ? vectors.words().ofManner() : []
    const ofManner = general.flatMap((id) => store.memories.get(id) ?? []).sort((a, b) => b.updatedAt - a.updatedAt)
    const kept = ofManner.slice(0, Math.min(mostOfManner, limit))
    const asked = text.slice(0, readCharacters).trim()
    const ids = asked === '' ? [] : await fittingIds(asked, limit - kept.length, signal)
    const at = deps.now()
    const found = [...ids.flatMap((id) => store.memories.get(id) ?? []), ...kept]
    if (canWrite && found.length > 0)
      void inTurn(() =>
        store.memories.noteUsed(
          found.map(({ id }) => id),
          at,
        ),
      ).catch(() => undefined)
    return found.map((memory) => ({ ...memory, usedAt: at, uses: memory.uses + 1 }))
  }

  function holding(text: string): Memory[] {
    const wanted = foldText(text.trim())
    return store.memories.list().filter((memory) => foldText(memory.text).includes(wanted))
  }

  return {
    list({ text = '', offset, limit }) {
      if (text.trim() === '') return { total: store.memories.count(), memories: store.memories.list({ offset, limit }) }
      const found = holding(text)
      return { total: found.length, memories: found.slice(offset, offset + limit) }
    },
    async find({ text, limit }, signal) {
      const asked = text.slice(0, readCharacters).trim()
      if (asked === '' || store.memories.count() === 0) return { memories: [] }
      const found = new Map(holding(text).map((memory) => [memory.id, memory]))
      for (const id of await fittingIds(asked, limit, signal)) {
        const memory = store.memories.get(id)
        if (memory !== null && !found.has(id)) found.set(id, memory)
      }
      return { memories: [...found.values()].slice(0, limit) }
    },
    get: (id) => store.memories.get(id),
    add(memory) {
      return inTurn(async () => {
        if (memory.source.from === 'chat' && !store.settings.read().memory) throw failure('memory-off')
        return add(memory)
      })
    },
    update(id, text) {
      return inTurn(async () => {
        const memory = known(id)
        const clean = cleanMemory(text)
        const other = vectors.words().idOf(clean)
        if (other !== null && other !== id) throw failure('memory-same')
        return change({ ...memory, text: clean, updatedAt: deps.now() })
      })
    },
    remove(id) {
      return inTurn(async () => {
        if (!(await store.memories.remove(id, deps.now()))) known(id)
        vectors.removed([id])
      })
    },
    restore(id) {
      return inTurn(async () => {
        await store.memories.restore(id)
        const memory = known(id)
        vectors.changed([memory])
        return memory
      })
    },
    clear() {
      return inTurn(async () => {
        const removed = await store.memories.clear(deps.now())
        vectors.allChanged()
        return removed
      })
    },
    exportJson: () => memoryFile(store.memories.list(), deps.now()),
    importJson(json) {
      return inTurn(async () => importAll(readMemoryFile(json)))
    },
    recall,
    embeddingChanged: () => vectors.allChanged(),
    whenIdle: () => vectors.whenFilled(),
    async close() {
      await vectors.close()
      await queue
    },
  }
}

/** Leaves what it waits for when the signal comes first. */
async function untilAborted(work: Promise<void>, signal?: AbortSignal): Promise<void> {
  if (signal === undefined) return work
  signal.throwIfAborted()
  let leave = (): void => undefined
  const aborted = new Promise<void>((resolve) => {
    leave = resolve
    signal.addEventListener('abort', leave, { once: true })
  })
  await Promise.race([work, aborted])
  signal.removeEventListener('abort', leave)
  signal.throwIfAborted()
}
