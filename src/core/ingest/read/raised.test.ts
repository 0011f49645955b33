import { afterAll, describe, expect, test } from 'vitest'
import { makeDocx, packed, wordParagraph } from '../../../../test/fixtures/make-office.ts'
import { fileReader } from '../../../../test/fixtures/read-file.ts'
import { createRaisedLine, markAfter, noteMark, raisedText } from './raised.ts'

const files = fileReader()
const { read } = files
afterAll(() => files.close())

test.each([
  ['6', '0', '⁶'],
  ['-6', '0', '⁻⁶'],
  ['−12', 'm', '⁻¹²'],
  ['n+1', 'x', 'ⁿ⁺¹'],
  ['2.5', 'e', '^(2.5)'],
  ['T', 'A', '^(T)'],
  ['1/2', 'x', '^(1/2)'],
  ['1,2', 's', '¹,²'],
  ['[1]', '0', '[1]'],
  ['注1', '0', '注1'],
  ['th', '4', 'th'],
  ['th', 'x', '^(th)'],
  ['®', 'a', '®'],
  [' 2 ', 'm', ' ² '],
  ['1', '', '¹'],
  ['2024', '', '2024'],
  ['1', '⁶', ' ¹'],
  ['words that somebody has set higher', 'a', 'words that somebody has set higher'],
])('raised %j behind %j is %j', (raised, before, text) => {
  expect(raisedText(raised, before)).toBe(text)
})

test('pieces that stand together are one, and a mark behind a power is none of its digits', () => {
  const line = createRaisedLine()
  for (const [piece, isRaised] of [
    ['10', false],
    ['2', true],
    ['.', true],
    ['5', true],
    [' m', false],
    ['2', true],
  ] as const)
    line.add(piece, isRaised)
  expect(line.last()).toBe('²')
  line.add(markAfter(line.last(), noteMark(12)), false)
  expect(line.take()).toBe('10^(2.5) m² ¹²')
  expect(line.take()).toBe('')
})

const pages = (body: string): Promise<string> =>
  read(`<!doctype html><html><body>${body}</body></html>`, 'page.html').then(({ text }) => text)

const openText = (body: string): Record<string, string> => ({
  'content.xml': `<office:document-content><office:automatic-styles><style:style style:name="T1" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style><style:style style:name="T2" style:family="text"><style:text-properties style:text-position="sub 58%"/></style:style><style:style style:name="T3" style:family="text" style:parent-style-name="Up"/></office:automatic-styles><office:body>${body}</office:body></office:document-content>`,
  'styles.xml':
    '<office:document-styles><style:style style:name="Up" style:family="text"><style:text-properties style:text-position="33% 60%"/></style:style></office:document-styles>',
})

describe('a power is never a digit of its number', () => {
  test('in Word: by its run, by its style, by its position, in notes, before a mark of a note', async () => {
    const run = (text: string, look = ''): string => `<w:r><w:rPr>${look}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`
    const up = '<w:vertAlign w:val="superscript"/>'
    const styles =
      '<w:style w:type="character" w:styleId="Up"><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style><w:style w:type="character" w:styleId="Own"><w:basedOn w:val="Up"/></w:style>'
    const body = `<w:p>${run('10')}${run('-', up)}${run('6', up)}${run(' m')}${run('2', '<w:rStyle w:val="Own"/>')}${run(' s')}${run('3', '<w:position w:val="8"/>')}${run(' H')}${run('2', '<w:vertAlign w:val="subscript"/>')}${run('O 10')}${run('6', up)}<w:r><w:rPr><w:rStyle w:val="Up"/></w:rPr><w:footnoteReference w:id="2"/></w:r></w:p>`
    const footnotes = `<w:footnote w:id="2"><w:p><w:r>${'<w:rPr><w:rStyle w:val="Up"/></w:rPr>'}<w:footnoteRef/></w:r>${run('About 10')}${run('9', up)}</w:p></w:footnote>`
    const { text } = await read(makeDocx({ body, styles, footnotes }), 'a.docx')
    expect(text).toBe('10⁻⁶ m² s³ H2O 10⁶ ¹\n\n¹ About 10⁹')
  })

  test('in slides', async () => {
    const slide =
      '<p:sld><p:cSld><p:spTree><p:sp><p:txBody><a:p><a:r><a:rPr/><a:t>10</a:t></a:r><a:r><a:rPr baseline="30000"/><a:t>6</a:t></a:r><a:r><a:t> CO</a:t></a:r><a:r><a:rPr baseline="-25000"/><a:t>2</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>'
    const { text } = await read(packed({ 'ppt/presentation.xml': '<p:presentation/>', 'ppt/slides/slide1.xml': slide }), 'a.pptx')
    expect(text).toBe('10⁶ CO2')
  })

  test('in pages, by element, by style and as the mark of a note', async () => {
    expect(await pages('<p>10<sup>6</sup> 元, H<sub>2</sub>O, e<sup>2.5</sup>')).toBe('10⁶ 元, H2O, e^(2.5)')
    expect(await pages('<p>10<span style="font-size:60%; vertical-align: super">6</span>')).toBe('10⁶')
    expect(await pages('<style>.up { vertical-align: super }</style><p>10<i class="small up">6</i>')).toBe('10⁶')
    expect(await pages('<p>106<sup><a href="#n">1</a></sup> and 7<sup class="reference">[2]</sup>')).toBe('106¹ and 7[2]')
    expect(await pages('<p>106<a role="doc-noteref">1</a>')).toBe('106¹')
    expect(await pages('<table><tr><th>n<th>v<tr><td>10<sup>6</sup><td>2</table>')).toBe('n | v\nn: 10⁶ | v: 2')
    expect(await pages('<p>10<sup>6<p>next')).toBe('10⁶\n\nnext')
  })

  test('in e-books', async () => {
    const parts = {
      mimetype: 'application/epub+zip',
      'META-INF/container.xml': '<container><rootfiles><rootfile full-path="a.opf"/></rootfiles></container>',
      'a.opf':
        '<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>',
      'a.xhtml': '<html><body><p>共106<a epub:type="noteref" href="#n">1</a>，10<sup>6</sup></p></body></html>',
    }
    expect((await read(packed(parts), 'a.epub')).text).toBe('共106¹，10⁶')
  })

  test('in open documents and slides, by styles of both parts', async () => {
    const paragraph =
      '<text:p>10<text:span text:style-name="T1">6</text:span> m<text:span text:style-name="T3">2</text:span> H<text:span text:style-name="T2">2</text:span>O</text:p>'
    const document = packed({ mimetype: 'application/vnd.oasis.opendocument.text', ...openText(`<office:text>${paragraph}</office:text>`) })
    expect((await read(document, 'a.odt')).text).toBe('10⁶ m² H2O')
    const frame = `<draw:frame><draw:text-box>${paragraph}</draw:text-box></draw:frame>`
    const deck = openText(`<office:presentation><draw:page>${frame}</draw:page></office:presentation>`)
    expect((await read(packed({ mimetype: 'application/vnd.oasis.opendocument.presentation', ...deck }), 'a.odp')).text).toBe('10⁶ m² H2O')
  })

  test('in rich text', async () => {
    const rtf = String.raw`{\rtf1\ansi 10{\super 6} m\super 2\nosupersub  s{\up8 3} H{\sub 2}O 10{\super 6}{\super\chftn{\footnote \plain Of 10{\super 9}}} end\par}`
    expect((await read(rtf, 'a.rtf')).text).toBe('10⁶ m² s³ H2O 10⁶ ¹ end\n\n¹ Of 10⁹')
  })
})

test('a deleted end of a paragraph joins it with the next one, but not over the edge of a cell or a table', async () => {
  const ended = '<w:rPr><w:del w:id="1" w:author="A"/></w:rPr>'
  const cell = (...paragraphs: string[]): string => `<w:tc>${paragraphs.join('')}</w:tc>`
  const table = `<w:tbl><w:tr>${cell(wordParagraph('in ', ended), wordParagraph('one'))}${cell(wordParagraph('last', ended))}</w:tr></w:tbl>`
  const body = [
    wordParagraph('The rent is ', ended),
    wordParagraph('', ended),
    wordParagraph('five thousand.'),
    wordParagraph('before', ended),
    table,
    wordParagraph('after', ended),
  ].join('')
  const { text, end } = await read(makeDocx({ body }), 'a.docx')
  expect(text).toBe('The rent is five thousand.\n\nbefore\n\nin one | last\n\nafter')
  expect(end.reason?.code).toBe('tracked-changes')
})
