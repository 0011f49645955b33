import { afterEach, expect, test } from 'vitest'
import { refusedAddress, startOllama, type OllamaServer, type OllamaServerOptions } from '../../../test/fakes/ollama-server.ts'
import { startHttpFake } from '../../../test/fakes/http-fake.ts'
import { problemText, type SikuError } from '../../contract/errors.ts'
import { createNet } from '../net/net.ts'
import { contextCounts, createOllama, ollamaBaseUrls } from './ollama.ts'

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
})

function clientAt(address: string) {
  const net = createNet({ fetch: globalThis.fetch, now: Date.now, env: {}, isOffline: () => false, note: () => undefined })
  open.push(net)
  return createOllama({ net, address, timeouts: () => ({ connectTimeoutMs: 2000, idleTimeoutMs: 5000 }) })
}

async function serve(options: OllamaServerOptions = {}): Promise<{ server: OllamaServer; client: ReturnType<typeof clientAt> }> {
  const server = await startOllama(options)
  open.push(server)
  return { server, client: clientAt(server.url) }
}

test.each([
  ['', ['http://127.0.0.1:11434', 'http://[::1]:11434']],
  ['localhost', ['http://127.0.0.1:11434', 'http://[::1]:11434']],
  ['0.0.0.0', ['http://127.0.0.1:11434', 'http://[::1]:11434']],
  ['0.0.0.0:8080', ['http://127.0.0.1:8080', 'http://[::1]:8080']],
  ['::', ['http://[::1]:11434', 'http://127.0.0.1:11434']],
  ['[::]:9000', ['http://[::1]:9000', 'http://127.0.0.1:9000']],
  ['[::1]:11434', ['http://[::1]:11434', 'http://127.0.0.1:11434']],
  [':9000', ['http://127.0.0.1:9000', 'http://[::1]:9000']],
  ['9000', ['http://127.0.0.1:9000', 'http://[::1]:9000']],
  ['gpu.lan', ['http://gpu.lan:11434']],
  ['gpu.lan:80/', ['http://gpu.lan:80']],
  ['fe80::1', ['http://[fe80::1]:11434']],
  ['http://gpu.lan', ['http://gpu.lan:80']],
  ['https://gpu.lan/ollama/', ['https://gpu.lan:443/ollama']],
  [' "http://127.0.0.1:11434/" ', ['http://127.0.0.1:11434', 'http://[::1]:11434']],
])('OLLAMA_HOST “%s”', (form, urls) => {
  expect(ollamaBaseUrls(form)).toEqual(urls)
})

test('an address that is none is refused with what to write', () => {
  expect(() => ollamaBaseUrls('ftp://x')).toThrow(expect.objectContaining({ code: 'model-config' }) as Error)
  expect(() => ollamaBaseUrls('a b:c')).toThrow(expect.objectContaining({ code: 'model-config' }) as Error)
})

test('listings are read as a real server sends them, byte by byte', async () => {
  const { server, client } = await serve()
  for (const name of ['version', 'tags', 'ps_loaded', 'show_thinking']) server.replay(name, { kind: 'pieces', sizes: [1, 300] })
  expect(await client.version()).toBe('0.33.0-rc2')
  expect((await client.tags()).map((tag) => tag.name)).toContain('smollm2:135m')
  expect((await client.ps())[0]).toMatchObject({ name: 'smollm2:135m', context_length: 4096 })
  const shown = await client.show('smollm2-think')
  expect(shown.capabilities).toEqual(['tools', 'thinking', 'completion'])
  expect(shown.model_info?.['llama.context_length']).toBe(8192)
})

test('a pull tells its progress and fails with the words of its error line', async () => {
  const { server, client } = await serve()
  server.replay('pull_no_network', { kind: 'bytes' })
  const seen: string[] = []
  const pull = async (): Promise<void> => {
    for await (const progress of client.pull('qwen3:0.6b')) seen.push(progress.status)
  }
  await expect(pull()).rejects.toMatchObject({ code: 'model-call', message: expect.stringContaining('no such host') as string })
  expect(seen).toEqual(['pulling manifest'])
})

/** Answers everything with status 200 and this body. */
async function clientOf(body: string): Promise<ReturnType<typeof clientAt>> {
  const server = await startHttpFake('stranger', {}, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(body)
    return true
  })
  open.push(server)
  return clientAt(server.url)
}

async function pulled(client: ReturnType<typeof clientAt>): Promise<string[]> {
  const seen: string[] = []
  for await (const { status } of client.pull('a')) seen.push(status)
  return seen
}

test.each([
  ['a web page', '<html>Welcome</html>', 'does not speak'],
  ['nothing', '', 'does not speak'],
  ['half a line', '{"status":"pulling man', 'does not speak'],
  ['JSON of another kind', '{"ok":true}', 'does not speak'],
  ['an early end', '{"status":"pulling manifest"}\n{"status":"pulling abc","total":9,"completed":4}\n', 'before it was complete'],
  ['an end in rubbish', '{"status":"pulling manifest"}\n\u0000\u0001', 'before it was complete'],
  ['an error as an object', '{"error":{"message":"no space left"}}\n', 'is full'],
])('a pull answered with status 200 and %s has failed', async (_name, body, message) => {
  await expect(pulled(await clientOf(body))).rejects.toMatchObject({
    code: 'model-call',
    message: expect.stringContaining(message) as string,
  })
})

test.each([
  ['pull model manifest: file does not exist', 'pull-unknown'],
  ['write /models/blobs/sha256-1: no space left on device', 'pull-disk'],
  ['pull model manifest: 412: \n\nThe model you are pulling requires a newer version of Ollama.', 'pull-old'],
  ['pull model manifest: Get "https://registry.ollama.ai/": dial tcp: lookup registry.ollama.ai: no such host', 'pull-network'],
  ['digest mismatch, file must be downloaded again', 'pull-failed'],
])('a pull that failed with “%s” has advice of its own, in a line as well as with a status', async (error, reason) => {
  for (const status of [200, 404, 500]) {
    const server = await startHttpFake('registry', {}, (_request, response) => {
      response.writeHead(status).end(`${JSON.stringify({ error })}\n`)
      return true
    })
    open.push(server)
    const problem: unknown = await pulled(clientAt(server.url)).catch((each: unknown) => each)
    expect(problem).toMatchObject({ code: 'model-call', reason: { code: reason, data: { model: 'a' } } })
    for (const language of ['en', 'zh']) {
      const words = problemText(problem as SikuError, language)
      expect(words?.hint).toBeTruthy()
      expect(words?.hint).not.toMatch(/Ask again|siku pull|重新提问/)
    }
  }
})

test('a server that dies during a pull has stopped it: what is there is not fetched twice', async () => {
  const server = await startHttpFake('dying', {}, (_request, response) => {
    response.writeHead(200)
    response.write('{"status":"pulling manifest"}\n{"status":"pulling abc","total":9,"completed":4}\n', () => response.destroy())
    return true
  })
  open.push(server)
  await expect(pulled(clientAt(server.url))).rejects.toMatchObject({
    code: 'model-call',
    retryable: true,
    reason: { code: 'pull-stopped' },
  })
})

test('a pull is done once the server says so, also with rubbish on the way', async () => {
  const client = await clientOf('{"status":"pulling manifest"}\nrubbish\n{"status":"success"}')
  expect(await pulled(client)).toEqual(['pulling manifest', 'success'])
})

test.each(['<html>Welcome</html>', '{"error":"busy"}', '{}'])(
  'status 200 with %s is no answer of Ollama to anything else',
  async (body) => {
    const client = await clientOf(body)
    const calls = [client.tags(), client.ps(), client.version(), client.show('a'), client.embed({ model: 'a', input: ['x'] })]
    for (const outcome of await Promise.allSettled(calls))
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'model-call' } })
    if (body !== '{}') await expect(client.remove('a')).rejects.toMatchObject({ code: 'model-call' })
  },
)

test('leaving a pull closes the socket, so that the server stops fetching', async () => {
  const { server, client } = await serve()
  server.replay('create_from_model', { kind: 'whole' }).path = '/api/pull'
  server.replay('pull_no_network', { kind: 'stalled', afterBytes: 30 })
  for await (const progress of client.pull('a')) expect(progress.type).toBe('pull-progress')
  for await (const progress of client.pull('b')) {
    expect(progress.status).toBe('pulling manifest')
    break
  }
  await server.waitForAborts(1)
})

test('vectors come whole, and a text that is too long is refused instead of cut', async () => {
  const { server, client } = await serve()
  server.replay('embed_batch')
  server.replay('embed_long_notruncate')
  server.replay('embed_chat_model')
  const vectors = await client.embed({ model: 'all-minilm', input: ['a', 'b', 'c'] })
  expect(vectors.map((vector) => vector.length)).toEqual([384, 384, 384])
  await expect(client.embed({ model: 'all-minilm', input: ['long'] })).rejects.toMatchObject({ code: 'context-exceeded', status: 400 })
  await expect(client.embed({ model: 'smollm2', input: ['a'] })).rejects.toMatchObject({ status: 501, retryable: false })
  expect(server.requests[0]?.body).toMatchObject({ truncate: false, keep_alive: '1h' })
})

test.each([
  ['chat_missing_model', 'model-config', 404],
  ['chat_embedding_model', 'model-config', 400],
  ['chat_cloud_model_disabled', 'model-config', 403],
  ['queue_full_503', 'model-call', 503],
  ['ctx_single_too_long_notruncate', 'context-exceeded', 400],
  ['ctx_single_too_long_noshift', 'context-exceeded', 400],
  ['ctx_single_too_long_native', 'context-exceeded', 400],
  ['format_invalid', 'model-call', 500],
])('the refusal %s is %s', async (name, code, status) => {
  const { server, client } = await serve()
  server.replay(name, { kind: 'bytes' })
  await expect(client.chat({ model: 'm', messages: [] })).rejects.toMatchObject({ code, status })
})

test('the counts of a refusal are understood through two layers of JSON', async () => {
  const { server, client } = await serve()
  server.replay('ctx_single_too_long_native')
  const problem = await client.chat({ model: 'm' }).catch((error: Error) => error)
  expect(contextCounts((problem as Error).message)).toEqual({ promptTokens: 1717, contextTokens: 512 })
})

test('nothing there, or something else there, is said in one sentence with what to do', async () => {
  const refused = clientAt(await refusedAddress())
  await expect(refused.tags()).rejects.toMatchObject({
    code: 'model-unreachable',
    retryable: true,
    hint: expect.stringContaining('ollama serve') as string,
  })
  const stranger = createOllama({
    net: createNet({
      fetch: () => Promise.resolve(new Response('<html>')),
      now: Date.now,
      env: {},
      isOffline: () => false,
      note: () => undefined,
    }),
    address: '',
    timeouts: () => ({ connectTimeoutMs: 2000, idleTimeoutMs: 5000 }),
  })
  await expect(stranger.tags()).rejects.toMatchObject({ code: 'model-call', hint: expect.stringContaining('port') as string })
})

test('a server on the other address of this machine is found', async ({ skip }) => {
  const six = await startOllama({ host: '::1' }).catch(() => null)
  if (six === null) return skip('this machine has no IPv6 loopback')
  open.push(six)
  expect(await clientAt(`localhost:${six.port}`).version()).toBe('0.33.0')
})

test.each(['show_completion_only', 'show_embedding', 'show_native_tools', 'show_rendered_tools', 'show_thinking'])(
  '%s says what the model can do, in pieces of one to three bytes',
  async (name) => {
    const { server, client } = await serve()
    const { body } = server.replay(name, { kind: 'pieces', sizes: [1, 2, 3, 4000] })
    const shown = await client.show('a')
    expect(shown.capabilities).toEqual((JSON.parse(body.toString('utf8')) as { capabilities: string[] }).capabilities)
    expect(Object.keys(shown.model_info ?? {}).some((key) => key.endsWith('.context_length'))).toBe(true)
  },
)

test.each(['ps_loaded', 'ps_empty', 'ps_after_ctx_reset', 'ps_after_keepalive_0', 'ps_after_keepalive_minus1', 'ps_after_num_ctx_512'])(
  '%s tells what is loaded and how much memory it takes',
  async (name) => {
    const { server, client } = await serve()
    const { body } = server.replay(name, { kind: 'pieces', sizes: [1, 2, 3] })
    const loaded = await client.ps()
    const expected = (JSON.parse(body.toString('utf8')) as { models: { name: string; size: number; size_vram: number }[] }).models
    expect(loaded.map(({ name: model, size, size_vram: card }) => [model, size, card])).toEqual(
      expected.map((each) => [each.name, each.size, each.size_vram]),
    )
  },
)

test('a model is copied and unloaded as a real server does it, and one that is not there is said to be so', async () => {
  const { server, client } = await serve()
  server.replay('copy', { kind: 'bytes' })
  server.replay('copy_missing', { kind: 'bytes' })
  server.replay('unload_all_pre', { kind: 'bytes' })
  server.replay('chat_missing_model', { kind: 'bytes' })
  server.replay('show_missing', { kind: 'bytes' })
  await client.copy('a', 'b')
  await expect(client.copy('gone', 'b')).rejects.toMatchObject({ code: 'model-config', status: 404 })
  await client.unload('a')
  await expect(client.unload('gone')).rejects.toMatchObject({ code: 'model-config', status: 404 })
  await expect(client.show('gone')).rejects.toMatchObject({ code: 'model-config', status: 404 })
  expect(server.requests.map(({ body }) => body)).toMatchObject([
    { source: 'a', destination: 'b' },
    { source: 'gone' },
    { model: 'a', messages: [], keep_alive: 0 },
    { model: 'gone' },
    { model: 'gone' },
  ])
})

test('a pull that was cancelled closes its socket, and the next goes on from where it was', async () => {
  const { server, client } = await serve({ pulls: { totalBytes: 1000, stepBytes: 100, delayMs: 10 } })
  const controller = new AbortController()
  const first: number[] = []
  const pull = async (): Promise<void> => {
    for await (const { completedBytes } of client.pull('new:1b', { signal: controller.signal })) {
      if (completedBytes !== null) first.push(completedBytes)
      if (completedBytes === 300) controller.abort()
    }
  }
  await expect(pull()).rejects.toMatchObject({ code: 'cancelled' })
  await server.waitForAborts(1)
  const second: (number | null)[] = []
  for await (const { completedBytes } of client.pull('new:1b')) second.push(completedBytes)
  expect(first).toEqual([100, 200, 300])
  expect(second[1]).toBeGreaterThan(300)
  expect(second.at(-2)).toBe(1000)
  expect((await client.tags()).map(({ name }) => name)).toContain('new:1b')
})

test('an address with a name and a password is refused, and not repeated', async () => {
  const problem = await Promise.resolve()
    .then(() => ollamaBaseUrls('http://me:hunter2@gpu.lan:11434'))
    .catch((error: Error) => error)
  expect(problem).toMatchObject({ code: 'model-config' })
  expect(String(problem)).not.toContain('hunter2')
})
