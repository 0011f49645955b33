import { expect, test } from 'vitest'
import { hasMath, prepareMath } from './math.ts'

test('a price stays a price', () => {
  const text = 'It costs $4 or $5, in all $9.'
  expect([prepareMath(text), hasMath(text)]).toEqual([text, false])
})

test('the bracket forms become the dollar forms that the parser knows', () => {
  expect(prepareMath('so \\(a^2\\) is')).toBe('so $$a^2$$ is')
  expect(prepareMath('then\\[ b \\]end')).toBe('then\n$$\nb\n$$\nend')
  expect(prepareMath('  $$ c $$ ')).toBe('$$\nc\n$$')
})

test('code is left alone, so that a shown regular expression keeps its brackets', () => {
  const text = 'use `\\(x\\)` or\n```js\nre = /\\(y\\)/\n```\nbut \\(z\\)'
  expect(prepareMath(text)).toBe('use `\\(x\\)` or\n```js\nre = /\\(y\\)/\n```\nbut $$z$$')
})
