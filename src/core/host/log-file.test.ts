import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { fileLog } from './log-file.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'siku-log-'))
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

test('details stand beside what a line says and never in its place; one that cannot be written stops nothing', () => {
  const log = fileLog({ dataDir, now: () => 0 })
  const circle: Record<string, unknown> = {}
  circle['circle'] = circle
  log('warn', 'lost', circle)
  log('warn', 'a folder cannot be watched', { message: 'no more watches', level: 3, at: 'home', code: 'x' })
  expect(JSON.parse(readFileSync(join(dataDir, 'logs/siku.log'), 'utf8'))).toEqual({
    at: '1970-01-01T00:00:00.000Z',
    level: 'warn',
    message: 'a folder cannot be watched',
    message_: 'no more watches',
    level_: 3,
    at_: 'home',
    code: 'x',
  })
})
