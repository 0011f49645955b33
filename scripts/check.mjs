// `npm run check`: the one gate before a commit, and in CI.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled, root } from './prepare.mjs'

ensureInstalled()
const layers = readdirSync(join(root, 'src')).filter((layer) => existsSync(join(root, 'src', layer, 'tsconfig.json')))
const typescript = 'node_modules/typescript/bin/tsc'
const steps = [
  ['format', 'node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'],
  ['lint', 'node_modules/eslint/bin/eslint.js', '--max-warnings', '0', '.'],
  ...layers.map((layer) => [`types of ${layer}`, typescript, '-p', `src/${layer}`]),
  ['types of tests', typescript, '-p', 'test/e2e'],
  ['types of interface tests', typescript, '-p', 'test/interface'],
  ['types of the rest', typescript, '-p', '.'],
  ['unused code', 'node_modules/knip/bin/knip.js'],
]
let failed = 0
for (const [name, ...command] of steps) {
  const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' })
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name}`)
  if (status !== 0) failed += 1
}
process.exit(failed > 0 ? 1 : 0)
