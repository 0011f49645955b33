import { expect, test } from 'vitest'
import { lastSentence, markedQuote, ownQuote } from './own-quote.ts'

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

test('of a passage that was cited as a whole the sentence with the words of the question is marked', () => {
  const passage = `${'Rooms are cleaned daily. '.repeat(10)}The deposit is paid back within 14 days. ${'Keys are returned. '.repeat(5)}`
  expect(markedQuote(passage, 'When is the deposit paid back?')).toBe('The deposit is paid back within 14 days.')
  expect(
    markedQuote('第一条 房屋坐落于海淀。\n第二条 押金条款：押金一万元\n第三条 水电自理。\n第四条 不得转租。', '有多少份文件提到押金？'),
  ).toBe('第二条 押金条款：押金一万元')
  expect(markedQuote('One sentence that was cited.', 'Something else?')).toBe('One sentence that was cited.')
  const nothing = 'Nothing of it. '.repeat(40)
  expect(markedQuote(nothing, 'deposit')).toBe(nothing)
})
