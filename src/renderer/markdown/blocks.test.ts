import fc from 'fast-check'
import { expect, test } from 'vitest'
import { advanceBlocks, noBlocks, visibleTail, type Blocks } from './blocks.ts'

function grow(text: string, step: number): Blocks {
  let blocks = noBlocks
  for (let length = step; length < text.length + step; length += step) blocks = advanceBlocks(blocks, text.slice(0, length))
  return blocks
}

const answer = [
  '# Title\n',
  'A paragraph\nof two lines.\n',
  '1. one\n\n2. two\n\n   still two\n',
  '```ts\nconst a = 1\n\nconst b = 2\n```\n',
  '$$\nx\n\ny\n$$\n',
  '| a | b |\n|---|---|\n| 1 | 2 |\n',
  'The end.',
].join('\n')

test('blocks end where Markdown ends them: lists, code and formulas with blank lines inside stay whole', () => {
  const { finished, tailStart, text } = advanceBlocks(noBlocks, answer)
  expect(finished.map((block) => block.trim().slice(0, 12))).toEqual([
    '# Title',
    'A paragraph\n',
    '1. one\n\n2. t',
    '```ts\nconst ',
    '$$\nx\n\ny\n$$',
    '| a | b |\n|-',
  ])
  expect(text.slice(tailStart)).toBe('The end.')
})

test('however the text comes in pieces, the blocks are those of the whole text', () => {
  const whole = advanceBlocks(noBlocks, answer)
  for (const step of [1, 2, 3, 7, 50]) expect(grow(answer, step)).toEqual(whole)
})

test('a finished block never changes while text is added', () => {
  let blocks = noBlocks
  for (let length = 1; length <= answer.length; length += 1) {
    const next = advanceBlocks(blocks, answer.slice(0, length))
    expect(next.finished.slice(0, blocks.finished.length)).toEqual(blocks.finished)
    blocks = next
  }
})

test('no character is lost or said twice, whatever the text', () => {
  const line = fc.constantFrom('a', '- b', '1. c', '', '', '```', '$$', '  d', '| x |', '> q', '# h', '\\[')
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), fc.integer({ min: 1, max: 9 }), (lines, step) => {
      const text = lines.join('\n')
      const blocks = text === '' ? noBlocks : grow(text, step)
      expect(blocks.finished.join('') + text.slice(blocks.tailStart)).toBe(text)
    }),
  )
})

test('an answer that is replaced at its end is split anew', () => {
  const before = advanceBlocks(noBlocks, 'One [9].\n\nTwo')
  expect(advanceBlocks(before, 'One.\n\nTwo').finished).toEqual(['One.\n\n'])
})

test('half a citation marker is not shown', () => {
  const tail = (text: string) => visibleTail(advanceBlocks(noBlocks, text))
  expect([tail('Yes [1'), tail('Yes ['), tail('Yes [1]'), tail('Yes [1, 2'), tail('a [link')]).toEqual([
    'Yes ',
    'Yes ',
    'Yes [1]',
    'Yes ',
    'a [link',
  ])
})
