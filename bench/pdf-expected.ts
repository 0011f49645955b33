/** Reads every PDF that an `expected.json` lists, in a process with the product's limits, and says which expected strings are missing and which statuses are wrong. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ReadingApi } from '../src/core/ingest/reading-process.ts'
import type { Section } from '../src/contract/library.ts'
import { createPool, forkProcess, startChild } from '../src/core/work/work.ts'

interface Expected {
  file: string
  why: string
  bytes?: number
  needsPassword?: boolean
  note?: string
  must_contain_no_space: string[]
}

/** What a file like this may end as. A hostile one may end in any way but one that ends the process. */
function isRight({ bytes, needsPassword, note, must_contain_no_space: strings }: Expected, how: string): boolean {
  if (needsPassword === true) return how === 'failed encrypted'
  if (bytes === 0) return how === 'failed empty'
  if (note?.includes('OCR') === true) return how === 'failed scanned'
  return strings.length === 0 ? /^(ready|partial|failed)/.test(how) : /^(ready|partial)/.test(how)
}

const dataDir = process.env['SIKU_BENCH_DATA']
const directory = resolve(process.argv[2] ?? (dataDir === undefined ? '../shared/documents/pdf' : join(dataDir, '..', 'documents', 'pdf')))
const entry = pathToFileURL(resolve(process.argv[3] ?? 'out/node/reading-process.js'))
const expected = JSON.parse(readFileSync(join(directory, 'expected.json'), 'utf8')) as Expected[]
const pool = createPool<ReadingApi>({
  start: () => startChild<ReadingApi>(forkProcess, entry, { name: 'reading-process', memoryLimitBytes: 700_000_000 }),
  size: 1,
})
const bare = (text: string): string => text.normalize('NFKC').replace(/\s+/g, '')

let misses = 0
let wrong = 0
for (const entryOf of expected) {
  const { file, why, must_contain_no_space: strings } = entryOf
  const sections: Section[] = []
  const startedAt = performance.now()
  const result = await pool.run(
    'extract',
    { path: join(directory, file), kind: 'pdf' },
    { timeoutMs: 20_000, onEvent: (batch) => void sections.push(...batch) },
  )
  const elapsedMs = Math.round(performance.now() - startedAt)
  const text = bare(sections.map((section) => section.text).join('\n'))
  const missing = strings.filter((string) => !text.includes(bare(string)))
  misses += missing.length
  const reason = result.kind === 'ok' ? result.value.reason : null
  const how = result.kind === 'ok' ? `${result.value.status}${reason === null ? '' : ` ${reason.code}`}` : result.kind
  const right = isRight(entryOf, how)
  if (!right) wrong += 1
  const shown = reason?.pages === undefined ? how : `${how} ${reason.pages}`
  const mark = missing.length > 0 ? 'MISS ' : right ? 'ok   ' : 'WRONG'
  console.log(`${mark} ${file.padEnd(30)} ${shown.padEnd(28)} ${String(elapsedMs).padStart(6)} ms  ${why}`)
  for (const string of missing) console.log(`       missing: ${string}`)
}
pool.close()
console.log(`${misses} expected strings are missing, ${wrong} statuses are wrong`)
process.exitCode = misses + wrong === 0 ? 0 : 1
