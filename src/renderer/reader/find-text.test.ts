import { expect, test } from 'vitest'
import { findText } from './find-text.ts'

function found(pieces: string[], words: string): string[] {
  return findText(pieces, words).map((ranges) => ranges.map(({ line, from, to }) => (pieces[line] ?? '').slice(from, to)).join('|'))
}

test('case and width do not matter, blanks do', () => {
  expect(found(['A car types of art. ART, ｂｒ'], 'art')).toEqual(['art', 'ART'])
  expect(found(['ＡＢＣ１２３'], 'abc123')).toEqual(['ＡＢＣ１２３'])
  expect(found(['two  words'], 'two words')).toEqual(['two  words'])
})

test('a border between pieces is a blank or nothing', () => {
  expect(found(['the dep', 'osit is'], 'deposit')).toEqual(['dep|osit'])
  expect(found(['paid', 'back'], 'paid back')).toEqual(['paid|back'])
  expect(found(['押金', '应当退还'], '押金应当')).toEqual(['押金|应当'])
})

test('signs of patterns are letters like others, and nothing is found for nothing', () => {
  expect(found(['f(x) = [1]', '.*'], '[1].*')).toEqual(['[1]|.*'])
  expect(found(['a'], '  ')).toEqual([])
})

test('places do not overlap and are no more than asked for', () => {
  expect(findText(['aaaaa'], 'aa').length).toBe(2)
  expect(findText(['a'.repeat(5000)], 'a', 10).length).toBe(10)
})
