import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Embedder } from '../src/core/embed/embed.ts'
import { builtInEmbedder } from './built-in-embedder.ts'
import { benchAgent } from './agent.ts'
import { benchEmbedding } from './embedding.ts'
import { benchFirstWord } from './first-word.ts'
import { benchFunctionCalls } from './function-calls.ts'
import { benchHostile } from './hostile.ts'
import { benchIngest } from './ingest.ts'
import { benchMemory } from './memory.ts'
import { dataDirectory } from './question-sets.ts'
import { benchReader } from './reader.ts'
import { benchRetrieval } from './retrieval.ts'
import { milliseconds, row, share, times, type Part } from './rows.ts'
import { benchSearchSpeed, fill } from './search-speed.ts'
import { benchStart } from './start.ts'
import { benchStreaming } from './streaming.ts'

const root = process.cwd()
const resourcesDir = join(root, 'resources')
const builtDir = pathToFileURL(join(root, 'out', 'node') + '/')
const dataDir = dataDirectory()

function bundledModel(): Embedder {
  return builtInEmbedder(root)
}

const fillCommand = 'fill-library'
const searchedPassages = 100_000

/** In a process of its own: what it leaves in memory is not Siku's. */
function fillApart(home: string): void {
  spawnSync(process.execPath, [...process.execArgv, process.argv[1]!, fillCommand, home], { stdio: 'inherit' })
  if (!existsSync(join(home, 'siku.db'))) throw new Error('the library to search could not be made')
}

async function speed(): Promise<Part> {
  const embedder = bundledModel()
  const keepIn = mkdtempSync(join(tmpdir(), 'siku-bench-'))
  try {
    fillApart(keepIn)
    const raw = await benchSearchSpeed({ embedder, passages: searchedPassages, keepIn })
    const { embedMs, ftsMs, hnswMs } = raw.raw
    return {
      raw,
      rows: [
        row(
          `search at ${raw.passages} passages, against embedding + FTS5 + hnswlib`,
          `${milliseconds(raw.searchMs)} against ${milliseconds(embedMs + ftsMs + hnswMs)}, ${times(raw.ratio)}`,
          '≤ 1.3 ×',
        ),
        row(
          'keyword leg, median / 95th percentile',
          `${milliseconds(raw.keyword.medianMs)} / ${milliseconds(raw.keyword.p95Ms)}`,
          '≤ 25 ms at the 95th',
        ),
        row(
          'restart: first keyword / first meaning search',
          `${milliseconds(raw.restart.keywordMs)} / ${milliseconds(raw.restart.meaningMs)}`,
          '≤ 1,000 / 2,000 ms',
        ),
        row('memory when idle', `${Math.round(raw.memory.idleBytes / 1e6)} MB`, `≤ ${Math.round(raw.memory.allowedBytes / 1e6)} MB`),
      ],
    }
  } finally {
    await embedder.close()
    rmSync(keepIn, { recursive: true, force: true })
  }
}

async function retrieval(): Promise<Part> {
  const embedder = bundledModel()
  try {
    const raw = await benchRetrieval(embedder)
    if (raw === null) return skipped('retrieval', 'question sets')
    return {
      raw,
      rows: [
        ...raw.sets.map(({ set, mode, at1, at5 }) =>
          row(`${set}, ${mode}: recall at 1 / 5`, `${share(at1)} / ${share(at5)}`, setTarget(set, mode)),
        ),
        ...raw.code.map(({ mode, at5, at10, at20 }) =>
          row(
            `code search, ${mode}: golden piece within 5 / 10 / 20`,
            `${share(at5)} / ${share(at10)} / ${share(at20)}`,
            mode === 'hybrid' ? '≥ 0.85 / 0.90 / 0.94' : '',
          ),
        ),
        ...raw.mixed.map(({ library, asked, same, other, alone }) =>
          row(
            `${library}, asked in ${asked}: recall at 5, same / other language`,
            `${share(same)} / ${share(other)}${alone === undefined ? '' : ` (alone ${share(alone)})`}`,
            alone === undefined ? '≥ 0.99 / 0.94' : 'other ≥ 0.85 of alone',
          ),
        ),
        ...raw.extractive.map(({ set, rate }) =>
          row(`${set}: answer within the first three extracts`, share(rate), set.startsWith('XQuAD') ? '≥ 0.91' : ''),
        ),
        ...raw.claims.map(({ set, rates }) =>
          row(`${set}: claims`, JSON.stringify(rates), 'copied ≥ 0.98, changed 0, moved ≥ 0.90 at ≤ 0.05'),
        ),
        ...raw.notes.map(({ set, wrong, right }) =>
          row(`${set}: notes, wrong / right`, `${share(wrong)} / ${share(right)}`, 'wrong ≤ 0.02'),
        ),
      ],
    }
  } finally {
    await embedder.close()
  }
}

function setTarget(set: string, mode: string): string {
  if (mode !== 'hybrid') return ''
  if (set === 'XQuAD English') return '≥ 0.96 at 1'
  if (set === 'XQuAD Chinese') return '≥ 0.945 at 1'
  return '≥ 0.977 at 1'
}

async function embedding(): Promise<Part> {
  if (dataDir === null) return skipped('embedding', 'texts')
  const raw = await benchEmbedding({ resourcesDir, builtDir, dataDir })
  return {
    raw,
    rows: [
      row('embedding process against the bare runtime, same batches', times(raw.ratio), '≥ 0.90 ×'),
      row('the same by processor time', raw.processorRatio === null ? 'not measurable here' : times(raw.processorRatio)),
      row('tokens a second, Siku / bare', `${Math.round(raw.tokensPerSecond.siku)} / ${Math.round(raw.tokensPerSecond.bare)}`),
      row('a question, idle / while indexing', `${milliseconds(raw.questionMs)} / ${milliseconds(raw.questionWhileIndexingMs)}`),
      row(
        'embedding process, peak memory',
        raw.peakBytes === null ? 'not measurable here' : `${Math.round(raw.peakBytes / 1e6)} MB`,
        '≤ 600 MB',
      ),
    ],
  }
}

async function ingest(): Promise<Part> {
  if (dataDir === null) return skipped('ingest', 'texts')
  const raw = await benchIngest({ resourcesDir, builtDir, dataDir })
  return {
    raw,
    rows: [
      row(
        '1,000 Markdown files of 2 kB found by keyword',
        `${(raw.keyword.ms / 1000).toFixed(2)} s, ${times(raw.keyword.ratio)}`,
        '≤ 5 s, ≤ 1.5 ×',
      ),
      row('the same against our own tokenizer', times(raw.keyword.ownTokenizerRatio)),
      row('rescan of 10,000 unchanged files', times(raw.rescan.ratio), '≤ 2 ×'),
      row('indexing against the bare runtime, reading and storing included', times(raw.indexing.ratio), '≥ 0.90 ×'),
      row(
        'longest hold of the event loop: keyword / rescan / indexing',
        Object.values(raw.eventLoopMs).map(milliseconds).join(' / '),
        '≤ 50 ms',
      ),
    ],
  }
}

async function firstWord(): Promise<Part> {
  const raw = await benchFirstWord({ resourcesDir, builtDir })
  return {
    raw,
    rows: [
      row('first word later than the bare stream', milliseconds(raw.laterMs), '≤ 15 ms'),
      row('from the question to the first word', milliseconds(raw.askMs)),
    ],
  }
}

async function memory(): Promise<Part> {
  const embedder = bundledModel()
  try {
    const raw = await benchMemory({ embedder, root, resourcesDir, builtDir })
    const { recall, window } = raw
    return {
      raw,
      rows: [
        row(
          `recall among ${raw.memories} memories beyond embedding, median / 95th percentile`,
          `${milliseconds(recall.beyondEmbeddingMs)} / ${milliseconds(recall.beyondEmbeddingP95Ms)}`,
          '≤ 20 ms',
        ),
        row('the same, embedding included', milliseconds(recall.wholeMs)),
        row('the same, first after a start / after one more memory', `${milliseconds(raw.firstMs)} / ${milliseconds(raw.afterAddMs)}`),
        ...Object.entries(raw.quality).flatMap(([set, by]) =>
          Object.entries(by).map(([way, { precision, recall: found, disturbed }]) =>
            row(
              `memories given, ${set}, by ${way}: precision / recall / given for nothing`,
              [precision, found, disturbed].map(share).join(' / '),
            ),
          ),
        ),
        row(
          'fitting a full window, its first / last rounds of 200',
          `${milliseconds(window.firstMs)} / ${milliseconds(window.lastMs)}, ${times(window.ratio)}`,
          '≤ 1.5 ×',
        ),
      ],
    }
  } finally {
    await embedder.close()
  }
}

async function agent(): Promise<Part> {
  const raw = await benchAgent()
  const { stepMs, storedStepMs, worstStepMs, long, stopMs } = raw
  return {
    raw,
    rows: [
      row(
        'a step without model and tool, median of turns / worst turn',
        `${milliseconds(stepMs.native)} / ${milliseconds(worstStepMs.native)}`,
        '≤ 5 ms',
      ),
      row('the same, the call written as text', `${milliseconds(stepMs.text)} / ${milliseconds(worstStepMs.text)}`, '≤ 5 ms'),
      row(
        'a whole turn until it is stored, by step: native / as text',
        `${milliseconds(storedStepMs.native)} / ${milliseconds(storedStepMs.text)}`,
        '≤ 5 ms',
      ),
      row(
        `a turn of ${long.steps} steps: a step at the start / at the end`,
        `${milliseconds(long.firstMs)} / ${milliseconds(long.lastMs)}, ${times(long.ratio)}`,
        '≤ 1.5 ×',
      ),
      row(
        'stop: from the call to the closed socket, median / worst',
        `${milliseconds(stopMs.median)} / ${milliseconds(stopMs.worst)}`,
        '≤ 200 ms',
      ),
    ],
  }
}

async function functionCalls(): Promise<Part> {
  const raw = dataDir === null ? null : await benchFunctionCalls({ dataDir, model: process.env['SIKU_BENCH_MODEL'] })
  if (raw === null) return skipped('function-calls', 'questions of BFCL')
  const sum = (scores: { right: number; of: number }[]): string =>
    `${scores.reduce((count, { right }) => count + right, 0)} / ${scores.reduce((count, { of }) => count + of, 0)}`
  const names = [...new Set(raw.scripted.map(({ way }) => way))]
  return {
    raw,
    rows: [
      row('questions that do not fit their own functions, left out', raw.faults.map(({ id }) => id).join(', ')),
      ...names.map((name) =>
        row(`right calls that reach the tool unchanged: ${name}`, sum(raw.scripted.filter(({ way }) => way === name)), 'all'),
      ),
      ...raw.real.map(({ model, set, right, of, secondsEach }) =>
        row(`${model}, ${set}: right`, `${share(right / of)} of ${of}, ${secondsEach.toFixed(1)} s each`),
      ),
      ...(raw.real.length > 0 ? [] : [row('a real model', 'none was named (SIKU_BENCH_MODEL)')]),
    ],
  }
}

function skipped(part: string, lacking: string): Part {
  return { raw: null, rows: [row(part, `SKIPPED: the ${lacking} are not here (SIKU_BENCH_DATA names their directory)`)] }
}

const noChromium = 'SKIPPED: there is no Chromium here (SIKU_CHROMIUM names it)'

async function streaming(): Promise<Part> {
  const raw = await benchStreaming()
  if (raw === null) return { raw, rows: [row('streaming', noChromium)] }
  const [first = 0, , , last = 0] = raw.quartersMs
  return {
    raw,
    rows: [
      row('characters, seconds, messages before', `${raw.characters}, ${raw.seconds.toFixed(1)}, ${raw.messages}`),
      row('longest task', raw.longTasksMs.length === 0 ? 'under 50 ms' : milliseconds(Math.max(...raw.longTasksMs)), '≤ 50 ms'),
      row('tasks over 50 ms', String(raw.longTasksMs.length), '0'),
      row('work of each quarter', raw.quartersMs.map((ms) => milliseconds(ms)).join(', ')),
      row('last quarter against the first', times(last / first), '≤ 1.2 ×'),
      row('nodes of finished blocks made anew', String(raw.nodesLost), '0'),
      row('the reader was moved', `${raw.movedPx} px`, '0 px'),
      row('opening the chat', milliseconds(raw.openMs)),
    ],
  }
}

async function hostile(): Promise<Part> {
  const raw = await benchHostile(builtDir)
  if (raw === null) return { raw, rows: [row('hostile files', 'SKIPPED: measured on Linux only')] }
  const { files, main, childrenAfterBytes, wholeSeconds, loads } = raw
  const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`
  return {
    raw,
    rows: [
      ...files.map(({ name, seconds, peakBytes, status, reason }) =>
        row(name, `${seconds.toFixed(1)} s, ${megabytes(peakBytes)}, ${status} ${reason}`, '≤ 20 s, ≤ 700 MB'),
      ),
      row('all of them', `${wholeSeconds.toFixed(1)} s, load ${loads.map((load) => load.toFixed(1)).join(' to ')}`),
      row(
        'main process before / at most / afterwards',
        [main.beforeBytes, main.peakBytes, main.afterBytes].map(megabytes).join(' / '),
        'back to where it was',
      ),
      row('its children afterwards', megabytes(childrenAfterBytes)),
    ],
  }
}

async function reader(): Promise<Part> {
  const raw = await benchReader()
  if (raw === null) return { raw, rows: [row('reader', noChromium)] }
  const against = ({ sikuMs, bareMs, ratio }: (typeof raw)['first']): string =>
    `${milliseconds(sikuMs)} against ${milliseconds(bareMs)}, ${times(ratio)}`
  return {
    raw,
    rows: [
      row(`from a citation to its page of ${raw.pages}, against pdf.js alone, first`, against(raw.first), '≤ 1.5 ×'),
      row('the same again in the same window', against(raw.again), '≤ 1.5 ×'),
    ],
  }
}

async function start(): Promise<Part> {
  const raw = await benchStart({ passages: searchedPassages, fill: fillApart })
  if (raw === null) return { raw, rows: [row('start', noChromium)] }
  const against = (which: 'usableMs' | 'libraryMs', ratio: number): string =>
    `${milliseconds(raw.full[which])} against ${milliseconds(raw.empty[which])}, ${times(ratio)}`
  return {
    raw,
    rows: [
      row(
        `from the start of the host to a usable window, ${raw.passages} passages against none`,
        against('usableMs', raw.ratio.usable),
        '≤ 1.3 ×',
      ),
      row('the same to the list of documents', against('libraryMs', raw.ratio.library)),
    ],
  }
}

const parts: Record<string, () => Promise<Part>> = {
  retrieval,
  embedding,
  ingest,
  hostile,
  'first-word': firstWord,
  memory,
  agent,
  'function-calls': functionCalls,
  streaming,
  reader,
  start,
  speed,
}

const asked = process.argv.slice(2)
if (asked[0] === fillCommand) {
  await fill(asked[1]!, searchedPassages)
  process.exit(0)
}
const unknown = asked.filter((name) => !(name in parts))
if (unknown.length > 0) {
  console.error(`No such part: ${unknown.join(', ')}. There are: ${Object.keys(parts).join(', ')}`)
  process.exit(2)
}

const results: Record<string, unknown> = {}
for (const [name, run] of Object.entries(parts)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  console.log(`\n## ${name}\n\n| what | figure | target |\n|---|---|---|`)
  const part = await run()
  for (const { what, figure, target } of part.rows) console.log(`| ${what} | ${figure} | ${target} |`)
  results[name] = part.raw
}
const directory = join(root, 'bench', 'results')
mkdirSync(directory, { recursive: true })
const file = join(directory, `${new Date().toISOString().replace(/[:.]/g, '-')}.json`)
const machine = { cpu: cpus()[0]?.model ?? '', cores: cpus().length, memoryBytes: totalmem(), node: process.version }
writeFileSync(file, JSON.stringify({ machine, results }, null, 2))
console.log(`\nWritten to ${file}`)
