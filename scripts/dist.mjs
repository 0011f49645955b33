// `npm run dist`: the installers for this platform, into dist/. Arguments go to electron-builder.
import { spawnSync } from 'node:child_process'
import { ensureBuilt, ensureInstalled, root } from './prepare.mjs'

ensureInstalled()
ensureBuilt(['node', 'app'], { force: true })
const { status } = spawnSync(process.execPath, ['node_modules/electron-builder/cli.js', '--publish', 'never', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
process.exit(status ?? 1)
