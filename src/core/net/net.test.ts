import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { startHttpFake, type HttpFake } from '../../../test/fakes/http-fake.ts'
import { isLoopback, proxyFor } from './address.ts'
import { createNet, type Net, type NetDeps } from './net.ts'

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
})

function makeNet(change: Partial<NetDeps> = {}) {
  const noted: { host: string; purpose: string; refused: boolean }[] = []
  const net: Net = createNet({
    fetch: globalThis.fetch,
    now: () => 7,
    env: {},
    isOffline: () => false,
    note: ({ host, purpose, refused }) => noted.push({ host, purpose, refused }),
    ...change,
  })
  open.push(net)
  return { net, noted }
}

async function serve(...[name, options, handler]: Parameters<typeof startHttpFake>): Promise<HttpFake> {
  const fake = await startHttpFake(name, options, handler)
  open.push(fake)
  return fake
}

test('every spelling of this machine is loopback, and a name that only looks like it is not', () => {
  const here = [
    'http://localhost:1',
    'http://a.localhost',
    'http://127.9.9.9',
    'http://0.0.0.0',
    'http://[::1]:2',
    'http://[::]',
    'http://[::ffff:127.0.0.1]',
    'http://127.1',
    'http://localhost.',
  ]
  expect(here.filter((url) => !isLoopback(new URL(url)))).toEqual([])
  const there = ['http://localhost.example.com', 'http://127.0.0.1.example.com', 'http://128.0.0.1', 'http://[::2]', 'http://notlocalhost']
  expect(there.filter((url) => isLoopback(new URL(url)))).toEqual([])
})

test.each([
  ['http://127.0.0.1:11434', { HTTP_PROXY: 'http://p:1' }, null],
  ['http://localhost', { ALL_PROXY: 'http://p:1', NO_PROXY: '' }, null],
  ['https://api.example.com', { HTTPS_PROXY: 'p:1' }, 'http://p:1'],
  ['https://api.example.com', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'other.com, .example.com' }, null],
  ['https://badexample.com', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'example.com' }, 'http://p:1'],
  ['http://10.1.2.3:8080', { http_proxy: 'http://p:1', no_proxy: '10.0.0.0/8' }, null],
  ['http://host:8080', { http_proxy: 'http://p:1', no_proxy: 'host:80' }, 'http://p:1'],
  ['http://host', { http_proxy: 'http://p:1', no_proxy: '*' }, null],
])('the proxy of %s with %o is %s', (url, env: Record<string, string>, proxy) => {
  expect(proxyFor(new URL(url), env)).toBe(proxy)
})

test('loopback goes direct although a proxy is set, and the contact is in the ledger', async () => {
  const server = await serve('target', {}, (_request, response) => {
    response.end('direct')
    return true
  })
  const { net, noted } = makeNet({ env: { HTTP_PROXY: 'http://127.0.0.1:9', ALL_PROXY: 'http://127.0.0.1:9' } })
  expect(await (await net.fetch(server.url, { purpose: 'test' })).text()).toBe('direct')
  expect(noted).toEqual([{ host: `127.0.0.1:${server.port}`, purpose: 'test', refused: false }])
})

test('another host goes through the proxy, plain for http and by tunnel for https', async () => {
  const tunnels: string[] = []
  const proxy: Server = createServer((request, response) => response.end(`proxied ${request.url ?? ''}`))
  proxy.on('connect', (request, socket) => {
    tunnels.push(request.url ?? '')
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  open.push({ close: () => new Promise((resolve) => proxy.close(resolve)) })
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const { net } = makeNet({ env: { http_proxy: address, https_proxy: address } })
  expect(await (await net.fetch('http://models.invalid/v1', { purpose: 'test' })).text()).toBe('proxied http://models.invalid/v1')
  await expect(net.fetch('https://models.invalid/v1', { purpose: 'test' })).rejects.toMatchObject({ code: 'network' })
  expect(tunnels).toEqual(['models.invalid:443'])
})

test('offline refuses everything but this machine, before any socket, and says so in the ledger', async () => {
  let called = 0
  const fetch = (() => {
    called += 1
    return Promise.resolve(new Response('ok'))
  }) as unknown as typeof globalThis.fetch
  const { net, noted } = makeNet({ fetch, isOffline: () => true })
  await expect(net.fetch('https://example.com', { purpose: 'test' })).rejects.toMatchObject({ code: 'offline' })
  await net.fetch('http://127.0.0.1:1', { purpose: 'test' })
  expect(called).toBe(1)
  expect(noted.map(({ host, refused }) => [host, refused])).toEqual([
    ['example.com', true],
    ['127.0.0.1:1', false],
  ])
})

test('an address here cannot lead out past the offline switch, nor take a key to another host', async () => {
  const second = await serve('second', {}, (request, response) => {
    response.end(request.headers.authorization ?? 'no key')
    return true
  })
  const first = await serve('first', {}, (request, response) => {
    response.writeHead(302, { location: request.path === '/out' ? 'http://example.com/' : second.url })
    response.end()
    return true
  })
  const { net } = makeNet({ isOffline: () => true })
  await expect(net.fetch(`${first.url}/out`, { purpose: 'test' })).rejects.toMatchObject({ code: 'offline' })
  expect(await (await net.fetch(first.url, { purpose: 'test', headers: { authorization: 'Bearer secret' } })).text()).toBe('no key')
})

test('a key under any name stays with the host it was meant for', async () => {
  const second = await serve('second', {}, (request, response) => {
    response.end(JSON.stringify(Object.keys(request.headers).filter((name) => /key|auth|cookie|token|accept-language/.test(name))))
    return true
  })
  const first = await serve('first', {}, (_request, response) => {
    response.writeHead(302, { location: second.url }).end()
    return true
  })
  const { net } = makeNet()
  const headers = { 'X-Api-Key': 'k', 'x-goog-api-key': 'k', 'Proxy-Authorization': 'k', 'x-auth-token': 'k', 'Accept-Language': 'zh' }
  expect(await (await net.fetch(first.url, { purpose: 'test', headers })).json()).toEqual(['accept-language'])
})

test('a server elsewhere cannot send a request on to this machine', async () => {
  const here = await serve('here', {}, () => false)
  const proxy = await serve('proxy', {}, (_request, response) => {
    response.writeHead(307, { location: `http://localhost:${here.port}/v1/models` }).end()
    return true
  })
  const { net } = makeNet({ env: { HTTP_PROXY: proxy.url } })
  await expect(net.fetch('http://models.invalid/v1/models', { purpose: 'test' })).rejects.toMatchObject({ code: 'refused' })
  expect(here.requests).toEqual([])
})

test('a password in an address, or in a redirect, is refused and not repeated', async () => {
  const server = await serve('sly', {}, (_request, response) => {
    response.writeHead(302, { location: 'http://user:secret@127.0.0.1/' }).end()
    return true
  })
  const { net, noted } = makeNet()
  for (const address of ['http://user:secret@127.0.0.1:1/', 'http://user:secret@[::1', server.url]) {
    const failure: unknown = await net.fetch(address, { purpose: 'test' }).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'bad-input', message: expect.not.stringContaining('secret') as string })
  }
  expect(noted).toHaveLength(1)
})

test('a ledger that cannot be written does not keep anybody from a contact', async () => {
  const server = await serve('target', {}, (_request, response) => {
    response.end('there')
    return true
  })
  const { net } = makeNet({
    note: () => {
      throw new Error('the disk is full')
    },
  })
  expect(await (await net.fetch(server.url, { purpose: 'test' })).text()).toBe('there')
})

test('an answer that stops coming ends by the idle time, one that keeps coming does not', async () => {
  const server = await serve('slow', {}, async (request, response) => {
    response.writeHead(200)
    response.write('a')
    if (request.path === '/stall') return true
    for (let count = 0; count < 5; count += 1) {
      await new Promise((resolve) => setTimeout(resolve, 400))
      response.write('b')
    }
    response.end()
    return true
  })
  const { net } = makeNet()
  const idle = { purpose: 'test', idleTimeoutMs: 1500 }
  expect(await (await net.fetch(`${server.url}/slow`, idle)).text()).toBe('abbbbb')
  await expect((await net.fetch(`${server.url}/stall`, idle)).text()).rejects.toMatchObject({ code: 'timeout', retryable: true })
  await server.waitForAborts(1)
})

test('aborting closes the socket while the headers and while the body are awaited', async () => {
  const server = await serve('silent', {}, (request, response) => {
    if (request.path === '/body') response.write('a')
    return true
  })
  const { net } = makeNet()
  for (const path of ['/headers', '/body']) {
    const controller = new AbortController()
    const work = net.fetch(`${server.url}${path}`, { purpose: 'test', signal: controller.signal }).then((response) => response.text())
    const outcome = expect(work).rejects.toMatchObject({ code: 'cancelled' })
    await server.waitForRequests(1, path)
    controller.abort()
    await outcome
  }
  await server.waitForAborts(2)
})

test('a stop is a stop: no second connection is made after an answer was broken off', async () => {
  let connections = 0
  let closed: () => void = () => undefined
  const server = createServer((request, response) => {
    if (request.url === '/stream') response.write('a')
    else response.end('other')
  })
  server.on('connection', (socket) => {
    connections += 1
    socket.once('close', () => closed())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push({
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const other = await serve('other', {}, (_request, response) => {
    response.end('other')
    return true
  })
  const { net } = makeNet()
  const broken = new Promise<void>((resolve) => (closed = resolve))
  const controller = new AbortController()
  const response = await net.fetch(`${url}/stream`, { purpose: 'test', signal: controller.signal })
  const outcome = expect(response.text()).rejects.toMatchObject({ code: 'cancelled' })
  controller.abort()
  await outcome
  await broken
  // Time enough for one: a whole contact with another server.
  await (await net.fetch(other.url, { purpose: 'test' })).text()
  expect(connections).toBe(1)
  expect(await (await net.fetch(url, { purpose: 'test' })).text()).toBe('other')
  expect(connections).toBe(2)
})

test('localhost is tried by both of its addresses', async ({ skip }) => {
  const hasV6 = await new Promise<boolean>((resolve) => {
    const probe = createServer().listen(0, '::1', () => probe.close(() => resolve(true)))
    probe.on('error', () => resolve(false))
  })
  if (!hasV6) skip('this machine has no IPv6 loopback')
  const server = await serve('v6', { host: '::1' }, (_request, response) => {
    response.end('six')
    return true
  })
  const refused = await new Promise<boolean>((resolve) =>
    connect(server.port, '127.0.0.1', () => resolve(false)).on('error', () => resolve(true)),
  )
  expect(refused).toBe(true)
  const { net } = makeNet()
  expect(await (await net.fetch(`http://localhost:${server.port}/`, { purpose: 'test' })).text()).toBe('six')
})

test('a refused connection says which host and that trying again may help', async () => {
  const gone = await startHttpFake('gone', {}, () => false)
  await gone.close()
  const { net } = makeNet()
  await expect(net.fetch(gone.url, { purpose: 'test' })).rejects.toMatchObject({
    code: 'network',
    retryable: true,
    message: expect.stringContaining('refused') as string,
  })
  await expect(net.fetch('file:///etc/passwd', { purpose: 'test' })).rejects.toMatchObject({ code: 'bad-input' })
})
