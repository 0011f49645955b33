import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import iconv from 'iconv-lite'
import { afterAll, describe, expect, it } from 'vitest'
import type { DocumentKind } from '../../../contract/library.ts'
import { openFile, readDocument, type ReadEnd, type ReadSection } from './read.ts'

const directory = mkdtempSync(join(tmpdir(), 'siku-read-'))
afterAll(() => rmSync(directory, { recursive: true }))

async function read(content: string | Uint8Array, kind: DocumentKind): Promise<{ sections: ReadSection[]; end: ReadEnd }> {
  const path = join(directory, 'document')
  writeFileSync(path, content)
  const opened = openFile(path)
  if (opened.kind === 'failed') throw new Error(opened.reason.message)
  const sections: ReadSection[] = []
  const reading = readDocument(opened.file, kind)
  let next = await reading.next()
  for (; next.done !== true; next = await reading.next()) sections.push(next.value)
  opened.file.close()
  return { sections, end: next.value }
}

describe('HTML', () => {
  it('gives readable text in order with headings, lists and rows, and leaves out what is not content', async () => {
    const { sections, end } = await read(
      '<!doctype html><html><head><title>A &amp; B</title><style>p{}</style></head><body><nav><a>menu</a></nav><p>Before' +
        '<h1>Head</h1><p>One <b>two</b>\n three<br>four<script>bad()</script></p><ul><li>a<ul><li>b</ul><li><p>c<p>d</ul><ol><li>x<li>y</ol>' +
        '<table><tr><th>k<th>v<tr><td>1<td><p>2</p><p>3</p></table><h2>Sub</h2><pre>code\n  more</pre><div hidden>no</div><p style="display:none">no</p>' +
        '<svg><text>no</text></svg><select><option>no</select>',
      'html',
    )
    expect(sections.map((section) => [section.place, section.text])).toEqual([
      [{ kind: 'section', heading: [], from: 1, to: 1 }, 'Before'],
      [
        { kind: 'section', heading: ['Head'], from: 2, to: 11 },
        'Head\n\nOne two three\nfour\n\n- a\n- b\n- c\n  d\n1. x\n2. y\n\nk | v\nk: 1 | v: 2 3',
      ],
      [{ kind: 'section', heading: ['Head', 'Sub'], from: 12, to: 13 }, 'Sub\n\ncode\n  more'],
    ])
    expect(end).toEqual({ status: 'ready', reason: null, title: 'A & B', pages: null })
  })

  it('takes the part that calls itself the content', async () => {
    const { sections } = await read(`<body><div>side</div><main><p>${'the content '.repeat(9)}</p></main><div>foot</div>`, 'html')
    expect(sections.map((section) => section.text)).toEqual(['the content '.repeat(9).trim()])
  })

  it('reads the encoding that the page declares', async () => {
    const page = (text: string): string => `<html><head><meta charset="big5"></head><body>${text}</body></html>`
    expect((await read(iconv.encode(page('這是中文'), 'big5'), 'html')).sections[0]?.text).toBe('這是中文')
    expect((await read(page('這是中文'), 'html')).sections[0]?.text).toBe('這是中文')
  })

  it('is not lost in ten thousand nested elements', async () => {
    expect((await read(`${'<div>'.repeat(10_000)}deep${'</div>'.repeat(10_000)}`, 'html')).sections[0]?.text).toBe('deep')
  })
})

describe('text', () => {
  it('gives its lines, without the blank ones at its edges', async () => {
    const { sections, end } = await read('\r\n\r\nfirst\r\nsecond\r\n\r\n third\r\n\r\n', 'text')
    expect(sections).toMatchObject([{ place: { kind: 'lines', from: 3, to: 6 }, text: 'first\nsecond\n\n third', blocks: [{}, {}] }])
    expect(end.status).toBe('ready')
  })

  it('is partial when its encoding is a guess', async () => {
    expect((await read(Buffer.from('caf\xe9', 'latin1'), 'text')).end).toMatchObject({
      status: 'partial',
      reason: { code: 'encoding-guessed' },
    })
  })

  it.each(['text', 'code', 'markdown', 'html'] as const)('is never ready without text: %s', async (kind) => {
    expect((await read('', kind)).end).toMatchObject({ status: 'failed', reason: { code: 'empty' } })
    expect((await read(' \n\n\t\n', kind)).end).toMatchObject({ status: 'failed', reason: { code: 'empty' } })
  })

  it('of a kind that nobody reads is skipped', async () => {
    expect((await read('x', 'unknown')).end).toMatchObject({ status: 'skipped', reason: { code: 'unsupported-kind' } })
  })
})

describe('a path that is no file to read', () => {
  it.each([
    ['a directory', () => directory, 'not-a-file'],
    ['nothing', () => join(directory, 'nothing'), 'gone'],
    ['a device', () => '/dev/zero', 'not-a-file'],
    ['a name with a zero byte', () => 'a\0b', 'name-not-usable'],
  ])('is refused: %s', (_what, path, code) => {
    expect(openFile(path())).toMatchObject({ kind: 'failed', reason: { code } })
  })

  it('is refused at once when it is a pipe that nobody writes to', () => {
    const pipe = join(directory, 'pipe')
    execFileSync('mkfifo', [pipe])
    expect(openFile(pipe)).toMatchObject({ kind: 'failed', reason: { code: 'not-a-file' } })
  })

  it.skipIf(process.getuid?.() !== 0)('is refused when this user may not read it', () => {
    const path = join(directory, 'secret')
    writeFileSync(path, 'text', { mode: 0o600 })
    chmodSync(directory, 0o755)
    process.seteuid?.(65_534)
    const opened = openFile(path)
    process.seteuid?.(0)
    expect(opened).toMatchObject({ kind: 'failed', reason: { code: 'no-permission' } })
  })
})
