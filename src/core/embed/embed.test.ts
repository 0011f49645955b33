import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { json, startHttpFake, type HttpFake } from '../../../test/fakes/http-fake.ts'
import { startOllama } from '../../../test/fakes/ollama-server.ts'
import { createNet, type Net } from '../net/net.ts'
import { forkProcess } from '../work/work.ts'
import { cosine, createEmbedder, type EmbedContext, type Embedder } from './embed.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const net: Net = createNet({ fetch: globalThis.fetch, now: Date.now, env: {}, isOffline: () => false, note: () => undefined })
const context: EmbedContext = {
  deps: {
    resourcesDir: join(root, 'resources'),
    startProcess: forkProcess,
    workerUrl: (name) => pathToFileURL(join(root, 'out', 'node', `${name}.js`)),
    log: () => undefined,
  },
  net,
  timeouts: () => ({ connectTimeoutMs: 5000, idleTimeoutMs: 20_000 }),
}
afterAll(() => net.close())

/** Counts of letters and characters, not normalised: near enough to meaning for texts that share words. */
function lettersOf(text: string): number[] {
  const vector = new Array<number>(64).fill(0)
  for (const character of text) vector[character.codePointAt(0)! % 64]! += 2
  return vector
}
const tooLong = (text: string): boolean => text.length > 2000

interface Subject {
  embedder: Embedder
  key: RegExp
  end(): Promise<void>
}

const subjects: Record<string, () => Promise<Subject>> = {
  'built in': async () => ({
    embedder: createEmbedder({ kind: 'built-in' }, context),
    key: /^built-in\/multilingual-e5-small@[0-9a-f]{8}\/384$/,
    end: () => Promise.resolve(),
  }),
  Ollama: async () => {
    const server = await startHttpFake('Ollama', {}, ({ method, path, body }, response) => {
      const { input = [] } = (body ?? {}) as { input?: string[] }
      if (method === 'GET' && path === '/api/tags')
        return json(response, 200, { models: [{ name: 'letters:latest', digest: 'abcdef0123456789' }] })
      if (path === '/api/show') return json(response, 200, { model_info: { 'bert.context_length': 512 } })
      if (path !== '/api/embed') return false
      if (input.some(tooLong)) return json(response, 400, { error: 'the input length exceeds the context length' })
      return json(response, 200, { embeddings: input.map(lettersOf) })
    })
    const provider = { address: server.url, key: null }
    const embedder = createEmbedder({ kind: 'ollama', providerId: 'ollama', model: 'letters' }, { ...context, provider })
    return { embedder, key: /^ollama\/letters@abcdef012345\/64$/, end: () => server.close() }
  },
  'OpenAI-compatible': async () => {
    const server = await startHttpFake('OpenAI', {}, ({ path, body }, response) => {
      const { input = [] } = (body ?? {}) as { input?: string[] }
      if (path !== '/api/paas/v4/embeddings') return false
      if (input.length > 10) return json(response, 400, { error: { message: 'batch size is invalid, it should not be larger than 10' } })
      if (input.some(tooLong)) return json(response, 400, { error: { message: 'maximum context length is 512 tokens' } })
      const data = input.map((text, index) => ({ object: 'embedding', index, embedding: lettersOf(text) }))
      return json(response, 200, { object: 'list', data: data.reverse(), model: 'letters' })
    })
    const provider = { address: `${server.url}/api/paas/v4/`, key: 'secret' }
    const embedder = createEmbedder({ kind: 'openai', providerId: 'zhipu', model: 'letters' }, { ...context, provider })
    return { embedder, key: /^openai\/letters@127\.0\.0\.1:\d+\/64$/, end: () => server.close() }
  },
}

const texts = ['The tower is 324 metres tall.', '水费每月十五日前缴纳。', 'Bake the bread for forty minutes at 220 degrees.', 'x']

describe.each(Object.keys(subjects))('the contract of an embedder: %s', (name) => {
  let subject: Subject
  let embedder: Embedder
  beforeAll(async () => {
    subject = await subjects[name]!()
    embedder = subject.embedder
  })
  afterAll(async () => {
    await embedder.close()
    await subject.end()
  })

  test('names its model, so that vectors of different models never mix', async () => {
    const model = await embedder.open()
    expect(model.key).toMatch(subject.key)
    expect(model.key).toContain(`/${model.dimensions}`)
    expect(await embedder.open()).toEqual(model)
  })

  test('gives one unit vector for each passage, in order, however they are batched', async () => {
    const { dimensions } = await embedder.open()
    const many = Array.from({ length: 70 }, (_, index) => ({ text: `${texts[index % texts.length]} ${'again '.repeat(index % 9)}` }))
    const [outcomes, alone] = await Promise.all([embedder.embedPassages(many), embedder.embedPassages([many[37]!])])
    expect(outcomes.length).toBe(70)
    for (const outcome of outcomes) {
      expect(outcome.kind).toBe('ok')
      if (outcome.kind !== 'ok') continue
      expect(outcome.vector.length).toBe(dimensions)
      expect(Math.hypot(...outcome.vector)).toBeCloseTo(1, 3)
    }
    const [together, single] = [outcomes[37]!, alone[0]!]
    if (together.kind === 'ok' && single.kind === 'ok') expect(cosine(together.vector, single.vector)).toBeGreaterThan(0.98)
  })

  test('a question is nearest to the passage that is like it', async () => {
    const outcomes = await embedder.embedPassages(texts.map((text) => ({ text })))
    const question = await embedder.embedQuestion('How many metres tall is the tower?')
    expect(Math.hypot(...question)).toBeCloseTo(1, 3)
    const nearness = outcomes.map((outcome) => (outcome.kind === 'ok' ? cosine(question, outcome.vector) : 0))
    expect(nearness.indexOf(Math.max(...nearness))).toBe(0)
  })

  test('a passage beyond the window is marked, never cut, and the others go on', async () => {
    const inputs = [texts[0]!, 'far too long '.repeat(400), texts[1]!].map((text) => ({ text }))
    const outcomes = await embedder.embedPassages(inputs)
    expect(outcomes.map((outcome) => outcome.kind)).toEqual(['ok', 'bad', 'ok'])
    expect(outcomes[1]).toMatchObject({ reason: expect.stringContaining('too long') as string })
  })

  test('nothing asked is nothing answered', async () => {
    expect(await embedder.embedPassages([])).toEqual([])
  })

  test('is cancelled before and during work, and works afterwards', async () => {
    await expect(embedder.embedPassages([{ text: 'a' }], { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' })
    const stop = new AbortController()
    const long = Array.from({ length: 400 }, () => ({ text: 'some words to embed '.repeat(40) }))
    const running = embedder.embedPassages(long, { signal: stop.signal })
    stop.abort()
    await expect(running).rejects.toMatchObject({ code: 'cancelled' })
    expect((await embedder.embedPassages([{ text: 'b' }]))[0]!.kind).toBe('ok')
  })
})

describe('recorded traffic of an Ollama server', () => {
  let server: HttpFake & Awaited<ReturnType<typeof startOllama>>
  afterAll(() => server.close())

  test('its vectors, its refusal of a long text and its missing model are read as what they are', async () => {
    server = await startOllama({ models: [{ name: 'all-minilm:latest', capabilities: ['embedding'] }] })
    const provider = { address: server.url, key: null }
    const embedder = createEmbedder({ kind: 'ollama', providerId: 'ollama', model: 'all-minilm' }, { ...context, provider })
    server.replay('show_embedding')
    server.replay('embed_single')
    expect(await embedder.open()).toMatchObject({ dimensions: 384, maxTokens: 512 })
    server.replay('embed_batch', { kind: 'pieces', sizes: [1, 7, 1000] })
    const inputs = ['The cat sits outside', 'A man is playing guitar', 'The new movie is awesome'].map((text) => ({ text }))
    const outcomes = await embedder.embedPassages(inputs)
    expect(outcomes.map((outcome) => outcome.kind)).toEqual(['ok', 'ok', 'ok'])
    server.replay('embed_long_notruncate')
    expect(await embedder.embedPassages([{ text: 'word0 word1 …' }])).toEqual([
      { kind: 'bad', reason: expect.stringContaining('too long') as string },
    ])
    const bodies = server.requests.filter(({ path }) => path === '/api/embed').map(({ body }) => body as Record<string, unknown>)
    expect(bodies.every((body) => body['truncate'] === false)).toBe(true)

    const other = createEmbedder({ kind: 'ollama', providerId: 'ollama', model: 'smollm2:135m' }, { ...context, provider })
    server.replay('show_embedding')
    server.replay('embed_chat_model')
    await expect(other.open()).rejects.toMatchObject({ code: 'model-config' })
    const missing = createEmbedder({ kind: 'ollama', providerId: 'ollama', model: 'nope' }, { ...context, provider })
    server.replay('show_embedding')
    server.replay('embed_missing_model')
    await expect(missing.open()).rejects.toMatchObject({ code: 'model-config' })
  })
})
