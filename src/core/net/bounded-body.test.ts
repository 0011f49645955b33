import { once } from 'node:events'
import { Readable } from 'node:stream'
import { brotliCompressSync, createGzip, gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { startWebFake, webNet, type FakePage } from '../../../test/fakes/web-server.ts'

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
})

async function serve(pages: Record<string, FakePage>) {
  const web = await startWebFake({ pages: Object.fromEntries(Object.entries(pages).map(([path, page]) => [`pages.example${path}`, page])) })
  const { net } = webNet(web)
  open.push(net, web)
  const get = (path: string, maxBytes = 100_000) => net.fetchPublic(`http://pages.example${path}`, { purpose: 'test', maxBytes })
  return { get, web }
}

/** Writes until the client goes away. */
function endless(headers: Record<string, string>, part: Buffer): FakePage {
  return (_request, response) => {
    void (async () => {
      response.writeHead(200, headers)
      const closed = once(response, 'close')
      while (!response.destroyed) if (!response.write(part)) await Promise.race([once(response, 'drain'), closed])
    })()
  }
}

test('a body that never ends is cut at the limit, and its socket closed', async () => {
  const { get, web } = await serve({ '/': endless({}, Buffer.alloc(16_384, 'a')) })
  const answer = await get('/')
  expect([answer.bytes.length, answer.cut]).toEqual([100_000, true])
  await web.waitForAborts(1)
})

test('a body of just the limit is whole, one byte more is cut', async () => {
  const { get } = await serve({ '/just': { body: Buffer.alloc(100_000, 'a') }, '/more': { body: Buffer.alloc(100_001, 'a') } })
  expect([(await get('/just')).cut, (await get('/more')).cut, (await get('/more')).bytes.length]).toEqual([false, true, 100_000])
})

test.each(['gzip', 'br'])('a %s bomb is unpacked no further than the limit', async (encoding) => {
  const zeros = Buffer.alloc(60_000_000)
  const body = encoding === 'gzip' ? gzipSync(zeros) : brotliCompressSync(zeros)
  const { get } = await serve({ '/': { headers: { 'content-encoding': encoding }, body } })
  const answer = await get('/')
  expect([answer.bytes.length, answer.cut]).toEqual([100_000, true])
})

test('a packed body that never ends and unpacks to nothing is cut by what was sent', async () => {
  const nothing = Buffer.concat(Array<Buffer>(500).fill(gzipSync('')))
  const { get, web } = await serve({ '/': endless({ 'content-encoding': 'gzip' }, nothing) })
  const answer = await get('/')
  expect([answer.bytes.length, answer.cut]).toEqual([0, true])
  await web.waitForAborts(1)
})

test('an endless packed stream is cut by what it unpacks to', async () => {
  const { get, web } = await serve({
    '/': (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      const text = Readable.from(
        (function* () {
          for (;;) yield Buffer.alloc(65_536, 'b')
        })(),
      )
      text.pipe(createGzip()).pipe(response)
      response.once('close', () => text.destroy())
    },
  })
  const answer = await get('/', 300_000)
  expect([answer.bytes.length, answer.cut]).toEqual([300_000, true])
  await web.waitForAborts(1)
})

test('a packed page is unpacked; one packed several times, in an unknown way or wrongly is refused', async () => {
  const packed = (encoding: string, body: string | Buffer = gzipSync('text')) => ({ headers: { 'content-encoding': encoding }, body })
  const { get } = await serve({
    '/gzip': packed('gzip'),
    '/br': packed('BR', brotliCompressSync('text')),
    '/twice': packed('gzip, gzip'),
    '/other': packed('zstd'),
    '/lie': packed('gzip', 'text that is not packed'),
  })
  for (const path of ['/gzip', '/br']) expect(Buffer.from((await get(path)).bytes).toString()).toBe('text')
  await expect(get('/twice')).rejects.toMatchObject({ code: 'unsupported' })
  await expect(get('/other')).rejects.toMatchObject({ code: 'unsupported' })
  await expect(get('/lie')).rejects.toMatchObject({ code: 'network' })
})
