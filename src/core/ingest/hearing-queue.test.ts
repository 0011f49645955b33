import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { makeModels } from '../../../test/fakes/models.ts'
import { startOpenAi, type OpenAiServer } from '../../../test/fakes/openai-server.ts'
import { findWord } from '../../../test/fixtures/open-test-store.ts'
import { openTestIngest, statuses, testDirectories, until, writeFiles, type TestIngest } from '../../../test/fixtures/open-test-ingest.ts'
import { scriptedEmbedder } from '../../../test/fixtures/scripted-embedder.ts'
import { mp3Bytes, wavBytes } from '../../../test/fixtures/sound-bytes.ts'
import type { Hearing } from './hear-file.ts'

const directories = testDirectories()
const opened: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
  directories.clear()
})

type Answer = { status: number; body: unknown }
const heardBody = {
  text: 'The lighthouse opens at nine. Bring a lantern.',
  segments: [
    { start: 0, end: 12.4, text: ' The lighthouse opens at nine.' },
    { start: 12.4, end: 20, text: ' Bring a\nlantern.' },
  ],
}
const heard: Answer = { status: 200, body: heardBody }
const refused = (status: number, message = 'no'): Answer => ({ status, body: { error: { message } } })

/** The real client against a real socket; `script` answers the nth request. */
async function ears(script: (index: number, form: string) => Answer, agreed = true) {
  const server = await startOpenAi({ transcribe: (form, index) => script(index, form) })
  opened.push(server)
  return { server, ...hearingAt(server.base, agreed) }
}

function hearingAt(address: string, agreed = true) {
  const provider = { id: 'ears', kind: 'openai' as const, name: 'Ears', address, hasKey: false }
  const made = makeModels({
    providers: [provider],
    transcription: { providerId: 'ears', model: 'whisper-1' },
    transcribeFoldersAt: agreed ? address : null,
  })
  opened.push(made)
  const hearing: Hearing = {
    allowed: () => made.models.hearsFolders().allowed,
    needed() {
      const hears = made.models.hearsFolders()
      return hears.allowed ? '' : hears.needed
    },
    transcribe: made.models.transcribe,
  }
  return { hearing, patch: made.patch }
}

async function open(dataDir: string, hearing?: Hearing): Promise<TestIngest> {
  const library = await openTestIngest(dataDir, scriptedEmbedder(), 20, undefined, undefined, hearing)
  opened.push(library)
  return library
}

/** A change of settings, as the store tells it. */
async function tell(library: TestIngest): Promise<void> {
  await library.store.settings.patch({ temperature: Math.random() })
}

function reasonOf({ store }: TestIngest, name: string) {
  return store.documents.list({ name, offset: 0, limit: 1 }).documents[0]?.reason
}

const sent = (server: OpenAiServer) => server.requests.length

test('without anybody who may hear it, a sound file is passed over with what is needed, and nothing goes out', async () => {
  const folder = directories.make()
  writeFiles(folder, { 'talk.wav': wavBytes(), 'note.md': 'plain words' })
  const { server, hearing } = await ears(() => heard, false)
  const library = await open(directories.make(), hearing)
  await library.ingest.add([folder])
  await library.ingest.whenIdle()
  expect(statuses(library.store)).toEqual({ 'talk.wav': 'skipped not-transcribed', 'note.md': 'ready' })
  await until(() => reasonOf(library, 'talk')?.message.includes('switch that on') === true, 'the reason says what is needed')
  expect(library.ingest.snapshot().counts).toMatchObject({ total: 2, ready: 1, skipped: 1 })
  expect(sent(server)).toBe(0)
})

test('once it may, it is heard, found at its time, and never sent a second time', async () => {
  const [dataDir, folder] = [directories.make(), directories.make()]
  writeFiles(folder, { 'talk.wav': wavBytes() })
  const forms: string[] = []
  const { server, hearing, patch } = await ears((_index, form) => (forms.push(form), heard), false)
  const library = await open(dataDir, hearing)
  await library.ingest.add([folder])
  await library.ingest.whenIdle()
  patch({ transcribeFoldersAt: server.base })
  await tell(library)
  await until(() => statuses(library.store)['talk.wav'] === 'ready', 'the recording is read')
  await library.ingest.whenIdle()
  const [row] = library.store.documents.list({ name: 'talk', offset: 0, limit: 1 }).documents
  const { sections } = library.store.documents.sections(row!.id, 0, 10)
  expect(sections).toEqual([
    { place: { kind: 'time', from: 0, to: 12 }, text: '[00:00] The lighthouse opens at nine.' },
    { place: { kind: 'time', from: 12, to: 20 }, text: '[00:12] Bring a lantern.' },
  ])
  const { passages } = library.store.documents.passages(row!.id, 0, 10)
  expect(passages.map(({ place }) => place)).toEqual([{ kind: 'time', from: 0, to: 20 }])
  expect(findWord(library.store, 'lantern').length).toBe(1)
  // The file's name is private; its ending says the form.
  expect(forms[0]).toContain('filename="recording.wav"')
  expect(forms[0]).not.toContain('talk')
  copyFileSync(join(folder, 'talk.wav'), join(folder, 'again.wav'))
  await until(() => statuses(library.store)['again.wav'] === 'ready', 'its copy is read')
  await library.close()
  opened.splice(opened.indexOf(library), 1)
  const later = await open(dataDir, hearing)
  await later.ingest.whenIdle()
  expect(statuses(later.store)).toEqual({ 'talk.wav': 'ready', 'again.wav': 'ready' })
  expect(sent(server)).toBe(1)
  writeFileSync(join(folder, 'talk.wav'), wavBytes(2))
  await until(() => sent(server) === 2, 'other bytes are heard anew')
  await until(() => statuses(later.store)['talk.wav'] === 'ready', 'and read')
})

test('an address that is down, has no room or wants another key gives up nothing: it is tried again', async () => {
  const folder = directories.make()
  writeFiles(folder, { 'one.wav': wavBytes(1, 1), 'two.mp3': mp3Bytes() })
  const answers = [refused(429, 'slow down'), refused(401, 'Incorrect API key'), refused(404, 'no such model')]
  const { server, hearing } = await ears((index) => answers[index] ?? heard)
  const library = await open(directories.make(), hearing)
  await library.ingest.add([folder])
  await until(() => statuses(library.store)['one.wav'] === 'ready' && statuses(library.store)['two.mp3'] === 'ready', 'both are read')
  expect(sent(server)).toBe(answers.length + 2)
})

test('while nobody listens it waits, says so, and goes on when somebody does', async () => {
  const folder = directories.make()
  writeFiles(folder, { 'talk.wav': wavBytes() })
  const gone = await startOpenAi({})
  const port = Number(new URL(gone.base).port)
  await gone.close()
  const { hearing } = hearingAt(gone.base)
  const library = await open(directories.make(), hearing)
  await library.ingest.add([folder])
  await until(() => /does not answer.*tried again/.test(reasonOf(library, 'talk')?.message ?? ''), 'the reason says that it is down')
  expect(statuses(library.store)['talk.wav']).toBe('skipped to-transcribe')
  // It keeps nobody waiting.
  await library.ingest.whenIdle()
  const server = await startOpenAi({ port, transcribe: () => heard })
  opened.push(server)
  await tell(library)
  await until(() => statuses(library.store)['talk.wav'] === 'ready', 'it is read')
})

test('a refusal of the recording is a failure with its reason, and can be tried again', async () => {
  const folder = directories.make()
  writeFiles(folder, { 'odd.wav': wavBytes(1, 1), 'large.wav': wavBytes(3, 2), 'good.wav': wavBytes(5, 3) })
  const answers = [refused(400, 'Invalid file format.'), refused(413, 'Maximum content size limit exceeded'), heard]
  const { hearing } = await ears((index) => answers[index] ?? heard)
  const library = await open(directories.make(), hearing)
  await library.ingest.add([folder])
  await until(() => statuses(library.store)['good.wav'] === 'ready', 'the others go on')
  expect(statuses(library.store)).toMatchObject({ 'odd.wav': 'failed transcription-failed', 'large.wav': 'failed too-large-to-transcribe' })
  expect(reasonOf(library, 'odd')?.message).toContain('Invalid file format.')
  const [row] = library.store.documents.list({ name: 'odd', offset: 0, limit: 1 }).documents
  await library.ingest.retry(row!.id)
  await until(() => statuses(library.store)['odd.wav'] === 'ready', 'it is heard at the second try')
})

test('answers that are none are tried a few times, and do not keep others from being heard', async () => {
  const folder = directories.make()
  writeFiles(folder, { 'bad.wav': wavBytes(1, 1), 'good.wav': wavBytes(2, 2) })
  const asked = { bad: 0, good: 0 }
  const { hearing } = await ears((_index, form) => {
    if (form.length > 12_000) return ((asked.good += 1), heard)
    asked.bad += 1
    return asked.bad % 2 === 0 ? refused(503, 'worker died') : { status: 200, body: '<html>sign in</html>' }
  })
  const library = await open(directories.make(), hearing)
  await library.ingest.add([folder])
  await until(() => statuses(library.store)['good.wav'] === 'ready', 'the good one is heard')
  await until(() => statuses(library.store)['bad.wav'] === 'failed transcription-failed', 'the other is given up')
  expect(asked).toEqual({ bad: 5, good: 1 })
})

test('taking the consent back, or pausing, breaks off what is being sent', async () => {
  const folder = directories.make()
  writeFiles(folder, { 'talk.wav': wavBytes() })
  let begun = 0
  const aborted: boolean[] = []
  const { hearing, patch } = hearingAt('http://127.0.0.1:9/v1')
  const slow: Hearing = {
    ...hearing,
    transcribe: (_recording, { signal }) => {
      begun += 1
      return new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => {
          aborted.push(true)
          reject(new DOMException('stopped', 'AbortError'))
        }),
      )
    },
  }
  const library = await open(directories.make(), slow)
  await library.ingest.add([folder])
  await until(() => begun === 1, 'it is being sent')
  expect(library.ingest.snapshot()).toMatchObject({ phase: 'transcribing', current: [join(folder, 'talk.wav')] })
  await library.ingest.pause()
  await until(() => aborted.length === 1, 'the pause breaks it off')
  await library.ingest.resume()
  await until(() => begun === 2, 'it begins anew')
  patch({ transcribeFoldersAt: null })
  await tell(library)
  await until(() => aborted.length === 2, 'taking the consent back breaks it off')
  await until(() => statuses(library.store)['talk.wav'] === 'skipped not-transcribed', 'it says what is needed')
})

test('a single file is heard for whoever asks for its text, where that is allowed', async () => {
  const folder = directories.make()
  writeFiles(folder, { 'talk.wav': wavBytes() })
  const { hearing, patch } = await ears(() => heard, false)
  const library = await open(directories.make(), hearing)
  const path = join(folder, 'talk.wav')
  expect(await library.ingest.extract(path)).toMatchObject({ kind: 'sound', status: 'skipped', reason: { code: 'not-transcribed' } })
  patch({ transcribeFoldersAt: 'http://elsewhere.example/v1' })
  expect((await library.ingest.extract(path)).reason?.code).toBe('not-transcribed')
  const other = await open(directories.make(), (await ears(() => heard)).hearing)
  const { status, sections } = await other.ingest.extract(path)
  expect([status, sections.length]).toEqual(['ready', 2])
})
