import fc from 'fast-check'
import { expect, test } from 'vitest'
import { citeText, createCiter, withoutMarkers } from './cite.ts'

const isKnown = (marker: number): boolean => marker >= 1 && marker <= 5

test.each([
  ['The rent is 4,200 yuan [1]. It rises [2][3].', 'The rent is 4,200 yuan [1]. It rises [2][3].', 0],
  ['Glued to a word[1]. Listed [1, 2]、[1，3;4].', 'Glued to a word[1]. Listed [1][2]、[1][3][4].', 0],
  ['租金为4200元【1】，每季度支付［2］。见[来源3]、【4†lease.md】。', '租金为4200元[1]，每季度支付[2]。见[3]、[4]。', 0],
  ['Footnote [^1], spaced [ 2 ], range [2-4], named [Source 5].', 'Footnote [1], spaced [2], range [2][3][4], named [5].', 0],
  ['To nothing [9]. Half [1, 7]. Zero [0]. Next [12] word.', 'To nothing. Half [1]. Zero. Next word.', 4],
  [
    'A year [2024], a task [x] and [ ], a [link](u), [see 1 below], [], [1',
    'A year [2024], a task [x] and [ ], a [link](u), [see 1 below], [], [1',
    0,
  ],
  ['Code `a[9]` and ``b`[9]`` then [9]', 'Code `a[9]` and ``b`[9]`` then', 1],
  ['```js\nx = y[9] // [8]\n```\nafter [9]', '```js\nx = y[9] // [8]\n```\nafter', 1],
  ['~~~\na[7]\n~~~\nrent [1]', '~~~\na[7]\n~~~\nrent [1]', 0],
  ['An unclosed `tick\nthen [9]', 'An unclosed `tick\nthen', 1],
  ['In prose array[7], my_list[8], items() [1], argv[9].', 'In prose array[7], my_list[8], items() [1], argv[9].', 0],
  ['About ~5 [1] and a ~ [9] b', 'About ~5 [1] and a ~ b', 1],
])('%s', (text, expected, dropped) => {
  expect(citeText(text, isKnown)).toEqual({ text: expected, dropped })
  // Streamed, wherever the pieces are cut.
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: text.length }), { maxLength: 12 }), (cuts) => {
      const citer = createCiter(isKnown)
      let out = ''
      let from = 0
      for (const cut of [...cuts.sort((a, b) => a - b), text.length]) {
        out += citer.push(text.slice(from, cut))
        from = cut
      }
      expect([out + citer.flush(), citer.dropped]).toEqual([expected, dropped])
    }),
  )
})

test('any text at all is only changed in its markers, and whole and streamed agree', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('[', ']', '1', '9', ',', ' ', '`', '```', '~~~', '\n', 'a', '【', '】', '^', '书', 'array', '(', ')'), {
        maxLength: 40,
      }),
      (parts) => {
        const whole = citeText(parts.join(''), isKnown)
        const citer = createCiter(isKnown)
        const streamed = parts.map((part) => citer.push(part)).join('') + citer.flush()
        expect(streamed).toBe(whole.text)
        const plain = (text: string): string => text.replace(/[[\]【】\d,^\s]/g, '')
        expect(plain(whole.text)).toBe(plain(parts.join('')))
      },
    ),
  )
})

test('the first word of an answer does not wait for the second', () => {
  const citer = createCiter(isKnown)
  expect(citer.push('The')).toBe('The')
  expect(citer.push(' rent')).toBe(' rent')
  expect(citer.push(' [')).toBe('')
  expect(citer.push('1')).toBe('')
  expect(citer.push('].')).toBe(' [1].')
})

test('earlier answers go into a prompt without their markers, which count otherwise there', () => {
  expect(withoutMarkers('The rent is 4,200 [1][2].')).toBe('The rent is 4,200.')
})
