import { expect, test } from 'vitest'
import { hasOnlyYearOf, monthsIn, sameMonthFirst } from './months.ts'

test.each([
  '会议定于2026年11月召开',
  '会议定于二〇二六年十一月召开',
  '二○二六年十一月四日',
  '２０２６年１１月',
  '2026 年 11 月',
  'on 2026-11-04',
  '2026/11',
  'in November 2026',
  'on 4 Nov 2026',
  'Nov. 4th, 2026',
])('%s is of 2026-11', (text) => {
  expect([...monthsIn(text)]).toEqual(['2026-11'])
})

test('a text of the same year is of another time, unless the month stands apart from the year', () => {
  expect(hasOnlyYearOf('2026年工作计划：3月检查。', '2026-11')).toBe(true)
  expect(hasOnlyYearOf('二〇二六年度预算', '2026-11')).toBe(true)
  expect(hasOnlyYearOf('2026年度：11月检查。', '2026-11')).toBe(false)
  expect(hasOnlyYearOf('The 2026 plan: an inspection in November.', '2026-11')).toBe(false)
  expect(hasOnlyYearOf('2025年11月', '2026-11')).toBe(false)
})

test.each(['2026年11月有什么安排？', '二〇二六年十一月有什么安排？', '２０２６年１１月的安排', 'What is planned in November 2026?'])(
  '%s finds that month before what only shares the year',
  (question) => {
    const texts = ['2026年6月的工作安排', '没有日期的安排', '2026年全年安排', '停水时间为二〇二六年十一月', '验收于２０２６年１１月进行']
    const ranked = texts.map((text, index) => ({ text, score: 10 - index }))
    expect(sameMonthFirst(question, ranked, ({ text }) => text)).toEqual([
      { text: texts[3], score: 10 },
      { text: texts[1], score: 9 },
      { text: texts[4], score: 8 },
      { text: texts[0], score: 7 },
      { text: texts[2], score: 6 },
    ])
    expect(sameMonthFirst('2026年有什么安排？', ranked, ({ text }) => text)).toEqual(ranked)
  },
)
