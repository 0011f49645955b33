import iconv from 'iconv-lite'
import { afterAll, describe, expect, test } from 'vitest'
import { fileReader } from '../../../../test/fixtures/read-file.ts'

const files = fileReader()
afterAll(() => files.close())

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

describe('text of XML', () => {
  test.each([
    ['entities that decode to a tag', '<m><v>use &lt;b&gt; here, if a&lt;c and c&gt;b</v></m>', 'm:\n  v: use <b> here, if a<c and c>b'],
    ['the same as numbers', '<m><v>List&#60;String&#62; &#x4e2d;</v></m>', 'm:\n  v: List<String> 中'],
    ['CDATA', '<m><v><![CDATA[if (a <b && c> d) { x = "<p>y</p>" }]]></v></m>', 'm:\n  v: if (a <b && c> d) { x = "<p>y</p>" }'],
    ['an empty comment and an instruction', '<m><!-- no --><?php no ?><v>one</v></m>', 'm:\n  v: one'],
    ['words among elements', '<doc><para>The <b>lease</b> ends in <i>May</i>, H<sub>2</sub>O.</para></doc>', 'The lease ends in May, H2O.'],
    ['elements before the first word', '<doc><para><b>Notice</b>: the <i>end</i></para></doc>', 'Notice: the end'],
  ])('%s', async (_what, xml, text) => {
    const read = await files.read(declaration + xml, 'a.xml')
    expect([read.text, read.end.status, read.end.reason]).toEqual([text, 'ready', null])
  })

  test('records are names and values, and attributes are part of them', async () => {
    const xml = `<shop xmlns="http://x" xsi:schemaLocation="a b"><item id="A-12" name="网线"><price currency="EUR">12</price><stock/></item>
      <item id="B-7" name="Cable &amp; plug"/><buyer><address><city>南京</city><street>Zhongshan Road 3</street></address></buyer></shop>`
    const { text, end } = await files.read(declaration + xml, 'shop.xml')
    expect(text).toBe(
      'item: id: A-12 · name: 网线\n  price: 12 (currency: EUR)\n\nshop:\n  item: id: B-7 · name: Cable & plug\n\nbuyer › address:\n  city: 南京\n  street: Zhongshan Road 3',
    )
    expect(end.status).toBe('ready')
  })

  test('paragraphs with blocks in them keep their order', async () => {
    const xml =
      '<doc><title>Rules</title><para>First:<list><item><para>one</para></item><item><para>two</para></item></list>then last.</para></doc>'
    const { text, end } = await files.read(xml, 'rules.xml')
    expect([text, end.title]).toEqual(['Rules\n\nFirst:\n\none\n\ntwo\n\nthen last.', 'Rules'])
  })

  test('a property list gives its keys with their values', async () => {
    const xml =
      '<plist><dict><key>Name</key><string>四库</string><key>Ready</key><true/><key>Size</key><dict><key>W</key><integer>3</integer></dict></dict></plist>'
    expect((await files.read(xml, 'a.plist')).text).toBe('dict:\n  Name: 四库\n  Ready: true\n\ndict › Size:\n  W: 3')
  })

  test('a feed gives its escaped pages without marks, and keeps what is no mark of a page', async () => {
    const item =
      '<item><title>News</title><description>&lt;p&gt;One &lt;b&gt;two&lt;/b&gt;, a List&lt;String&gt;&lt;/p&gt;</description><link>https://x.example/1</link></item>'
    const { text } = await files.read(`<rss><channel><title>Daily</title>${item}</channel></rss>`, 'a.rss')
    expect(text).toBe('Daily\n\nNews\n\nOne two, a List<String>\n\nchannel › item:\n  link: https://x.example/1')
  })

  test.each(['utf-16le', 'utf-16be', 'gb18030', 'big5', 'euc-kr'])('in %s', async (encoding) => {
    const text = `<?xml version="1.0" encoding="${encoding}"?><note><topic>東京大學</topic></note>`
    for (const addBOM of [true, false])
      expect((await files.read(iconv.encode(text, encoding, { addBOM }), 'a.xml')).text).toBe('note:\n  topic: 東京大學')
  })

  test('a record of many values comes in parts, each with its name', async () => {
    const xml = `<list>${Array.from({ length: 3000 }, (_none, index) => `<v>value ${index}</v>`).join('')}</list>`
    const { text, sections } = await files.read(xml, 'long.xml')
    for (const index of [0, 1500, 2999]) expect(text).toContain(`  v: value ${index}`)
    expect(Math.max(...sections.flatMap(({ blocks }) => blocks.map(({ start, end }) => end - start)))).toBeLessThan(4000)
  })
})

describe('entities', () => {
  test('that the document declares are put in their places, in texts, attributes and each other', async () => {
    const xml = `<!DOCTYPE note [
      <!-- ]> <!ENTITY no "no"> -->
      <!ELEMENT note (#PCDATA)>
      <!ATTLIST note by CDATA "a > b">
      <!ENTITY firm "四库 &#38; Co">
      <!ENTITY sign 'by <b>&firm;</b> "now"'>
      <!ENTITY firm "second">
      <!ENTITY % part "nothing">
      %part;
    ]>
    <note by="&firm;"><to>&sign;</to><raw><![CDATA[&firm;]]></raw><other>caf&eacute;&nbsp;&mdash;&unknown;&amp;lt;</other></note>`
    const { text, end } = await files.read(declaration + xml, 'a.xml')
    expect(text).toBe('note: by: 四库 & Co\n  to: by 四库 & Co "now"\n  raw: &firm;\n  other: café —&unknown;&lt;')
    expect([end.status, end.reason]).toEqual(['ready', null])
  })

  const laughs = Array.from({ length: 20 }, (_none, index) => `<!ENTITY e${index + 1} "${`&e${index};`.repeat(10)}">`).join('')
  const quadratic = `<!DOCTYPE a [<!ENTITY a "${'x'.repeat(100_000)}">]><a>${'&a;'.repeat(100_000)}</a>`
  const chain = Array.from({ length: 5000 }, (_none, index) => `<!ENTITY e${index + 1} "&e${index};">`).join('')
  test.each([
    ['grow without end', `<!DOCTYPE a [<!ENTITY e0 "ha">${laughs}]><a>&e20;</a>`],
    ['are large and many', quadratic],
    ['stand for themselves', '<!DOCTYPE a [<!ENTITY a "&b;"><!ENTITY b "&a;">]><a>&a;</a>'],
    ['are a long chain', `<!DOCTYPE a [<!ENTITY e0 "ha">${chain}]><a>&e5000;</a>`],
  ])('that %s are refused with a reason', async (_what, xml) => {
    const { end, sections } = await files.read(xml, 'a.xml')
    expect([end.status, end.reason?.code, end.reason?.message, sections]).toEqual([
      'failed',
      'damaged',
      expect.stringMatching(/entit/i) as string,
      [],
    ])
  })

  test('of other files are never fetched, and said to be missing', async () => {
    const xml = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd"><!ENTITY c PUBLIC "x" "http://127.0.0.1:1/">]><a>x&b;y &c;</a>'
    const { text, end } = await files.read(xml, 'a.xml')
    expect([text, end.status, end.reason?.code]).toEqual(['x&b;y &c;', 'partial', 'parts-unread'])
  })

  test.each(['<!DOCTYPE a [', '<!DOCTYPE a [<!ENTITY b "', '<!DOCTYPE', '<!DOCTYPE a SYSTEM "x'])(
    'a DOCTYPE that never ends harms nothing: %s',
    async (head) => {
      const { end } = await files.read(`${declaration}${head}`, 'a.xml')
      expect(end.status).toBe('failed')
    },
  )
})
