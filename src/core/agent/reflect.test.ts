import { expect, test } from 'vitest'
import { groundsOf, ungrounded } from './reflect.ts'

const grounds = groundsOf([
  'The rent is 1,234.50 euros from 2024-03-01, owed to Anna Bergmann. 21.3 °C. Population 9,314,685. 15 items.',
  'What does Bob pay?',
])

test.each([
  ['as it stands', 'Anna Bergmann gets 1234.50 euros.', []],
  ['rounded', 'About 1,235 euros; 21 °C; 9.3 million people.', []],
  ['a date in words', 'It began on 1 March 2024.', []],
  ['a date in figures', 'From 2024-03-01 on, or 2024/3/1.', []],
  ['another date in figures', 'From 2024-05-01 on.', ['5月']],
  ['in Chinese', '租金为1234.5欧元，自2024年3月1日起，付给 Bergmann。', []],
  ['small counts and lists', '1. Rent\n2. Heat\n## Sums\n- Water\nThere are 2 parts.', []],
  ['code', '```\nconst x = 98765\n```', []],
  ['words of the trade', 'Sure! Here is the Total: 1,234.50 euros. OK, done. Summary: it is IMPORTANT.', []],
  ['another number', 'The rent is 1334.50 euros.', ['1334.5']],
  ['rounded too far', 'About 2,500 euros.', ['2500']],
  ['another month', 'It began in May 2024.', ['5月']],
  ['another year', '从2023年开始。', ['2023']],
  ['another name', 'It is owed to Anna Bergstrom.', ['Bergstrom']],
])('%s', (_name, answer, missing) => {
  const language = /\p{Script=Han}/u.test(answer) ? 'zh' : 'en'
  expect(ungrounded(answer, language, grounds)).toEqual(missing)
})

const ruled = groundsOf(['How many r are in strawberry?', 'r: 3 times, at 3, 8, 9'], ['r: 3 times, at 3, 8, 9'], ['2. Do not guess.'])
const counted = groundsOf(['How many r are in strawberry?', 'The letter r occurs 3 times.'], ['The letter r occurs 3 times.'])
const percent = groundsOf(['3 / 20 = 0.15'], ['3 / 20 = 0.15'])
const lease = groundsOf(['The rent is 3,250 yuan a month, the deposit two months of it.'])

test.each([
  ['the count itself', 'There are three rs in strawberry.', counted, []],
  ['another count', 'There are 2 rs in strawberry.', counted, ['2']],
  ['a count that only the rules say', 'There are 2 rs in strawberry.', ruled, ['2']],
  ['another count in Chinese', 'strawberry 里有两个 r。', counted, ['2']],
  ['the count beside a number of parts', 'In 2 parts: straw has 1, berry 2, so 3.', counted, []],
  ['a share as a percentage', 'That is 15%.', percent, []],
  ['a share in Chinese', '也就是百分之十五。', percent, []],
  ['another percentage', 'That is 16 %.', percent, ['16']],
  ['a number that is no percentage', 'That is 15.', percent, ['15']],
  ['a product of what is said', '每月租金是3250元，押金是两个月，也就是6500元。', lease, []],
  ['a wrong product', '每月租金是3250元，押金是两个月，也就是6400元。', lease, ['6400']],
  ['a number with nothing beside it', 'The deposit is 6,500 yuan.', lease, ['6500']],
])('%s', (_name, answer, given, missing) => {
  const language = /\p{Script=Han}/u.test(answer) ? 'zh' : 'en'
  expect(ungrounded(answer, language, given)).toEqual(missing)
})
