import { expect, test } from 'vitest'
import { evidenceFor } from './evidence.ts'
import { extractAnswer } from './extract.ts'
import { plainQuote } from './nearest.ts'
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
  expect(sentences).toHaveLength(2)
  expect(sentences.every((sentence) => sentence.supported)).toBe(true)
})

test('headings, salutations, dividers and heads of tables are not chosen, nor glued to what follows', () => {
  const contract = {
    marker: 1,
    score: 1,
    heading: ['Notice'],
    text: 'Notice\n\nEither side gives ninety days of notice in writing.\n\n第四条 押金\n\n押金在七日内退还。',
  }
  const letter = {
    marker: 2,
    score: 1,
    text: '14 March 2026\n\nDear neighbours,\n\nthe notice hangs at the door.\n\nWith kind regards,\nRosalind',
  }
  const notes = { marker: 3, score: 1, text: '## Notice\n\n- We give **notice** in May.' }
  const shown = (question: string) =>
    extractAnswer({ question, sources: [contract, letter, notes], limit: 10 }).sentences.map(({ text }) => text)
  expect(shown('What is the notice?').sort()).toEqual([
    'Either side gives ninety days of notice in writing.',
    'We give **notice** in May.',
    'the notice hangs at the door.',
  ])
  expect(extractAnswer({ question: '押金何时退？', sources: [contract] }).sentences[0]?.text).toBe('押金在七日内退还。')
  expect(extractAnswer({ question: 'Notice?', sources: [{ marker: 1, score: 1, heading: [], text: '# Notice' }] }).sentences).toHaveLength(
    1,
  )
})

test('a row of a table is read with its columns, and its quote is the row', async () => {
  const text =
    '## Tableware\n\n| Piece | Size | Ash white |\n|---|---|---|\n| Espresso cup | 80 ml | 16 |\n| Teapot no. 2 | 900 ml | 112 |\n\nCopper red costs more.'
  const [first] = extractAnswer({ question: 'How much is a teapot?', sources: [{ marker: 1, score: 1, text }] }).sentences
  expect(first).toEqual({
    text: 'Piece: Teapot no. 2 · Size: 900 ml · Ash white: 112',
    marker: 1,
    quote: '| Teapot no. 2 | 900 ml | 112 |',
  })
  const { sentences, citations } = await verifyAnswer({ answer: `${first?.text} [1]`, sources: [{ marker: 1, heading: [], text }] })
  expect(sentences.every((sentence) => sentence.supported)).toBe(true)
  expect(citations).toEqual([{ marker: 1, quote: first?.quote }])
  expect(plainQuote('| a | b |\n|---|:--|\n| c | d |\n- e')).toBe('| a | b | | c | d | e')
})

test('of code whole lines are chosen', async () => {
  const text =
    '/** First wait, doubled after each failure. */\nconst firstWaitMs = 500\n\nexport function waitBefore(attempt: number): number {\n  return Math.min(longestWaitMs, firstWaitMs * 2 ** attempt)\n}\n'
  const [first] = extractAnswer({ question: 'How long is the first wait?', sources: [{ marker: 1, score: 1, text }] }).sentences
  expect(first?.quote).toBe('/** First wait, doubled after each failure. */\nconst firstWaitMs = 500')
  expect(first?.text).toBe(first?.quote)
  const answer = `\`\`\`\n${first?.text}\n\`\`\`\n[1]`
  const { sentences, citations } = await verifyAnswer({ answer, sources: [{ marker: 1, heading: [], text }] })
  expect(sentences.every((sentence) => sentence.supported)).toBe(true)
  expect(citations).toEqual([{ marker: 1, quote: first?.quote }])
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
  ['near in the other language, without a word in common', { hits: [hit(0)], own: [0.1], others: [0.18] }, false],
  ['fairly near in the other language, with its names', { hits: [hit(0.2)], own: [0.1], others: [0.15] }, false],
  ['far in both', { hits: [hit(0.05)], own: [0.12], others: [0.1] }, true],
  ['words only, most of them', { hits: [hit(0.5)], own: [], others: [] }, false],
])('%s', (_name, detail, weak) => {
  expect(evidenceFor('?', { detail: { ...detail, totalIdf: 10, units: 3 } }).weak).toBe(weak)
})

test('a sentence far from every word of the question is left out where others have some', () => {
  const far = { marker: 1, heading: [], score: 1, text: '세계보건기구가 인정하였다. 확진자는 9,661명이었다.' }
  const near = { marker: 2, heading: [], score: 0.9, text: 'The caretaker keeps the spare keys. He lives next door. The garden is large.' }
  const shown = (question: string, sources = [far, near]) => extractAnswer({ question, sources }).sentences.map(({ text: each }) => each)
  expect(shown('Who keeps the spare keys?')).toEqual(['The caretaker keeps the spare keys.', 'He lives next door.'])
  // In another language no word may stand in the answer at all.
  expect(shown('谁保管钥匙？')).toHaveLength(3)
})

test('a clause without a mark at its end says something; the header of a page and the lines of a mail do not, unless they are asked for', () => {
  const contract =
    'Header: 机密 租金\n\n房屋租赁合同\n\n第一条 租金及支付方式\n\n（1） 每月租金人民币五千元\n\n（2） 逾期加收滞纳金\n\n第二条 押金条款：押金一万元'
  const mail = 'From: 张三 <rent@example.com>\nDate: 2026-03-02\n\n每月租金四千元，月底付。'
  const ask = (question: string) =>
    extractAnswer({
      question,
      sources: [
        { marker: 1, text: contract, score: 1 },
        { marker: 2, text: mail, score: 0.9 },
      ],
    }).sentences.map(({ quote }) => quote)
  expect(ask('房租每月多少钱？')[0]).toBe('（1） 每月租金人民币五千元')
  expect(ask('每月租金是多少？').join()).not.toMatch(/Header|From|Date/)
  expect(ask('What is the rent?').join()).not.toMatch(/Header|From|Date/)
  expect(ask('谁写了关于租金的邮件？').join()).toMatch(/From|Date/)
})

const ledger = {
  marker: 1,
  score: 1,
  text: '合同编号 · 合同名称 · 金额（元）\nHT-003 · 保洁 · 48,000.00\nHT-004 · 软件采购 · 250,000.00\nHT-005 · 租赁 · 60,000.00\nHT-006 · 咨询 · 80,000.00',
}
const other = { marker: 2, score: 0.9, text: '备注：HT-004已续签。付款按季度进行。' }

test.each(['HT-004', 'HT-004 的金额是多少？'])(
  'the row with the code that is asked for leads, and no other row is given: %s',
  (question) => {
    const { sentences } = extractAnswer({ question, sources: [ledger, other] })
    expect(sentences[0]!.text).toBe('HT-004 · 软件采购 · 250,000.00')
    expect(sentences.some(({ text }) => /HT-00[356]/.test(text))).toBe(false)
  },
)
