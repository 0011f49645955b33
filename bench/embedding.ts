import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ort from 'onnxruntime-node'
import { planBatches } from '../src/core/embed/batches.ts'
import { createBuiltInEmbedder } from '../src/core/embed/built-in.ts'
import { modelFolder } from '../src/core/embed/model-files.ts'
import { sequenceOf } from '../src/core/embed/passage-work.ts'
import { toTensors } from '../src/core/embed/session.ts'
import { loadTokenizer } from '../src/core/embed/tokenizer.ts'
import { forkProcess } from '../src/core/work/work.ts'

export interface EmbeddingBench {
  passages: number
  tokens: number
  /** Medians over the rounds, tokens without padding. */
  tokensPerSecond: { siku: number; bare: number }
  /** Median of the rounds' own ratios: what else the machine does falls on both halves of a round. */
  ratio: number
  /** The same by processor time, which says more on a busy machine; null where it cannot be read. */
  processorRatio: number | null
  rounds: { sikuMs: number; bareMs: number; sikuProcessorMs: number; bareProcessorMs: number }[]
  questionMs: number
  questionWhileIndexingMs: number
  peakBytes: number | null
  tokenizer: { loadMs: number; tokensPerSecond: number }
}

interface EmbeddingBenchOptions {
  resourcesDir: string
  /** out/node, where the embedding process lies. */
  builtDir: URL
  dataDir: string
  passages?: number
  rounds?: number
}

interface XquadFile {
  data: { paragraphs: { context: string }[] }[]
}

/** English and Chinese paragraphs in turn. */
function paragraphs(dataDir: string, count: number): string[] {
  const read = (language: string): string[] => {
    const file = join(dataDir, 'xquad', `xquad.${language}.dev.json`)
    if (!existsSync(file)) throw new Error(`${file} is missing: set SIKU_BENCH_DATA`)
    const { data } = JSON.parse(readFileSync(file, 'utf8')) as XquadFile
    return data.flatMap((article) => article.paragraphs.map(({ context }) => context))
  }
  const [english, chinese] = [read('en'), read('zh')]
  return english.flatMap((text, index) => [text, chinese[index] ?? text]).slice(0, count)
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** The largest resident size that the process ever had; Linux only. */
function peakBytesOf(pid: number | undefined): number | null {
  const file = `/proc/${pid}/status`
  const line = existsSync(file) ? /VmHWM:\s+(\d+) kB/.exec(readFileSync(file, 'utf8')) : null
  return line === null ? null : Number(line[1]) * 1024
}

/** Processor time that a process had so far, in ms (Linux, where a tick is 10 ms). */
function processorMsOf(pid: number | undefined): number {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return 0
  const text = readFileSync(file, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** The built-in embedder through its process, against the bare runtime on the same token batches, in alternating rounds. */
export async function benchEmbedding(options: EmbeddingBenchOptions): Promise<EmbeddingBench> {
  const { resourcesDir, builtDir, dataDir, rounds: roundCount = 5 } = options
  let tokenizer = await loadTokenizer(resourcesDir)
  const loadMs = await timed(async () => (tokenizer = await loadTokenizer(resourcesDir)))
  const budget = tokenizer.passageBudget
  const texts = paragraphs(dataDir, options.passages ?? 300)
  let tokenIds: Int32Array[] = []
  const encodeMs = await timed(async () => {
    for (let pass = 0; pass < 10; pass++) tokenIds = texts.map((text) => tokenizer.encode(text))
    return Promise.resolve()
  })
  const encoded = tokenIds.reduce((sum, ids) => sum + ids.length, 0) * 10
  tokenIds = tokenIds.map((ids) => ids.slice(0, budget))
  const inputs = texts.map((text, index) => ({ text, tokenIds: tokenIds[index]! }))

  const sequences = tokenIds.map((ids) => sequenceOf(tokenizer.passagePrefixIds, ids))
  const tokens = sequences.reduce((sum, sequence) => sum + sequence.length, 0)
  const feeds = planBatches(sequences.map(({ length }) => length)).map((batch) => {
    const { inputIds, attentionMask, dimensions } = toTensors(batch.map((index) => sequences[index]!))
    return { input_ids: new ort.Tensor('int64', inputIds, dimensions), attention_mask: new ort.Tensor('int64', attentionMask, dimensions) }
  })
  const session = await ort.InferenceSession.create(join(modelFolder(resourcesDir), 'model.onnx'))
  const bare = async (): Promise<void> => {
    for (const feed of feeds) await session.run(feed)
  }

  let pid: number | undefined
  const embedder = createBuiltInEmbedder({
    deps: {
      resourcesDir,
      // Not nicer than the bare runtime beside it, or a busy machine would be measured.
      startProcess: (entry, { niceness: _niceness, ...start }) => {
        const handle = forkProcess(entry, start)
        pid = handle.pid
        return handle
      },
      workerUrl: (name) => new URL(`${name}.js`, builtDir),
      log: () => undefined,
    },
  })
  try {
    await bare()
    await embedder.embedPassages(inputs)
    const rounds: EmbeddingBench['rounds'] = []
    for (let round = 0; round < roundCount; round++) {
      const measured = { sikuMs: 0, bareMs: 0, sikuProcessorMs: 0, bareProcessorMs: 0 }
      const measureSiku = async (): Promise<void> => {
        const before = processorMsOf(pid)
        measured.sikuMs = await timed(() => embedder.embedPassages(inputs))
        measured.sikuProcessorMs = processorMsOf(pid) - before
      }
      const measureBare = async (): Promise<void> => {
        const before = processorMsOf(process.pid)
        measured.bareMs = await timed(bare)
        measured.bareProcessorMs = processorMsOf(process.pid) - before
      }
      // Who goes first alternates too.
      for (const measure of round % 2 === 0 ? [measureSiku, measureBare] : [measureBare, measureSiku]) await measure()
      rounds.push(measured)
    }
    const questions: number[] = []
    for (let index = 0; index < 20; index++)
      questions.push(await timed(() => embedder.embedQuestion(`Who built the tower number ${index}?`)))
    const indexing = embedder.embedPassages(inputs)
    const busy: number[] = []
    for (let index = 0; index < 10; index++) busy.push(await timed(() => embedder.embedQuestion(`When was bridge number ${index} built?`)))
    await indexing
    return {
      passages: texts.length,
      tokens,
      tokensPerSecond: {
        siku: Math.round((tokens / median(rounds.map(({ sikuMs }) => sikuMs))) * 1000),
        bare: Math.round((tokens / median(rounds.map(({ bareMs }) => bareMs))) * 1000),
      },
      ratio: median(rounds.map(({ sikuMs, bareMs }) => bareMs / sikuMs)),
      processorRatio:
        process.platform === 'linux'
          ? median(rounds.map(({ sikuProcessorMs, bareProcessorMs }) => bareProcessorMs / sikuProcessorMs))
          : null,
      rounds,
      questionMs: median(questions),
      questionWhileIndexingMs: median(busy),
      peakBytes: peakBytesOf(pid),
      tokenizer: { loadMs, tokensPerSecond: Math.round((encoded / encodeMs) * 1000) },
    }
  } finally {
    await embedder.close()
  }
}
