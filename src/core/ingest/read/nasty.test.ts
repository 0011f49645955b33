import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildEntry } from '../../../../test/build-entry.ts'
import { nastyBytes } from '../../../../test/fixtures/how-often.ts'

let entry: URL
beforeAll(async () => {
  entry = await buildEntry(new URL('../../../../test/fixtures/nasty-entry.ts', import.meta.url))
})
afterAll(() => rmSync(dirname(fileURLToPath(entry)), { recursive: true, force: true }))

const limitMs = 20_000

test('no text makes a reader spin: each that is slow for a pattern ends within its limit', { timeout: 600_000 }, async () => {
  const child = spawn(process.execPath, ['--max-old-space-size=700', fileURLToPath(entry), String(nastyBytes)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let last = ''
  let errors = ''
  let timer = setTimeout(() => child.kill('SIGKILL'), limitMs)
  child.stderr.on('data', (piece: Buffer) => (errors += piece.toString()))
  child.stdout.on('data', (piece: Buffer) => {
    last = piece.toString().trim().split('\n').at(-1)!
    clearTimeout(timer)
    timer = setTimeout(() => child.kill('SIGKILL'), limitMs)
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  clearTimeout(timer)
  expect([code, last, errors.slice(-2000)]).toEqual([0, 'done', ''])
})
