import { expect, test } from 'vitest'
import { formatOf } from './format.ts'
import { foreignReason, unreadReason } from './foreign.ts'

test.each([
  ['发票.ofd', 'archive', /save it as PDF/],
  ['letter.pages', 'archive', /\.docx/],
  ['map.xmind', 'archive', /Markdown/],
  ['book.xlsb', 'sheet', /\.xlsx/],
  ['a.MSG', 'unknown', /\.eml/],
  ['/mail/winmail.dat', 'unknown', /winmail\.dat/],
  ['novel.mobi', 'unknown', /EPUB/],
  ['论文.caj', 'unknown', /PDF/],
  ['plan.dwg', 'unknown', /PDF/],
] as const)('%s is not read, and what to do is said', (name, kind, message) => {
  expect(foreignReason(name, kind)).toMatchObject({ code: 'unsupported-kind', message: expect.stringMatching(message) as string })
})

test('an archive is one, and text or a workbook under such a name is read', () => {
  expect(foreignReason('a.zip', 'archive')).toBeNull()
  expect(foreignReason('notes.key', 'text')).toBeNull()
  expect(foreignReason('a.xlsx', 'sheet')).toBeNull()
  expect(unreadReason('a.bin').message).toBe('Files of this kind are not read yet.')
})

test('an old document of WPS is known by its bytes and its name', () => {
  const bytes = Buffer.alloc(608)
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(bytes)
  const peek = (name: string) => ({
    name,
    sizeBytes: bytes.length,
    at: (from: number, count: number) => bytes.subarray(from, from + count),
  })
  expect([formatOf(peek('a.wps')), formatOf(peek('a.dps')), formatOf(peek('a.msg'))]).toEqual(['doc', 'ppt', null])
})
