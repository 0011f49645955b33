import { readFileSync } from 'node:fs'
import { getEncoding } from 'js-tiktoken'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitByLines } from './split-lines.ts'
import { loadLineTokenizer } from './split-tokens.ts'

interface Golden {
  name: string
  text: string
  maxTokens: number
  overlap: number
  chunks: string[]
}
const golden = JSON.parse(readFileSync(new URL('../../../test/fixtures/chunk-lines.json', import.meta.url), 'utf8')) as Golden[]
const tokenizer = await loadLineTokenizer()

describe('the rule by lines', () => {
  it.each(golden)('gives exactly the recorded pieces: $name', ({ text, chunks, ...options }) => {
    expect(splitByLines(text, tokenizer, options).map((piece) => piece.text)).toEqual(chunks)
  })

  it('never cuts inside a character, where the classic leaves half of one', () => {
    const line = '🀄龘𠮷'.repeat(400)
    const pieces = splitByLines(line, tokenizer, { maxTokens: 60, overlap: 15 })
    expect(pieces.length).toBeGreaterThan(10)
    for (const piece of pieces) expect(/\p{Surrogate}/u.test(piece.text)).toBe(false)
  })

  it('strips and breaks lines as Python does, and keeps a byte-order mark', () => {
    const pieces = splitByLines('\uFEFF a\u3000\x85\x1f b \u2028c\vd', tokenizer, { maxTokens: 600, overlap: 150 })
    expect(pieces.map((piece) => piece.text)).toEqual(['\uFEFF a\nb\nc\nd'])
  })

  it('lets blank lines count, and shows no break before the first words', () => {
    const [first, second] = splitByLines('\n\n' + 'one two three\n'.repeat(3), tokenizer, { maxTokens: 14, overlap: 2 }).map(
      (piece) => piece.text,
    )
    expect([first, second]).toEqual(['one two three\none two three', 'ee\none two three'])
  })

  it('says where in the source each piece stands', () => {
    const text = golden[0]!.text
    for (const piece of splitByLines(text, tokenizer, { maxTokens: 600, overlap: 150 }))
      expect(text.slice(piece.start, piece.end)).toBe(piece.text)
  })
})

describe('its tokenizer', () => {
  const reference = getEncoding('cl100k_base')

  it('makes the tokens of js-tiktoken', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'grapheme', maxLength: 80 }),
          fc.string({ unit: 'binary', maxLength: 200 }),
          fc.string({ maxLength: 300 }),
        ),
        (text) => {
          expect(tokenizer.count(text)).toBe(reference.encode(text, [], []).length)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('makes them in long runs too, where the heap takes over', () => {
    for (const text of ['a'.repeat(700), '测试'.repeat(300), 'abc'.repeat(200) + ' ' + '='.repeat(333), 'xyzxyxzyxzaab'.repeat(60)]) {
      const ends = tokenizer.tokens(text).ends
      const expected = reference.encode(text, [], [])
      expect(ends.length).toBe(expected.length)
    }
  })

  it('is not quadratic: 200,000 equal letters are counted', () => {
    expect(tokenizer.count('a'.repeat(200_000))).toBe(25_000)
  })
})
