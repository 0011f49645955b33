// `npm test`: installs, builds and runs everything; the last line is "N passed, N failed".
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium } from './chromium.mjs'
import { ensureBuilt, ensureInstalled, root } from './prepare.mjs'

const filters = process.argv.slice(2)
const directory = mkdtempSync(join(tmpdir(), 'siku-results-'))
const total = { passed: 0, failed: 0, skipped: 0 }

function run(name, config, env = {}) {
  console.log(`\n== ${name}`)
  const results = join(directory, `${name}.json`)
  const { status } = spawnSync(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--config',
      config,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${results}`,
      ...(filters.length > 0 ? ['--passWithNoTests'] : []),
      ...filters,
    ],
    { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env, SIKU_TEST_BUILT: '1' } },
  )
  if (!existsSync(results)) {
    total.failed += 1
    return
  }
  const report = JSON.parse(readFileSync(results, 'utf8'))
  total.passed += report.numPassedTests
  total.skipped += report.numPendingTests + report.numTodoTests
  // A file that could not be loaded, or an error outside a test, fails as well.
  const unloaded = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  )
  const failed = report.numFailedTests + unloaded.length
  total.failed += failed === 0 && status !== 0 ? 1 : failed
}

ensureInstalled()
ensureBuilt(['node', 'app'])
run('unit and contract tests', 'vitest.config.ts')
const chromium = findChromium()
if (chromium !== null) run('end to end, in Chromium', 'test/e2e/vitest.config.ts', { SIKU_CHROMIUM: chromium })
else if (process.env.CI) {
  console.log('\n!! No Chromium found: the tests from end to end are required in CI.')
  total.failed += 1
} else {
  console.log('\n!! SKIPPED: the tests from end to end need Chromium or Chrome (SIKU_CHROMIUM names one), and none was found.')
}
rmSync(directory, { recursive: true, force: true })
if (total.skipped > 0) console.log(`\n${total.skipped} skipped (each says why)`)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed > 0 ? 1 : 0)
