import { expect, test } from 'vitest'
import { lastSentence, ownQuote } from './own-quote.ts'

const source = 'The machine is descaled every\nthree months. The filter is changed in May. 押金在三十日内退还。水电费由租客承担。'

test('each sentence marks itself in its source, not the first one', () => {
  expect(ownQuote(source, '- The filter is **changed** in May. [1]')).toBe('The filter is changed in May.')
  expect(ownQuote(source, 'The machine is descaled every three months. [1]')).toBe('The machine is descaled every\nthree months.')
  expect(ownQuote(source, '水电费由租客承担。[1]')).toBe('水电费由租客承担。')
})

test('words of one’s own mark the sentence that is most like them, and words of nothing mark nothing', () => {
  expect(ownQuote(source, '租客要承担水电费用。[2]')).toBe('水电费由租客承担。')
  expect(ownQuote(source, 'You should change the filter each May [1].')).toBe('The filter is changed in May.')
  expect(ownQuote(source, 'Trains leave at noon.')).toBeNull()
})

test('a full stop in a number ends no sentence', () => {
  expect(lastSentence('It is late. It costs 4.50 euros')).toBe('It costs 4.50 euros')
})
