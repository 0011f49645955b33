import { expect, test } from 'vitest'
import { gapsOf, withWordGaps, type Gap } from './word-gaps.ts'
import type { Sign } from './best-path.ts'

const pitch = 10
/** Signs ten columns apart, a step each; `_` in the picture is a wide gap behind the sign before it. */
function line(picture: string): { signs: Sign[]; gaps: Gap[] } {
  const signs: Sign[] = []
  const gaps: Gap[] = []
  for (const text of picture.replaceAll('_', '')) signs.push({ text, from: signs.length, to: signs.length })
  let index = -1
  for (const each of picture) {
    if (each === '_') gaps[index]! = { from: (index + 1) * pitch - 3, to: (index + 1) * pitch + 3 }
    else if (each !== ' ') gaps[(index += 1)] = { from: (index + 1) * pitch - 1, to: (index + 1) * pitch + 1 }
  }
  return { signs, gaps: gaps.slice(0, -1) }
}
const read = (picture: string, blankAt: (step: number) => number): string => {
  const { signs, gaps } = line(picture)
  return withWordGaps(signs, gaps, pitch, blankAt)
}

test('a wide gap at which the recogniser thought of a blank parts two words', () => {
  expect(read('of_the_quay', () => 0.02)).toBe('of the quay')
  expect(read('In_1702_a', (step) => (step === 1 ? 0.3 : 0))).toBe('In 1702a')
})

test('a gap alone parts nothing, and neither does a thought where letters stand close', () => {
  expect(read('of_the_quay', () => 0)).toBe('ofthequay')
  expect(read('thequay', () => 0.4)).toBe('thequay')
})

test('characters that are written without blanks stay together, and so do words and the marks at them', () => {
  expect(read('的_人_all_bells', () => 0.4)).toBe('的人all bells')
  expect(read('whoever_,_hearing_(_nothing_)', () => 0.4)).toBe('whoever, hearing (nothing)')
})

test('blanks that were read stay', () => {
  const signs = ['a', ' ', 'b', '人', ' ', 'c'].map((text, step) => ({ text, from: step, to: step }))
  expect(withWordGaps(signs, [], pitch, () => 0)).toBe('a b人 c')
})

test('gaps are the columns between ink, whatever the paper and however pale', () => {
  const [width, height, stride] = [12, 20, 16]
  const plane = new Float32Array(stride * height).fill(0.5)
  for (const x of [2, 3, 6, 9]) for (let y = 8; y < 14; y += 1) plane[y * stride + x] = 0.3
  // A speck at the edge is of another line, and what is padded no ink.
  plane[7] = -1
  for (let y = 0; y < height; y += 1) plane[y * stride + 14] = -1
  expect(gapsOf(plane, stride, width, height)).toEqual([
    { from: 4, to: 6 },
    { from: 7, to: 9 },
  ])
})
