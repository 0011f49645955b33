import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { createHash, randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import type { TurnEvent } from '../../src/contract/answer.ts'
import { createAnswerRunner } from '../../src/core/answer/answer.ts'
import type { Embedder } from '../../src/core/embed/embed.ts'
import { createModels } from '../../src/core/models/models.ts'
import { createNet } from '../../src/core/net/net.ts'
import { searchPresent, type FoundHit, type Search, type SearchDetail } from '../../src/core/search/search.ts'
import type { Store } from '../../src/core/store/store.ts'
import { createTurns, type Turns } from '../../src/core/turns/turns.ts'
import type { TestStores } from '../fixtures/open-test-store.ts'
import { memorySecrets } from './memory-secrets.ts'

export interface TestAnswers {
  answers: Turns
  store: Store
  /** What was searched for, in order. */
  queries: string[]
  close(): Promise<void>
}

const goodDetail: SearchDetail = { hits: [], own: [0.6, 0.2], others: [], totalIdf: 10, units: 3 }

/** Real files, store, models and answers; only the search is scripted: it finds the documents in their order, or nothing. */
export async function openAnswers(
  stores: TestStores,
  options: {
    ollama: string
    dataDir?: string
    readOnly?: boolean
    documents?: Record<string, string>
    weak?: boolean /** The search of a question with this word ends only when it is stopped. */
    held?: string
  },
): Promise<TestAnswers> {
  const dataDir = options.dataDir ?? stores.newDir()
  const store = await stores.open(dataDir, { readOnly: options.readOnly ?? false })
  const hits = options.readOnly === true ? [] : await addFiles(store, join(dataDir, 'files'), options.documents ?? {})
  const queries: string[] = []
  const search: Search = {
    async query(request, { signal } = {}) {
      queries.push(request.query)
      if (options.held !== undefined && request.query.includes(options.held) && signal?.aborted === false)
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
      signal?.throwIfAborted()
      const scored = hits.map((hit) => ({ ...hit, score: options.weak === true ? 0.01 : hit.score }))
      const detail = options.weak === true ? weakDetail(scored) : { ...goodDetail, hits: scored.map((hit) => detailOf(hit, 0.9)) }
      return { result: { query: request.query, mode: 'hybrid', elapsedMs: 1, hits: scored, notes: [] }, hits: scored, detail }
    },
    vectorsChanged: () => undefined,
    embeddingChanged: () => undefined,
    hasHnsw: () => Promise.resolve(false),
    state: () => 'exact',
    whenIdle: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
  const net = createNet({ fetch: globalThis.fetch, now: Date.now, env: {}, isOffline: () => false, note: () => undefined })
  const { settings, tokenRates } = store
  const env = { OLLAMA_HOST: options.ollama }
  const models = createModels({ net, secrets: memorySecrets(), env, settings, tokenRates, now: Date.now, totalMemoryBytes: 16e9 })
  const runner = createAnswerRunner({
    search: searchPresent(search, Date.now),
    models,
    embedder: () => noEmbedder,
    settings: settings.read,
  })
  const answers = createTurns({
    deps: { now: Date.now, newId: randomUUID, log: () => undefined },
    store,
    runners: { answer: runner, agent: runner },
  })
  return {
    answers,
    store,
    queries,
    async close() {
      await answers.close()
      await net.close()
      await store.close()
    },
  }
}

const noEmbedder: Embedder = {
  open: () => Promise.reject(new Error('no embedding in this test')),
  embedPassages: () => Promise.reject(new Error('no embedding in this test')),
  embedQuestion: () => Promise.reject(new Error('no embedding in this test')),
  close: () => Promise.resolve(),
}

function detailOf(hit: FoundHit, coverage: number): SearchDetail['hits'][number] {
  return { passageId: hit.passageId, cosine: 0.9, centred: 0.6, bm25: 8, coverage: { whole: coverage, sentence: coverage } }
}

function weakDetail(hits: FoundHit[]): SearchDetail {
  return {
    hits: hits.map((hit) => ({ ...detailOf(hit, 0), cosine: 0.7, centred: 0, bm25: 0 })),
    own: [0, 0],
    others: [],
    totalIdf: 10,
    units: 3,
  }
}

async function addFiles(store: Store, folder: string, documents: Record<string, string>): Promise<FoundHit[]> {
  mkdirSync(folder, { recursive: true })
  const folderId = await store.folders.add({ path: folder, single: false, sample: false, copied: false })
  const hits: FoundHit[] = []
  for (const [name, text] of Object.entries(documents)) {
    const path = join(folder, name)
    writeFileSync(path, text)
    hits.push(await addFile(store, folderId, path, text, hits.length + 1))
  }
  return hits
}

async function addFile(store: Store, folderId: number, path: string, text: string, rank: number): Promise<FoundHit> {
  const { size: sizeBytes, mtimeMs: modifiedMs } = statSync(path)
  const hash = sha256(text)
  const added = [{ path, kind: 'markdown' as const, sizeBytes, modifiedMs, status: 'waiting' as const, reason: null }]
  await store.documents.applyScan(folderId, { added, changed: [], moved: [], touched: [], removed: [] }, null)
  const documentId = store.documents.known(folderId).find((file) => file.path === path)?.documentId ?? 0
  const place = { kind: 'lines' as const, from: 1, to: text.split('\n').length }
  await store.contents.store({
    key: { hash, kind: 'markdown', recipe: 'test' },
    sections: [{ place, text }],
    passages: [
      { ordinal: 0, text, heading: [], place, start: 0, end: text.length, tokens: 10, language: 'en', textHash: hash, terms: text },
    ],
    end: { status: 'ready', reason: null, title: null, pages: null, characters: text.length, language: 'en' },
    attach: { documentId, hash, sizeBytes, modifiedMs },
  })
  const passageId = store.documents.passages(documentId, 0, 1).passages[0]?.id ?? 0
  return {
    rank,
    score: 1 / rank,
    path,
    place,
    text,
    passageId,
    documentId,
    heading: [],
    alsoAt: [],
    unreachableSince: null,
    contentHash: hash,
    holders: [{ documentId, path, contentHash: hash, unreachableSince: null, root: dirname(path) }],
  }
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

export async function collect(events: AsyncIterable<TurnEvent>): Promise<TurnEvent[]> {
  const collected: TurnEvent[] = []
  for await (const event of events) collected.push(event)
  return collected
}

export function textOf(events: TurnEvent[]): string {
  return events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : [])).join('')
}
