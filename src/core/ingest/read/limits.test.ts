import { afterAll, expect, test } from 'vitest'
import { makePdf } from '../../../../test/fixtures/make-pdf.ts'
import { fileReader } from '../../../../test/fixtures/read-file.ts'
import { longestLine } from './lines.ts'

const files = fileReader()
afterAll(() => files.close())

test.each(['line.txt', 'line.md', 'line.py', 'line.yaml'])(
  '%s: of a line longer than a book its beginning is read, and what follows',
  async (name) => {
    const { text, end } = await files.read(`first line\n${'word '.repeat(longestLine / 4)}end-of-line\nthe line after it\n`, name)
    expect(end).toMatchObject({ status: 'partial', reason: { code: 'too-large', message: expect.stringContaining('Line 2 ') } })
    expect([text.startsWith('first line'), text.includes('end-of-line'), text.includes('the line after it')]).toEqual([true, false, true])
    expect(text.length).toBeLessThan(longestLine * 1.1)
  },
)

test('behind a line that has no end nothing is looked for', async () => {
  const { text, end } = await files.read(`${'word '.repeat(longestLine * 4)}\nthe line after it\n`, 'endless.txt')
  expect([end.status, end.reason?.code, text.includes('the line after it')]).toEqual(['partial', 'too-large', false])
})

test('a line of a whole book is read to its end', async () => {
  const { text, end } = await files.read(`${'字'.repeat(longestLine - 1)}终`, 'book.txt')
  expect([end.status, text.endsWith('终')]).toEqual(['ready', true])
})

const paragraphs = Array.from({ length: 200 }, (_none, index) => `Paragraph ${index} ${'of many words '.repeat(40)}`).join('\n\n')

test.each(['long.txt', 'long.md'])('%s: without time it ends by itself with what it has', async (name) => {
  const { text, end } = await files.read(paragraphs, name, { timeMs: 0 })
  expect(end).toMatchObject({ status: 'partial', reason: { code: 'too-slow' }, isCutShort: true })
  expect([text.startsWith('Paragraph 0'), text.includes('Paragraph 199')]).toEqual([true, false])
})

test('what was read whole was not cut short, however long it took', async () => {
  expect((await files.read('a few words', 'short.txt', { timeMs: 0 })).end).toMatchObject({ status: 'ready', reason: null })
})

test('a PDF without time says which pages were not reached', async () => {
  const pages = ['one', 'two', 'three'].map((word) => ({ texts: [{ x: 72, y: 700, text: `The words of page ${word}` }] }))
  const { text, end } = await files.read(makePdf(pages), 'slow.pdf', { timeMs: 0 })
  expect(text).toBe('The words of page one')
  expect(end).toMatchObject({ status: 'partial', reason: { code: 'too-slow', pages: '2-3' }, pages: 3, isCutShort: true })
})

test('a very long value of JSON is told of; packed bytes are no loss', async () => {
  const long = await files.read(JSON.stringify({ a: 'word '.repeat(50_000), b: 'after it' }), 'long.json')
  expect([long.end.status, long.end.reason?.code, long.text.includes('after it')]).toEqual(['partial', 'too-large', true])
  const packed = await files.read(JSON.stringify({ a: Buffer.alloc(200_000, 7).toString('base64'), b: 'after it' }), 'packed.json')
  expect([packed.end.status, packed.end.reason, packed.text.includes('after it')]).toEqual(['ready', null, true])
})

test('a page nested without end is damaged, in a moment', async () => {
  expect((await files.read('<div>'.repeat(1_000_000), 'deep.html')).end).toMatchObject({ status: 'failed', reason: { code: 'damaged' } })
})

test('JSON that breaks off is read as far as it goes and is said to be damaged', async () => {
  for (const [cut, name] of [
    ['{"a":"你好","b":[1,2,{"c":"半', 'string.json'],
    ['[{"a":"你好"},{"a":"半"}', 'list.json'],
    ['{"a":"你好"}\n{"a":"半","b"', 'lines.jsonl'],
  ] as const) {
    const { text, end } = await files.read(cut, name)
    expect([name, end.status, end.reason?.code, text.includes('你好')]).toEqual([name, 'partial', 'damaged', true])
    expect(text).toContain('半')
  }
  for (const [whole, name] of [
    ['{"a":"你好 [半] {"}', 'whole.json'],
    ['// remark {\n{"a": 1,}\n', 'whole.json'],
    ['{"a":1}\n{"a":2}\n', 'whole.jsonl'],
  ] as const)
    expect((await files.read(whole, name)).end.status).toBe('ready')
})
