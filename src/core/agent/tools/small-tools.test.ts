import { describe, expect, it } from 'vitest'
import type { Language } from '../../../contract/library.ts'
import { checkArguments, type Tool, type ToolContext } from '../tool.ts'
import { createCountLetters } from './count-letters.ts'
import { createGetCurrentDatetime } from './get-current-datetime.ts'

function call(tool: Tool, given: unknown, at = 0, language: Language = 'en'): unknown {
  const checked = checkArguments(tool, given)
  return checked.kind === 'ok' ? tool.run(checked.value, { now: () => at, language } as ToolContext) : checked.message
}

describe('get_current_datetime', () => {
  const tool = createGetCurrentDatetime()
  const at = Date.UTC(2026, 10, 30, 3, 4, 5)

  it('says date, time, weekday and week in a zone', () => {
    expect(String(call(tool, { zone: 'Asia/Shanghai' }, at)).replace('Monday, 30', 'Monday 30')).toBe(
      [
        '2026-11-30T11:04:05+08:00',
        'date: Monday 30 November 2026',
        'weekday: Monday',
        'time: 11:04:05',
        'time zone: Asia/Shanghai (UTC+08:00)',
        'ISO week: 49 of 2026; day 334 of the year',
      ].join('\n'),
    )
  })

  it.each([
    ['asia/shanghai', '2026-11-30T11:04:05+08:00'],
    ['Beijing', '2026-11-30T11:04:05+08:00'],
    ['北京', '2026-11-30T11:04:05+08:00'],
    ['New York', '2026-11-29T22:04:05-05:00'],
    ['UTC', '2026-11-30T03:04:05+00:00'],
    ['UTC+8', '2026-11-30T11:04:05+08:00'],
    ['GMT-3', '2026-11-30T00:04:05-03:00'],
    ['+05:00', '2026-11-30T08:04:05+05:00'],
    ['Asia/Kathmandu', '2026-11-30T08:49:05+05:45'],
  ])('understands %s', (zone, iso) => {
    expect(String(call(tool, { zone }, at)).split('\n')[0]).toBe(iso)
  })

  it.each([
    ['Mars/Olympus', /no time zone "Mars\/Olympus"\. Give a name like/],
    ['Argentina', /Similar ones: America\/Argentina\//],
    ['UTC+99', /no time zone/],
    ['constructor', /no time zone/],
  ])('says that there is no zone %s', (zone, words) => {
    expect(() => call(tool, { zone }, at)).toThrow(words)
  })

  it.each([
    ['chinese', '2026-02-17T04:00:00Z', /chinese calendar: 2026丙午年正月初一/],
    ['japanese', '2026-11-30T04:00:00Z', /令和8年11月30日/],
    ['hebrew', '2026-09-12T04:00:00Z', /1 Tishri 5787/],
    ['islamic', '2026-06-17T04:00:00Z', /Muharram 1|Muharram 2/],
    ['persian', '2026-03-21T12:00:00Z', /Farvardin 1/],
    ['roc', '2026-01-01T04:00:00Z', /民國115年1月1日/],
  ])('shows the %s calendar', (calendar, iso, words) => {
    expect(call(tool, { zone: 'Asia/Shanghai', calendar }, Date.parse(iso))).toMatch(words)
  })

  it.each([
    ['2024-12-30', 'ISO week: 1 of 2025; day 365 of the year'],
    ['2027-01-03', 'ISO week: 53 of 2026; day 3 of the year'],
    ['2026-01-01', 'ISO week: 1 of 2026; day 1 of the year'],
  ])('counts weeks as ISO 8601 does: %s', (day, words) => {
    expect(call(tool, { zone: 'UTC' }, Date.parse(`${day}T12:00:00Z`))).toContain(words)
  })

  it('speaks the language of the question', () => {
    expect(call(tool, { zone: 'Asia/Shanghai' }, at, 'zh')).toContain('2026年11月30日星期一')
  })

  it('takes the user’s own zone when none is given', () => {
    expect(call(tool, {}, at)).toContain(`time zone: ${new Intl.DateTimeFormat().resolvedOptions().timeZone}`)
  })
})

describe('count_letters', () => {
  const tool = createCountLetters()

  it.each([
    ['strawberry', 'r', '"strawberry" has "r" 3 times, at character 3, 8, 9 of 10'],
    ['Banana', 'b', '1 time, at character 1 of 6'],
    ['banana', 'ana', '1 time, at character 2 of 6'],
    ['banana', 'x', '"banana" has "x" 0 times of 6'],
    ['人山人海', '人', '2 times, at character 1, 3 of 4'],
    ['cafe\u0301', 'é', '1 time, at character 4 of 4'],
    ['👨‍👩‍👧a👨‍👩‍👧', '👨‍👩‍👧', '2 times, at character 1, 3 of 3'],
    ['a.b.c', '.', '2 times, at character 2, 4 of 5'],
    ['', 'a', '"" has "a" 0 times of 0'],
    [
      'aaaa',
      'aa',
      '2 times, at character 1, 3 of 4 (upper and lower case are the same). Counted without overlaps; with them it stands 3 times.',
    ],
    [
      'é',
      'e',
      '0 times of 1 (upper and lower case are the same). With accents, skin tones, and traditional and simplified forms taken for the same, it stands 1 time.',
    ],
    ['后後', '后', '1 time, at character 1 of 2 (upper and lower case are the same). With accents, skin tones, and traditional'],
    ['👍🏽👍', '👍', 'it stands 2 times.'],
  ])('in %s, %s', (text, letter, words) => {
    expect(call(tool, { text, letter })).toContain(words)
  })

  it('parts upper and lower case when asked', () => {
    expect(call(tool, { text: 'RrR', letter: 'r' })).toContain('3 times')
    expect(call(tool, { text: 'RrR', letter: 'r', case_sensitive: true })).toContain('1 time,')
  })

  it('counts everything there is', () => {
    expect(call(tool, { text: '汉字 and 2 words\nмир\n' })).toBe(
      [
        'characters: 19',
        'without spaces: 14',
        'letters: 13',
        'Chinese characters: 2',
        'digits: 1',
        'words: 5',
        'lines: 2',
        'bytes in UTF-8: 26',
      ].join('\n'),
    )
  })
})

it('takes common spellings of parameters for what they mean, and leaves what has its own name', () => {
  const clock = createGetCurrentDatetime()
  for (const name of ['timezone', 'tz', 'time_zone', 'timeZone']) expect(call(clock, { [name]: 'Asia/Tokyo' })).toContain('Asia/Tokyo')
  expect(call(clock, { zone: 'Asia/Shanghai', tz: 'Asia/Tokyo' })).toContain('Asia/Shanghai')
  expect(call(createCountLetters(), { word: 'strawberry', letter: 'r' })).toContain('3 times')
  expect(call(createCountLetters(), { word: 'strawberry', char: 'r' })).toContain('3 times')
})
