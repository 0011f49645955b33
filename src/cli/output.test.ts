import { expect, test } from 'vitest'
import { oneLine, placeText, table } from './output.ts'
import { wordsFor } from './words.ts'

test('a name keeps to its line, whatever is in it, and stays to be seen', () => {
  expect(oneLine('a\nb\r\tc\u001b[31m\u202ed\u0085.txt')).toBe('a\\nb\\r\\tc\\u001b[31m\\u202ed\\u0085.txt')
  expect(oneLine('合同 (1) “a”.pdf')).toBe('合同 (1) “a”.pdf')
  expect(
    table([
      ['ready', 'evil\nfailed  x.txt'],
      ['failed', 'b'],
    ]),
  ).toBe('ready   evil\\nfailed  x.txt\nfailed  b')
})

test('so does a place', () => {
  expect(placeText({ kind: 'sheet', sheet: 'A\nB', from: 1, to: 2 }, wordsFor('en'))).not.toContain('\n')
})
