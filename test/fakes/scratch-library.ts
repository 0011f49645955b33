import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { DocumentKind } from '../../src/contract/library.ts'
import type { WorkerName } from '../../src/core/deps.ts'
import type { Embedder } from '../../src/core/embed/embed.ts'
import { createSearch, embeddedText, languageOf, makeTerms, type Search } from '../../src/core/search/search.ts'
import { openStore, type NewPassage, type Store } from '../../src/core/store/store.ts'

export interface ScratchPassage {
  text: string
  heading?: string[]
}

export interface ScratchDocument {
  path: string
  passages: (string | ScratchPassage)[]
  kind?: DocumentKind
}

export interface ScratchLibrary {
  store: Store
  search: Search
  dataDir: string
  addFolder(path: string, options?: { sample?: boolean }): Promise<number>
  /** Straight into the store: no reading, one passage for each piece given. */
  add(folderId: number, documents: readonly ScratchDocument[]): Promise<void>
  /** Everything that waits for a vector. */
  embed(): Promise<void>
  reopenSearch(): Promise<void>
  close(): Promise<void>
}

export interface ScratchOptions {
  dataDir: string
  embedder: Embedder
  withoutHnsw?: boolean
  workerUrl?: (name: WorkerName) => URL
}

const built = (name: WorkerName): URL => pathToFileURL(join(process.cwd(), 'out', process.env['SIKU_TEST_OUT'] ?? 'node', `${name}.js`))

/** A real store and a real index thread over passages that are given, for tests and measurements of search. */
export async function openScratchLibrary({ dataDir, embedder, withoutHnsw, workerUrl = built }: ScratchOptions): Promise<ScratchLibrary> {
  mkdirSync(dataDir, { recursive: true })
  const log = (): void => {}
  const store = await openStore({ dataDir, workerUrl: workerUrl('writer-thread'), now: Date.now, log })
  const openSearch = (): Search =>
    createSearch({ deps: { dataDir, workerUrl }, store, embedder: () => embedder, log, ...(withoutHnsw ? { withoutHnsw } : {}) })
  let search = openSearch()

  async function add(folderId: number, documents: readonly ScratchDocument[]): Promise<void> {
    const modifiedMs = 1
    await store.documents.applyScan(
      folderId,
      {
        added: documents.map(({ path, kind = 'text' }) => ({ path, kind, sizeBytes: 1, modifiedMs, status: 'waiting', reason: null })),
        changed: [],
        moved: [],
        touched: [],
        removed: [],
      },
      null,
    )
    const ids = new Map(store.documents.known(folderId).map((known) => [known.path, known.documentId]))
    const jobs = documents.map(async ({ path, kind = 'text', passages }) => {
      const pieces = passages.map((passage) => (typeof passage === 'string' ? { text: passage, heading: [] } : { heading: [], ...passage }))
      const whole = pieces.map((piece) => piece.text).join('\n\n')
      const hash = createHash('sha256').update(whole).digest('hex')
      let start = 0
      const rows = pieces.map(({ text, heading }, ordinal): NewPassage => {
        const embedded = embeddedText(heading, text)
        const from = start
        start += text.length + 2
        return {
          ordinal,
          text,
          heading,
          place: { kind: 'lines', from: ordinal + 1, to: ordinal + 1 },
          start: from,
          end: from + text.length,
          tokens: Math.ceil(text.length / 4),
          language: languageOf(text),
          textHash: createHash('sha256').update(embedded).digest('hex'),
          terms: makeTerms(embedded),
        }
      })
      await store.contents.store({
        key: { hash, kind, recipe: 'scratch' },
        sections: pieces.map((piece, index) => ({ place: { kind: 'lines', from: index + 1, to: index + 1 }, text: piece.text })),
        passages: rows,
        end: { status: 'ready', reason: null, title: null, pages: null, characters: whole.length, language: languageOf(whole) },
        attach: { documentId: ids.get(path)!, hash, sizeBytes: 1, modifiedMs },
      })
    })
    await Promise.all(jobs)
  }

  async function embed(): Promise<void> {
    const { key, dimensions } = await embedder.open()
    const modelId = await store.vectors.model(key, dimensions)
    for (;;) {
      const pending = store.vectors.pending(modelId, 256)
      if (pending.length === 0) break
      const outcomes = await embedder.embedPassages(pending.map(({ text }) => ({ text })))
      await store.vectors.put(
        modelId,
        pending.map(({ textHash, language }, index) => {
          const outcome = outcomes[index]!
          return outcome.kind === 'ok'
            ? { textHash, language, vector: outcome.vector, problem: null }
            : { textHash, language, vector: null, problem: outcome.reason }
        }),
      )
    }
    // A search prepares the priors, as the first question does in the product.
    search.vectorsChanged()
    await search.query({ query: 'neutral', k: 1 })
    await search.whenIdle()
  }

  return {
    store,
    get search() {
      return search
    },
    dataDir,
    addFolder: (path, { sample = false } = {}) => store.folders.add({ path, single: false, sample, copied: false }),
    add,
    embed,
    async reopenSearch() {
      await search.close()
      search = openSearch()
      await search.whenIdle()
    },
    async close() {
      await search.close()
      await store.close()
    },
  }
}
