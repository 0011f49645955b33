import XLSX from '@e965/xlsx'
import { afterAll, expect, test } from 'vitest'
import { fileReader } from '../../../../test/fixtures/read-file.ts'
import { compoundFile, makeDocx, packed, relations, wordParagraph } from '../../../../test/fixtures/make-office.ts'
import { openZip } from './zip.ts'

const files = fileReader()
const { read } = files
afterAll(() => files.close())

/** Words that pack badly, so that a cut falls within them. */
function words(count: number, seed = 1): string[] {
  let state = seed
  return Array.from({ length: count }, () => `w${(state = (state * 48_271) % 2_147_483_647).toString(36)}`)
}

const long = words(4000)
const docx = makeDocx({ body: long.map((word) => wordParagraph(word)).join('') })

const slide = (text: string): string =>
  `<p:sld><p:cSld><p:spTree><p:sp><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`
const deck = packed({
  'ppt/slides/slide1.xml': slide(words(2000, 3).join(' ')),
  'ppt/slides/slide2.xml': slide(words(2000, 4).join(' ')),
  'ppt/presentation.xml': '<p:presentation/>',
})

const odt = packed({
  mimetype: 'application/vnd.oasis.opendocument.text',
  'content.xml': `<office:body><office:text>${words(4000, 5)
    .map((word) => `<text:p>${word}</text:p>`)
    .join('')}</office:text></office:body>`,
})

function workbook(): Buffer {
  const book = XLSX.utils.book_new()
  const cells = words(3000, 6).map((word, index) => [index, word])
  XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet([['number', 'word'], ...cells]), 'Data')
  // Strings within their cells, as other writers have them.
  return XLSX.write(book, { type: 'buffer', bookType: 'xlsx', compression: true, bookSST: false }) as Buffer
}

test.each([
  ['docx', docx, long[20]!],
  ['pptx', deck, words(20, 3)[19]!],
  ['odt', odt, words(20, 5)[19]!],
  ['xlsx', workbook(), words(20, 6)[19]!],
])('a %s that was cut off gives what is before the cut, and says so', async (ending, bytes, early) => {
  const { text, end, kind } = await read(bytes.subarray(0, Math.floor(bytes.length * 0.6)), `cut.${ending}`)
  expect([end.status, end.reason?.code, kind]).toEqual([
    'partial',
    'damaged',
    { docx: 'word', odt: 'word', pptx: 'slides', xlsx: 'sheet' }[ending],
  ])
  expect(text).toContain(early)
  expect(text).not.toContain('\uFFFD')
})

test('a document whose packed text is broken in the middle gives what is before, and what is in its other parts', async () => {
  const bytes = Buffer.from(docx)
  const at = bytes.indexOf('word/document.xml') + 20_000
  bytes.fill(0xff, at, at + 600)
  const { text, end } = await read(bytes, 'broken.docx')
  expect([end.status, end.reason?.code]).toEqual(['partial', 'damaged'])
  expect(text.split('\n\n').slice(0, 100)).toEqual(long.slice(0, 100))
})

test('a document that lost its first bytes is still read from the parts that begin behind them', async () => {
  const bytes = Buffer.from(docx)
  bytes.fill(0, 0, 20)
  const { text, end, kind } = await read(bytes, 'headless.docx')
  expect(kind).toBe('word')
  expect(end.status).not.toBe('failed')
  expect(text).toContain(long[3999])
})

test('bytes that were changed without breaking anything are noticed by their sum', async () => {
  const bytes = packed({ mimetype: 'x'.repeat(500), other: 'y' })
  bytes[bytes.indexOf('xxxx') + 100] = 0x7a
  const zip = await openZip(bytes)
  expect((await zip.bytes('other'))?.toString()).toBe('y')
  expect(zip.damaged).toBe(false)
  expect((await zip.bytes('mimetype'))?.length).toBe(500)
  expect(zip.damaged).toBe(true)
})

test('a bomb stays within its limits also where its directory is lost', async () => {
  const bomb = packed({ 'word/document.xml': new Uint8Array(300 << 20) })
  const { end } = await read(bomb.subarray(0, bomb.length - 60), 'bomb.docx')
  expect(end).toMatchObject({ status: 'failed', reason: { code: 'too-large' } })
})

test.each(['xlsx', 'docx', 'pptx', 'xlsm'])('a locked %s has its own kind, and a remedy that works', async (ending) => {
  const { end, kind } = await read(compoundFile('EncryptedPackage'), `locked.${ending}`)
  expect(kind).toBe({ xlsx: 'sheet', xlsm: 'sheet', docx: 'word', pptx: 'slides' }[ending])
  expect([end.status, end.reason?.code]).toEqual(['failed', 'encrypted'])
  expect(end.reason?.message).toMatch(/save a copy without/)
})

test('a locked open document is said to be locked, not empty', async () => {
  const manifest =
    '<manifest:manifest><manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry></manifest:manifest>'
  const bytes = packed({ mimetype: 'application/vnd.oasis.opendocument.text', 'META-INF/manifest.xml': manifest, 'content.xml': 'noise' })
  expect((await read(bytes, 'locked.odt')).end.reason?.code).toBe('encrypted')
})

test('rich text that breaks off says so', async () => {
  const { text, end } = await read(String.raw`{\rtf1\ansi {\pard One\par}{\pard Two wor`, 'cut.rtf')
  expect(text).toBe('One\n\nTwo wor')
  expect(end).toMatchObject({ status: 'partial', reason: { code: 'damaged' } })
})

test('relations that lead nowhere do not stop the reading', async () => {
  const bytes = makeDocx({
    body: wordParagraph('text'),
    more: { 'word/_rels/document.xml.rels': relations(['header', 'http://%'], ['footer', '%E0%A4%A']) },
  })
  expect((await read(bytes, 'a.docx')).text).toBe('text')
})
