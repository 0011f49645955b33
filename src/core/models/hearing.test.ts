import { afterEach, expect, test } from 'vitest'
import { startHttpFake } from '../../../test/fakes/http-fake.ts'
import { makeModels } from '../../../test/fakes/models.ts'
import { startOpenAi, type OpenAiServerOptions } from '../../../test/fakes/openai-server.ts'
import { transcriptText } from './models.ts'

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
})

async function withServer(transcribe: NonNullable<OpenAiServerOptions['transcribe']>) {
  const server = await startOpenAi({ transcribe, key: 'sk-ears' })
  const provider = { id: 'ears', kind: 'openai' as const, name: 'Ears', address: server.base, hasKey: true }
  const made = makeModels({ providers: [provider], transcription: { providerId: 'ears', model: 'whisper-1' } })
  made.keys.set('provider:ears', 'sk-ears')
  open.push(server, made)
  return { server, models: made.models }
}

const recording = { data: new TextEncoder().encode('SOUND\r\n--x'), mediaType: 'audio/mpeg', name: '会议.mp3' }

test('a recording goes out as a form and comes back with its times', async () => {
  const forms: string[] = []
  const { server, models } = await withServer((form) => {
    forms.push(form)
    const segments = [
      { id: 1, start: 61.5, end: 65.25, text: ' and bye.' },
      { id: 0, start: 0, end: 61.5, text: ' Hello ' },
      { id: 2, start: 66, end: 67, text: '  ' },
    ]
    return { status: 200, body: { task: 'transcribe', language: 'english', duration: 67, text: ' Hello and bye. ', segments } }
  })
  expect(models.canHear()).toEqual({ providerId: 'ears', model: 'whisper-1' })
  const heard = await models.transcribe({ ...recording, language: 'zh' })
  expect(heard).toEqual({
    text: 'Hello and bye.',
    segments: [
      { fromMs: 0, toMs: 61_500, text: 'Hello' },
      { fromMs: 61_500, toMs: 65_250, text: 'and bye.' },
    ],
  })
  expect(transcriptText(heard.segments)).toBe('[00:00] Hello\n[01:01] and bye.')
  const [form = ''] = forms
  const boundary = /^multipart\/form-data; ?boundary=(.+)$/.exec(server.requests[0]?.headers['content-type'] ?? '')?.[1] ?? 'none'
  const fields = form.split(`--${boundary}`).slice(1, -1)
  const named = (name: string): string | undefined => fields.find((field) => field.includes(`name="${name}"`))
  expect(named('model')).toMatch(/\r\n\r\nwhisper-1\r\n$/)
  expect(named('response_format')).toMatch(/\r\n\r\nverbose_json\r\n$/)
  expect(named('language')).toMatch(/\r\n\r\nzh\r\n$/)
  expect(named('file')).toMatch(/filename="会议\.mp3"\r\nContent-Type: audio\/mpeg\r\n\r\nSOUND\r\n--x\r\n$/i)
})

test('a model that tells no times is asked for the text alone, which is one segment', async () => {
  const { server, models } = await withServer((form) =>
    form.includes('verbose_json')
      ? { status: 400, body: { error: { message: "response_format 'verbose_json' is not compatible with this model" } } }
      : { status: 200, body: { text: 'All of it.' } },
  )
  expect(await models.transcribe(recording)).toEqual({ text: 'All of it.', segments: [{ fromMs: 0, toMs: 0, text: 'All of it.' }] })
  expect(server.requests.length).toBe(2)
})

test.each([
  [401, { error: { message: 'Incorrect API key' } }, { code: 'model-config', status: 401 }],
  [413, { error: { message: 'Maximum content size limit exceeded' } }, { code: 'model-call', status: 413, retryable: false }],
  [200, { words: [] }, { code: 'model-call' }],
])('status %i with %j is an error with a code', async (status, body, expected) => {
  const { models } = await withServer(() => ({ status, body }))
  await expect(models.transcribe(recording)).rejects.toMatchObject({ name: 'SikuError', ...expected })
})

/** A server that does not know `response_format`. */
async function plainServer(body: string | Uint8Array, type = 'text/plain; charset=utf-8') {
  const server = await startHttpFake('plain ears', {}, (_request, response) => {
    response.writeHead(200, { 'content-type': type }).end(body)
    return true
  })
  const provider = { id: 'ears', kind: 'openai' as const, name: 'Ears', address: `${server.url}/v1`, hasKey: false }
  const made = makeModels({ providers: [provider], transcription: { providerId: 'ears', model: 'whisper-1' } })
  open.push(server, made)
  return made.models
}

test.each([
  [' Hello and bye.\n', 'Hello and bye.'],
  ['\uFEFF会议在九点开始。\r\n谢谢。', '会议在九点开始。\r\n谢谢。'],
  ['1984', '1984'],
  ['{"text":"Hello."}', 'Hello.'],
])('an answer in plain text, %j, is taken for the words', async (body, text) => {
  const models = await plainServer(body)
  expect(await models.transcribe(recording)).toEqual({ text, segments: [{ fromMs: 0, toMs: 0, text }] })
})

test.each([
  ['<!doctype html><p>Sign in</p>', 'text/html'],
  ['<html>Welcome</html>', 'text/plain'],
  ['{"text":"Hel', 'text/plain'],
  ['{"error":"busy"}', 'text/plain'],
  [new Uint8Array([0x52, 0x49, 0x46, 0x46, 0, 1, 255, 254]), 'application/octet-stream'],
])('a page, cut JSON, an error and bytes are no words: %j %s', async (body, type) => {
  const models = await plainServer(body, type)
  await expect(models.transcribe(recording)).rejects.toMatchObject({ name: 'SikuError', code: 'model-call' })
})

test('without anything that can hear, a sentence says what is needed', async () => {
  const made = makeModels({})
  open.push(made)
  expect(made.models.canHear()).toBeNull()
  await expect(made.models.transcribe(recording)).rejects.toMatchObject({
    code: 'model-config',
    hint: expect.stringContaining('transcription') as string,
  })
})

test('stopping a transcription closes its socket', async () => {
  const controller = new AbortController()
  const { models } = await withServer(() => {
    controller.abort()
    return { status: 200, body: { text: 'late' } }
  })
  await expect(models.transcribe(recording, { signal: controller.signal })).rejects.toMatchObject({ code: 'cancelled' })
})

test('times are read as hours, minutes and seconds', () => {
  expect(transcriptText([{ fromMs: 3_723_999, toMs: 3_724_000, text: ' two\nlines ' }])).toBe('[01:02:03] two lines')
  expect(transcriptText([])).toBe('')
})

test.each([
  ['http://127.0.0.1:8080/v1', 'http://127.0.0.1:8080/v1', true, true],
  ['https://api.example.com/v1', 'https://api.example.com/v1', false, true],
  // Offline, sound goes nowhere but to this machine.
  ['https://api.example.com/v1', 'https://api.example.com/v1', true, false],
  // The consent was given for another address.
  ['https://api.example.com/v1', 'http://127.0.0.1:8080/v1', false, false],
  ['https://api.example.com/v1', null, false, false],
])('sound in folders for %s, let go to %s, offline %s: %s', (address, transcribeFoldersAt, offline, allowed) => {
  const provider = { id: 'ears', kind: 'openai' as const, name: 'Ears', address, hasKey: false }
  const made = makeModels({
    providers: [provider],
    transcription: { providerId: 'ears', model: 'whisper-1' },
    transcribeFoldersAt,
    offline,
  })
  open.push(made)
  expect(made.models.hearsFolders().allowed).toBe(allowed)
})

test('a recording that is larger than OpenAI takes is not sent there', async () => {
  const address = 'https://api.openai.com/v1'
  const provider = { id: 'ears', kind: 'openai' as const, name: 'OpenAI', address, hasKey: false }
  const made = makeModels({ providers: [provider], transcription: { providerId: 'ears', model: 'whisper-1' } })
  open.push(made)
  const data = new Uint8Array(25 * 1024 ** 2 + 1)
  await expect(made.models.transcribe({ ...recording, data })).rejects.toMatchObject({ code: 'model-call', status: 413 })
  expect(made.contacts).toEqual([])
})
