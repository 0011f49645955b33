import { expect, test } from 'vitest'
import { linesOfSections } from './lines.ts'
import { quoteRanges } from './quote-ranges.ts'

test('a quote is found over line breaks and other spaces', () => {
  expect(quoteRanges(['one two', '  three', 'four'], 'two three four')).toEqual([
    { line: 0, from: 4, to: 7 },
    { line: 1, from: 0, to: 7 },
    { line: 2, from: 0, to: 4 },
  ])
})

test('a ligature and its letters are the same', () => {
  expect(quoteRanges(['comes', 'fi', 'rst.'], 'comes \ufb01rst')).toEqual([
    { line: 0, from: 0, to: 5 },
    { line: 1, from: 0, to: 2 },
    { line: 2, from: 0, to: 3 },
  ])
  expect(quoteRanges(['o\ufb03ce'], 'office')).toEqual([{ line: 0, from: 0, to: 4 }])
})

test('a word broken at the end of a line is the same word', () => {
  expect(quoteRanges(['It is par-', 'ticularly hard.'], 'is particularly hard')).toEqual([
    { line: 0, from: 3, to: 10 },
    { line: 1, from: 0, to: 14 },
  ])
  expect(quoteRanges(['a well-', 'known thing'], 'well-known thing').length).toBe(2)
  expect(quoteRanges(['soft\u00adly said'], 'softly said')).toEqual([{ line: 0, from: 0, to: 12 }])
})

test('a few letters are not found inside other signs', () => {
  expect(quoteRanges(['from 1-2 to'], '12')).toEqual([])
})

test('a quote that is not there marks nothing', () => {
  expect(quoteRanges(['one'], 'two')).toEqual([])
})

test('lines keep the numbers they have in the file, blank lines between sections included', () => {
  const lines = linesOfSections([
    { place: { kind: 'lines', from: 1, to: 2 }, text: 'a\nb' },
    { place: { kind: 'lines', from: 4, to: 4 }, text: 'c' },
    { place: { kind: 'lines', from: 7, to: 9 }, text: 'joined' },
  ])
  expect(lines.map((line) => `${line.number ?? '-'}${line.text}`)).toEqual(['1a', '2b', '3', '4c', '5', '7joined'])
})
