import { expect, test } from 'vitest'
import { evidenceFor } from './evidence.ts'
import { extractAnswer } from './extract.ts'
import { verifyAnswer } from './verify.ts'

const sources = [
  { marker: 1, heading: [], score: 1, text: '本合同自2024年4月1日起生效。租金为每月4200元，于每月五日前支付。\n备用钥匙由物业保管。' },
  { marker: 2, heading: [], score: 0.5, text: '租客每周给花园浇水两次。自行车应停放在院内。' },
]

test('the sentence that answers comes first, with its marker, verbatim', () => {
  const { text, sentences } = extractAnswer({ question: '每月租金是多少？', sources, language: 'zh' })
  expect(sentences[0]).toEqual({ text: '租金为每月4200元，于每月五日前支付。', marker: 1, quote: '租金为每月4200元，于每月五日前支付。' })
  expect(text.startsWith('租金为每月4200元，于每月五日前支付。 [1]')).toBe(true)
})

test('what is extracted passes its own check', async () => {
  const { text } = extractAnswer({ question: '谁保管钥匙？', sources })
  const { sentences } = await verifyAnswer({ answer: text, sources })
  expect(sentences).toHaveLength(3)
  expect(sentences.every((sentence) => sentence.supported)).toBe(true)
})

test('nothing to extract from is an empty answer', () => {
  expect(extractAnswer({ question: 'What?', sources: [] })).toEqual({ text: '', sentences: [] })
})

const hit = (whole: number) => ({ passageId: 1, cosine: 0.8, centred: 0.3, bm25: 3, coverage: { whole, sentence: whole } })

test.each([
  ['nothing found', { hits: [], own: [], others: [] }, true],
  ['near and with its words', { hits: [hit(0.6)], own: [0.45], others: [] }, false],
  ['far and without its words', { hits: [hit(0.05)], own: [0.12], others: [] }, true],
  ['near in the other language only', { hits: [hit(0)], own: [0.1], others: [0.35] }, false],
  ['far in both', { hits: [hit(0.05)], own: [0.12], others: [0.1] }, true],
  ['words only, most of them', { hits: [hit(0.5)], own: [], others: [] }, false],
])('%s', (_name, detail, weak) => {
  expect(evidenceFor('?', { detail: { ...detail, totalIdf: 10, units: 3 } }).weak).toBe(weak)
})
