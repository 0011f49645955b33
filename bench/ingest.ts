import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { DatabaseSync } from '@photostructure/sqlite'
import { Tokenizer } from '@huggingface/tokenizers'
import ort from 'onnxruntime-node'
import type { CoreDeps } from '../src/core/deps.ts'
import { planBatches } from '../src/core/embed/batches.ts'
import { createBuiltInEmbedder } from '../src/core/embed/built-in.ts'
import type { Embedder } from '../src/core/embed/embed.ts'
import { modelFolder } from '../src/core/embed/model-files.ts'
import { sequenceOf } from '../src/core/embed/passage-work.ts'
import { toTensors } from '../src/core/embed/session.ts'
import { loadTokenizer } from '../src/core/embed/tokenizer.ts'
import { createIngest, type Ingest } from '../src/core/ingest/ingest.ts'
import { makeTerms } from '../src/core/search/search.ts'
import { embeddedText, openStore, type Store } from '../src/core/store/store.ts'
import { forkProcess } from '../src/core/work/work.ts'
import { memorySecrets } from '../test/fakes/memory-secrets.ts'
import { median } from './embedding.ts'

export interface IngestBenchOptions {
  resourcesDir: string
  /** out/node, where threads and processes lie. */
  builtDir: URL
  dataDir: string
  rounds?: number
  passages?: number
}

export interface Round {
  sikuMs: number
  rawMs: number
}

export interface IngestBench {
  /**
   * 1,000 Markdown files of 2 kB: from the drop, with no process running yet, until all are found by keyword. Raw reads, tokenises
   * once with the bare library and inserts the same terms; `ownTokenizerRatio` is against the same with Siku's own tokenizer.
   */
  keyword: { ms: number; ratio: number; ownTokenizerRatio: number; rounds: Round[] }
  /** 10,000 unchanged files: from the wish to the end of the look; raw walks and stats, one after the other, in this thread. */
  rescan: { ms: number; ratio: number; rounds: Round[] }
  /** From files to vectors in the store, reading and storing included, against the bare runtime on batches of the same tokens. */
  indexing: { tokens: number; tokensPerSecond: { siku: number; bare: number }; ratio: number; rounds: Round[] }
  /** Longest hold of the main thread's event loop while those files were indexed. */
  eventLoopMs: { keyword: number; rescan: number; indexing: number }
}

interface Library {
  ingest: Ingest
  store: Store
  close(): Promise<void>
}

async function openLibrary(options: IngestBenchOptions, home: string, embedder: Embedder | null): Promise<Library> {
  const dataDir = join(home, 'data')
  mkdirSync(dataDir)
  const workerUrl = (name: string): URL => new URL(`${name}.js`, options.builtDir)
  const log = (): void => undefined
  const store = await openStore({ dataDir, workerUrl: workerUrl('writer-thread'), now: Date.now, log })
  const deps: CoreDeps = {
    dataDir,
    resourcesDir: options.resourcesDir,
    secrets: memorySecrets(),
    fetch: globalThis.fetch,
    now: Date.now,
    newId: () => crypto.randomUUID(),
    log,
    env: {},
    startProcess: forkProcess,
    workerUrl,
  }
  const ingest = createIngest({ deps, store, embedder: () => embedder, search: { vectorsChanged: () => undefined } })
  await ingest.start()
  return {
    ingest,
    store,
    async close() {
      await ingest.close()
      await store.close()
    },
  }
}

async function inHome<Value>(work: (home: string) => Promise<Value>): Promise<Value> {
  const home = mkdtempSync(join(tmpdir(), 'siku-bench-'))
  try {
    return await work(home)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** Runs the work and says how long it took and how long it held the event loop at most. */
async function watched(work: () => Promise<unknown>): Promise<{ ms: number; holdMs: number }> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const start = performance.now()
  await work()
  const ms = performance.now() - start
  delay.disable()
  return { ms, holdMs: delay.max / 1e6 }
}

const english = 'The tenant shall return the keys of the cellar before the last day of the month and note what the meters show .'.split(' ')
const chinese = '承租人应当在每月最后一天以前把地下室的钥匙交还给出租人并且记下水表和电表的读数'

/** Two kilobytes of Markdown, different in each file. */
function note(seed: number): string {
  let state = seed * 7919 + 17
  const next = (limit: number): number => (state = (state * 1103515245 + 12345) % 2147483648) % limit
  let text = `# Note ${seed}\n`
  while (Buffer.byteLength(text) < 1980) {
    const words = Array.from({ length: 12 }, () => english[next(english.length)])
    const start = next(chinese.length - 12)
    text += `\n## Part ${next(1000)}\n\n${words.join(' ')} number ${next(100_000)}.\n\n${chinese.slice(start, start + 12)}第${next(10_000)}条。\n`
  }
  return text
}

function writeNotes(folder: string, count: number, perDirectory: number): void {
  for (let index = 0; index < count; index++) {
    const directory = join(folder, `part-${Math.floor(index / perDirectory)}`)
    if (index % perDirectory === 0) mkdirSync(directory, { recursive: true })
    writeFileSync(join(directory, `note-${index}.md`), note(index))
  }
}

async function whenRead(ingest: Ingest): Promise<void> {
  for await (const { counts } of ingest.progress()) if (counts.total > 0 && counts.waiting + counts.reading === 0) return
}

async function benchKeyword(options: IngestBenchOptions, rounds: number): Promise<IngestBench['keyword'] & { holdMs: number }> {
  const result: Round[] = []
  let holdMs = 0
  const own: number[] = []
  const tokenizer = await loadTokenizer(options.resourcesDir)
  const description = readFileSync(join(modelFolder(options.resourcesDir), 'tokenizer.json'), 'utf8')
  const bare = new Tokenizer(JSON.parse(description) as object, {})
  for (let round = 0; round < rounds; round++) {
    await inHome(async (home) => {
      const folder = join(home, 'notes')
      writeNotes(folder, 1000, 100)
      const library = await openLibrary(options, home, null)
      const siku = await watched(async () => {
        await library.ingest.add([folder])
        await whenRead(library.ingest)
      })
      holdMs = Math.max(holdMs, siku.holdMs)
      // The same terms: those of the passages that Siku made of the same files.
      const rows = library.store.reader.prepare('SELECT heading, text FROM passages ORDER BY id').all() as {
        heading: string
        text: string
      }[]
      const terms = rows.map((row) => makeTerms(embeddedText(JSON.parse(row.heading) as string[], row.text)))
      await library.close()
      const texts = (): string[] =>
        readdirSync(folder).flatMap((directory) =>
          readdirSync(join(folder, directory)).map((name) => readFileSync(join(folder, directory, name), 'utf8')),
        )
      const ownStart = performance.now()
      for (const text of texts()) tokenizer.encode(text)
      const ownMs = performance.now() - ownStart
      const start = performance.now()
      for (const text of texts()) bare.encode(text)
      const insertStart = performance.now()
      const database = new DatabaseSync(join(home, 'raw.db'))
      database.exec("PRAGMA journal_mode = WAL; CREATE VIRTUAL TABLE raw USING fts5(terms, content=''); BEGIN")
      const insert = database.prepare('INSERT INTO raw (rowid, terms) VALUES (?, ?)')
      terms.forEach((text, index) => insert.run(index + 1, text))
      database.exec('COMMIT')
      database.close()
      const end = performance.now()
      result.push({ sikuMs: siku.ms, rawMs: end - start })
      own.push(siku.ms / (ownMs + end - insertStart))
    })
  }
  return {
    ms: median(result.map(({ sikuMs }) => sikuMs)),
    ownTokenizerRatio: median(own),
    ratio: median(result.map(({ sikuMs, rawMs }) => sikuMs / rawMs)),
    rounds: result,
    holdMs,
  }
}

function bareWalk(directory: string): number {
  let count = 0
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) count += bareWalk(path)
    else if (statSync(path).isFile()) count += 1
  }
  return count
}

async function benchRescan(options: IngestBenchOptions, rounds: number): Promise<IngestBench['rescan'] & { holdMs: number }> {
  return inHome(async (home) => {
    const folder = join(home, 'notes')
    writeNotes(folder, 10_000, 100)
    const { ingest, ...library } = await openLibrary(options, home, null)
    const { folders } = await ingest.add([folder])
    await ingest.whenIdle()
    const folderId = folders[0]!.id
    const isScanning = (): boolean => ingest.folders()[0]?.state === 'scanning'
    const result: Round[] = []
    let holdMs = 0
    for (let round = 0; round < rounds; round++) {
      const siku = await watched(async () => {
        await ingest.rescan(folderId)
        while (isScanning()) await new Promise((resolve) => setTimeout(resolve, 3))
      })
      holdMs = Math.max(holdMs, siku.holdMs)
      const start = performance.now()
      bareWalk(folder)
      result.push({ sikuMs: siku.ms, rawMs: performance.now() - start })
    }
    await ingest.close()
    await library.close()
    return {
      ms: median(result.map(({ sikuMs }) => sikuMs)),
      ratio: median(result.map(({ sikuMs, rawMs }) => sikuMs / rawMs)),
      rounds: result,
      holdMs,
    }
  })
}

/** English and Chinese paragraphs in turn, each a file of its own. */
function writeParagraphs(folder: string, dataDir: string, count: number): void {
  const read = (language: string): string[] => {
    const file = join(dataDir, 'xquad', `xquad.${language}.dev.json`)
    if (!existsSync(file)) throw new Error(`${file} is missing: set SIKU_BENCH_DATA`)
    const { data } = JSON.parse(readFileSync(file, 'utf8')) as { data: { paragraphs: { context: string }[] }[] }
    return data.flatMap((article) => article.paragraphs.map(({ context }) => context))
  }
  const [one, other] = [read('en'), read('zh')]
  mkdirSync(folder)
  const texts = one.flatMap((text, index) => [text, other[index] ?? text]).slice(0, count)
  texts.forEach((text, index) => writeFileSync(join(folder, `${index}.md`), text))
}

async function benchIndexing(options: IngestBenchOptions, rounds: number): Promise<IngestBench['indexing'] & { holdMs: number }> {
  const { resourcesDir, builtDir } = options
  const tokenizer = await loadTokenizer(resourcesDir)
  const session = await ort.InferenceSession.create(join(modelFolder(resourcesDir), 'model.onnx'))
  const embedder = createBuiltInEmbedder({
    deps: {
      resourcesDir,
      // Not nicer than the bare runtime beside it, or a busy machine would be measured.
      startProcess: (entry, { niceness: _niceness, ...start }) => forkProcess(entry, start),
      workerUrl: (name) => new URL(`${name}.js`, builtDir),
      log: () => undefined,
    },
  })
  const result: Round[] = []
  let tokens = 0
  let holdMs = 0
  try {
    for (let round = 0; round < rounds; round++) {
      await inHome(async (home) => {
        const folder = join(home, 'texts')
        writeParagraphs(folder, options.dataDir, options.passages ?? 300)
        const library = await openLibrary(options, home, embedder)
        await embedder.embedQuestion('Is it awake?')
        const siku = await watched(async () => {
          await library.ingest.add([folder])
          await library.ingest.whenIdle()
        })
        holdMs = Math.max(holdMs, siku.holdMs)
        const rows = library.store.reader.prepare('SELECT heading, text FROM passages GROUP BY text_hash').all() as {
          heading: string
          text: string
        }[]
        await library.close()
        const sequences = rows.map((row) =>
          sequenceOf(tokenizer.passagePrefixIds, tokenizer.encode(embeddedText(JSON.parse(row.heading) as string[], row.text))),
        )
        tokens = sequences.reduce((sum, sequence) => sum + sequence.length, 0)
        const feeds = planBatches(sequences.map(({ length }) => length)).map((batch) => {
          const { inputIds, attentionMask, dimensions } = toTensors(batch.map((index) => sequences[index]!))
          return {
            input_ids: new ort.Tensor('int64', inputIds, dimensions),
            attention_mask: new ort.Tensor('int64', attentionMask, dimensions),
          }
        })
        await session.run(feeds[0]!)
        const start = performance.now()
        for (const feed of feeds) await session.run(feed)
        result.push({ sikuMs: siku.ms, rawMs: performance.now() - start })
      })
    }
  } finally {
    await embedder.close()
  }
  return {
    tokens,
    tokensPerSecond: {
      siku: Math.round((tokens / median(result.map(({ sikuMs }) => sikuMs))) * 1000),
      bare: Math.round((tokens / median(result.map(({ rawMs }) => rawMs))) * 1000),
    },
    ratio: median(result.map(({ sikuMs, rawMs }) => rawMs / sikuMs)),
    rounds: result,
    holdMs,
  }
}

/** Following and indexing, each beside the raw work on the same files in the same process. */
export async function benchIngest(options: IngestBenchOptions): Promise<IngestBench> {
  const { rounds = 5 } = options
  const { holdMs: keywordHold, ...keyword } = await benchKeyword(options, rounds)
  const { holdMs: rescanHold, ...rescan } = await benchRescan(options, rounds)
  const { holdMs: indexingHold, ...indexing } = await benchIndexing(options, rounds)
  return { keyword, rescan, indexing, eventLoopMs: { keyword: keywordHold, rescan: rescanHold, indexing: indexingHold } }
}
