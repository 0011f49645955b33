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

test('a formula between two dollars stands by itself, also in the midst of a line, but not out of a table or a list', () => {
  expect(prepareMath('sum $$ a $$ and \\(b\\) so')).toBe('sum\n$$\na\n$$\nand $$b$$ so')
  for (const line of ['| a | $$x$$ |', '- a $$x$$ b', '> a $$x$$ b', '1. a $$x$$']) expect(prepareMath(line)).toBe(line)
})
