import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { makeMail, makeMailbox, type MailPart } from '../../../test/fixtures/make-mail.ts'
import { makeDocx, packed, wordParagraph } from '../../../test/fixtures/make-office.ts'
import { textPng } from '../../../test/fixtures/page-picture.ts'
import { makePdf } from '../../../test/fixtures/make-pdf.ts'
import { openTestIngest, testDirectories, until, writeFiles, type TestIngest } from '../../../test/fixtures/open-test-ingest.ts'
import { countRows, findWord } from '../../../test/fixtures/open-test-store.ts'
import { scriptedEmbedder } from '../../../test/fixtures/scripted-embedder.ts'

const directories = testDirectories()
const opened: TestIngest[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
  directories.clear()
})

function pdf(text: string, password?: { user: string; owner: string }): Buffer {
  return makePdf([{ texts: [{ x: 72, y: 700, text }] }], password === undefined ? {} : { password })
}

const word = makeDocx({ body: wordParagraph('The annex names a boiler.') })
const table: MailPart = { name: 'prices.csv', bytes: 'item,count\ncable,12\n', type: 'text/csv' }
const locked = pdf('the safe is behind the shelf', { user: 'secret', owner: 'owner' })

function wholeMail(): Buffer {
  const nested = makeMail([{ name: 'plan.pdf', bytes: pdf('the garden plan has a pond') }], {
    subject: 'The garden',
    body: 'inner words',
    boundary: 'y',
  })
  return makeMail(
    [
      { name: 'annex.docx', bytes: word },
      table,
      { name: 'report.pdf', bytes: pdf('the report counts lanterns') },
      { name: null, bytes: nested, type: 'message/rfc822' },
      { name: 'photos.zip', bytes: packed({ 'a.txt': 'a' }), type: 'application/zip' },
      { name: 'locked.pdf', bytes: locked },
    ],
    { body: 'the outer words speak of marmalade' },
  )
}

async function openWith(files: Record<string, Buffer | string>, dataDir = directories.make()) {
  const folder = directories.make()
  writeFiles(folder, files)
  const library = await openTestIngest(dataDir, scriptedEmbedder())
  opened.push(library)
  await library.ingest.add([folder])
  await library.ingest.whenIdle()
  return { ...library, folder }
}

/** Path below the folder to status, with the reason where there is one. */
function shown({ store }: Pick<TestIngest, 'store'>, folder: string): Record<string, string> {
  const { documents } = store.documents.list({ offset: 0, limit: 10_000 })
  return Object.fromEntries(
    documents.map(({ path, kind, status, reason }) => [
      path.slice(folder.length + 1),
      `${kind} ${status}${reason === null ? '' : ` ${reason.code}`}`,
    ]),
  )
}

const mailBytes = wholeMail()
const whole = {
  'mail.eml': 'mail ready',
  'mail.eml/#1/annex.docx': 'word ready',
  'mail.eml/#2/prices.csv': 'sheet ready',
  'mail.eml/#3/report.pdf': 'pdf ready',
  'mail.eml/#4/message.eml': 'mail ready',
  'mail.eml/#4/message.eml/#1/plan.pdf': 'pdf ready',
  'mail.eml/#5/photos.zip': 'archive skipped archive',
  'mail.eml/#6/locked.pdf': 'pdf failed encrypted',
}

test('what is attached is a document of its own, found under its own path; what fails does so alone', { timeout: 120_000 }, async () => {
  const library = await openWith({ 'mail.eml': mailBytes, 'note.md': 'a note of its own' })
  const { store, ingest, folder } = library
  expect(shown(library, folder)).toEqual({ ...whole, 'note.md': 'markdown ready' })
  const at = (path: string): string[] => [join(folder, path)]
  expect(findWord(store, 'boiler')).toEqual(at('mail.eml/#1/annex.docx'))
  expect(findWord(store, 'lanterns')).toEqual(at('mail.eml/#3/report.pdf'))
  expect(findWord(store, 'pond')).toEqual(at('mail.eml/#4/message.eml/#1/plan.pdf'))
  expect(findWord(store, 'marmalade')).toEqual(at('mail.eml'))
  const { documents } = store.documents.list({ offset: 0, limit: 100 })
  const plan = documents.find(({ name }) => name === 'plan.pdf')!
  const inner = documents.find(({ name }) => name === 'message.eml')!
  expect(plan.within).toEqual({ documentId: inner.id, name: 'message.eml', filePath: join(folder, 'mail.eml') })
  expect([plan.pages, plan.passages]).toEqual([1, 1])
  const mail = documents.find(({ name }) => name === 'mail.eml')!
  expect(store.documents.sections(mail.id, 0, 10).sections[0]?.text).toContain(
    'Attached: annex.docx, prices.csv, report.pdf, message.eml, photos.zip, locked.pdf',
  )
  const [counted] = ingest.folders()
  expect(counted?.counts).toMatchObject({ total: 9, ready: 7, failed: 1, skipped: 1, waiting: 0 })
  expect(counted?.sizeBytes).toBe(mail.sizeBytes + documents.find(({ name }) => name === 'note.md')!.sizeBytes)
})

test('what is attached goes with its mail: moved, copied, changed, deleted, and back again', { timeout: 180_000 }, async () => {
  const library = await openWith({ 'mail.eml': mailBytes })
  const { store, folder, ingest } = library
  const idOf = (name: string): number | undefined =>
    store.documents.list({ offset: 0, limit: 100 }).documents.find((each) => each.name === name)?.id
  const moved = Object.fromEntries(Object.entries(whole).map(([path, status]) => [path.replace('mail.eml', 'sub/other.eml'), status]))
  const before = idOf('plan.pdf')
  const contents = countRows(store, 'contents')
  writeFiles(folder, { 'sub/x.txt': 'x' })
  renameSync(join(folder, 'mail.eml'), join(folder, 'sub/other.eml'))
  await until(() => JSON.stringify(shown(library, folder)) === JSON.stringify({ ...moved, 'sub/x.txt': 'text ready' }), 'it was moved')
  expect([idOf('plan.pdf'), countRows(store, 'contents')]).toEqual([before, contents + 1])

  writeFileSync(join(folder, 'copy.eml'), mailBytes)
  await until(() => Object.keys(shown(library, folder)).length === 17, 'both are there')
  await ingest.whenIdle()
  expect(countRows(store, 'contents')).toBe(contents + 1)
  expect(findWord(store, 'pond')).toEqual([
    join(folder, 'copy.eml/#4/message.eml/#1/plan.pdf'),
    join(folder, 'sub/other.eml/#4/message.eml/#1/plan.pdf'),
  ])

  rmSync(join(folder, 'copy.eml'))
  writeFileSync(
    join(folder, 'sub/other.eml'),
    makeMail([
      { name: 'annex.docx', bytes: word },
      { ...table, bytes: 'item,count\nrope,3\n' },
    ]),
  )
  await until(() => findWord(store, 'rope').length === 1, 'the changed one was read')
  await ingest.whenIdle()
  expect(shown(library, folder)).toEqual({
    'sub/other.eml': 'mail ready',
    'sub/other.eml/#1/annex.docx': 'word ready',
    'sub/other.eml/#2/prices.csv': 'sheet ready',
    'sub/x.txt': 'text ready',
  })
  expect([findWord(store, 'cable'), findWord(store, 'pond')]).toEqual([[], []])

  writeFileSync(join(folder, 'sub/other.eml'), 'no mail any more')
  await until(() => Object.keys(shown(library, folder)).length === 2, 'nothing is attached any more')
  rmSync(join(folder, 'sub'), { recursive: true })
  await until(() => Object.keys(shown(library, folder)).length === 0, 'all is gone')
  writeFileSync(join(folder, 'mail.eml'), mailBytes)
  await until(() => JSON.stringify(shown(library, folder)) === JSON.stringify(whole), 'it is there again')
  await ingest.whenIdle()
  const { passages, embedded } = ingest.folders()[0]!
  expect(passages).toBe(embedded)
})

test('a folder that is removed and added again, and a start anew, have what is attached', { timeout: 120_000 }, async () => {
  const dataDir = directories.make()
  const first = await openWith({ 'mail.eml': mailBytes }, dataDir)
  const { ingest, folder } = first
  const { id } = ingest.folders()[0]!
  await ingest.remove(id)
  expect(shown(first, folder)).toEqual({})
  await ingest.restore(id)
  await ingest.whenIdle()
  expect(shown(first, folder)).toEqual(whole)
  await ingest.remove(id)
  await opened.pop()!.close()
  const again = await openTestIngest(dataDir, scriptedEmbedder())
  opened.push(again)
  await again.ingest.whenIdle()
  expect(countRows(again.store, 'documents')).toBe(0)
  await again.ingest.add([folder])
  await again.ingest.whenIdle()
  expect(shown(again, folder)).toEqual(whole)
})

test('a password opens what is attached, and it can be extracted and copied out by its path', { timeout: 120_000 }, async () => {
  const library = await openWith({ 'mail.eml': mailBytes })
  const { store, ingest, folder } = library
  const document = store.documents.list({ offset: 0, limit: 100 }).documents.find(({ name }) => name === 'locked.pdf')!
  expect(await ingest.unlock(document.id, 'guess', false)).toMatchObject({ opened: false })
  expect(await ingest.unlock(document.id, 'secret', false)).toEqual({ opened: true, reason: null })
  await ingest.whenIdle()
  expect(findWord(store, 'shelf')).toEqual([join(folder, 'mail.eml/#6/locked.pdf')])
  const extracted = await ingest.extract(join(folder, 'mail.eml/#2/prices.csv'))
  expect([extracted.kind, extracted.status, extracted.sections[0]?.text]).toEqual(['sheet', 'ready', 'item · count\ncable · 12'])
  expect((await ingest.extract(join(folder, 'mail.eml'))).inner).toContain(join(folder, 'mail.eml/#1/annex.docx'))
  for (const path of ['mail.eml/#2/other.csv', 'mail.eml/#9/prices.csv', 'mail.eml/#2', 'mail.eml/../../x', 'mail.eml/#1-2/prices.csv'])
    expect((await ingest.extract(`${folder}/${path}`)).reason?.code, path).toBe('gone')
  const file = await ingest.file(document.id)
  expect(file).toMatchObject({ sizeBytes: locked.length, contentType: 'application/pdf' })
  expect(readFileSync(file!.path).equals(locked)).toBe(true)
  await ingest.pause()
  writeFileSync(join(folder, 'mail.eml'), makeMail([table]))
  const other = store.documents.list({ offset: 0, limit: 100 }).documents.find(({ name }) => name === 'report.pdf')!
  expect(await ingest.file(other.id)).toBeNull()
})

test('names that are no names, and a mailbox', { timeout: 120_000 }, async () => {
  const odd: MailPart[] = [
    { name: 'same.txt', bytes: 'first twin' },
    { name: 'same.txt', bytes: 'second twin' },
    { name: '../../etc/passwd.txt', bytes: 'climbing' },
    { name: '..', bytes: 'dots' },
    { name: 'a\u202Etxt.exe\u0007', bytes: 'turned round' },
    { name: null, bytes: 'nameless', type: 'text/plain' },
    { name: `${'长'.repeat(300)}.txt`, bytes: 'long' },
    { name: '合同:附件?.txt', bytes: 'chinese' },
    { name: 'logo.png', bytes: Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), type: 'image/png', disposition: 'inline' },
  ]
  const box = makeMailbox([makeMail([]), makeMail(odd, { subject: 'Odd' }), makeMail([{ name: 'b.txt', bytes: 'of the third' }])])
  const library = await openWith({ 'old.mbox': box })
  const { folder, store } = library
  expect(Object.keys(shown(library, folder)).sort()).toEqual(
    [
      'old.mbox',
      'old.mbox/#2-1/same.txt',
      'old.mbox/#2-2/same.txt',
      'old.mbox/#2-3/.._.._etc_passwd.txt',
      'old.mbox/#2-4/unnamed',
      'old.mbox/#2-5/a txt.exe',
      'old.mbox/#2-6/unnamed',
      `old.mbox/#2-7/${'长'.repeat(100)}….txt`,
      'old.mbox/#2-8/合同:附件?.txt',
      'old.mbox/#3-1/b.txt',
    ].sort(),
  )
  expect(findWord(store, 'climbing')).toEqual([join(folder, 'old.mbox/#2-3/.._.._etc_passwd.txt')])
  expect(findWord(store, 'third')).toEqual([join(folder, 'old.mbox/#3-1/b.txt')])
  expect(store.documents.list({ offset: 0, limit: 100 }).documents.map(({ status }) => status)).not.toContain('failed')
})

test('a picture that is attached is recognised, and its mail keeps its own text', { timeout: 120_000 }, async () => {
  const folder = directories.make()
  const picture = await textPng(['Stamp', 'nothing'])
  const body = [...Array.from({ length: 20 }, (_none, index) => `Remark ${index + 1} about letters.`), 'The master of Ravensby is Birch.']
  const parts: MailPart[] = [
    { name: 'annex.pdf', bytes: pdf('the annex') },
    { name: 'stamp.png', bytes: picture, type: 'image/png' },
    table,
  ]
  writeFiles(folder, { 'letters.eml': makeMail(parts, { body: body.join('\r\n\r\n') }) })
  const asked: string[] = []
  const library = await openTestIngest(directories.make(), scriptedEmbedder(), 100, {
    page(input) {
      asked.push(input.path)
      const box = { page: 1, x: 0.1, y: 0.1, width: 0.5, height: 0.1 }
      return Promise.resolve({ kind: 'ok', value: { kind: 'ok', lines: [{ text: 'stamped by the registrar', box, confidence: 1 }] } })
    },
    close: () => undefined,
  })
  opened.push(library)
  await library.ingest.add([folder])
  await library.ingest.whenIdle()
  const path = join(folder, 'letters.eml/#2/stamp.png')
  expect([asked, findWord(library.store, 'registrar')]).toEqual([[path], [path]])
  expect(Object.values(shown(library, folder))).toEqual(['mail ready', 'pdf ready', 'image ready', 'sheet ready'])
  expect(findWord(library.store, 'ravensby')).toEqual([join(folder, 'letters.eml')])
})

test('what lies in a file stands behind it, by its number', { timeout: 120_000 }, async () => {
  const notes = (count: number): MailPart[] =>
    Array.from({ length: count }, (_none, index) => ({ name: 'note.txt', bytes: `the note ${index}`, type: 'text/plain' }))
  const messages = Array.from({ length: 11 }, (_none, index) => makeMail(notes(index === 1 ? 11 : 1)))
  const { store, folder } = await openWith({ 'many.eml': makeMail(notes(11)), 'box.mbox': makeMailbox(messages), 'many.eml.md': 'x' })
  const { documents } = store.documents.list({ offset: 0, limit: 100 })
  const numbers = (count: number): string[] => Array.from({ length: count }, (_none, index) => `${index + 1}`)
  const inMailbox = numbers(11).flatMap((message) =>
    numbers(message === '2' ? 11 : 1).map((part) => `box.mbox/#${message}-${part}/note.txt`),
  )
  const inMail = numbers(11).map((part) => `many.eml/#${part}/note.txt`)
  expect(documents.map(({ path }) => path.slice(folder.length + 1))).toEqual([
    'box.mbox',
    ...inMailbox,
    'many.eml',
    ...inMail,
    'many.eml.md',
  ])
  const mail = documents.find(({ name }) => name === 'many.eml')!
  const within = store.documents.list({ within: mail.id, offset: 5, limit: 100 })
  expect([within.total, within.documents.map(({ path }) => path.slice(folder.length + 1))]).toEqual([11, inMail.slice(5)])
})
