import { readdirSync, readFileSync } from 'node:fs'
import { connect, createServer, Socket, type AddressInfo, type Server, type TcpNetConnectOpts } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startHttpFake, type Handler, type HttpFake } from '../../../test/fakes/http-fake.ts'
import type { Outside, ResolvedAddress } from '../deps.ts'
import { createNet, type Net, type NetDeps } from './net.ts'

const open: { close(): Promise<unknown> }[] = []
/** Stands for everything inside: on this machine, and counting. */
let inner: { server: Server; port: number; connections: number }

beforeEach(async () => {
  const server = createServer((socket: Socket) => {
    inner.connections += 1
    socket.on('error', () => undefined).end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nsecret')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  inner = { server, port: (server.address() as AddressInfo).port, connections: 0 }
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
  await new Promise((resolve) => inner.server.close(resolve))
})

const publicAddress: ResolvedAddress = { address: '93.184.216.34', family: 4 }

interface World {
  net: Net
  web: HttpFake
  /** Names that were looked up, and addresses that sockets were opened to, in order. */
  lookedUp: string[]
  dialled: string[]
  noted: string[]
}

/** A web of one server behind every public name. `answers` is what the name server says, by name, one after another. */
async function makeWorld(handle: Handler, answers: Record<string, string[][]> = {}, change: Partial<NetDeps> = {}): Promise<World> {
  const web = await startHttpFake('web', {}, handle)
  const world = { web, lookedUp: [] as string[], dialled: [] as string[], noted: [] as string[] }
  const outside: Outside = {
    resolve(host) {
      world.lookedUp.push(host)
      const next = answers[host]?.shift()
      if (next === undefined) return Promise.resolve([publicAddress])
      return Promise.resolve(next.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })))
    },
    connect({ addresses }) {
      world.dialled.push(addresses.map((each) => each.address).join(' '))
      return connect(web.port, '127.0.0.1')
    },
  }
  const net = createNet({
    fetch: () => Promise.reject(new Error('the guarded way does not use it')),
    outside,
    now: () => 7,
    env: {},
    isOffline: () => false,
    note: ({ host, purpose, refused }) => world.noted.push(`${refused ? 'refused ' : ''}${host} ${purpose}`),
    ...change,
  })
  open.push(net, web)
  return { net, ...world }
}

const hello: Handler = (_request, response) => {
  response.writeHead(200, { 'content-type': 'Text/Plain; charset=UTF-8' })
  response.end('hello')
  return true
}
const purpose = 'test'

function redirecting(to: Record<string, string>): Handler {
  return (request, response) => {
    const location = to[`${request.headers.host ?? ''}${request.path}`] ?? to[request.path]
    if (location === undefined) response.end('arrived')
    else {
      response.writeHead(302, { location })
      response.end('moved')
    }
    return true
  }
}

test('a public page comes with its address, type and bytes, and nothing goes along that says who asks', async () => {
  const { net, web, noted, dialled } = await makeWorld(hello)
  const answer = await net.fetchPublic('https://pages.example/a?b=1', { purpose, accept: 'text/html', acceptLanguage: 'zh' })
  expect({ ...answer, bytes: Buffer.from(answer.bytes).toString() }).toEqual({
    url: 'https://pages.example/a?b=1',
    status: 200,
    contentType: 'text/plain; charset=utf-8',
    bytes: 'hello',
    cut: false,
    leadsTo: null,
  })
  expect(dialled).toEqual(['93.184.216.34'])
  expect(noted).toEqual(['pages.example test'])
  const { headers, method } = web.requests[0]!
  expect(method).toBe('GET')
  expect(Object.keys(headers).sort()).toEqual(['accept', 'accept-encoding', 'accept-language', 'connection', 'host', 'user-agent'])
})

test('what looks like an inner address is refused before any look-up and any connection, and is in the ledger', async () => {
  const { net, lookedUp, dialled, noted } = await makeWorld(hello)
  const port = inner.port
  const forms = [
    `http://127.0.0.1:${port}/`,
    `http://2130706433:${port}/`,
    `http://[::1]:${port}/`,
    `http://[::ffff:7f00:1]:${port}/`,
    'http://127.0.0.1/',
    'http://0x7f.1/',
    'http://localhost/',
    'http://ｌｏｃａｌｈｏｓｔ/',
    'http://printer.local/',
    'http://public.example@127.0.0.1/',
    `http://public.example@127.0.0.1:${port}/`,
    'http://user:secret@pages.example/',
    'http://pages.example:6379/',
    'file:///etc/passwd',
    'ftp://pages.example/',
    'data:text/plain,hello',
    'javascript:alert(1)',
  ]
  for (const form of forms) {
    const failure: unknown = await net.fetchPublic(form, { purpose }).catch((error: unknown) => error)
    expect(failure, form).toMatchObject({ code: 'refused' })
    expect(String((failure as Error).message)).not.toContain('secret')
  }
  for (const form of ['http://[fe80::1%25eth0]/', '//pages.example', 'not an address', 'http://u:secret@[::1'])
    await expect(net.fetchPublic(form, { purpose })).rejects.toMatchObject({
      code: 'bad-input',
      message: expect.not.stringContaining('secret') as string,
    })
  expect([lookedUp, dialled, inner.connections]).toEqual([[], [], 0])
  // Those without a host have nothing that the ledger could name.
  expect(noted).toHaveLength(forms.length - 3)
  expect(noted.every((line) => line.startsWith('refused '))).toBe(true)
})

test('without an injected outside, a literal of this machine opens no socket to a listener that is really there', async () => {
  const net = createNet({ fetch: globalThis.fetch, now: () => 7, env: {}, isOffline: () => false, note: () => undefined })
  open.push(net)
  for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', '0', '127.1', 'localhost', 'a.localhost'])
    await expect(net.fetchPublic(`http://${host}:${inner.port}/`, { purpose })).rejects.toMatchObject({ code: 'refused' })
  expect(inner.connections).toBe(0)
})

test.each([['127.0.0.1'], ['10.0.0.5'], ['169.254.169.254'], ['::1'], ['::ffff:127.0.0.1'], ['fd00::1'], ['fe80::1%eth0'], ['198.18.0.7']])(
  'a name that leads to %s is refused at the connection',
  async (address) => {
    const { net, lookedUp, dialled, web } = await makeWorld(hello, { 'trap.example': [[address]] })
    await expect(net.fetchPublic('http://trap.example/', { purpose })).rejects.toMatchObject({ code: 'refused' })
    expect([lookedUp, dialled, web.requests, inner.connections]).toEqual([['trap.example'], [], [], 0])
  },
)

test('one inner address among public ones is enough to refuse the name, and none at all is no such name', async () => {
  const { net, dialled } = await makeWorld(hello, { 'mixed.example': [['93.184.216.34', '127.0.0.1']], 'gone.example': [[]] })
  await expect(net.fetchPublic('http://mixed.example/', { purpose })).rejects.toMatchObject({ code: 'refused' })
  await expect(net.fetchPublic('http://gone.example/', { purpose })).rejects.toMatchObject({ code: 'network' })
  expect(dialled).toEqual([])
})

test('a made-up address of a proxy program is refused with what to do about it', async () => {
  const { net } = await makeWorld(hello, { 'page.example': [['198.18.3.4']] })
  await expect(net.fetchPublic('http://page.example/', { purpose })).rejects.toMatchObject({
    hint: expect.stringContaining('HTTPS_PROXY') as string,
  })
})

test('a name that leads inside the second time is refused the second time: one look-up, one check, one connection', async () => {
  const { net, lookedUp, dialled } = await makeWorld(hello, { 'rebind.example': [['93.184.216.34'], ['127.0.0.1']] })
  await net.fetchPublic('http://rebind.example/', { purpose })
  expect([lookedUp.length, dialled.length]).toEqual([1, 1])
  await expect(net.fetchPublic('http://rebind.example/', { purpose })).rejects.toMatchObject({ code: 'refused' })
  expect([lookedUp.length, dialled.length]).toEqual([2, 1])
})

test('a redirect of a host to itself is looked up anew: rebinding between two hops is refused', async () => {
  const { net, dialled } = await makeWorld(redirecting({ '/': '/next' }), { 'rebind.example': [['93.184.216.34'], ['127.0.0.1']] })
  await expect(net.fetchPublic('http://rebind.example/', { purpose })).rejects.toMatchObject({ code: 'refused' })
  expect(dialled).toEqual(['93.184.216.34'])
})

test.each([
  'http://127.0.0.1/',
  'http://2130706433/',
  'http://[::1]/',
  'http://localhost/',
  'http://router/',
  '//127.0.0.1/x',
  'http://pages.example@127.0.0.1/',
  'http://user:secret@pages.example/',
  'http://pages.example:22/',
  'file:///etc/passwd',
  'data:text/plain,hello',
])('a redirect to %s is refused after the first hop', async (location) => {
  const { net, web, dialled } = await makeWorld(redirecting({ '/': location }))
  await expect(net.fetchPublic('http://pages.example/', { purpose })).rejects.toMatchObject({ code: 'refused' })
  expect([web.requests.length, dialled.length, inner.connections]).toEqual([1, 1, 0])
})

test('redirects are followed five times, to public hosts, up to https but not down', async () => {
  const hops = { '/0': '/1', '/1': '/2', '/2': '/3', '/3': '/4', '/4': 'https://other.example/5', '/down': 'http://pages.example/' }
  const { net, noted } = await makeWorld(redirecting({ ...hops, '/round': '/round', '/broken': 'http://[' }))
  const answer = await net.fetchPublic('http://pages.example/0', { purpose })
  expect([answer.url, Buffer.from(answer.bytes).toString()]).toEqual(['https://other.example/5', 'arrived'])
  expect(noted).toHaveLength(6)
  await expect(net.fetchPublic('http://pages.example/round', { purpose })).rejects.toMatchObject({ code: 'network' })
  await expect(net.fetchPublic('https://pages.example/down', { purpose })).rejects.toMatchObject({ code: 'refused' })
  await expect(net.fetchPublic('https://pages.example/broken', { purpose })).rejects.toMatchObject({ code: 'bad-input' })
})

test('what was allowed for one site does not follow its open redirect to another', async () => {
  const { net, dialled } = await makeWorld(
    redirecting({ 'pages.example/': 'https://www.pages.example/', '/in': 'http://127.0.0.1/', '/away': 'https://thief.example/?library' }),
  )
  const own = await net.fetchPublic('http://pages.example/', { purpose, stayOnSite: true })
  expect([own.url, own.leadsTo]).toEqual(['https://www.pages.example/', null])
  await expect(net.fetchPublic('http://pages.example/in', { purpose, stayOnSite: true })).rejects.toMatchObject({ code: 'refused' })
  const away = await net.fetchPublic('http://pages.example/away', { purpose, stayOnSite: true })
  expect([away.status, away.leadsTo, away.bytes.length]).toEqual([302, 'https://thief.example/?library', 0])
  expect(dialled).toHaveLength(4)
})

test('offline, nothing is looked up and nothing connected', async () => {
  const { net, lookedUp, dialled, noted } = await makeWorld(hello, {}, { isOffline: () => true })
  await expect(net.fetchPublic('https://pages.example/', { purpose })).rejects.toMatchObject({ code: 'offline' })
  expect([lookedUp, dialled]).toEqual([[], []])
  expect(noted).toEqual(['refused pages.example test'])
})

test('a body that drips for ever, headers that never come and a name that is never found all end by the total time', async () => {
  const { net, web } = await makeWorld((request, response) => {
    if (request.path === '/headers') return true
    const drip = setInterval(() => response.write('.'), 20)
    response.on('close', () => clearInterval(drip))
    return true
  })
  const short = { purpose, timeoutMs: 300 }
  for (const path of ['/drip', '/headers'])
    await expect(net.fetchPublic(`http://pages.example${path}`, short)).rejects.toMatchObject({ code: 'timeout', retryable: true })
  await web.waitForAborts(2)
  const stuck = await makeWorld(hello, {}, { outside: { resolve: () => new Promise(() => undefined) } })
  await expect(stuck.net.fetchPublic('http://pages.example/', short)).rejects.toMatchObject({ code: 'timeout' })
})

test('stopping closes the socket, and a call that was stopped before makes none', async () => {
  const { net, web, dialled } = await makeWorld((_request, response) => response.write('a'))
  const controller = new AbortController()
  const work = net.fetchPublic('http://pages.example/', { purpose, signal: controller.signal })
  const outcome = expect(work).rejects.toMatchObject({ code: 'cancelled' })
  await web.waitForRequests(1)
  controller.abort()
  await outcome
  await web.waitForAborts(1)
  await expect(net.fetchPublic('http://pages.example/', { purpose, signal: controller.signal })).rejects.toMatchObject({
    code: 'cancelled',
  })
  expect(dialled).toHaveLength(1)
})

test('through a proxy, inner addresses and names that lead inside never reach it; what cannot be found here does', async () => {
  const proxy = await startHttpFake('proxy', {}, (request, response) => {
    if (request.path.startsWith('http://redirect.example')) response.writeHead(302, { location: 'http://192.168.1.1/' })
    response.end(`proxied ${request.path}`)
    return true
  })
  open.push(proxy)
  const { net, dialled } = await makeWorld(
    hello,
    { 'trap.example': [['192.168.1.1']], 'unknown.example': [[]], 'made-up.example': [['198.18.0.9']] },
    { env: { HTTP_PROXY: proxy.url } },
  )
  for (const url of ['http://192.168.1.1/', 'http://nas.local/', 'http://trap.example/'])
    await expect(net.fetchPublic(url, { purpose })).rejects.toMatchObject({ code: 'refused' })
  expect(proxy.requests).toHaveLength(0)
  for (const host of ['pages.example', 'unknown.example', 'made-up.example']) {
    const answer = await net.fetchPublic(`http://${host}/`, { purpose })
    expect(Buffer.from(answer.bytes).toString()).toBe(`proxied http://${host}/`)
  }
  await expect(net.fetchPublic('http://redirect.example/', { purpose })).rejects.toMatchObject({ code: 'refused' })
  expect([proxy.requests.length, dialled]).toEqual([4, []])
})

test('the system’s sockets are opened to the very addresses that were checked', async () => {
  const web = await startHttpFake('web', {}, hello)
  const addresses: ResolvedAddress[] = [publicAddress, { address: '2606:4700::1111', family: 6 }]
  const net = createNet({
    fetch: globalThis.fetch,
    outside: { resolve: () => Promise.resolve(addresses) },
    now: () => 7,
    env: {},
    isOffline: () => false,
    note: () => undefined,
  })
  open.push(net, web)
  const seen: unknown[] = []
  const real = Socket.prototype.connect
  const spy = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...args: unknown[]) {
    const [options] = args.flat() as [TcpNetConnectOpts]
    if (options.host !== 'pages.example') return Reflect.apply(real, this, args) as Socket
    options.lookup?.(options.host, { all: true }, (_error, found) => seen.push(options.host, options.port, found))
    return Reflect.apply(real, this, [{ host: '127.0.0.1', port: web.port }]) as Socket
  })
  try {
    const answer = await net.fetchPublic('http://pages.example:8080/', { purpose })
    expect(Buffer.from(answer.bytes).toString()).toBe('hello')
  } finally {
    spy.mockRestore()
  }
  expect(seen).toEqual(['pages.example', '8080', addresses])
})

test('no host passes an outside of its own: only tests do', () => {
  const root = join(import.meta.dirname, '..', '..')
  const files = ['main', 'server', 'cli', 'core/host'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => join(root, folder, name)),
  )
  expect(files.length).toBeGreaterThan(20)
  expect(files.filter((file) => /\boutside\b\s*[:,}]/.test(readFileSync(file, 'utf8').replace(/\/\*[^]*?\*\/|\/\/.*/g, '')))).toEqual([])
})

test('an address that the user configured may be here, but what it redirects to may not', async () => {
  const { net, dialled } = await makeWorld(hello)
  const own = await startHttpFake('own', {}, redirecting({ '/in': `http://127.0.0.1:${inner.port}/`, '/out': 'http://pages.example/' }))
  open.push(own)
  const configured = own.url
  expect(Buffer.from((await net.fetchPublic(`${own.url}/search`, { purpose, configured })).bytes).toString()).toBe('arrived')
  await expect(net.fetchPublic(`${own.url}/in`, { purpose, configured })).rejects.toMatchObject({ code: 'refused' })
  expect((await net.fetchPublic(`${own.url}/out`, { purpose, configured })).url).toBe('http://pages.example/')
  expect([inner.connections, dialled.length]).toEqual([0, 1])
})
