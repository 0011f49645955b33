import { expect, test } from 'vitest'
import { z } from 'zod'
import { askRequestSchema } from './answer.ts'
import { issueText } from './issue-text.ts'

function said(schema: z.ZodType, value: unknown): string[] {
  return (schema.safeParse(value).error?.issues ?? []).map(issueText)
}

test('what is too long, too short, too many or too large is said in a sentence, not in the words of the schema', () => {
  expect(said(askRequestSchema, { question: 'x'.repeat(20_001) })).toEqual(['The question is too long: 20,000 characters at most.'])
  expect(said(askRequestSchema, { question: '' })).toEqual(['The question must not be empty.'])
  expect(said(z.object({ maxSteps: z.number().max(1000) }), { maxSteps: 1001 })).toEqual(['The max steps is too large: 1,000 at most.'])
  expect(said(z.object({ k: z.number().int().min(1) }), { k: 0 })).toEqual(['The k is too small: 1 at least.'])
  const names = z.object({ names: z.array(z.string().max(3)).max(1) })
  expect(said(names, { names: ['a', 'b'] })).toEqual(['The names takes fewer entries: 1 at most.'])
  expect(said(names, { names: ['abcd'] })).toEqual(['The value “names.0” is too long: 3 characters at most.'])
})

test('what has no sentence keeps its path and the words that it came with', () => {
  expect(said(z.object({ a: z.object({ b: z.string() }) }), { a: { b: 1 } })).toEqual([expect.stringMatching(/^a\.b: /)])
})

test('what is given along is base64 with something in it, and the refusal says which file it was', () => {
  const attach = (data: string) =>
    said(askRequestSchema, { question: 'x', attachments: [{ name: 'a.pdf', mediaType: 'application/pdf', data }] })
  expect(attach('')).toEqual([expect.stringMatching(/^“a\.pdf” is empty/)])
  for (const data of ['YQ', 'YQ=a', '=YQ=', 'Y===', 'YQ==YQ==', 'YW J', 'not base64', 'YWJj\n'])
    expect([data, attach(data)]).toEqual([data, [expect.stringMatching(/^“a\.pdf” did not arrive whole/)]])
  for (const data of ['YQ==', 'YWI=', 'YWJj', 'ab+/']) expect(attach(data)).toEqual([])
  // As large as it may be, without a stack that runs over.
  expect(attach('abcd'.repeat(10_000_000))).toEqual([])
})
