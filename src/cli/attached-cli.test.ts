import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { builtCli, type Ran } from '../../test/fakes/built-cli.ts'
import { makeMail } from '../../test/fixtures/make-mail.ts'
import { makeDocx, packed, wordParagraph } from '../../test/fixtures/make-office.ts'
import { makePdf } from '../../test/fixtures/make-pdf.ts'
import { askReportSchema } from '../contract/answer.ts'
import { documentSchema, extractResultSchema } from '../contract/library.ts'

const cli = builtCli()
let directory: string
let papers: string
let mail: string

beforeAll(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'siku-attached-')))
  papers = mkdtempSync(join(directory, 'papers-'))
  mail = join(papers, 'mail.eml')
  const plan = makePdf([{ texts: [{ x: 72, y: 700, text: 'The pond in the garden is four metres wide.' }] }])
  writeFileSync(
    mail,
    makeMail(
      [
        { name: 'annex.docx', bytes: makeDocx({ body: wordParagraph('The boiler was serviced by Greta Lindqvist.') }) },
        { name: 'prices.csv', bytes: 'item,price\ncable,12\nrope,30\n', type: 'text/csv' },
        { name: null, bytes: makeMail([{ name: 'plan.pdf', bytes: plan }], { boundary: 'y' }), type: 'message/rfc822' },
        { name: 'photos.zip', bytes: packed({ 'a.txt': 'a' }) },
      ],
      { body: 'The caretaker of the house is Ottoline Brandt.' },
    ),
  )
}, 60_000)
afterAll(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }))

function siku(args: string[]): Promise<Ran> {
  return cli.run(args, { home: join(directory, 'home'), env: {}, user: {} })
}

async function json<T>(schema: z.ZodType<T>, args: string[]): Promise<T> {
  const { code, stdout, stderr } = await siku([...args, '--json'])
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
  return schema.parse(JSON.parse(stdout))
}

test('the terminal lists, extracts and cites what is attached to a mail', { timeout: 600_000 }, async () => {
  const indexed = await siku(['index', papers])
  expect([indexed.code, indexed.stderr.includes('trouble')]).toEqual([0, false])
  const rows = await json(z.array(documentSchema.pick({ path: true, kind: true, status: true })), ['documents'])
  expect(rows.map(({ path, kind, status }) => [path.slice(papers.length + 1), kind, status])).toEqual([
    ['mail.eml', 'mail', 'ready'],
    ['mail.eml/#1/annex.docx', 'word', 'ready'],
    ['mail.eml/#2/prices.csv', 'sheet', 'ready'],
    ['mail.eml/#3/message.eml', 'mail', 'ready'],
    ['mail.eml/#3/message.eml/#1/plan.pdf', 'pdf', 'ready'],
    ['mail.eml/#4/photos.zip', 'archive', 'skipped'],
  ])
  const annex = join(mail, '#1/annex.docx')
  const shape = extractResultSchema.pick({ kind: true, status: true, sections: true, inner: true })
  expect(await json(shape, ['extract', annex])).toMatchObject({
    kind: 'word',
    sections: [{ text: expect.stringContaining('Lindqvist') as string }],
  })
  expect((await json(shape, ['extract', mail])).inner).toContain(annex)
  const gone = await siku(['extract', '--strict', join(mail, '#7/annex.docx')])
  expect([gone.code, gone.stderr]).toEqual([3, expect.stringContaining('It is not in this file any more.')])

  const cited = async (question: string): Promise<string[]> =>
    (await json(askReportSchema, ['ask', question, '--no-model'])).citations.map(({ path }) => path)
  expect((await cited('Who is the caretaker of the house?'))[0]).toBe(mail)
  expect(await cited('How wide is the pond in the garden?')).toContain(join(mail, '#3/message.eml/#1/plan.pdf'))
  const told = await siku(['ask', 'Who serviced the boiler?', '--no-model', '--folder', mail])
  expect(told.stdout).toContain(`annex.docx in ${mail}`)
})
