/** Reads every PDF that an `expected.json` lists, in a process with the product's limits, and says which expected strings are missing. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ReadingApi } from '../src/core/ingest/reading-process.ts'
import type { Section } from '../src/contract/library.ts'
import { createPool, forkProcess, startChild } from '../src/core/work/work.ts'

interface Expected {
  file: string
  why: string
  must_contain_no_space: string[]
}

const directory = resolve(process.argv[2] ?? '../shared/documents/pdf')
const entry = pathToFileURL(resolve(process.argv[3] ?? 'out/node/reading-process.js'))
const expected = JSON.parse(readFileSync(join(directory, 'expected.json'), 'utf8')) as Expected[]
const pool = createPool<ReadingApi>({
  start: () => startChild<ReadingApi>(forkProcess, entry, { name: 'reading-process', memoryLimitBytes: 700_000_000 }),
  size: 1,
})
const bare = (text: string): string => text.normalize('NFKC').replace(/\s+/g, '')

let misses = 0
for (const { file, why, must_contain_no_space: strings } of expected) {
  const sections: Section[] = []
  const startedAt = performance.now()
  const result = await pool.run(
    'extract',
    { path: join(directory, file), kind: 'pdf' },
    { timeoutMs: 25_000, onEvent: (batch) => void sections.push(...batch) },
  )
  const elapsedMs = Math.round(performance.now() - startedAt)
  const text = bare(sections.map((section) => section.text).join('\n'))
  const missing = strings.filter((string) => !text.includes(bare(string)))
  misses += missing.length
  const how =
    result.kind === 'ok'
      ? `${result.value.status}${result.value.reason === null ? '' : ` (${result.value.reason.code} ${result.value.reason.pages ?? ''})`}`
      : result.kind
  console.log(`${missing.length === 0 ? 'ok  ' : 'MISS'} ${file.padEnd(30)} ${how.padEnd(28)} ${String(elapsedMs).padStart(6)} ms  ${why}`)
  for (const string of missing) console.log(`       missing: ${string}`)
}
pool.close()
console.log(misses === 0 ? 'every expected string is there' : `${misses} expected strings are missing`)
process.exitCode = misses === 0 ? 0 : 1
