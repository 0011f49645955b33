import { execFileSync } from 'node:child_process'

/** Threads and child processes are real in tests: they run from the same built files as in the product. */
export function setup(): void {
  if (process.env['SIKU_TEST_BUILT'] === '1') return
  execFileSync(process.execPath, ['node_modules/vite/bin/vite.js', 'build', '--config', 'vite.node.config.ts', '--logLevel', 'warn'], {
    stdio: 'inherit',
  })
}
