import { expect, test } from 'vitest'
import { SikuError } from '../../contract/errors.ts'
import { createRemoteEmbedder, type EmbeddingProvider } from './remote.ts'

interface Script {
  provider: EmbeddingProvider
  requests: string[][]
}

/** A provider of scripted answers. Vectors are [length of the text, 1]. */
function scripted(
  answer: (texts: string[], request: number) => Float32Array[] | SikuError | undefined,
  options: Partial<EmbeddingProvider> = {},
): Script {
  const requests: string[][] = []
  const provider: EmbeddingProvider = {
    batchSize: 16,
    retryWaitsMs: [1, 1],
    describe: () => Promise.resolve({ key: 'scripted/model', maxTokens: 100 }),
    embed: (texts, signal) => {
      signal?.throwIfAborted()
      requests.push(texts)
      const said = answer(texts, requests.length) ?? texts.map((text) => Float32Array.of(text.length, 1))
      return said instanceof SikuError ? Promise.reject(said) : Promise.resolve(said)
    },
    ...options,
  }
  return { provider, requests }
}
const inputs = (texts: string[]): { text: string }[] => texts.map((text) => ({ text }))
const kinds = (outcomes: { kind: string }[]): string[] => outcomes.map(({ kind }) => kind)
const letters = [...'abcdefgh']

test.each<[string, (texts: string[]) => Float32Array[] | SikuError | undefined, string]>([
  [
    'an error',
    (texts) =>
      texts.includes('e') ? new SikuError('model-call', 'json: unsupported value: NaN', { status: 500, retryable: true }) : undefined,
    'NaN',
  ],
  [
    'too long',
    (texts) => (texts.includes('e') ? new SikuError('context-exceeded', 'the input length exceeds', { status: 400 }) : undefined),
    'too long',
  ],
  ['NaN', (texts) => texts.map((text) => Float32Array.of(text === 'e' ? NaN : 1, 1)), 'no usable vector'],
  ['zeros', (texts) => texts.map((text) => Float32Array.of(text === 'e' ? 0 : 1, text === 'e' ? 0 : 1)), 'no usable vector'],
  [
    'a wrong dimension',
    (texts) => texts.map((text) => (text === 'e' ? Float32Array.of(1) : Float32Array.of(1, 1))),
    '1 number instead of 2',
  ],
  [
    'one vector too few',
    (texts) => (texts.includes('e') ? new SikuError('embedding', 'gave 7 vectors for 8 texts') : undefined),
    'vectors',
  ],
])('a bad passage (%s) is isolated and marked, the rest of its batch goes on', async (_name, answer, reason) => {
  const embedder = createRemoteEmbedder(scripted(answer).provider)
  const outcomes = await embedder.embedPassages(inputs(letters))
  expect(kinds(outcomes)).toEqual(letters.map((letter) => (letter === 'e' ? 'bad' : 'ok')))
  expect(outcomes[4]).toMatchObject({ reason: expect.stringContaining(reason) as string })
})

test('a provider that breaks down marks nothing bad: every passage would be lost for good', async () => {
  let broken = false
  const { provider } = scripted(() =>
    broken ? new SikuError('model-call', 'internal error', { status: 500, retryable: true }) : undefined,
  )
  const embedder = createRemoteEmbedder(provider)
  await embedder.open()
  broken = true
  await expect(embedder.embedPassages(inputs(letters))).rejects.toMatchObject({ status: 500 })
})

test('a limit on texts in a request is learned once', async () => {
  const { provider, requests } = scripted((texts) =>
    texts.length > 5 ? new SikuError('model-call', 'at most 5', { status: 400 }) : undefined,
  )
  const embedder = createRemoteEmbedder(provider)
  const many = inputs(Array.from({ length: 48 }, (_, index) => `text ${index}`))
  expect(kinds(await embedder.embedPassages(many)).every((kind) => kind === 'ok')).toBe(true)
  requests.length = 0
  await embedder.embedPassages(many)
  expect(requests.map(({ length }) => length)).toEqual(new Array(12).fill(4))
})

test('too many requests and a server that starts are waited for, as long as they ask', async () => {
  const busy = [
    undefined,
    new SikuError('model-call', 'slow down', { status: 429, retryAfterMs: 5 }),
    new SikuError('model-call', 'loading', { status: 503 }),
  ]
  const { provider, requests } = scripted((_texts, request) => busy[request - 1])
  const embedder = createRemoteEmbedder(provider)
  expect(kinds(await embedder.embedPassages(inputs(['a', 'b'])))).toEqual(['ok', 'ok'])
  expect(requests.length).toBe(4)
})

test('a wait that is too long is the caller’s, and says how long', async () => {
  const { provider } = scripted((_texts, request) =>
    request === 1 ? undefined : new SikuError('model-call', 'quota', { status: 429, retryAfterMs: 3_600_000 }),
  )
  const embedder = createRemoteEmbedder(provider)
  await expect(embedder.embedPassages(inputs(['a']))).rejects.toMatchObject({ status: 429, retryAfterMs: 3_600_000 })
})

test('a question is not kept waiting by a busy provider', async () => {
  const { provider, requests } = scripted((_texts, request) =>
    request === 1 ? undefined : new SikuError('model-call', 'busy', { status: 503, retryAfterMs: 5000 }),
  )
  const embedder = createRemoteEmbedder(provider)
  await expect(embedder.embedQuestion('now?')).rejects.toMatchObject({ status: 503 })
  expect(requests.length).toBe(2)
})

test.each([
  ['unreachable', new SikuError('model-unreachable', 'refused', { retryable: true }), 'model-unreachable'],
  ['a wrong key', new SikuError('model-config', 'key', { status: 401 }), 'model-config'],
  ['offline', new SikuError('offline', 'offline'), 'offline'],
  [
    'a model that makes no vectors',
    new SikuError('model-call', 'This server does not support embeddings', { status: 501 }),
    'model-config',
  ],
])('%s rejects at once, without a try for each half', async (_name, problem, code) => {
  const { provider, requests } = scripted(() => problem)
  await expect(createRemoteEmbedder(provider).embedPassages(inputs(letters))).rejects.toMatchObject({ code })
  expect(requests.length).toBe(1)
})

test('vectors from elsewhere are made unit vectors', async () => {
  const embedder = createRemoteEmbedder(scripted((texts) => texts.map(() => Float32Array.of(30, 40))).provider)
  const [outcome] = await embedder.embedPassages(inputs(['a']))
  expect(outcome).toEqual({ kind: 'ok', vector: Float32Array.of(0.6, 0.8) })
})

test('closing stops a wait between two tries', async () => {
  const { provider } = scripted((_texts, request) =>
    request === 1 ? undefined : new SikuError('model-call', 'busy', { status: 503, retryAfterMs: 50_000 }),
  )
  const embedder = createRemoteEmbedder(provider)
  await embedder.open()
  const running = embedder.embedPassages(inputs(['a']))
  await embedder.close()
  await expect(running).rejects.toMatchObject({ code: 'cancelled' })
})
