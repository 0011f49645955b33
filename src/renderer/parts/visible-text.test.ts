import { expect, test } from 'vitest'
import { visibleParts } from './visible-text.ts'

const shown = (text: string) =>
  visibleParts(text)
    .map((part) => (part.hidden ? `[${part.text}]` : part.text))
    .join('')

test('a bidi override cannot turn an address round, and tag characters cannot carry words unseen', () => {
  expect(shown('a\u202Egro.elpmaxe')).toBe('a[U+202E]gro.elpmaxe')
  expect(shown('hi\u{E0073}\u{E0065}')).toBe('hi[U+E0073][U+E0065]')
  expect(shown('pay\u200Bpal \u00A0 \u0007 \uFEFF')).toBe('pay[U+200B]pal [U+00A0] [U+0007] [U+FEFF]')
})

test('plain text of either language keeps its letters, lines and emoji', () => {
  expect(shown('写一段话\n\twith émigré 🙂')).toBe('写一段话\n\twith émigré 🙂')
})

test('a lone surrogate, a variation selector and a line separator are seen', () => {
  expect(shown('\uD800\u2028\u{E0101}')).toBe('[U+D800][U+2028][U+E0101]')
})
