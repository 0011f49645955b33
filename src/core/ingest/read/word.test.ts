import iconv from 'iconv-lite'
import { afterAll, expect, test } from 'vitest'
import { fileReader, type FileRead } from '../../../../test/fixtures/read-file.ts'
import { makeDocx, packed, wordParagraph, wordTable, type DocxParts } from '../../../../test/fixtures/make-office.ts'

const files = fileReader()
const { read } = files
afterAll(() => files.close())

const docx = (parts: DocxParts): Promise<FileRead> => read(makeDocx(parts), 'letter.docx')

test('headings are told by outline, by inherited style and by the names of styles in both languages', async () => {
  const style = (id: string, name: string, more = ''): string =>
    `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${more}</w:style>`
  const styles =
    style('1', 'heading 1') +
    style('a', '标题 2') +
    style('b', 'Mine', '<w:basedOn w:val="c"/>') +
    style('c', 'Base', '<w:pPr><w:outlineLvl w:val="2"/></w:pPr>')
  const body = [
    wordParagraph('Lease', '<w:pStyle w:val="1"/>'),
    wordParagraph('The parties.'),
    wordParagraph('押金', '<w:pStyle w:val="a"/>'),
    wordParagraph('押金为三个月租金。'),
    wordParagraph('Refund', '<w:pStyle w:val="b"/>'),
    wordParagraph('Within ten days.'),
  ].join('')
  const { sections, end } = await docx({ body, styles, title: 'Lease of 2026' })
  const headings = sections.map((section) => section.heading)
  const places = sections.map((section) => section.place)
  expect(headings).toEqual([['Lease'], ['Lease', '押金'], ['Lease', '押金', 'Refund']])
  expect(places[2]).toEqual({ kind: 'section', heading: ['Lease', '押金', 'Refund'], from: 5, to: 6 })
  expect(end).toMatchObject({ status: 'ready', reason: null, title: 'Lease of 2026' })
})

test('numbers that Word makes itself are read: 第十二条 is what people cite', async () => {
  const level = (at: number, format: string, text: string): string =>
    `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`
  const numbering =
    `<w:abstractNum w:abstractNumId="7">${level(0, 'chineseCountingThousand', '第%1条')}${level(1, 'decimal', '%1.%2')}</w:abstractNum>` +
    `<w:abstractNum w:abstractNumId="9">${level(0, 'chineseCounting', '%1')}${level(1, 'decimal', '%1.%2').replace('<w:numFmt', '<w:isLgl/><w:numFmt')}</w:abstractNum>` +
    `<w:abstractNum w:abstractNumId="8">${level(0, 'bullet', '')}</w:abstractNum>` +
    '<w:num w:numId="3"><w:abstractNumId w:val="9"/></w:num><w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="8"/></w:num>'
  const numbered = (text: string, at = 0, id = 1): string =>
    wordParagraph(text, `<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${id}"/></w:numPr>`)
  const body = [...Array.from({ length: 12 }, (_none, index) => numbered(`clause ${index + 1}`)), numbered('below', 1)]
  const legal = Array.from({ length: 12 }, () => numbered('', 0, 3))
  body.push(...legal, numbered('legal', 1, 3), numbered('dot', 0, 2))
  const { text } = await docx({ body: body.join(''), numbering })
  expect(text).toContain('第一条 clause 1')
  expect(text).toContain('第十二条 clause 12\n十二.1 below\n12.1 legal\n- dot')
})

test('a table gives a line a row, each value with the name of its column; merged cells say what they show', async () => {
  const merged = (text: string, properties: string): string => `<w:tc><w:tcPr>${properties}</w:tcPr>${wordParagraph(text)}</w:tc>`
  const rows = [
    ['Region', 'Item', 'Count'],
    [merged('EU', '<w:vMerge w:val="restart"/>'), 'Cable', '12'],
    [merged('', '<w:vMerge/>'), 'Plug', '7'],
    [merged('Total', '<w:gridSpan w:val="2"/>'), '19'],
  ]
  const { text } = await docx({ body: wordTable(rows, '<w:tblHeader/>') })
  expect(text.split('\n')).toEqual([
    'Region | Item | Count',
    'Region: EU | Item: Cable | Count: 12',
    'Region: EU | Item: Plug | Count: 7',
    'Region / Item: Total | Count: 19',
  ])
})

test('a form of labels and values is not taken for a table with a header', async () => {
  const { text } = await docx({
    body: wordTable([
      ['姓名', '张三'],
      ['性别', '男'],
      ['籍贯', '江苏南京'],
    ]),
  })
  expect(text.split('\n')).toEqual(['姓名 | 张三', '性别 | 男', '籍贯 | 江苏南京'])
})

test('a word split over runs is one word; smart tags and content controls lose nothing; hidden text stays hidden', async () => {
  const run = (text: string, properties = ''): string => `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`
  const body =
    `<w:p>${run('agree')}${run('ment')}${run(' of ')}<w:smartTag>${run('Nanjing')}</w:smartTag></w:p>` +
    `<w:sdt><w:sdtContent>${wordParagraph('in a control')}</w:sdtContent></w:sdt>` +
    `<w:p>${run('seen')}${run('UNSEEN', '<w:vanish/>')}${run(' on', '<w:vanish w:val="0"/>')}</w:p>`
  const { text } = await docx({ body })
  expect(text).toBe('agreement of Nanjing\n\nin a control\n\nseen on')
})

test('text boxes are read once, also those of WPS, which have no fallback', async () => {
  const box = (text: string): string => `<w:txbxContent>${wordParagraph(text)}</w:txbxContent>`
  const choice = (text: string): string => `<mc:Choice Requires="wps"><w:drawing><wps:txbx>${box(text)}</wps:txbx></w:drawing></mc:Choice>`
  const alternative = (inside: string): string => `<w:p><w:r><mc:AlternateContent>${inside}</mc:AlternateContent></w:r></w:p>`
  const body =
    alternative(`${choice('both')}<mc:Fallback><w:pict><v:textbox>${box('both')}</v:textbox></w:pict></mc:Fallback>`) +
    alternative(choice('only WPS')) +
    alternative(`<mc:Choice Requires="wps"><w:drawing/></mc:Choice><mc:Fallback>${box('only fallback')}</mc:Fallback>`)
  const { text } = await docx({ body })
  expect(text).toBe('both\n\nonly WPS\n\nonly fallback')
})

test('tracked changes are read as accepted, and said', async () => {
  const body =
    '<w:p><w:r><w:t>Rent is </w:t></w:r><w:del><w:r><w:delText>100</w:delText><w:t>100</w:t></w:r></w:del><w:ins><w:r><w:t>120</w:t></w:r></w:ins></w:p>'
  const { text, end } = await docx({ body })
  expect(text).toBe('Rent is 120')
  expect(end).toMatchObject({ status: 'ready', reason: { code: 'tracked-changes' } })
})

test('a footnote stands below its paragraph', async () => {
  const body = '<w:p><w:r><w:t>Payment</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:t> is due.</w:t></w:r></w:p>'
  const footnotes = `<w:footnote w:type="separator" w:id="0"/><w:footnote w:id="2">${wordParagraph('By bank only.')}</w:footnote>`
  const { text } = await docx({ body, footnotes })
  expect(text).toBe('Payment¹ is due.\n\n¹ By bank only.')
})

test('an open document gives headings, lists, tables and notes, and leaves out what was deleted', async () => {
  const content = `<office:document-content><office:body><office:text>
    <text:tracked-changes><text:changed-region><text:p>deleted</text:p></text:changed-region></text:tracked-changes>
    <text:h text:outline-level="1">Manual</text:h>
    <text:p>Press<text:s text:c="2"/>the <text:span>button</text:span><text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>The red one.</text:p></text:note-body></text:note>.</text:p>
    <text:list><text:list-item><text:p>first</text:p></text:list-item><text:list-item><text:p>second</text:p></text:list-item></text:list>
    <table:table><table:table-header-rows><table:table-row><table:table-cell><text:p>城市</text:p></table:table-cell><table:table-cell><text:p>人口</text:p></table:table-cell></table:table-row></table:table-header-rows>
    <table:table-row><table:table-cell><text:p>南京</text:p></table:table-cell><table:table-cell><text:p>940万</text:p></table:table-cell><table:table-cell table:number-columns-repeated="16000"/></table:table-row></table:table>
  </office:text></office:body></office:document-content>`
  const bytes = packed({ mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': content })
  const { text, kind, sections, end } = await read(bytes, 'manual.bin')
  expect([kind, sections[0]?.heading]).toEqual(['word', ['Manual']])
  expect(text).toBe('Manual\n\nPress  the button(1).\n\n(1) The red one.\n\n- first\n- second\n\n城市 | 人口\n城市: 南京 | 人口: 940万')
  expect(end.reason?.code).toBe('tracked-changes')
})

test('rich text of WordPad and of a Chinese Word is read in its own code page', async () => {
  const gbk = [...iconv.encode('合同测试', 'gb18030')].map((byte) => `\\'${byte.toString(16)}`).join('')
  const rtf = `{\\rtf1\\ansi\\ansicpg936{\\fonttbl{\\f0\\fcharset134 SimSun;}{\\f1\\fcharset0 Arial;}}{\\stylesheet{\\s1 heading 1;}}{\\info{\\title Lease}}
{\\pard\\s1 Part one\\par}{\\pard\\f0 ${gbk}\\f1  caf\\'e9 \\u21335?\\u20140?\\par}{\\*\\generator Word}{\\pict 89504e47}
\\trowd\\intbl A\\cell B\\cell\\row\\trowd\\intbl 1\\cell 2\\cell\\row\\pard end\\par}`
  const { text, sections, end, kind } = await read(Buffer.from(rtf, 'latin1'), 'old.doc')
  expect([kind, sections[0]?.heading, end.title]).toEqual(['word', ['Part one'], 'Lease'])
  expect(text).toBe('Part one\n\n合同测试 café 南京\n\nA | B\nA: 1 | B: 2\n\nend')
})

test.each([
  ['an old Word document', compound('WordDocument'), 'a.doc', 'skipped', 'unsupported-kind'],
  ['an encrypted one', compound('EncryptedPackage'), 'a.docx', 'failed', 'encrypted'],
  ['one cut in its first part', makeDocx({ body: wordParagraph('words '.repeat(500)) }).subarray(0, 40), 'a.docx', 'failed', 'damaged'],
  ['noise', Buffer.from('\0\x01\x02\x03', 'latin1'), 'a.docx', 'failed', 'damaged'],
  ['one without a document', packed({ 'word/document.xml.bak': '' }), 'a.docx', 'failed', 'damaged'],
  ['one without words', makeDocx({ body: '<w:p/>' }), 'a.docx', 'failed', 'empty'],
  ['one nested without end', makeDocx({ body: '<w:sdt>'.repeat(100_000) }), 'a.docx', 'failed', 'damaged'],
])('%s is refused with its reason', async (_what, bytes, name, status, code) => {
  const { end } = await read(bytes, name)
  expect([end.status, end.reason?.code]).toEqual([status, code])
})

test('a bomb of zeros ends at the limit, and entities are never expanded', async () => {
  const bomb = packed({ 'word/document.xml': new Uint8Array(300 << 20) })
  expect((await read(bomb, 'bomb.docx')).end.reason?.code).toBe('too-large')
  const entities = `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>`
  const { text } = await read(packed({ 'word/document.xml': `${entities}<w:p><w:t>x&b;&f;y</w:t></w:p>` }), 'entities.docx')
  expect(text).toBe('x&b;&f;y')
})

function compound(stream: string): Buffer {
  const header = Buffer.alloc(512)
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(header)
  header.writeUInt16LE(9, 30)
  header.writeUInt32LE(0, 48)
  const directory = Buffer.alloc(512)
  directory.write(stream, 'utf16le')
  return Buffer.concat([header, directory])
}
