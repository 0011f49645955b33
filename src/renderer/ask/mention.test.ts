import { expect, test } from 'vitest'
import { mentionBefore, withoutMention } from './mention.ts'

test.each([
  ['@', 0, ''],
  ['看看@租约', 2, '租约'],
  ['see @lea', 4, 'lea'],
  ['＠合同', 0, '合同'],
  ['(@x', 1, 'x'],
])('%s is a mention', (text, at, query) => {
  expect(mentionBefore(text, text.length)).toEqual({ at, query })
})

test.each(['me@example.org', '@done and on', '@@', 'a.@b', 'no'])('%s is none', (text) => {
  expect(mentionBefore(text, text.length)).toBeNull()
})

test('only what stands before the caret counts, and only that is taken out', () => {
  const text = 'ask @rent now'
  const mention = mentionBefore(text, 9)
  expect(mention).toEqual({ at: 4, query: 'rent' })
  if (mention === null) return
  expect(withoutMention(text, 9, mention)).toEqual({ text: 'ask  now', caret: 4 })
  expect(withoutMention('@we', 3, { at: 0, query: 'we' }, 'get_weather')).toEqual({ text: 'get_weather ', caret: 12 })
})
