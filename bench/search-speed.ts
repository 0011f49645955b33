import { DatabaseSync } from '@photostructure/sqlite'
import hnswlib from 'hnswlib-node'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Embedder } from '../src/core/embed/embed.ts'
import { matchAny, queryTerms } from '../src/core/search/query.ts'
import { openScratchLibrary, type ScratchLibrary } from '../test/fakes/scratch-library.ts'
import { dimensions, scriptedDocuments, scriptedEmbedder, scriptedQuestions, scriptedVector } from './scripted-library.ts'

export interface SearchSpeedBench {
  passages: number
  /** Medians of the rounds' medians: the whole search, and its raw parts one after the other. */
  searchMs: number
  raw: { embedMs: number; ftsMs: number; hnswMs: number }
  ratio: number
  keyword: { medianMs: number; p95Ms: number }
  restart: { keywordMs: number; meaningMs: number }
  memory: { idleBytes: number; rawBytes: number; allowedBytes: number }
}

export interface SearchSpeedOptions {
  embedder: Embedder
  passages?: number
  rounds?: number
  questions?: number
  /** A library to keep for the next run. */
  keepIn?: string
}

/** Search at 100,000 passages against the bare libraries doing the same work on the same terms and vectors in this process. */
export async function benchSearchSpeed(options: SearchSpeedOptions): Promise<SearchSpeedBench> {
  const { embedder, passages = 100_000, rounds = 5, questions: count = 100, keepIn } = options
  const dataDir = keepIn ?? mkdtempSync(join(tmpdir(), 'siku-bench-'))
  const scripted = scriptedEmbedder(embedder)
  const questions = scriptedQuestions(count)
  if (!existsSync(join(dataDir, 'siku.db'))) await fill(dataDir, passages)
  const startedAt = performance.now()
  const library = await openScratchLibrary({ dataDir, embedder: scriptedEmbedder(null) })
  try {
    await library.search.query({ query: questions[0]!, mode: 'keyword' })
    const keywordMs = performance.now() - startedAt
    await library.search.query({ query: questions[0]! })
    const meaningMs = performance.now() - startedAt
    await library.search.whenIdle()
    const rawBytes = passages * (dimensions * 4 + 148)
    // Measured before the bare graph is made, which lies in the same process.
    globalThis.gc?.()
    const idleBytes = process.memoryUsage().rss
    await library.close()

    const again = await openScratchLibrary({ dataDir, embedder: scripted })
    const raw = openRaw(dataDir, passages)
    try {
      await again.search.whenIdle()
      await embedder.embedQuestion(questions[0]!)
      const measured: { search: number[]; keyword: number[]; embed: number[]; fts: number[]; hnsw: number[] }[] = []
      for (let round = 0; round <= rounds; round++) measured.push(await oneRound(again, embedder, raw, questions))
      const warm = measured.slice(1)
      const middleOf = (part: (round: (typeof warm)[number]) => number[]): number => median(warm.map((round) => median(part(round))))
      const [searchMs, embedMs, ftsMs, hnswMs] = [
        middleOf((r) => r.search),
        middleOf((r) => r.embed),
        middleOf((r) => r.fts),
        middleOf((r) => r.hnsw),
      ]
      const keyword = { medianMs: middleOf((r) => r.keyword), p95Ms: median(warm.map((round) => quantile(round.keyword, 0.95))) }
      return {
        passages,
        searchMs,
        raw: { embedMs, ftsMs, hnswMs },
        ratio: searchMs / (embedMs + ftsMs + hnswMs),
        keyword,
        restart: { keywordMs, meaningMs },
        memory: { idleBytes, rawBytes, allowedBytes: rawBytes + 250e6 },
      }
    } finally {
      raw.close()
      await again.close()
    }
  } finally {
    if (keepIn === undefined) rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Makes the library that is searched, in a process of its own: what it leaves in memory would count as Siku's. */
export async function fill(dataDir: string, passages: number): Promise<void> {
  const library = await openScratchLibrary({ dataDir, embedder: scriptedEmbedder(null) })
  const folder = await library.addFolder('/bench')
  const documents = scriptedDocuments(passages)
  for (let at = 0; at < documents.length; at += 200) await library.add(folder, documents.slice(at, at + 200))
  await library.embed()
  await library.close()
}

interface Raw {
  fts(question: string): void
  hnsw(question: string): void
  close(): void
}

function openRaw(dataDir: string, passages: number): Raw {
  const database = new DatabaseSync(join(dataDir, 'siku.db'), { readOnly: true })
  database.exec("CREATE VIRTUAL TABLE temp.terms USING fts5vocab(main, 'passages_fts', 'row')")
  const frequency = database.prepare('SELECT doc FROM temp.terms WHERE term = ?')
  const search = database.prepare('SELECT rowid, rank FROM passages_fts WHERE passages_fts MATCH ? ORDER BY rank LIMIT 50')
  const matches = new Map<string, string>()
  const graph = new hnswlib.HierarchicalNSW('cosine', dimensions)
  graph.initIndex(passages, 16, 100)
  for (const row of database.prepare('SELECT id, vector FROM vectors').iterate() as Iterable<{ id: number; vector: Uint8Array }>) {
    graph.addPoint(Array.from(new Float32Array(row.vector.slice().buffer)), row.id)
  }
  graph.setEf(100)
  return {
    fts(question) {
      let match = matches.get(question)
      if (match === undefined) {
        const known = queryTerms(question).map((term) => ({ term, count: (frequency.get(term) as { doc: number } | undefined)?.doc ?? 0 }))
        const there = known.filter(({ count }) => count > 0)
        const rare = there.filter(({ count }) => count <= Math.max(2000, passages * 0.05))
        match = matchAny((rare.length > 0 ? rare : there).map(({ term }) => term))
        matches.set(question, match)
      }
      if (match !== '') search.all(match)
    },
    hnsw: (question) => void graph.searchKnn(Array.from(scriptedVector(question)), 50),
    close: () => database.close(),
  }
}

async function oneRound(library: ScratchLibrary, embedder: Embedder, raw: Raw, questions: string[]) {
  const times = { search: [] as number[], keyword: [] as number[], embed: [] as number[], fts: [] as number[], hnsw: [] as number[] }
  for (const question of questions) {
    times.search.push(await timed(() => library.search.query({ query: question })))
    times.embed.push(await timed(() => embedder.embedQuestion(question)))
    times.fts.push(await timed(() => raw.fts(question)))
    times.hnsw.push(await timed(() => raw.hnsw(question)))
    times.keyword.push(await timed(() => library.search.query({ query: question, mode: 'keyword' })))
  }
  return times
}

async function timed(work: () => unknown): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}

function median(values: number[]): number {
  return quantile(values, 0.5)
}
