import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Tokenizer as Reference } from '@huggingface/tokenizers'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compileVocabulary } from './compile-vocabulary.ts'
import { loadTokenizer, type Tokenizer } from './embed.ts'
import { classOf } from './normalize.ts'

const resourcesDir = join(import.meta.dirname, '..', '..', '..', 'resources')
const folder = join(resourcesDir, 'models', 'multilingual-e5-small')
const tokenizerJson = readFileSync(join(folder, 'tokenizer.json'), 'utf8')
let tokenizer: Tokenizer
let reference: Reference
const temporary = mkdtempSync(join(tmpdir(), 'siku-tokenizer-'))

beforeAll(async () => {
  tokenizer = await loadTokenizer(resourcesDir)
  reference = new Reference(JSON.parse(tokenizerJson) as object, {})
})
afterAll(() => rmSync(temporary, { recursive: true, force: true }))

function expected(text: string): number[] {
  return reference.encode(text, { add_special_tokens: false }).ids
}

const texts: [string, string][] = [
  ['nothing', ''],
  ['English', 'The lease ends on 31 March 2026; rent is $1,250.50 a month (incl. heating).'],
  ['Chinese', '四库全书共收书三千四百余种，七万九千余卷。今天天气很好，我们去公园散步吧！'],
  ['Japanese', '吾輩は猫である。名前はまだ無い。ガラスとｶﾞﾗｽ、ﾊﾟﾝ。'],
  ['mixed', '重跑gen-itgc后，请检查 build/output.log 里的 ERROR 行。'],
  ['code', 'const totalCount = items.reduce((a, b) => a + b.count_of_things, 0) // TODO(x)\n\treturn `${totalCount}`'],
  ['emoji', '👨‍👩‍👧‍👦 🇨🇳🏳️‍🌈 ok 👍🏽!'],
  ['combining marks', 'e\u0301 a\u0301\u0323\u0301 \u0301abc か\u3099 각 \u1100\u1161\u11a8 Å'],
  ['full-width and compatibility forms', 'Ａｂｃ　１２３ ①②㍿ ﬁ ﬂ ½ ² ™'],
  ['other scripts', 'नमस्ते สวัสดี مرحبا שלום Привет ελληνικά'],
  ['rare ideographs', '𠀀𠀁𪚥 ⿰ 龘靐齉爩'],
  ['control and zero-width characters', 'a\u0000b\u0001\u007f c\u200bd\u200f\ufeffe e\u200b\u0301 \u0085 \u2028'],
  ['spaces', ' \t a  b\r\n\r\nc\u00a0\u3000d  '],
  ['only spaces', ' \n '],
  ['only removed characters', '\u0000\u200b'],
  ['lone surrogates', '\ud83d a \ude00\ud83d'],
  ['a pair parted by a removed character', '\ud83d\u200b\ude00'],
  ['metaspace written out', '▁a▁ ▁▁b'],
  ['special tokens', 'a<s>b</s> <mask> <unk><unk><pad> < s> <s'],
  ['special tokens after normalisation', '＜s＞'],
  ['special tokens within', 'x ＜s＞ y <\u200bs>'],
  ['unknown neighbours', '\ue000\ue001 \u{f0000}\u{10ffff}q'],
  ['a long run of one letter', 'a'.repeat(2000)],
  ['a long run of one ideograph', '哈'.repeat(1500)],
  ['long runs of signs', '='.repeat(700) + '.'.repeat(700) + '-='.repeat(500) + '0'.repeat(1001)],
]

describe('ids are those of the reference tokenizer', () => {
  test.each(texts)('%s', (_name, text) => {
    expect([...tokenizer.encode(text)]).toEqual(expected(text))
  })

  test('any text at all, well-formed or not', () => {
    const character = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 3 }),
      fc.string({ unit: 'binary', maxLength: 3 }),
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
      fc.integer({ min: 0x4e00, max: 0x9fff }).map((unit) => String.fromCharCode(unit)),
      fc.constantFrom(' ', '  ', '\n', '▁', '<s>', '\u200b', '\u0301', '\u0323', 'the', 'ing', '的', '。', '--', '00'),
    )
    fc.assert(
      fc.property(fc.array(character, { maxLength: 40 }), (parts) => {
        const text = parts.join('')
        expect([...tokenizer.encode(text)]).toEqual(expected(text))
      }),
      { numRuns: 2000, seed: 20 },
    )
  })

  test('where two ways are equally likely but for rounding', () => {
    const part = fc.constantFrom('a', 'aa', '-', '--', '.', '..', '的', '0', '00', 'ab', 'ha', '。', '=', ' ')
    fc.assert(
      fc.property(fc.array(part, { minLength: 50, maxLength: 300 }), (parts) => {
        const text = parts.join('')
        expect([...tokenizer.encode(text)]).toEqual(expected(text))
      }),
      { numRuns: 300, seed: 21 },
    )
  })
})

describe('offsets', () => {
  test('point at what each token came from, also after characters that normalisation changes', () => {
    const text = 'Ｔｈｅ ﬁrst\u200b  line\n第二行 👍 e\u0301nd'
    const { ids, starts } = tokenizer.encodeWithOffsets(text)
    expect([...ids]).toEqual(expected(text))
    const pieces = [...starts].map((start, index) => text.slice(start, starts[index + 1] ?? text.length).trim())
    expect(pieces).toEqual(['Ｔｈｅ', 'ﬁrst\u200b', 'line', '第二', '行', '', '👍', 'e\u0301n', 'd'])
  })

  test('never decrease and stay inside, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const { ids, starts } = tokenizer.encodeWithOffsets(text)
        expect(starts.length).toBe(ids.length)
        starts.forEach((start, index) => {
          expect(start).toBeGreaterThanOrEqual(index === 0 ? 0 : starts[index - 1]!)
          expect(start).toBeLessThan(Math.max(1, text.length))
        })
      }),
      { numRuns: 500, seed: 22 },
    )
  })
})

test('normalising pieces between attaching characters is NFKC of the whole: a wrong class would change ids somewhere', () => {
  const attaching = classOf(0x301)
  const wrong: string[] = []
  for (let codePoint = 0xa0; codePoint < 0x30000; codePoint++) {
    if ((codePoint >= 0xd800 && codePoint <= 0xdfff) || classOf(codePoint) === attaching) continue
    const character = String.fromCodePoint(codePoint)
    for (const before of ['e', '가', 'か', '\u0915']) {
      if ((before + character).normalize('NFKC') !== before.normalize('NFKC') + character.normalize('NFKC')) wrong.push(character)
    }
  }
  expect(wrong).toEqual([])
})

test('the window leaves room for what stands around a passage', () => {
  const text = 'word '.repeat(800)
  const ids = tokenizer.encode(text).slice(0, tokenizer.passageBudget)
  const whole = reference.encode(`passage: ${'word '.repeat(ids.length)}`.trimEnd()).ids
  expect(whole.length).toBe(512)
  expect(tokenizer.count(text)).toBe(expected(text).length)
  expect([0, ...tokenizer.passagePrefixIds, ...tokenizer.encode('a b'), 2]).toEqual(reference.encode('passage: a b').ids)
  expect([0, ...tokenizer.questionPrefixIds, ...tokenizer.encode('谁？'), 2]).toEqual(reference.encode('query: 谁？').ids)
})

test('a million characters without a space are tokenised in one pass', () => {
  expect(tokenizer.count('a'.repeat(1_000_000))).toBeGreaterThan(100_000)
  expect(tokenizer.count('\u0301\u0323'.repeat(500_000))).toBeGreaterThan(1000)
})

test('the compiled file is what the script makes of tokenizer.json, and its checksum is kept', () => {
  const compiled = readFileSync(join(folder, 'tokenizer.bin'))
  const sum = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
  expect(sum(compileVocabulary(tokenizerJson))).toBe(sum(compiled))
  expect(readFileSync(join(folder, 'SHA256SUMS'), 'utf8')).toContain(`${sum(compiled)}  tokenizer.bin`)
})

test('another kind of tokenizer does not compile to wrong ids', () => {
  const other = JSON.parse(tokenizerJson) as { normalizer: unknown }
  other.normalizer = { type: 'NFC' }
  expect(() => compileVocabulary(JSON.stringify(other))).toThrow()
})

test('a damaged or missing file is said to be so, never used', async () => {
  const copy = join(temporary, 'models', 'multilingual-e5-small')
  await expect(loadTokenizer(temporary)).rejects.toMatchObject({ code: 'embedding' })
  mkdirSync(copy, { recursive: true })
  cpSync(join(folder, 'SHA256SUMS'), join(copy, 'SHA256SUMS'))
  const bytes = readFileSync(join(folder, 'tokenizer.bin'))
  bytes[bytes.length >> 1]! ^= 1
  writeFileSync(join(copy, 'tokenizer.bin'), bytes)
  await expect(loadTokenizer(temporary)).rejects.toMatchObject({ code: 'embedding' })
})
