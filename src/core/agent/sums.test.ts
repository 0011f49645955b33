import { expect, test } from 'vitest'
import { wrongSums } from './sums.ts'

test.each([
  ['12.5 * 8 = 108.', '100'],
  ['So 12.5 × 8 = **108** in all.', '100'],
  ['3 + 4 等于 8。', '7'],
  ['\\(12 \\times 12 = 124\\)', '144'],
  ['合计：1,250 × 3 = 3,850 元', '3750'],
  ['| 2 x 21 = 43 |', '42'],
  ['(2 + 3) * 4 = 24', '20'],
  ['2^10 = 1000', '1024'],
  ['10 / 4 = 3.1', '2.5'],
  ['$19.99 + $5.01 = $26', '25'],
  ['2 + 2 = 5 × 4 = 20', '4'],
  ['9.11 is greater than 9.9.', '9.11 < 9.9'],
  ['9.11 > 9.9', '9.11 < 9.9'],
  ['So 9.11 is greater than 9.9.', '9.11 < 9.9'],
  ['9.11 比 9.9 大。', '9.11 < 9.9'],
  ['所以 9.11 大于 9.9。', '9.11 < 9.9'],
])('a sum that is wrong: %s', (answer, value) => {
  expect(wrongSums(answer).map((wrong) => wrong.value)).toEqual([value])
})

test.each([
  '12.5 * 8 = 100.',
  '10 / 3 = 3.33',
  '10 / 3 = 3',
  '10 / 3 ≈ 3.3',
  '100 / 8 = 12 remainder 4',
  '17 ÷ 5 = 3 余 2',
  '1/2 + 1/3 = 5/6',
  '2 + 3 = 5 × 4 = 20',
  '1,250 × 3 = 3,750 元',
  '12,5 * 8 = 100',
  '2026-03-01 - 2026-01-15 = 45 days',
  '2024-2020 = 4',
  '5 km * 3 + 2 = 17 km',
  '2x + 3 * 2 = 8',
  '7 % 3 = 1',
  '15% of 80 = 12',
  '3.2 × 4 = 12.8 万元',
  '3 * 500 = 1.5k',
  '0.1 + 0.2 = 0.3',
  '1 + 1 = 2 and 2 + 2 = 4',
  'Is 9.11 greater than 9.9?',
  '9.11 is not greater than 9.9',
  'If 3 + 4 = 8, then nothing holds.',
  '9.9 is greater than 9.11',
  '9.11 比 9.9 小',
  '版本 3.10 > 3.9 的说法不对',
  '`a[2] + 3 = 4`',
  '```\n1 + 1 = 3\n```',
  'See pages 3-5 = three pages',
  '第 3-5 页 = 三页',
  'f(2) + 3 = 9',
  '1000 * 1.075^3 = 1242',
  '1000 * 1.075^3 = 1242.30',
  '3 m + 20 cm = 3.2 m',
  '5 kg is less than 6000 g',
  'ISO 9001 > 14001',
  'Python 3.10 is higher than 3.9.',
  'We need Node.js 20.10, and Node.js 20.10 is greater than 20.9.',
  'The version 3.10 is greater than 3.9.',
  '版本 3.10 大于 3.9。',
  '第 3.10 条高于 3.9。',
])('nothing is said of: %s', (answer) => {
  expect(wrongSums(answer)).toEqual([])
})

test('a long answer without sums costs next to nothing, and hostile ones end', () => {
  for (const text of [
    'word '.repeat(20_000),
    '1+'.repeat(20_000),
    '('.repeat(20_000),
    '1 '.repeat(20_000),
    '-'.repeat(20_000),
    '1,'.repeat(20_000),
  ])
    wrongSums(text)
}, 20_000)
