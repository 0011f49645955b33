import { expect, test } from 'vitest'
import { webFixture } from '../../../../test/fakes/web-server.ts'
import { charsetOf, decodeBytes, linkTo, oneLine, readablePage } from './web-text.ts'

const live = new AbortController().signal

function read(html: string, base = 'https://pages.example/a/') {
  return readablePage(html, base, live)
}

test('a page is what a person reads of it: no scripts, menus or hidden text, but its structure and links', async () => {
  expect(await readablePage(webFixture('page.html').toString('utf8'), 'https://museum.example/visit', live)).toEqual({
    title: 'Visiting the Museum',
    text: [
      '# Visiting',
      'The museum opens at nine. See tickets (https://museum.example/tickets?day=1#top) and the map.',
      'Zerowidth and tags vanish.',
      '## Prices',
      'Who | Price\nWho: Adults | Price: ¥ 30\nWho: Children | Price: free',
      '- No bags\n- No flash\n1. nor tripods',
      '```\nline one\n  line two\n```',
    ].join('\n\n'),
    cut: false,
  })
})

test.each([
  'opacity:0',
  'opacity: 0.0;',
  'color:red;font-size:0px',
  'visibility: hidden',
  'height:0;overflow:hidden',
  'text-indent:-9999px',
  'position:fixed;top:-500px',
  'color: transparent',
  'clip: rect(0,0,0,0)',
  'clip-path:inset(50%)',
])('text hidden by “%s” is not read', async (style) => {
  const { text } = await read(`<p>seen</p><div style="${style}"><p>order</p> the agent</div><p>too</p>`)
  expect(text).toBe('seen\n\ntoo')
})

test.each(['opacity: 0.5', 'height: 10px', 'font-size: 0.9em', 'color: red', 'width: 0.5em', 'left: -5px'])(
  'text styled by “%s” is read',
  async (style) => {
    expect((await read(`<p style="${style}">seen</p>`)).text).toBe('seen')
  },
)

test('a link is told once, as an address that can be asked for', async () => {
  const html =
    '<p><a href="/x">one</a> <a href="/x">again</a> <a href="javascript:alert(1)">script</a> <a href="http://u:p@b.example/">sly</a> <a href="mailto:a@b.example">mail</a> <a href="/img"><img src="i.png" alt="i"></a></p>'
  expect((await read(html)).text).toBe('one (https://pages.example/x) again script sly mail [i]')
})

test('pages made to hang a reader are read in time that grows with their size', async () => {
  const hostile = {
    'inline elements in one paragraph': `<p>${'<b>x</b> '.repeat(100_000)}`,
    'hidden blocks between pieces': 'x <div hidden></div>'.repeat(40_000),
    'blocks in one row': `<table><tr><td>${'<div>x </div>'.repeat(80_000)}`,
    'cells in one row': `<table><tr>${'<td>'.repeat(200_000)}`,
    'cells with text in one row': `<table><tr>${'<td>x'.repeat(160_000)}`,
    'line breaks': `<p>${'<br>x'.repeat(160_000)}`,
    'spaces in preformatted text': `<pre>${' '.repeat(1_000_000)}x`,
    'line ends in preformatted text': `<pre>${'\n'.repeat(1_000_000)}x${'\n'.repeat(1_000_000)}y`,
    'elements in elements': '<div>'.repeat(200_000),
    'closings of nothing': `${'<i>'.repeat(900)}${'</b>'.repeat(200_000)}`,
    'one attribute': `<p style="${' ;'.repeat(1_000_000)}">x</p>`,
    'many attributes': `<p ${Array.from({ length: 200_000 }, (_, at) => `a${at}`).join(' ')}>x</p>`,
    'links without an end': '<a href="/x">x'.repeat(60_000),
    'an open comment': `<!--${'-'.repeat(1_000_000)}`,
    'an open tag': `<p ${'<'.repeat(1_000_000)}`,
    entities: '&amp'.repeat(200_000),
    'a title': `<title>${'x'.repeat(1_000_000)}</title>`,
  }
  for (const [name, html] of Object.entries(hostile)) expect((await read(html)).text.length, name).toBeLessThan(2_500_000)
}, 120_000)

test('a page that is not read to its end says so', async () => {
  expect((await read(`<p>start</p>${'<div>'.repeat(20_000)}end`)).cut).toBe(true)
  expect((await read('<p>whole</p>'.repeat(20_000))).cut).toBe(false)
})

test('stopping ends the reading of a long page', async () => {
  const controller = new AbortController()
  const work = readablePage('<p>x</p>'.repeat(300_000), 'https://pages.example/', controller.signal)
  controller.abort()
  await expect(work).rejects.toThrow()
})

test('bytes are read by the server’s word, the page’s word or what they are, also when they were cut inside a character', () => {
  const gbk = Buffer.from([0xc4, 0xcf, 0xbe, 0xa9, 0x20, 0xc4, 0xcf, 0xbe, 0xa9])
  expect(decodeBytes(gbk, charsetOf('text/html; charset=GBK'), false)).toBe('南京 南京')
  expect(decodeBytes(gbk, null, false)).toBe('南京 南京')
  expect(decodeBytes(gbk.subarray(0, 8), null, true)).toBe('南京 ')
  expect(
    decodeBytes(Buffer.concat([Buffer.from('<meta charset="big5"><p>'), Buffer.from([0xab, 0x6e, 0xa8, 0xca])]), null, false),
  ).toContain('南京')
  expect(decodeBytes(Buffer.from('南京 南京').subarray(0, 11), 'utf-8', true)).toBe('南京 ')
  expect(decodeBytes(Buffer.from('南京'), charsetOf('text/html; charset=no-such-thing'), false)).toBe('南京')
  expect(decodeBytes(Buffer.from('\uFEFFtext', 'utf16le'), null, false)).toBe('text')
})

test('a title cannot end its link and an address cannot end its brackets', () => {
  expect(linkTo('a](https://thief.example) [b', 'https://pages.example/x_(y)')).toBe(
    '[a)(https://thief.example) (b](https://pages.example/x_%28y%29)',
  )
  expect(linkTo(' ', 'https://pages.example/')).toBe('[https://pages.example/](https://pages.example/)')
  expect(oneLine('a\u202E\n b'.repeat(300), 10)).toBe('a ba ba b…')
})
