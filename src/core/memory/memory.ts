import type { Memory } from '../../contract/memory.ts'
import { SikuError } from '../../contract/errors.ts'
import type { CoreDeps } from '../deps.ts'
import type { Embedder } from '../embed/embed.ts'
import type { Store } from '../store/store.ts'

export { fitWindow, type FittedWindow, type WindowInput, type WindowSummary } from './window.ts'

export interface MemoriesDeps {
  deps: Pick<CoreDeps, 'now' | 'newId' | 'log'>
  store: Store
  embedder: () => Embedder
}

/** Long-term memories: small facts and preferences, found by meaning. */
export interface Memories {
  list(filter: { text?: string; offset: number; limit: number }): { total: number; memories: Memory[] }
  add(memory: Pick<Memory, 'text' | 'kind' | 'source'>): Promise<Memory>
  update(id: string, text: string): Promise<Memory>
  /** Hidden at once and dropped at the next start, so that it can be restored. */
  remove(id: string): Promise<void>
  restore(id: string): Promise<Memory>
  clear(): Promise<number>
  exportJson(): { fileName: string; json: string }
  importJson(json: string): Promise<number>
  /** Those that fit the text, best first; none rather than ones that don't. Notes that they were used. */
  recall(text: string, options?: { limit?: number; signal?: AbortSignal }): Promise<Memory[]>
  /** Vectors of another model are made anew. */
  embeddingChanged(): void
  close(): Promise<void>
}

export function createMemories(parts: MemoriesDeps): Memories {
  void parts
  const refuse = (): never => {
    throw new SikuError('unsupported', 'memories are not there yet')
  }
  return {
    list: () => ({ total: 0, memories: [] }),
    add: refuse,
    update: refuse,
    remove: refuse,
    restore: refuse,
    clear: refuse,
    exportJson: refuse,
    importJson: refuse,
    recall: () => Promise.resolve([]),
    embeddingChanged: () => undefined,
    close: () => Promise.resolve(),
  }
}
