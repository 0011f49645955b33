import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { documentIdOf, isRunnable, parseRange, safeContentType } from './document-file.ts'

const directory = mkdtempSync(join(tmpdir(), 'siku-document-'))
afterAll(() => rmSync(directory, { recursive: true }))

test.each([
  [undefined, { kind: 'whole' }],
  ['bytes=0-9', { kind: 'part', start: 0, end: 9 }],
  ['bytes=90-', { kind: 'part', start: 90, end: 99 }],
  ['bytes=-10', { kind: 'part', start: 90, end: 99 }],
  ['bytes=-1000', { kind: 'part', start: 0, end: 99 }],
  ['bytes=50-1000', { kind: 'part', start: 50, end: 99 }],
  ['bytes=100-', { kind: 'unsatisfiable' }],
  ['bytes=-0', { kind: 'unsatisfiable' }],
  ['bytes=9-3', { kind: 'whole' }],
  ['bytes=0-1,5-6', { kind: 'whole' }],
  ['bytes=-', { kind: 'whole' }],
  ['lines=1-2', { kind: 'whole' }],
])('a range is read as RFC 9110 says, so that no page of a PDF is off by a byte: %s', (header, range) => {
  expect(parseRange(header, 100)).toEqual(range)
})

test('an empty file has no satisfiable range', () => {
  expect(parseRange('bytes=0-0', 0)).toEqual({ kind: 'unsatisfiable' })
})

test('no document is sent as a page or a script, whatever its kind', () => {
  const types = ['text/html', 'image/svg+xml', 'application/javascript', 'application/pdf', 'TEXT/HTML; charset=gbk'].map(safeContentType)
  expect(types).toEqual([
    'text/plain; charset=utf-8',
    'application/octet-stream',
    'application/octet-stream',
    'application/pdf',
    'text/plain; charset=utf-8',
  ])
})

test('only a number names a document, never a path', () => {
  expect(['/document/7', '/document/../7', '/document/7/x', '/document/-1', '/document/%2e%2e', '/document/'].map(documentIdOf)).toEqual([
    7,
    null,
    null,
    null,
    null,
    null,
  ])
})

test('a script is shown in its folder, not run: by its ending, and by its right to be run', async () => {
  const files = { 'a.pdf': 0o644, 'run.bat': 0o644, tool: 0o755, 'notes.md': 0o644 }
  for (const [name, mode] of Object.entries(files)) {
    writeFileSync(join(directory, name), 'x')
    chmodSync(join(directory, name), mode)
  }
  const runnable = await Promise.all(Object.keys(files).map((name) => isRunnable(join(directory, name))))
  expect(runnable).toEqual([false, true, process.platform !== 'win32', false])
})
