import { Converter } from 'opencc-js'
import { expect, test } from 'vitest'
import { foldedFrom, foldedTo } from './han-folding.ts'
import { languageOf } from './language.ts'
import { valueOfHanNumeral } from './numerals.ts'
import { matchAny, questionUnits, queryTerms } from './query.ts'
import { stemOf } from './stem.ts'
import { foldText, makeTerms } from './terms.ts'

const termsOf = (text: string): Set<string> => new Set(makeTerms(text).split(' '))
/** Whether a question finds a text by keyword. */
const finds = (question: string, text: string): boolean => queryTerms(question).some((term) => termsOf(text).has(term))

test.each([
  ['a two-character word', '租约', '本租约于明年到期'],
  ['a word glued to Chinese', 'gen-itgc', '重跑gen-itgc后再看'],
  ['traditional text by a simplified question', '软体开发', '軟體開發的流程'],
  ['simplified text by a traditional question', '漢語', '现代汉语词典'],
  ['full-width letters', 'ABC', '型号ＡＢＣ－１'],
  ['another inflection', 'city', 'the cities of the plain'],
  ['a doubled consonant', 'run', 'it was running late'],
  ['a part of an identifier', 'executor', 'struct DiffExecutor<A>'],
  ['snake case', 'bar', 'call foo_bar_baz()'],
  ['a capital run in an identifier', 'parse', 'parseHTMLText2'],
  ['accents left out', 'cafe', 'the Café'],
  ['a date in Chinese numerals by digits', '2026年', '二〇二六年十一月'],
  ['a date in digits by Chinese numerals', '十一月', '2026年11月3日'],
  ['a large number', '150万元', '一百五十万元'],
  ['a thousand separator', '1234567', 'a total of 1,234,567 units'],
  ['one character', '水', '水的沸点'],
])('finds %s', (_name, question, text) => {
  expect(finds(question, text)).toBe(true)
})

test('a stem never meets an exact form that only looks like it', () => {
  expect(finds('univers', 'universities')).toBe(false)
  expect([...termsOf('making')]).toEqual(['making', '_mak'])
})

test('single characters are asked for only when there is nothing else', () => {
  expect(queryTerms('水')).toEqual(['水'])
  expect(queryTerms('沸水')).toEqual(['沸水'])
})

test('stop words are searched only when a question has nothing else', () => {
  expect(queryTerms('What is the lease?')).toEqual(['lease', '_leas'])
  expect(queryTerms('to be or not to be')).not.toEqual([])
  expect(queryTerms('租约是什么')).toEqual(['租约'])
})

test('a word with its stem and parts is one thing that is asked for', () => {
  expect(questionUnits('DiffExecutor cities')).toEqual([
    { terms: ['diffexecutor', '_diffexecutor', 'diff', '_dif', 'executor', '_executor'] },
    { terms: ['cities', '_citi'] },
  ])
})

test.each([['""*'], ['a AND "b" NOT c*'], ['^x:y (z)'], ['\u0000\ud83d\ude00'], ['NEAR(a b)']])(
  '%j makes a harmless expression',
  (text) => {
    expect(matchAny(queryTerms(text))).not.toMatch(/""(?!")/)
  },
)

test('a very long run does not become a very long term', () => {
  expect(
    Math.max(
      ...makeTerms('a'.repeat(10_000))
        .split(' ')
        .map((term) => term.length),
    ),
  ).toBe(64)
})

test('inflections share a stem', () => {
  const pairs = ['make making', 'makes made', 'city cities', 'fall falling', 'stop stopped', 'box boxes', 'class classes', 'try tried']
  expect(pairs.filter((pair) => new Set(pair.split(' ').map(stemOf)).size > 1)).toEqual(['makes made'])
})

test('the table of characters is what OpenCC says now', () => {
  const toSimplified = Converter({ from: 't', to: 'cn' })
  const sample = '漢語開發軟體時間經濟學習電腦國際會議關係環境'
  expect(foldText(sample)).toBe(toSimplified(sample))
  expect(foldedFrom.length).toBe(foldedTo.length)
  const same = [...foldedFrom].filter((character, index) => toSimplified(character) === foldedTo.charAt(index))
  expect(same.length).toBeGreaterThan(foldedFrom.length * 0.85)
  // No chains: what is folded to is not folded further.
  expect([...foldedTo].filter((character) => foldedFrom.includes(character))).toEqual([])
  expect(foldText('什麼')).toBe('什么')
})

test.each([
  ['一百五十万', 1_500_000],
  ['二〇二六', 2026],
  ['三千零七', 3007],
  ['两亿五千万', 250_000_000],
  ['十一', 11],
  ['万', null],
  ['二○二六', 2026],
  ['叁拾万', 300_000],
  ['貳零貳陸', 2026],
  ['廿五', 25],
  ['卅', 30],
  ['一百二', 120],
  ['一千五', 1500],
  ['两千三', 2300],
  ['三十万五', 305_000],
  ['一百一十二', 112],
  ['三百五', 350],
  ['一万五', 15_000],
  ['一万二千五', 12_500],
  ['十万五', 105_000],
  ['一亿五', 150_000_000],
  ['一亿五万', 100_050_000],
  ['一百零二', 102],
  ['一千零五', 1005],
  ['一万零五', 10_005],
  ['一千零十五', 1015],
  ['一百二十五', 125],
  ['一百零二万', 1_020_000],
  ['五万亿', 5_000_000_000_000],
  ['一百二万', null],
  ['一百万五', null],
  ['一万亿五', null],
  ['一万二亿', null],
  ['五十百', null],
  ['一万二万', null],
])('%s is %j', (text, value) => {
  expect(valueOfHanNumeral(text)).toBe(value)
})

test.each([
  ['The lease ends in March.', 'en'],
  ['使用 Electron 的 safeStorage 保存密钥', 'zh'],
  ['Kublai Khan founded the Yuan dynasty (元朝) in China', 'en'],
  ['これは日本語の文章です', 'ja'],
  ['이것은 한국어입니다', 'ko'],
  ['Это русский текст', 'ru'],
  ['12.5 % · 2026', 'other'],
])('%j is %s', (text, language) => {
  expect(languageOf(text)).toBe(language)
})

test.each([
  ['2026年11月', '通知于二〇二六年十一月三十日发布'],
  ['2026年11月', '通知於二○二六年十一月三十日發布'],
  ['２０２６年１１月', '二零二六年十一月'],
  ['二〇二六年十一月', '2026年11月30日'],
  ['30万', '人民币叁拾万元整'],
  ['11月25日', '十一月廿五日'],
  ['租', '租金每月支付'],
  ['租金', '租金每月支付'],
  ['ＡＢＣ合同', 'abc 合同'],
  ['iPhone手机', '我的iphone手機'],
  ['軟體', '软体开发'],
])('%s finds %s by its value or its words', (question, text) => {
  const terms = new Set(makeTerms(text).split(' '))
  const found = questionUnits(question).flatMap((unit) => unit.terms.filter((term) => terms.has(term)))
  // Whole numbers, and the longest words there are.
  expect(found.filter((term) => term.length >= Math.min(2, question.length)).length).toBeGreaterThan(/年.*月/.test(question) ? 1 : 0)
})
