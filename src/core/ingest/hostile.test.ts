import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { book, deck, laugh, laughs, lying, sheet } from '../../../test/fixtures/hostile-files.ts'
import { makeDocx, packed, wordParagraph } from '../../../test/fixtures/make-office.ts'
import { openTestIngest, testDirectories, type TestIngest } from '../../../test/fixtures/open-test-ingest.ts'
import { scriptedEmbedder } from '../../../test/fixtures/scripted-embedder.ts'

const directories = testDirectories()
let library: TestIngest
let folder: string
beforeAll(async () => {
  folder = directories.make()
  library = await openTestIngest(directories.make(), scriptedEmbedder())
  // A file that takes longer, or more memory, is given up with another reason than those below.
  await library.store.settings.patch({ readTimeoutMs: 60_000, readMemoryBytes: 700_000_000 })
})
afterAll(async () => {
  await library.close()
  directories.clear()
})

const zeros = new Uint8Array(300 << 20)
const million = 1_000_000

const ended = ['too-large', 'damaged', 'empty', 'no-text', null]

test.each<[string, string, () => Buffer | string, (string | null)[]]>([
  ['a docx that unpacks without end', 'bomb.docx', () => packed({ 'word/document.xml': zeros }), ['too-large']],
  ['an xlsx that unpacks without end', 'bomb.xlsx', () => sheet(zeros), ['too-large']],
  ['a pptx that unpacks without end', 'bomb.pptx', () => deck(zeros), ['too-large']],
  ['an epub that unpacks without end', 'bomb.epub', () => book(zeros), ['too-large']],
  ['a docx that lies about its sizes', 'lies.docx', () => lying(packed({ 'word/document.xml': zeros })), ['too-large', 'damaged']],
  ['an epub that lies about its sizes', 'lies.epub', () => lying(book(zeros)), ['too-large', 'damaged']],
  ['entities in a docx', 'laughs.docx', () => packed({ 'word/document.xml': `${laughs}<w:p><w:t>x${laugh}y</w:t></w:p>` }), [null]],
  ['entities in an xlsx', 'laughs.xlsx', () => sheet(`${laughs}<sst><si><t>x${laugh}y</t></si></sst>`), [null]],
  [
    'entities in a pptx',
    'laughs.pptx',
    () => deck(`${laughs}<p:sld><p:sp><p:txBody><a:p><a:r><a:t>x${laugh}y</a:t></a:r></a:p></p:txBody></p:sp></p:sld>`),
    [null],
  ],
  ['entities in a book', 'laughs.epub', () => book(`${laughs}<html><body><p>x${laugh}y</p></body></html>`), ['damaged']],
  ['entities in XML', 'laughs.xml', () => `${laughs}<a>x${laugh}y</a>`, ['damaged']],
  ['a page nested 100,000 deep', 'deep.html', () => `${'<div>'.repeat(100_000)}words`, [null]],
  ['inline marks nested 100,000 deep', 'marks.html', () => `${'<b>'.repeat(100_000)}words`, [null]],
  ['XML nested a million deep', 'deep.xml', () => '<a>'.repeat(million), ended],
  ['a docx nested a million deep', 'deep.docx', () => packed({ 'word/document.xml': '<w:sdt>'.repeat(million) }), ended],
  ['JSON nested a million deep', 'deep.json', () => '['.repeat(million), ended],
  [
    'YAML of aliases',
    'laughs.yaml',
    () =>
      `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'
        .split('')
        .map((name, index) => `${name}: &${name} [${`*${'abcdefghi'.charAt(index)},`.repeat(9)}]`)
        .join('\n')}\n`,
    [null, 'too-large', 'damaged'],
  ],
  [
    '100 MB in one cell of a sheet',
    'cell.xlsx',
    () => sheet(`<sst><si><t>${'cell '.repeat(20 * million)}</t></si></sst>`),
    [null, 'too-large'],
  ],
  ['100 MB in one cell of a table of text', 'cell.csv', () => `a,b\n"${'cell '.repeat(20 * million)}",2\n`, [null, 'too-large', 'damaged']],
  ['100 MB in one line', 'line.txt', () => 'word '.repeat(20 * million), ['too-large']],
  ['a million cells', 'cells.html', () => `<table><tr>${'<td>a'.repeat(200_000)}</table>`, [null]],
  ['a hundred thousand parts', 'parts.docx', () => makeDocx({ body: wordParagraph('word').repeat(100_000) }), [null]],
])('%s ends by itself, with a reason or its words', { timeout: 180_000 }, async (_what, name, make, codes) => {
  const path = join(folder, name)
  writeFileSync(path, make())
  const { status, reason, sections } = await library.ingest.extract(path, { ocr: false })
  const code = reason?.code ?? null
  expect(codes.includes(code), `${status} ${code ?? ''} ${reason?.message ?? ''}`).toBe(true)
  const text = sections
    .slice(0, 5)
    .map((section) => section.text)
    .join('\n')
  expect([/haha|root:/.test(text), status === 'ready' && text === '']).toEqual([false, false])
  writeFileSync(path, '')
})

test('nothing was written beside the archives', () => {
  expect(readdirSync(folder).filter((name) => name.includes('slipped'))).toEqual([])
  expect(readdirSync(join(folder, '..')).filter((name) => name.includes('slipped'))).toEqual([])
})
