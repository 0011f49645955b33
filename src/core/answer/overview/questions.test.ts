import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { laterFiles, laterQuestions } from '../../../../test/fixtures/asked-later.ts'
import { askedQuestions, judge } from '../../../../test/fixtures/asked-questions.ts'
import { askedFiles } from '../../../../test/fixtures/asked-tables.ts'
import { overviewHomes } from '../../../../test/fixtures/open-overview.ts'

const { begin, ...homes } = overviewHomes()
// Many questions over real processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 300_000 })
afterEach(() => homes.close())
afterAll(() => homes.clear())

/** Told by a reason or left to passages, since their words do not say for certain what is meant. */
const leftOpen = new Set([
  '和南京物业签了几份合同？',
  'How much does Acme owe in unpaid invoices?',
  'How many nights were booked in total?',
  'How many different books were borrowed?',
  'How many loans of Dune in January 2026?',
  'Who has the highest fine in library loans?',
  'How many patients are older than 60?',
])

test.each([
  ['contracts, staff, stock, invoices, marks, bookings and sales', askedFiles, askedQuestions],
  ['devices, claims, loans and patients', laterFiles, laterQuestions],
] as const)('questions about %s come to what their rows say, and never to another number', async (_name, files, questions) => {
  const home = await begin(files)
  const unlike: string[] = []
  for (const [question, expected] of questions) {
    const before = home.searches()
    const { answer, outcome } = await home.ask(question)
    const judged = judge({ answer, outcome, searched: home.searches() > before }, expected)
    if (judged !== (leftOpen.has(question) ? 'refused' : 'exact')) unlike.push(`${judged}: ${question} → ${answer.slice(0, 300)}`)
  }
  expect(unlike).toEqual([])
})
