import { expect, test } from 'vitest'
import { markTokens } from './marks.ts'

test('a mark goes through the colours of a line of code and leaves them', () => {
  const tokens = [{ text: 'return ', color: 'red' }, { text: 'price' }, { text: ' * 2', color: 'blue' }]
  expect(markTokens(tokens, [{ from: 3, to: 14, kind: 'quote' }])).toEqual([
    { text: 'ret', color: 'red', mark: null },
    { text: 'urn ', color: 'red', mark: 'quote' },
    { text: 'price', color: undefined, mark: 'quote' },
    { text: ' *', color: 'blue', mark: 'quote' },
    { text: ' 2', color: 'blue', mark: null },
  ])
})

test('what is searched for is seen over what is quoted', () => {
  const marks = [
    { from: 0, to: 6, kind: 'quote' },
    { from: 2, to: 4, kind: 'found' },
    { from: 2, to: 4, kind: 'now' },
  ] as const
  expect(markTokens([{ text: 'abcdefg' }], marks).map(({ text, mark }) => [text, mark])).toEqual([
    ['ab', 'quote'],
    ['cd', 'now'],
    ['ef', 'quote'],
    ['g', null],
  ])
})
