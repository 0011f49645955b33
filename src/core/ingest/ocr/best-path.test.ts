import { expect, test } from 'vitest'
import { bestPath } from './best-path.ts'

const characters = ['', 'a', 'b', '库']

/** One-hot rows, likeliest class and its value. */
function steps(...path: [number, number][]): Float32Array {
  const data = new Float32Array(path.length * characters.length)
  path.forEach(([best, value], step) => (data[step * characters.length + best] = value))
  return data
}

test.each([
  ['repeats are one character', [1, 1, 1, 3], 'a库'],
  ['a blank between two parts them', [1, 0, 1], 'aa'],
  ['another character between needs no blank', [1, 2, 1], 'aba'],
  ['only blanks are nothing', [0, 0, 0], ''],
])('%s', (_what, path, text) => {
  expect(bestPath(steps(...path.map((best): [number, number] => [best, 0.9])), path.length, 4, characters).text).toBe(text)
})

test('confidence is the mean over the characters that stay, not over blanks', () => {
  const { confidence } = bestPath(steps([0, 1], [1, 0.8], [0, 1], [2, 0.6]), 4, 4, characters)
  expect(Math.round(confidence * 100)).toBe(70)
  expect(bestPath(steps([0, 1]), 1, 4, characters).confidence).toBe(0)
})

test('each character has the steps at which it stands', () => {
  expect(bestPath(steps([0, 1], [1, 0.8], [1, 0.9], [0, 1], [3, 0.7]), 5, 4, characters).signs).toEqual([
    { text: 'a', from: 1, to: 2 },
    { text: '库', from: 4, to: 4 },
  ])
})
