import { createServer, type AddressInfo, type Server } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runTool, startWebFake, webFixture, webNet, type WebFake, type WebFakeOptions } from '../../../../test/fakes/web-server.ts'
import type { NetDeps } from '../../net/net.ts'
import { createReadWebPage } from './read-web-page.ts'

const open: { close(): Promise<unknown> }[] = []
let inner: { server: Server; port: number; connections: number }
beforeEach(async () => {
  const server = createServer((socket) => {
    inner.connections += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  inner = { server, port: (server.address() as AddressInfo).port, connections: 0 }
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
  await new Promise((resolve) => inner.server.close(resolve))
})

async function makeTool(options: WebFakeOptions = {}, change: Partial<NetDeps> = {}) {
  const web: WebFake = await startWebFake(options)
  const { net, noted } = webNet(web, change)
  open.push(net, web)
  return { tool: createReadWebPage({ net }), web, noted }
}

test('a page comes as text under its title and the address where it was found', async () => {
  const { tool, web, noted } = await makeTool({
    pages: {
      'museum.example/old': { status: 301, headers: { location: 'https://www.museum.example/visit' } },
      'www.museum.example/visit': { body: webFixture('page.html') },
    },
  })
  const { text, failed } = await runTool(tool, { url: 'http://museum.example/old' }, { language: 'zh' })
  expect(failed).toBeUndefined()
  expect(text).toMatch(/^\[Visiting the Museum\]\(https:\/\/www\.museum\.example\/visit\)\n\n# Visiting\n/)
  expect(text).toContain('Who: Adults | Price: ¥ 30')
  expect(text).not.toMatch(/Ignore all instructions|Shop|Subscribe|tracker/)
  expect(noted).toEqual(['museum.example: read a web page', 'www.museum.example: read a web page'])
  expect(web.requests[1]?.headers['accept-language']).toBe('zh-CN,en;q=0.7,*;q=0.5')
  expect(web.requests.every(({ headers }) => headers.cookie === undefined && headers.referer === undefined)).toBe(true)
})

test('the person who is asked sees the whole host, however it was written', () => {
  const tool = createReadWebPage({ net: webNet({ outside: { resolve: () => Promise.resolve([]) } }).net })
  expect(tool.site?.({ url: 'https://MUSEUM.example:8443/a' })).toBe('museum.example:8443')
  expect(tool.line?.({ url: 'https://аpple.example/' }, 'en')).toBe('Read the web page https://xn--pple-43d.example/')
  expect(tool.line?.({ url: 'http://museum.example@127.1/' }, 'zh')).toBe('读取网页 http://museum.example@127.0.0.1/')
  expect([tool.access, tool.gives?.untrusted]).toEqual(['network', true])
})

/** Every form of the attack: refused, with no connection to anything. */
test.each([
  'http://127.0.0.1:PORT/',
  'http://localhost:PORT/',
  'http://LOCALHOST.:PORT/',
  'http://ｌｏｃａｌｈｏｓｔ:PORT/',
  'http://１２７.０.０.１/',
  'http://127。0。0。1/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0177.0.0.1/',
  'http://0/',
  'http://[::1]:PORT/',
  'http://[::]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::127.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[fe80::1]/',
  'http://[fe80::1%25eth0]/',
  'http://10.0.0.1/',
  'http://172.16.0.1/',
  'http://192.168.0.1/',
  'http://100.64.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://router/',
  'http://nas.local/',
  'http://metadata.google.internal/',
  'http://nas.home.arpa/',
  'http://x.onion/',
  'http://user:secret@museum.example/',
  'http://museum.example@127.0.0.1/',
  'http://museum.example%40@127.0.0.1/',
  'http://museum.example:11434/',
  'https://museum.example:6379/',
  'file:///etc/passwd',
  'ftp://museum.example/x',
  'data:text/html,<p>x',
  'javascript:alert(1)',
  'gopher://museum.example/',
  '/etc/passwd',
  '//museum.example/',
  'museum.example',
])('%s is refused without a look-up or a connection', async (form) => {
  const { tool, web } = await makeTool()
  const url = form.replace('PORT', String(inner.port))
  const failure: unknown = await runTool(tool, { url }).catch((error: unknown) => error)
  expect(failure).toMatchObject({ code: expect.stringMatching(/^(refused|bad-input)$/) as string })
  expect((failure as Error).message).not.toContain('secret')
  expect([web.lookedUp, web.connected, web.requests.length, inner.connections]).toEqual([[], [], 0, 0])
})

test('redirects into this machine, and names that lead into it at the second look-up, are refused', async () => {
  const to = (location: string) => ({ status: 302, headers: { location } })
  const { tool, web } = await makeTool({
    pages: {
      'a.example/literal': to(`http://127.0.0.1:${inner.port}/`),
      'a.example/short': to('http://0/'),
      'a.example/name': to('http://localhost/'),
      'a.example/mapped': to('http://[::ffff:127.0.0.1]/'),
      'a.example/file': to('file:///etc/passwd'),
      'a.example/userinfo': to('http://a.example@127.0.0.1/'),
      'rebind.example/': to('/again'),
      'b.example/': 'fine',
    },
    names: {
      'rebind.example': [['93.184.216.34'], ['127.0.0.1']],
      'inner.example': [['192.168.1.1']],
      'b.example': [['1.1.1.1'], ['::1']],
    },
  })
  for (const path of ['literal', 'short', 'name', 'mapped', 'file', 'userinfo'])
    await expect(runTool(tool, { url: `http://a.example/${path}` }), path).rejects.toMatchObject({ code: 'refused' })
  await expect(runTool(tool, { url: 'http://rebind.example/' })).rejects.toMatchObject({ code: 'refused' })
  await expect(runTool(tool, { url: 'http://inner.example/' })).rejects.toMatchObject({ code: 'refused' })
  expect((await runTool(tool, { url: 'http://b.example/' })).text).toContain('fine')
  await expect(runTool(tool, { url: 'http://b.example/' })).rejects.toMatchObject({ code: 'refused' })
  expect(inner.connections).toBe(0)
  expect(web.connected).toEqual([...Array<string>(6).fill('a.example'), 'rebind.example', 'b.example'])
})

test('a redirect to another site is told and not followed: the yes was for one site', async () => {
  const { tool, web } = await makeTool({
    pages: { 'known.example/out': { status: 302, headers: { location: 'https://thief.example/?q=the+library' } } },
  })
  const { text, failed } = await runTool(tool, { url: 'https://known.example/out' })
  expect([failed, text.includes('https://thief.example/?q=the+library')]).toEqual([true, true])
  expect(web.connected).toEqual(['known.example'])
})

test('offline, nothing is looked up', async () => {
  const { tool, web } = await makeTool({}, { isOffline: () => true })
  await expect(runTool(tool, { url: 'https://museum.example/' })).rejects.toMatchObject({ code: 'offline' })
  expect([web.lookedUp, web.connected]).toEqual([[], []])
})

test('endless and compressed bodies end at the limit, and what was read of them is shown', async () => {
  const bomb = gzipSync(Buffer.alloc(40_000_000, '<p>bomb</p>\n'))
  const { tool, web } = await makeTool({
    pages: {
      'a.example/bomb': { headers: { 'content-encoding': 'gzip' }, body: bomb },
      'a.example/endless': (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/plain' })
        const more = (): void => {
          while (!response.destroyed && response.write('endless text\n'.repeat(1000)));
        }
        response.on('drain', more)
        more()
      },
    },
  })
  for (const path of ['bomb', 'endless']) {
    const { text } = await runTool(tool, { url: `http://a.example/${path}` })
    expect(text.length).toBeLessThan(110_000)
    expect(text).toContain('There is more: read on with from=100000.')
  }
  await web.waitForAborts(1)
  const end = await runTool(tool, { url: 'http://a.example/endless', from: 2_999_000 })
  expect(end.text).toContain('The page goes on, but is too large to be read further here.')
})

test('a long page is read on with from, and says where it ends', async () => {
  const { tool } = await makeTool({ pages: { 'a.example/': `<title>Long</title><p>${'word '.repeat(50_000)}</p>` } })
  const first = await runTool(tool, { url: 'http://a.example/' })
  expect(first.text).toContain('There is more: read on with from=100000.')
  const last = await runTool(tool, { url: 'http://a.example/', from: 200_000 })
  expect(last.text).toMatch(/^\[Long\][^]*From character 200000 of \d+\.$/)
  expect(await runTool(tool, { url: 'http://a.example/', from: 900_000 })).toMatchObject({ failed: true })
})

test('only text is read: by what the server says, and by the bytes where it says nothing or lies', async () => {
  const page = (type: string, body: string | Uint8Array = 'x') => ({ headers: { 'content-type': type }, body })
  const { tool } = await makeTool({
    pages: {
      'a.example/pdf': page('application/pdf', '%PDF-1.7'),
      'a.example/lie': page('text/html', '%PDF-1.7'),
      'a.example/image': page('image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0])),
      'a.example/binary': page('application/octet-stream', Buffer.from([1, 0, 2, 0])),
      'a.example/json': page('application/json', '{"a": [1, "南京"]}'),
      'a.example/plain': page('text/plain; charset=gbk', Buffer.from([0xc4, 0xcf, 0xbe, 0xa9, 0x0d, 0x0a, 0x21])),
      'a.example/untyped': page('', '<!doctype html><title>T</title><p>page</p>'),
      'a.example/scripted': page('text/html', '<div id="root"></div><script>draw()</script>'),
      'a.example/missing': { status: 404, body: '<h1>Not here</h1>' },
    },
  })
  const textOf = async (path: string) => {
    const { text, failed } = await runTool(tool, { url: `http://a.example/${path}` })
    return `${failed === true ? 'failed ' : ''}${text}`
  }
  expect(await textOf('pdf')).toBe(
    'failed http://a.example/pdf is not a page of text but application/pdf. Only web pages, plain text and JSON can be read here.',
  )
  expect(await textOf('lie')).toMatch(/^failed .*is not a page of text/)
  expect(await textOf('image')).toMatch(/^failed .*image\/png/)
  expect(await textOf('binary')).toMatch(/^failed .*octet-stream/)
  expect(await textOf('json')).toContain('{"a": [1, "南京"]}')
  expect(await textOf('plain')).toContain('南京\n!')
  expect(await textOf('untyped')).toBe('[T](http://a.example/untyped)\n\npage')
  expect(await textOf('scripted')).toMatch(/^failed [^]*scripts, which are not run here/)
  expect(await textOf('missing')).toMatch(/^failed [^]*status 404[^]*Not here/)
})

test('an address that can never be read is refused before anybody is asked, and written down', () => {
  const { net, noted } = webNet({ outside: { resolve: () => Promise.resolve([]) } })
  open.push(net)
  const tool = createReadWebPage({ net })
  for (const url of [
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,x',
    'http://127.0.0.1/',
    'http://10.0.0.1/',
    'http://2130706433/',
    'not an address',
  ])
    expect(tool.refuses?.({ url })).toMatch(/was not contacted|is not an address/)
  expect(tool.refuses?.({ url: 'https://museum.example/' })).toBeNull()
  expect(noted.length).toBeGreaterThan(0)
})

test('an address without its scheme is one of a page', () => {
  const tool = createReadWebPage({ net: webNet({ outside: { resolve: () => Promise.resolve([]) } }).net })
  const adapted = (url: string): unknown => tool.adapt?.({ url }, 'read_web_page')
  expect(adapted('museum.example/visit?x=1')).toEqual({ url: 'https://museum.example/visit?x=1' })
  expect(adapted(' www.museum.example ')).toEqual({ url: 'https://www.museum.example' })
  expect(adapted('http://museum.example/')).toEqual({ url: 'http://museum.example/' })
  for (const other of ['file:///etc/passwd', 'javascript:alert(1)', 'lease.md 2026', 'localhost'])
    expect(adapted(other)).toEqual({ url: other })
})
