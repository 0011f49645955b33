import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { makePdf } from '../../../test/fixtures/make-pdf.ts'
import { findWord } from '../../../test/fixtures/open-test-store.ts'
import { openTestIngest, statuses, testDirectories, writeFiles, type TestIngest } from '../../../test/fixtures/open-test-ingest.ts'
import { scriptedEmbedder } from '../../../test/fixtures/scripted-embedder.ts'
import { memorySecrets } from '../../../test/fakes/memory-secrets.ts'
import { createPasswords } from './passwords.ts'

const directories = testDirectories()
const opened: TestIngest[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
  directories.clear()
})

function locked(text: string): Buffer {
  return makePdf([{ texts: [{ x: 72, y: 700, text }] }], { password: { user: 'secret', owner: 'owner' } })
}

async function openWith(files: Record<string, Buffer>) {
  const folder = directories.make()
  writeFiles(folder, files)
  const library = await openTestIngest(directories.make(), scriptedEmbedder())
  opened.push(library)
  await library.ingest.add([folder])
  await library.ingest.whenIdle()
  const { documents } = library.store.documents.list({ offset: 0, limit: 10 })
  return { ...library, folder, documentId: documents[0]!.id }
}

test('a wrong password is said at once, and the right one reads the document; nothing is kept of it', async () => {
  const { ingest, store, documentId, folder } = await openWith({ 'a.pdf': locked('the boiler needs service') })
  expect(statuses(store)).toEqual({ 'a.pdf': 'failed encrypted' })
  expect(await ingest.unlock(documentId, 'guess', false)).toMatchObject({ opened: false, reason: { code: 'encrypted' } })
  expect(statuses(store)).toEqual({ 'a.pdf': 'failed encrypted' })
  expect(await ingest.unlock(documentId, 'secret', false)).toEqual({ opened: true, reason: null })
  await ingest.whenIdle()
  expect(findWord(store, 'boiler')).toEqual([join(folder, 'a.pdf')])
  await ingest.retry(documentId)
  await ingest.whenIdle()
  expect(statuses(store)).toEqual({ 'a.pdf': 'failed encrypted' })
})

test('a password that is kept opens the same bytes again, under any name', async () => {
  const { ingest, store, documentId, folder } = await openWith({ 'a.pdf': locked('the boiler needs service') })
  expect((await ingest.unlock(documentId, 'secret', true)).opened).toBe(true)
  await ingest.whenIdle()
  await ingest.retry(documentId)
  await ingest.whenIdle()
  expect(statuses(store)).toEqual({ 'a.pdf': 'ready' })
  const copy = join(directories.make(), 'copy.pdf')
  copyFileSync(join(folder, 'a.pdf'), copy)
  expect(await ingest.extract(copy)).toMatchObject({ status: 'ready', sections: [{ text: 'the boiler needs service' }] })
})

test('passwords that are kept at one time are all kept, and a damaged list loses nothing else', async () => {
  const secrets = memorySecrets()
  const passwords = createPasswords(secrets)
  await Promise.all([passwords.keep('one', '1'), passwords.keep('two', '2')])
  expect([await passwords.kept('one'), await passwords.kept('two'), await passwords.kept('none')]).toEqual(['1', '2', undefined])
  await secrets.set('document-passwords', '{"one":')
  expect(await createPasswords(secrets).anyKept()).toBe(false)
})
