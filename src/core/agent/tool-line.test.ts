import { expect, test } from 'vitest'
import { readableLine } from './tool-line.ts'

test.each([
  ['Count “👍” in: 👨‍👩‍👧👍🏽🇨🇳', 'Count “👍” in: 👨‍👩‍👧👍🏽🇨🇳'],
  ['🏳️‍🌈 and 🏴󠁧󠁢󠁳󠁣󠁴󠁿', '🏳️‍🌈 and 🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
  ['a\u200D\u202Eb\nc', 'a b c'],
  // Tags that spell out hidden words, behind a flag that is none and alone.
  ['🏴\u{E0068}\u{E0069}\u{E007F}x', '🏴 x'],
  ['x\u{E0068}\u{E0069}', 'x'],
])('nothing hides in a line, and emoji stay whole: %j', (text, line) => {
  expect(readableLine(text)).toBe(line)
})

test('a line that is cut within an emoji ends with nothing invisible', () => {
  for (let most = 2; most < 9; most++) expect(readableLine('👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧', most)).not.toMatch(/\u200D…$/)
})
