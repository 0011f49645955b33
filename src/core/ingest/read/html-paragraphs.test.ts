import { afterAll, describe, expect, test } from 'vitest'
import { fileReader } from '../../../../test/fixtures/read-file.ts'

const files = fileReader()
afterAll(() => files.close())

async function textOf(html: string): Promise<string> {
  return (await files.read(`<!doctype html><html><body>${html}</body></html>`, 'page.html')).text
}

const much = 'The lease ends in May. '.repeat(20).trim()

describe('what a page calls its content', () => {
  test('has the heading with it that stands in a header before it, and not the rest of the page', async () => {
    const page = `<div>side</div><header><h1>Lease</h1><p>Of 2026</p></header><nav>menu</nav><main><p>${much}</p></main><footer>foot</footer>`
    expect(await textOf(page)).toBe(`Lease\n\nOf 2026\n\n${much}`)
    expect(await textOf(`<h1>Lease</h1><div>side</div><main><p>${much}</p></main>`)).toBe(`Lease\n\n${much}`)
    expect(await textOf(`<header><p>logo</p></header><main><h1>Lease</h1><p>${much}</p></main>`)).toBe(`Lease\n\n${much}`)
  })

  test('without it everything is read', async () => {
    expect(await textOf(`<header><h1>${much}</h1></header><div>short</div>`)).toBe(`${much}\n\nshort`)
  })
})

describe('lists', () => {
  test.each([
    ['a start', '<ol start="5"><li>a<li>b</ol>', '5. a\n6. b'],
    ['a value', '<ol><li>a<li value="7">b<li>c</ol>', '1. a\n7. b\n8. c'],
    ['reversed', '<ol reversed><li>a<li>b<li>c</ol>', '3. a\n2. b\n1. c'],
    ['reversed with a start', '<ol reversed start="10"><li>a<li>b</ol>', '10. a\n9. b'],
    ['letters', '<ol type="a" start="26"><li>x<li>y</ol>', 'z. x\naa. y'],
    ['Roman numbers', '<ol type="I" start="4"><li>x<li>y</ol>', 'IV. x\nV. y'],
    ['one in another', '<ol start="2"><li>a<ol start="8"><li>b</ol>more<li>c</ol>', '2. a\n8. b\n  more\n3. c'],
  ])('keep the numbers that a person sees: %s', async (_what, html, text) => {
    expect(await textOf(html)).toBe(text)
  })
})

describe('readings over characters', () => {
  test.each([
    ['<ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>です', '漢字（かんじ）です'],
    ['<ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby>です', '漢字（かんじ）です'],
    ['<ruby><rb>北<rb>京<rt>běi<rt>jīng</ruby>很大', '北京（běi jīng）很大'],
    ['<ruby>东<rtc><rt>dōng</rt></rtc></ruby>', '东（dōng）'],
    ['<ruby>無</ruby>し', '無し'],
    ['<p><ruby>開<rt>ひら</p><p>次</p>', '開（ひら）\n\n次'],
  ])('stand in brackets behind their word: %s', async (html, text) => {
    expect(await textOf(`<p>${html}</p>`)).toBe(text)
  })
})

describe('tables', () => {
  test.each([
    [
      'a cell over several rows',
      '<tr><th>Region<th>Item<th>Price<tr><td rowspan="2">EU<td>Cable<td>12<tr><td>Plug<td>3<tr><td>US<td>Cable<td>14',
      'Region | Item | Price\nRegion: EU | Item: Cable | Price: 12\nRegion: EU | Item: Plug | Price: 3\nRegion: US | Item: Cable | Price: 14',
    ],
    [
      'headers of two rows',
      '<thead><tr><th rowspan="2">项目<th colspan="2">2026<tr><th>一季度<th>二季度</thead><tbody><tr><td>网线<td>12<td>15</tbody>',
      '项目 | 2026\n项目 | 一季度 | 二季度\n项目: 网线 | 2026 一季度: 12 | 2026 二季度: 15',
    ],
    [
      'a title among the rows',
      '<tr><th>A<th>B<tr><td>1<td>2<tr><td colspan="2">Totals<tr><td>3<td>4',
      'A | B\nA: 1 | B: 2\nTotals\nA: 3 | B: 4',
    ],
    ['a cell down to the end', '<tr><th>A<th>B<tr><td rowspan="0">x<td>1<tr><td>2', 'A | B\nA: x | B: 1\nA: x | B: 2'],
    ['headers at the side', '<tr><th>Name<td>Zhang<tr><th>Rent<td>3000', 'Name | Zhang\nRent | 3000'],
    ['words outside its cells', '<tr>lost<td>kept<tr><td>next', 'lost | kept\nnext'],
  ])('tie their cells to rows and headers: %s', async (_what, rows, text) => {
    expect(await textOf(`<table>${rows}</table>`)).toBe(text)
  })

  test('that only arrange a page are read as what stands in them', async () => {
    const inner = '<table><tr><th>Item<th>Price<tr><td>Cable<td>12</table>'
    expect(
      await textOf(`<table><tr><td><h1>Bill</h1></td></tr><tr><td><p>One</p><p>Two</p>${inner}</td><td>side</td></tr></table>end`),
    ).toBe('Bill\n\nOne Two\n\nItem | Price\nItem: Cable | Price: 12\n\nside\n\nend')
    expect(await textOf('<table role="presentation"><tr><td><h2>Bill</h2><ul><li>a</ul></td></tr></table>')).toBe('Bill\n\n- a')
  })

  test('with wild spans end in time and lose no cell', { timeout: 60_000 }, async () => {
    const wide = `<tr><td colspan="1000" rowspan="65534">wide${'<tr><td>x'.repeat(20_000)}`
    const long = `<tr><th>${'h'.repeat(200_000)}${'<tr><td>x'.repeat(20_000)}`
    const headers = '<tr><th>h'.repeat(50_000)
    for (const rows of [wide, long, headers, '<td rowspan="-1" colspan="x">x']) {
      const text = await textOf(`<table>${rows}</table>`)
      expect(text.split(/x|h/).length).toBeGreaterThanOrEqual(Math.min(20_000, rows.split('<t').length - 3))
      expect(text.length).toBeLessThan(30_000_000)
    }
  })
})

describe('hidden text', () => {
  test.each([
    '<div hidden>no</div>',
    '<div hidden="until-found">no</div>',
    '<div aria-hidden="TRUE">no</div>',
    '<div style="color:red; DISPLAY : NONE !important">no</div>',
    '<span style="visibility:hidden">no</span>',
    '<tr style="visibility:collapse"><td>no</td></tr>',
    '<span style="opacity:0">no</span>',
    '<span style="font-size:0px">no</span>',
    '<template><p>no</p></template>',
    '<table><tr><td>yes</td><td hidden>no</td></tr></table>',
    '<ul hidden><li>no<li>no</ul>',
  ])('is left out: %s', async (html) => {
    const text = await textOf(`<p>before</p>${html}<p>after</p>`)
    expect(text).not.toContain('no')
    expect([text.startsWith('before'), text.endsWith('after')]).toEqual([true, true])
  })

  test('is not taken for it: what only looks like it, and a page that hides itself until its scripts run', async () => {
    for (const style of ['opacity:0.5', 'font-size:0.8em', 'display:block', 'font-size:01em'])
      expect(await textOf(`<p style="${style}">seen</p>`)).toBe('seen')
    const page = '<!doctype html><html style="visibility:hidden"><body style="opacity:0" aria-hidden="true"><p>seen</p></body></html>'
    expect((await files.read(page, 'page.html')).text).toBe('seen')
  })
})

test('a page of XML may declare entities, and bombs among them are refused', async () => {
  const head = '<?xml version="1.0"?><!DOCTYPE html [<!ENTITY firm "四库"><!ENTITY bomb "&bomb;&bomb;">]>'
  expect((await files.read(`${head}<html><body><p>&firm; &eacute;</p></body></html>`, 'a.xhtml')).text).toBe('四库 é')
  expect((await files.read(`${head}<html><body><p>&bomb;</p></body></html>`, 'a.xhtml')).end).toMatchObject({
    status: 'failed',
    reason: { code: 'damaged' },
  })
})

const square = '<mrow><msup><mi>x</mi><mn>2</mn></msup><mo>=</mo><mfrac><mi>a</mi><mi>b</mi></mfrac></mrow>'

test.each([
  ['by its structure', `<p>Let <math>${square}</math> be.</p>`, ['Let x^2=a/b be.']],
  [
    'by its TeX, once',
    `<p>Let <math alttext="x"><semantics>${square}<annotation encoding="application/x-tex">{\\displaystyle x^{2} = \\frac a b}</annotation></semantics></math> be.</p>`,
    ['Let x^{2} = \\frac a b be.'],
  ],
  ['by its words', `<p>Let <math alttext="x squared is a over b">${square}</math> be.</p>`, ['Let x squared is a over b be.']],
  ['not by words that say nothing', `<p>Let <math alttext="Formula 3">${square}</math> be.</p>`, ['Let x^2=a/b be.']],
  [
    'with other annotations',
    `<p><math><semantics>${square}<annotation encoding="StarMath 5.0">x^2</annotation></semantics></math></p>`,
    ['x^2=a/b'],
  ],
  [
    'that a picture stands for',
    `<p>Let <span class="mwe-math-mathml-inline mwe-math-mathml-a11y" style="display: none;"><math>${square}</math></span><img alt="x" aria-hidden="true"> be.</p>`,
    ['Let x^2=a/b be.'],
  ],
  ['on a line of its own', `<p>Let<math display="block">${square}</math>be.</p>`, ['Let', 'x^2=a/b', 'be.']],
  ['in a cell', `<table><tr><td>form</td><td><math display="block">${square}</math></td></tr></table>`, ['form | x^2=a/b']],
  ['with a prefix', `<p>Let <m:math>${square.replace(/<(\/?)/g, '<$1m:')}</m:math> be.</p>`, ['Let x^2=a/b be.']],
  ['that is never closed', `<p>Let <math>${square}<p>Next</p>`, ['Let x^2=a/b', 'Next']],
  ['with a sign that is escaped', '<p><math><mi>a</mi><mo>&lt;</mo><mi>b</mi></math></p>', ['a<b']],
])('a formula %s', async (_what, source, texts) => {
  expect((await textOf(source)).split('\n\n')).toEqual(texts)
})

describe('what a page shows', () => {
  test.each([
    ['a soft hyphen is no letter', '<p>co&shy;op\u00ADerate', 'cooperate'],
    ['a reading of one sign does not part a name', '<p><ruby>张<rt>zhāng</rt></ruby>三是甲方', '张三是甲方（zhāng）'],
    [
      'readings of signs that follow each other',
      '<p><ruby>张<rt>zhāng</rt></ruby><ruby>三<rt>sān</rt></ruby>是甲方',
      '张三（zhāng sān）是甲方',
    ],
    ['a reading before a new line', '<p><ruby>张<rt>zhāng</rt></ruby><br>三', '张（zhāng）\n三'],
    [
      'a class that its own style sheet hides',
      '<style>.x, p.y { color: red; display: none }</style><p class="a x">gone<p class=y>gone<p>here',
      'here',
    ],
    ['an id', '<style>#x{visibility:hidden}</style><p id=x>gone<p>here', 'here'],
    ['the last rule holds', '<style>.x{display:none}.x{display:block}</style><p class=x>here', 'here'],
    ['what a script can show', '<style>.tab{display:none}.tab.open{display:block}</style><p class=tab>here', 'here'],
    ['rules for paper', '<style>/* } */@media print{.x{display:none}}</style><p class=x>here', 'here'],
    ['its own style stands above its class', '<style>.x{display:none}</style><p class=x style="display:block">here', 'here'],
    [
      'a picture that says something',
      '<p>Plan: <img src=a.png alt="Floor  plan"> <img alt="😀"><img alt="a.png"><img alt="">',
      'Plan: [Floor plan] 😀',
    ],
    [
      'fields',
      '<p>Name: <input value="Ann"> <input type=hidden value=no><input type=submit value=no><textarea>Two\nrooms</textarea>',
      'Name: Ann Two rooms',
    ],
    ['what is chosen', '<p><input type=radio checked> yes <input type=radio> no', '☑ yes no'],
  ])('%s', async (_what, html, text) => {
    expect(await textOf(html)).toBe(text)
  })
})
