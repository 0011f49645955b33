import { expect, test } from 'vitest'
import { exactFirst, exactPartsOf, holdsExactly, plainly } from './exact.ts'

const partsOf = (question: string): string[] => exactPartsOf(question).map((part) => part.text)

test.each([
  ['HT-003', ['ht-003']],
  ['ht-003 的金额是多少', ['ht-003']],
  ['ＨＴ－００３ 和 HT‑004 有何不同？', ['ht-003', 'ht-004']],
  ['what does GB/T 19001-2016 demand', ['19001-2016']],
  ['part ISO9001 or FP03X9', ['iso9001', 'fp03x9']],
  ['工号0007的员工是谁', ['0007']],
  ['which invoice is 3,456.78', ['3456.78']],
  ['2024-03-05 的考勤状态', ['2024-03-05']],
  ['which letter says "without undue delay"?', ['without undue delay']],
  ['哪一条写着“不可抗力 事件”', ['不可抗力事件']],
  ['where is `read_all` called', ['read_all']],
  ['v1.2.3', ['v1.2.3']],
])('the exact parts of %s', (question, parts) => {
  expect(partsOf(question)).toEqual(parts)
})

test.each([
  'What happened in 1974?',
  'the war of 1914-1918',
  'a 20-year-old of the 19th-century, mid-1990s',
  'how many of the 300 men',
  '2024年3月的费用',
  'the A4 paper in 3D of Q1',
  'well-known words',
  'the dog\'s tail isn\'t "a"',
])('no exact part in: %s', (question) => {
  expect(partsOf(question)).toEqual([])
})

test.each([
  ['合同HT-003号', true],
  ['编号 · HT-003 · 甲', true],
  ['HT‐003.', true],
  ['see HT-003 - the lease', true],
  ['HT-0031', false],
  ['HT-003-2', false],
  ['XHT-003', false],
  ['A-HT-003', false],
  ['HT 003', false],
])('HT-003 stands in: %s', (text, stands) => {
  expect(holdsExactly(plainly(text), exactPartsOf('HT-003')[0]!)).toBe(stands)
})

test('the best passage of each code leads, then the others that hold one, then the rest as they were', () => {
  const texts = ['about contracts', 'HT-003 first', 'HT-003 second', 'nothing', 'HT-004 here']
  const ranked = texts.map((text, index) => ({ text, score: 1 - index / 5 }))
  const ordered = exactFirst(ranked, exactPartsOf('HT-003 or HT-004'), ({ text }) => text)
  expect(ordered.map(({ text }) => text)).toEqual(['HT-003 first', 'HT-004 here', 'HT-003 second', 'about contracts', 'nothing'])
  expect(ordered.map(({ score }) => score)).toEqual(ordered.map(({ score }) => score).sort((a, b) => b - a))
})

test('a passage that holds all that is asked leads those that hold a part of it', () => {
  const ranked = ['HT-003', 'HT-004', 'HT-003 and HT-004'].map((text) => ({ text, score: 1 }))
  const ordered = exactFirst(ranked, exactPartsOf('HT-003 HT-004'), ({ text }) => text)
  expect(ordered.map(({ text }) => text)).toEqual(['HT-003 and HT-004', 'HT-003', 'HT-004'])
})
