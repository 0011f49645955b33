import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { createServer } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { SharedCore } from '../core/host/shared-core.ts'
import { startServer, type SikuServer } from './server.ts'

let home: string
let server: SikuServer
let served: string[]
let addresses: string[]

interface Reply {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

function fakeShared(): SharedCore {
  const documents: Record<number, string> = { 1: 'paper.pdf', 2: 'page.html', 3: 'gone.pdf', 4: 'folder' }
  return {
    access: 'writer',
    explanation: null,
    client: { folders: { list: () => Promise.resolve([]) } } as unknown as SharedCore['client'],
    serveSocket: (webSocket, caller) => {
      served.push(caller.kind)
      webSocket.on('message', (data) => webSocket.send(data))
    },
    servePort: () => undefined,
    whenServed: () => Promise.resolve(),
    documentFile: (id) => {
      const name = documents[id]
      return Promise.resolve(
        name === undefined
          ? null
          : { path: join(home, name), sizeBytes: 0, contentType: name.endsWith('pdf') ? 'application/pdf' : 'text/html' },
      )
    },
    close: () => Promise.resolve(),
  }
}

function call(path: string, options: { method?: string; headers?: Record<string, string>; body?: string | Buffer } = {}): Promise<Reply> {
  return new Promise((done, fail) => {
    const request = httpRequest(
      { host: '127.0.0.1', port: server.port, path, method: options.method ?? 'GET', headers: options.headers ?? {} },
      (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('end', () =>
          done({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts).toString('utf8') }),
        )
      },
    )
    request.on('error', fail)
    request.end(options.body)
  })
}

async function enter(): Promise<string> {
  const reply = await call(new URL(server.address).pathname + new URL(server.address).search)
  return String(reply.headers['set-cookie']?.[0]).split(';')[0] ?? ''
}

function socket(headers: Record<string, string>, path = '/rpc'): Promise<string> {
  return new Promise((done) => {
    const webSocket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`, { headers })
    webSocket.on('open', () => {
      webSocket.terminate()
      done('open')
    })
    webSocket.on('unexpected-response', (_request, response) => {
      response.resume()
      done(`refused ${response.statusCode}`)
    })
    webSocket.on('error', () => undefined)
  })
}

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'siku-server-'))
  served = []
  addresses = []
  mkdirSync(join(home, 'renderer'))
  writeFileSync(join(home, 'renderer', 'index.html'), '<!doctype html>interface')
  writeFileSync(join(home, 'paper.pdf'), '%PDF-0123456789')
  writeFileSync(join(home, 'page.html'), '<script>steal()</script>')
  mkdirSync(join(home, 'folder'))
  server = await startServer({
    shared: fakeShared(),
    dataDir: join(home, 'data'),
    rendererDir: pathToFileURL(`${join(home, 'renderer')}/`),
    onNewAddress: (address) => addresses.push(address),
  })
})
afterEach(async () => {
  await server.close()
  rmSync(home, { recursive: true })
})

const own = () => `http://127.0.0.1:${server.port}`

test('the address lets one browser in, once, and the cookie is out of reach of scripts and other sites', async () => {
  const path = new URL(server.address).search
  expect(await call('/')).toMatchObject({ status: 401 })
  const first = await call(`/${path}`)
  expect(first.headers['set-cookie']?.[0]).toMatch(/^siku-session-\d+=[\w-]{40,}; Path=\/; HttpOnly; SameSite=Strict$/)
  expect(await call(`/${path}`)).toMatchObject({ status: 401 })
  const cookie = String(first.headers['set-cookie']?.[0]).split(';')[0] ?? ''
  expect(await call('/', { headers: { cookie } })).toMatchObject({ status: 200, body: '<!doctype html>interface' })
})

test('a browser that was not let in is told where the new address is, and that one works', async () => {
  await enter()
  const stale = await call('/?token=stale')
  expect(stale.status).toBe(401)
  expect(addresses).toHaveLength(1)
  const reply = await call(`/${new URL(addresses[0] ?? '').search}`)
  expect(reply).toMatchObject({ status: 200 })
})

test('a rebound name and a foreign page get nothing, not even with the cookie', async () => {
  const cookie = await enter()
  const host = `127.0.0.1:${server.port}`
  expect(await call('/', { headers: { cookie, host: 'evil.example' } })).toMatchObject({ status: 421 })
  const drop = (origin: Record<string, string>) =>
    call('/drop/abcdefgh?path=a.txt', { method: 'POST', headers: { cookie, ...origin }, body: 'x' })
  expect((await drop({ origin: 'http://evil.example' })).body).toContain('"code":"refused"')
  expect(await drop({})).toMatchObject({ status: 403 })
  expect(await drop({ origin: own(), 'sec-fetch-site': 'cross-site' })).toMatchObject({ status: 403 })
  expect(await socket({ cookie, origin: 'http://evil.example' })).toBe('refused 403')
  expect(await socket({ cookie })).toBe('refused 403')
  expect(await socket({ cookie, origin: own(), host: 'evil.example' })).toBe('refused 421')
  expect(await socket({ origin: own() })).toBe('refused 401')
  expect(await socket({ cookie, origin: own() }, '/other')).toBe('refused 404')
  expect(served).toEqual([])
  expect(await socket({ cookie, origin: own(), host })).toBe('open')
  expect(served).toEqual(['browser'])
})

test('every reply forbids sniffing, framing and whatever the policy does not name', async () => {
  const { headers } = await call('/', { headers: { cookie: await enter() } })
  expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; .*frame-ancestors 'none'/)
})

test('a document comes whole, in ranges, sandboxed, and never as a page', async () => {
  const headers = { cookie: await enter() }
  expect(await call('/document/1', { headers })).toMatchObject({ status: 200, body: '%PDF-0123456789' })
  const part = await call('/document/1', { headers: { ...headers, range: 'bytes=5-8' } })
  expect(part).toMatchObject({ status: 206, body: '0123', headers: { 'content-range': 'bytes 5-8/15', 'content-type': 'application/pdf' } })
  expect(await call('/document/1', { headers: { ...headers, range: 'bytes=99-' } })).toMatchObject({ status: 416 })
  const page = await call('/document/2', { headers })
  expect(page.headers).toMatchObject({ 'content-type': 'text/plain; charset=utf-8' })
  expect(page.headers['content-security-policy']).toMatch(/^sandbox/)
})

test('what is not in the library, gone or no file has no address', async () => {
  const headers = { cookie: await enter() }
  const replies = await Promise.all(
    ['/document/3', '/document/4', '/document/99', '/paper.pdf', '/../paper.pdf'].map((path) => call(path, { headers })),
  )
  expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
  expect(await call('/document/1')).toMatchObject({ status: 401 })
})

test('dropped files are kept with their folders and handed on as one place', async () => {
  const headers = { cookie: await enter(), origin: own() }
  const post = (path: string, body = '') => call(path, { method: 'POST', headers, body })
  for (const round of ['', ' 2']) {
    const id = `drop-${round.trim()}-0001`
    await post(`/drop/${id}?path=${encodeURIComponent('合同/租房/a.txt')}`, 'lease')
    await post(`/drop/${id}?path=${encodeURIComponent('合同/b.txt')}`, 'more')
    const { body } = await post(`/drop/${id}/finish?name=x`)
    const [place] = (JSON.parse(body) as { paths: string[] }).paths
    expect(place).toBe(join(home, 'data', 'dropped', `合同${round}`))
    expect(readFileSync(join(place ?? '', '租房', 'a.txt'), 'utf8')).toBe('lease')
  }
  await post('/drop/loose-files?path=one.txt', '1')
  await post('/drop/loose-files?path=two.txt', '2')
  const { body } = await post('/drop/loose-files/finish?name=Loose%20files')
  expect(JSON.parse(body)).toEqual({ paths: [join(home, 'data', 'dropped', 'Loose files')] })
  await post('/drop/single-file?path=lease.pdf', '3')
  const single = await post('/drop/single-file/finish?name=lease.pdf')
  expect(JSON.parse(single.body)).toEqual({ paths: [join(home, 'data', 'dropped', 'lease', 'lease.pdf')] })
})

test('no drop reaches a place outside its own', async () => {
  const headers = { cookie: await enter(), origin: own() }
  const bad = ['../a', 'a/../../b', '/etc/x', 'a//b', '..\\a', 'a\\b', '', '.', 'a/./b', 'a\0b', `${'x'.repeat(300)}`]
  for (const path of bad) {
    expect(await call(`/drop/abcdefgh?path=${encodeURIComponent(path)}`, { method: 'POST', headers, body: 'x' })).toMatchObject({
      status: 400,
    })
  }
  expect(await call('/drop/..%2fup?path=a', { method: 'POST', headers, body: 'x' })).toMatchObject({ status: 400 })
  expect(await call('/drop/abcdefgh/finish?name=../x', { method: 'POST', headers })).toMatchObject({ status: 404 })
})

test('a file that breaks off while it is sent leaves nothing behind', async () => {
  const headers = { cookie: await enter(), origin: own() }
  await new Promise<void>((done) => {
    const request = httpRequest({
      host: '127.0.0.1',
      port: server.port,
      path: '/drop/broken-off?path=a.txt',
      method: 'POST',
      headers: { ...headers, 'content-length': '1000' },
    })
    request.on('error', () => done())
    request.write('half')
    setTimeout(() => request.destroy(), 50)
  })
  await expect.poll(async () => (await call('/drop/broken-off/finish', { method: 'POST', headers })).status).toBe(404)
})

test('nothing of this machine but 127.0.0.1 answers', async () => {
  const others = Object.values(networkInterfaces())
    .flat()
    .filter((one) => one !== undefined && !one.internal && one.family === 'IPv4')
  // The same port on another address of this machine is still free to take.
  for (const other of others) {
    const taken = await new Promise<boolean>((done) => {
      const probe = createServer()
        .once('error', () => done(true))
        .listen(server.port, other?.address, () => probe.close(() => done(false)))
    })
    expect(taken).toBe(false)
  }
})
