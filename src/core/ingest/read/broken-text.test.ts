import { afterAll, expect, test } from 'vitest'
import { fileReader } from '../../../../test/fixtures/read-file.ts'

const files = fileReader()
const { read } = files
afterAll(() => files.close())

const nulls = Buffer.alloc(5000)

test.each([
  ['in it', Buffer.concat([Buffer.from('2024-03-05 ERROR 失败\n'), nulls, Buffer.from('\nrestarted 重启\n')])],
  ['before it', Buffer.concat([nulls, Buffer.from('2024-03-05 ERROR 失败\nrestarted 重启\n')])],
  ['behind it', Buffer.concat([Buffer.from('2024-03-05 ERROR 失败\nrestarted 重启\n'), nulls])],
])('a log with a block that was never written %s is read, and said to be damaged', async (_what, bytes) => {
  const { text, kind, end } = await read(bytes, 'a.log')
  expect(kind).toBe('text')
  expect(text).toMatch(/^2024-03-05 ERROR 失败\n+restarted 重启$/)
  expect(end).toMatchObject({ status: 'partial', reason: { code: 'damaged' } })
})

test('a few zero bytes leave a text what it is; numbers under its name are none', async () => {
  expect((await read('one\ntwo \0\0 three\n', 'a.txt')).text).toBe('one\ntwo \uFFFD\uFFFD three')
  expect((await read(Buffer.alloc(5000), 'a.txt')).kind).toBe('unknown')
  const numbers = Buffer.alloc(4000)
  for (let at = 0; at < 4000; at += 4) numbers.writeUInt32LE(at * 7, at)
  expect((await read(numbers, 'a.txt')).kind).toBe('unknown')
})

test('lines that are no JSON are kept as they stand and said, and the others are read', async () => {
  const lines = ['{"id":1,"名":"甲"}', '{broken line 破行', '', '[1, NaN, -Infinity]', '{"id":4} trailing', '{"id":5}']
  const { text, end } = await read(lines.join('\n'), 'a.jsonl')
  expect(text).toContain('id: 1\n名: 甲')
  expect(text).toContain('{broken line 破行')
  expect(text).toContain('{"id":4} trailing')
  expect(text).toContain('- NaN\n- -Infinity')
  expect(end).toMatchObject({
    status: 'partial',
    reason: { code: 'damaged', message: 'Lines 2, 5 are no JSON: they are kept as they stand.' },
  })
  const long = `{"a":"${'x'.repeat(100_000)}"}\n{"b":2}`
  expect((await read(long, 'b.ndjson')).end.status).toBe('ready')
})

test('a line of JSON that is longer than is held whole is told as far as others, and the lines behind it are theirs', async () => {
  const long = JSON.stringify({ many: Array.from({ length: 1_200_000 }, (_none, index) => index), last: 'after it' })
  expect(long.length).toBeGreaterThan(8 << 20)
  const { text, sections, end } = await read(['{"a":"before it"}', '', long, '{"b":"behind it"}'].join('\n'), 'long.jsonl')
  expect([text.includes('before it'), text.includes('after it'), text.includes('behind it')]).toEqual([true, true, true])
  expect(sections.at(-1)?.place).toMatchObject({ kind: 'lines', to: 4 })
  expect(end.reason?.code).not.toBe('damaged')
}, 60_000)
