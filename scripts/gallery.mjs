// `npm run gallery` takes every picture of the interface anew; `npm run gallery -- --check` compares with those that are kept.
// A further word, a regular expression, takes only the states with it in their name.
import { spawnSync } from 'node:child_process'
import { findChromium } from './chromium.mjs'
import { ensureBuilt, ensureInstalled, fail, root } from './prepare.mjs'

const given = process.argv.slice(2)
const [only = ''] = given.filter((each) => !each.startsWith('--'))
ensureInstalled()
ensureBuilt(['app'])
const chromium = findChromium()
if (chromium === null) fail('The gallery needs Chromium or Chrome (SIKU_CHROMIUM names one), and none was found.')
const env = {
  ...process.env,
  SIKU_CHROMIUM: chromium,
  SIKU_TEST_BUILT: '1',
  SIKU_GALLERY: given.includes('--check') ? 'check' : 'take',
  SIKU_GALLERY_ONLY: only,
}
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/interface/gallery/vitest.config.ts', '--reporter=verbose'],
  { cwd: root, stdio: 'inherit', env },
)
process.exit(status ?? 1)
