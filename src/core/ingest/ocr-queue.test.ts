import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, expect, test } from 'vitest'
import { scannedPdf, textPng } from '../../../test/fixtures/page-picture.ts'
import { findWord } from '../../../test/fixtures/open-test-store.ts'
import { openTestIngest, statuses, testDirectories, until, writeFiles, type TestIngest } from '../../../test/fixtures/open-test-ingest.ts'
import { scriptedEmbedder } from '../../../test/fixtures/scripted-embedder.ts'
import type { OcrInput, OcrOutcome, PageReader } from './ocr/ocr.ts'
import type { PoolResult } from '../work/work.ts'

const directories = testDirectories()
const opened: TestIngest[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
  directories.clear()
})

type Script = (input: OcrInput, signal: AbortSignal) => Promise<PoolResult<OcrOutcome>> | PoolResult<OcrOutcome>

interface Scripted extends PageReader {
  readonly asked: string[]
}

/** Answers as it is told, and keeps what it was asked, as "name page". */
function scripted(script: Script): Scripted {
  const asked: string[] = []
  return {
    asked,
    async page(input, { signal }) {
      asked.push(`${input.path.split('/').at(-1)} ${input.page}`)
      return script(input, signal)
    },
    close: () => undefined,
  }
}

function lines(page: number, ...texts: string[]): PoolResult<OcrOutcome> {
  const box = (index: number) => ({ page, x: 0.1, y: 0.1 + index * 0.1, width: 0.6, height: 0.05 })
  return { kind: 'ok', value: { kind: 'ok', lines: texts.map((text, index) => ({ text, confidence: 0.9, box: box(index) })) } }
}
const byPage: Script = ({ page }) => lines(page, `recognised words of page${page}x`)

/** A TIFF of so many pages; each `seed` other bytes. */
async function tiff(pages: number, seed = 1): Promise<Buffer> {
  const height = 40
  const data = Buffer.alloc(60 * height * pages, seed)
  return sharp(data, { raw: { width: 60, height: height * pages, channels: 1, pageHeight: height } })
    .tiff({ compression: 'deflate' })
    .toBuffer()
}

async function open(dataDir: string, recogniser: PageReader): Promise<TestIngest> {
  const library = await openTestIngest(dataDir, scriptedEmbedder(), 50, recogniser)
  opened.push(library)
  return library
}

function stateOf({ store }: TestIngest, name: string) {
  const found = store.documents.list({ name, offset: 0, limit: 10 }).documents[0]
  return found && { status: found.status, reason: found.reason, pages: found.pages, pagesRecognised: found.pagesRecognised }
}

test('a picture waits with a reason, is recognised page by page, and then is found at its page with a box', async () => {
  const [dataDir, folder] = [directories.make(), directories.make()]
  writeFiles(folder, { 'scan.tiff': await tiff(3), 'note.md': 'plain words' })
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  const recogniser = scripted(async (input, signal) => {
    if (input.page === 2) await held
    return byPage(input, signal)
  })
  const library = await open(dataDir, recogniser)
  await library.ingest.add([folder])
  await until(() => recogniser.asked.length === 2, 'the second page is begun')
  expect(stateOf(library, 'scan')).toMatchObject({ status: 'failed', reason: { code: 'scanned' }, pages: 3, pagesRecognised: 0 })
  expect(library.ingest.snapshot()).toMatchObject({ phase: 'recognising', pagesToRecognise: 2, current: [join(folder, 'scan.tiff')] })
  // It has not failed, and is counted once.
  expect(library.ingest.snapshot().counts).toEqual({
    total: 2,
    waiting: 0,
    reading: 0,
    recognising: 1,
    ready: 1,
    partial: 0,
    failed: 0,
    skipped: 0,
  })
  expect(library.store.status().documents).toMatchObject({ recognising: 1, failed: 0 })
  const listed = (status: 'failed' | 'waiting') =>
    library.store.documents.list({ statuses: [status], offset: 0, limit: 10 }).documents.map(({ name }) => name)
  expect([listed('failed'), listed('waiting')]).toEqual([[], ['scan.tiff']])
  release()
  await library.ingest.whenIdle()
  expect(stateOf(library, 'scan')).toEqual({ status: 'ready', reason: null, pages: 3, pagesRecognised: 3 })
  expect(library.ingest.snapshot()).toMatchObject({ phase: 'idle', pagesToRecognise: 0 })
  expect(findWord(library.store, 'page2x').map((path) => path.split('/').at(-1))).toEqual(['scan.tiff'])
  const document = library.store.documents.list({ name: 'scan', offset: 0, limit: 1 }).documents[0]!
  const { passages } = library.store.documents.passages(document.id, 0, 10)
  expect(passages.find((passage) => passage.text.includes('page2x'))?.place).toMatchObject({ kind: 'page', page: 2, boxes: [{ page: 2 }] })
})

test('the same bytes twice are recognised once, also when the copy comes later', async () => {
  const [dataDir, folder] = [directories.make(), directories.make()]
  writeFiles(folder, { 'one.tiff': await tiff(2) })
  copyFileSync(join(folder, 'one.tiff'), join(folder, 'two.tiff'))
  const recogniser = scripted(byPage)
  const library = await open(dataDir, recogniser)
  await library.ingest.add([folder])
  await library.ingest.whenIdle()
  copyFileSync(join(folder, 'one.tiff'), join(folder, 'three.tiff'))
  await until(() => stateOf(library, 'three')?.status === 'ready', 'the copy is ready')
  expect(statuses(library.store)).toEqual({ 'one.tiff': 'ready', 'two.tiff': 'ready', 'three.tiff': 'ready' })
  expect(recogniser.asked).toHaveLength(2)
})

test('what was recognised before the end is not recognised again after it', async () => {
  const [dataDir, folder] = [directories.make(), directories.make()]
  writeFiles(folder, { 'scan.tiff': await tiff(4) })
  const first = scripted((input, signal) =>
    input.page < 3
      ? byPage(input, signal)
      : new Promise((resolve) => signal.addEventListener('abort', () => resolve({ kind: 'cancelled' }))),
  )
  const library = await open(dataDir, first)
  await library.ingest.add([folder])
  await until(() => first.asked.length === 3, 'the third page is begun')
  await opened.pop()!.close()
  const second = scripted(byPage)
  const again = await open(dataDir, second)
  await again.ingest.whenIdle()
  expect(second.asked).toEqual(['scan.tiff 3', 'scan.tiff 4'])
  expect(stateOf(again, 'scan')).toMatchObject({ status: 'ready', pagesRecognised: 4 })
})

test('paused, as a whole or by folder, no page is begun; resumed, it goes on', async () => {
  const [dataDir, folder] = [directories.make(), directories.make()]
  writeFiles(folder, { 'scan.tiff': await tiff(3) })
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  const recogniser = scripted(async (input, signal) => {
    if (input.page === 1) await held
    return byPage(input, signal)
  })
  const library = await open(dataDir, recogniser)
  const { folders } = await library.ingest.add([folder])
  await until(() => recogniser.asked.length === 1, 'the first page is begun')
  await library.ingest.pause()
  release()
  await library.ingest.whenIdle()
  expect([recogniser.asked.length, library.ingest.snapshot().pagesToRecognise]).toEqual([1, 2])
  await library.ingest.pause(folders[0]!.id)
  await library.ingest.resume()
  await library.ingest.whenIdle()
  expect(recogniser.asked).toHaveLength(1)
  await library.ingest.resume(folders[0]!.id)
  await library.ingest.whenIdle()
  expect(stateOf(library, 'scan')?.status).toBe('ready')
})

test('a page that ends its process twice is given up alone, with a reason; the others are read, and a retry tries it once more', async () => {
  const [dataDir, folder] = [directories.make(), directories.make()]
  writeFiles(folder, { 'scan.tiff': await tiff(3), 'bad.tiff': await tiff(1, 9) })
  let broken = true
  const recogniser = scripted((input, signal) => {
    if (input.path.endsWith('bad.tiff')) return { kind: 'timed-out' }
    return broken && input.page === 2 ? { kind: 'out-of-memory' } : byPage(input, signal)
  })
  const library = await open(dataDir, recogniser)
  await library.ingest.add([folder])
  await library.ingest.whenIdle()
  expect(recogniser.asked.filter((each) => each === 'scan.tiff 2')).toHaveLength(2)
  expect(stateOf(library, 'scan')).toMatchObject({ status: 'partial', reason: { code: 'scanned', pages: '2' }, pagesRecognised: 2 })
  expect(stateOf(library, 'scan')?.reason?.message).toContain('too much memory')
  expect(stateOf(library, 'bad')).toMatchObject({ status: 'failed', reason: { code: 'too-slow' } })
  broken = false
  await library.ingest.retry(library.store.documents.list({ name: 'scan', offset: 0, limit: 1 }).documents[0]!.id)
  await library.ingest.whenIdle()
  expect(stateOf(library, 'scan')).toEqual({ status: 'ready', reason: null, pages: 3, pagesRecognised: 3 })
  expect(recogniser.asked.filter((each) => each === 'scan.tiff 1')).toHaveLength(1)
})

test('one crash is forgiven: the process may have been ended from outside', async () => {
  const [dataDir, folder] = [directories.make(), directories.make()]
  writeFiles(folder, { 'scan.tiff': await tiff(2) })
  let crashed = false
  const recogniser = scripted((input, signal) => {
    if (crashed) return byPage(input, signal)
    crashed = true
    return { kind: 'crashed', code: null }
  })
  const library = await open(dataDir, recogniser)
  await library.ingest.add([folder])
  await library.ingest.whenIdle()
  expect(stateOf(library, 'scan')).toMatchObject({ status: 'ready', pagesRecognised: 2 })
})

test('a picture without a letter in it is skipped with that reason, and a file that changes meanwhile is read anew', async () => {
  const [dataDir, folder] = [directories.make(), directories.make()]
  writeFiles(folder, { 'photo.tiff': await tiff(1), 'changing.tiff': await tiff(1, 5) })
  let changed = false
  const recogniser = scripted(async ({ path, page }) => {
    if (path.endsWith('photo.tiff')) return lines(page)
    if (changed) return lines(page, 'the later words')
    changed = true
    writeFileSync(path, await tiff(2, 6))
    return { kind: 'ok', value: { kind: 'changed' } }
  })
  const library = await open(dataDir, recogniser)
  await library.ingest.add([folder])
  await until(() => stateOf(library, 'changing')?.status === 'ready', 'the changed picture is ready')
  await library.ingest.whenIdle()
  expect(stateOf(library, 'changing')).toMatchObject({ pages: 2, pagesRecognised: 2 })
  expect(stateOf(library, 'photo')).toMatchObject({ status: 'skipped', reason: { code: 'no-text' } })
})

test('switched off, nothing is recognised and nothing is waited for; switched on, what waited is recognised', async () => {
  const [dataDir, folder] = [directories.make(), directories.make()]
  writeFiles(folder, { 'scan.tiff': await tiff(1) })
  const recogniser = scripted(byPage)
  const library = await open(dataDir, recogniser)
  await library.store.settings.patch({ ocr: false })
  await library.ingest.add([folder])
  await library.ingest.whenIdle()
  expect([recogniser.asked, library.ingest.snapshot().pagesToRecognise]).toEqual([[], 0])
  expect(library.ingest.snapshot().counts).toMatchObject({ total: 1, recognising: 0, failed: 1 })
  expect(await library.ingest.extract(join(folder, 'scan.tiff'), { ocr: false })).toMatchObject({ status: 'failed', sections: [] })
  await library.store.settings.patch({ ocr: true })
  await library.ingest.whenIdle()
  expect(stateOf(library, 'scan')?.status).toBe('ready')
  expect((await library.ingest.extract(join(folder, 'scan.tiff'))).sections[0]?.text).toContain('page1x')
  expect(recogniser.asked).toHaveLength(1)
})

test('the built process recognises a picture in a folder and one that is only extracted', async () => {
  const [dataDir, folder, elsewhere] = [directories.make(), directories.make(), directories.make()]
  writeFiles(folder, {
    'receipt.png': await textPng(['The kettle cost 40 euros'], [260, 80]),
    'photo.heic': Buffer.from('\0\0\0\x18ftypheic\0\0\0\0'),
    'lease.pdf': await scannedPdf([['The deposit is two monthly rents'], ['Signed in Hamburg by both']]),
  })
  writeFiles(elsewhere, { 'other.png': await textPng(['Warranty of the lamp'], [260, 80]) })
  const library = await openTestIngest(dataDir, null)
  opened.push(library)
  await library.ingest.add([folder])
  await library.ingest.whenIdle()
  expect(statuses(library.store)).toEqual({ 'receipt.png': 'ready', 'photo.heic': 'skipped unsupported-kind', 'lease.pdf': 'ready' })
  expect(findWord(library.store, 'kettle')).toHaveLength(1)
  expect(stateOf(library, 'lease')).toMatchObject({ pages: 2, pagesRecognised: 2 })
  const lease = library.store.documents.list({ name: 'lease', offset: 0, limit: 1 }).documents[0]!
  const { passages } = library.store.documents.passages(lease.id, 0, 10)
  expect(passages.find(({ text }) => text.includes('Hamburg'))?.place).toMatchObject({ kind: 'page', page: 2, boxes: [{ page: 2 }] })
  expect(await library.ingest.extract(join(elsewhere, 'other.png'))).toMatchObject({
    kind: 'image',
    status: 'ready',
    sections: [{ text: 'Warranty of the lamp', place: { kind: 'page', page: 1 } }],
  })
}, 120_000)

test('a document that waits for text recognition says for how many pages, until they are done', { timeout: 120_000 }, async () => {
  const folder = directories.make()
  writeFiles(folder, { 'scan.tif': await tiff(3) })
  let go = (): void => undefined
  const gate = new Promise<void>((resolve) => (go = resolve))
  const library = await open(
    directories.make(),
    scripted(async (input, signal) => {
      await gate
      return byPage(input, signal)
    }),
  )
  const pages = (): number | undefined => library.store.documents.list({ offset: 0, limit: 1 }).documents[0]?.pagesToRecognise
  await library.ingest.add([folder])
  await until(() => pages() === 3, 'three pages wait')
  await library.store.settings.patch({ ocr: false })
  expect(pages()).toBe(3)
  await library.store.settings.patch({ ocr: true })
  go()
  await until(() => pages() === 0, 'no page waits')
})
