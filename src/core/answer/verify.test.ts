import { expect, test } from 'vitest'
import { factsOf } from './facts.ts'
import { splitSentences } from './sentences.ts'
import { verifyAnswer } from './verify.ts'

const lease = {
  marker: 1,
  heading: ['Lease'],
  text: 'The lease begins on 1 April 2024 and ends on 31 March 2027. The rent is 4,200 yuan a month, due on the fifth day. Ms Alvarez keeps the spare keys at the office.',
}
const garden = {
  marker: 2,
  heading: ['Lease'],
  text: 'The tenant waters the garden twice a week in summer. Bicycles stand in the yard, never in the hall. The heating is checked each autumn by the landlord.',
}
const factory = { marker: 3, heading: [], text: '工厂于二〇二六年十一月投产，年产量为150万吨。首任厂长是王建国，他曾在上海工作。' }

async function check(answer: string, sources = [lease, garden, factory]): Promise<[boolean, string | undefined][]> {
  const { sentences } = await verifyAnswer({ answer, sources })
  return sentences.map((sentence) => [sentence.supported, sentence.problem])
}

test.each(['押金是一万元[1]。', '押金为10000元[1]。', '押金：一万元[1]。'])(
  '%s: a short sentence says with another word what its source says',
  async (answer) => {
    const contract = { marker: 1, heading: [], text: '第一条 租金及支付方式\n\n（1） 每月租金人民币五千元\n\n第二条 押金条款：押金一万元' }
    expect(await check(answer, [contract])).toEqual([[true, undefined]])
    expect(await check(answer.replace(/一万|10000/, '两万'), [contract])).toEqual([[false, '20000']])
  },
)

test.each([
  ['copied', 'The rent is 4,200 yuan a month, due on the fifth day [1].'],
  ['with the number written otherwise', 'The rent is 4200 yuan a month [1].'],
  ['from two sentences', 'The lease ends on 31 March 2027 and the rent is 4,200 yuan a month [1].'],
  ['from two sources', 'The lease begins on 1 April 2024 and bicycles stand in the yard [1][2].'],
  ['in Chinese', '年产量为150万吨，工厂于2026年11月投产[3]。'],
  ['with the unit spelled out', '工厂年产量为1500000吨[3]。'],
  ['that borrows the next marker', 'The lease ends on 31 March 2027. The rent is 4,200 yuan a month [1].'],
  ['about the library itself', 'The library does not contain the name of the landlord.'],
  ['a question', 'Would you like to know more?'],
])('%s: supported', async (_name, answer) => {
  expect((await check(answer)).every(([supported]) => supported)).toBe(true)
})

const deposit = {
  marker: 4,
  heading: ['房屋租赁合同'],
  text: '第四条 押金\n\n签订本合同当日，乙方向甲方支付押金人民币 4200 元，相当于一个月的租金。甲方收到押金后应当出具收据。\n\n第五条 其他费用\n\n租赁期间的水费由乙方承担。\n\n合同总价 500 元\n\n维修费 300 元\n\n止',
}

test.each([
  ['with its heading', '第四条 押金 签订本合同当日，乙方向甲方支付押金人民币 4200 元，相当于一个月的租金。[4]', true],
  ['with its heading in other words', '按第四条，签订本合同当日，乙方支付押金人民币 4200 元。[4]', true],
  ['without it', '甲方收到押金后应当出具收据 [4]。', true],
  ['with its heading and another number', '第四条 押金 签订本合同当日，乙方向甲方支付押金人民币 4300 元，相当于一个月的租金。[4]', false],
  ['with a heading that is not there', '第六条 押金 签订本合同当日，乙方向甲方支付押金人民币 4200 元，相当于一个月的租金。[4]', false],
  ['with the number of another entry', '合同总价为 300 元 [4]。', false],
  ['with a part of the number', '乙方向甲方支付押金人民币 420 [4]', false],
])('a sentence copied %s', async (_name, answer, supported) => {
  expect((await check(answer, [deposit])).every(([one]) => one)).toBe(supported)
})

test.each([
  ['another number', 'The rent is 4,300 yuan a month, due on the fifth day [1].', '4300'],
  ['another day', 'The lease ends on 30 March 2027 [1].', '30'],
  ['another month', 'The lease ends on 31 May 2027 [1].', '5月'],
  ['a number of the sentence beside', 'The rent is 2027 yuan a month, due on the fifth day [1].', '2027'],
  ['another name', 'The spare keys are kept at the office by Ms Bernard [1].', 'Bernard'],
  ['the source beside', 'The rent is due on the fifth day [2].', 'fifth'],
  ['other words', 'Dogs and cats are welcome in every flat [2].', 'meaning'],
  ['no source', 'The rent will rise next year by a tenth.', 'not-cited'],
  ['another amount in Chinese', '工厂年产量为160万吨[3]。', '1600000'],
  ['another year in Chinese numerals', '工厂于二〇二五年十一月投产[3]。', '2025'],
])('%s: not supported', async (_name, answer, problem) => {
  const [first] = await check(answer)
  expect(first?.[0]).toBe(false)
  if (problem !== 'fifth') expect(first?.[1]).toBe(problem)
})

test('markers leave the sentence and quotes are verbatim', async () => {
  const { sentences, citations } = await verifyAnswer({
    answer: 'The rent is 4,200 yuan a month. [1] Water the garden twice a week [2][9].',
    sources: [lease, garden],
  })
  expect(sentences.map(({ text, citations: markers }) => [text, markers])).toEqual([
    ['The rent is 4,200 yuan a month.', [1]],
    ['Water the garden twice a week.', [2]],
  ])
  expect(citations).toEqual([
    { marker: 1, quote: 'The rent is 4,200 yuan a month, due on the fifth day.' },
    { marker: 2, quote: 'The tenant waters the garden twice a week in summer.' },
  ])
})

test('across languages meaning decides, and numbers still count', async () => {
  const embed = (texts: string[]) =>
    Promise.resolve(
      texts.map((text) => {
        const vector = new Float32Array(4)
        vector[0] = 1
        vector[1] = /\p{Script=Han}/u.test(text) ? 1 : -1
        vector[2] = /plant|工厂|吨/.test(text) ? 1 : 0
        vector[3] = /manager|厂长/.test(text) ? 1 : 0
        return vector
      }),
    )
  const supported = async (answer: string) => (await verifyAnswer({ answer, sources: [factory], embed })).sentences[0]?.supported
  expect(await supported('The plant makes 1.5 million tonnes a year [3].')).toBe(true)
  expect(await supported('The plant makes 1.6 million tonnes a year [3].')).toBe(false)
  expect(await supported('It rained all day [3].')).toBe(false)
})

test.each([
  ['150万', '1500000'],
  ['1.5 million', '1500000'],
  ['一百五十万', '1500000'],
  ['£30m', '30000000'],
  ['twenty-five hundred', '2500'],
  ['3到5万', '30000 50000'],
  ['1038–40', '1038 1040'],
  ['20世纪70年代', '1970'],
  ['二〇二六年十一月三日', '2026 m11 3'],
  ['3 November 2026', '3 m11 2026'],
  ['统一了一些', ''],
  ['He may go', ''],
  ['百分之五十', '50'],
])('%s reads as %j', (text, facts) => {
  expect([...factsOf(text).keys()].sort()).toEqual(facts.split(' ').filter(Boolean).sort())
})

test('sentences end where a reader would end them', () => {
  const text = 'Dr. Smith paid 3.5 yuan, i.e. little. He left (early). “Why?” she asked.\n他说：“好。”然后走了！\n\nEnd [1]. [2] Next'
  expect(splitSentences(text).map((span) => span.text)).toEqual([
    'Dr. Smith paid 3.5 yuan, i.e. little.',
    'He left (early).',
    '“Why?” she asked.',
    '他说：“好。”',
    '然后走了！',
    'End [1]. [2]',
    'Next',
  ])
  for (const span of splitSentences(text)) expect(text.slice(span.start, span.end)).toBe(span.text)
})
