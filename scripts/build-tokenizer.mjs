// Compiles resources/models/multilingual-e5-small/tokenizer.json to tokenizer.bin beside it and writes its line in SHA256SUMS.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = `${root}resources/models/multilingual-e5-small`
const { module } = await runnerImport(`${root}src/core/embed/compile-vocabulary.ts`, { configFile: false, logLevel: 'warn' })
const bytes = module.compileVocabulary(readFileSync(`${folder}/tokenizer.json`, 'utf8'))
writeFileSync(`${folder}/tokenizer.bin`, bytes)
const sums = readFileSync(`${folder}/SHA256SUMS`, 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.endsWith('  tokenizer.bin'))
sums.push(`${createHash('sha256').update(bytes).digest('hex')}  tokenizer.bin`)
writeFileSync(`${folder}/SHA256SUMS`, `${sums.join('\n')}\n`)
console.log(`tokenizer.bin: ${bytes.length} bytes`)
