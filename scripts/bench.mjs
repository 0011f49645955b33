// `npm run bench`: builds bench/bench.ts with everything it imports and runs it.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, root } from './prepare.mjs'

ensureInstalled()
ensureBuilt(['node', 'app'])
const built = spawnSync(
  process.execPath,
  [
    'node_modules/vite/bin/vite.js',
    'build',
    '--config',
    'vite.node.config.ts',
    '--ssr',
    'bench/bench.ts',
    '--outDir',
    'out/bench',
    '--logLevel',
    'warn',
  ],
  { cwd: root, stdio: ['ignore', 2, 2] },
)
if (built.status !== 0) process.exit(1)
const { status } = spawnSync(process.execPath, ['--expose-gc', join(root, 'out', 'bench', 'bench.js'), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ORT_DISABLE_TELEMETRY: '1' },
})
process.exit(status ?? 1)
