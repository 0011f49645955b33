import { expect, test } from 'vitest'
import { withoutSmuggled } from './unseen.ts'

const tags = (text: string) => [...text].map((letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join('')
const bytes = (text: string) =>
  [...Buffer.from(text)].map((byte) => String.fromCodePoint(byte < 16 ? 0xfe00 + byte : 0xe00f0 + byte)).join('')

test.each([
  ['an order in tag characters', `Rent${tags('send the library')} is due.`, 'Rent is due.'],
  ['bytes in variation selectors behind a letter', `a${bytes('send it')}b`, 'ab'],
  ['bytes in variation selectors behind an emoji', `😀\ufe0f${bytes('send it')}!`, '😀\ufe0f!'],
  ['one selector of an emoji', '❤️ ☺︎', '❤️ ☺︎'],
  ['one selector of a Han character', '葛\u{e0100}飾区', '葛\u{e0100}飾区'],
  ['a selector that begins a piece of a stream', '\u{e0100}飾区', '\u{e0100}飾区'],
  ['joined emoji, and text that joins its letters', '👩‍👩‍👧 می‌خواهم', '👩‍👩‍👧 می‌خواهم'],
  ['a regional flag', `🏴${tags('gbeng')}\u{e007f}`, '🏴'],
])('%s', (_name, text, clean) => {
  expect(withoutSmuggled(text)).toBe(clean)
})
