import { expect, test } from 'vitest'
import { joinLooseLines } from './pdf-loose-lines.ts'
import type { Segment } from './pdf-segments.ts'

/** Pieces from the left, `gaps` points apart, at five points a character. */
function row(texts: string[], gaps: number[], y = 100): Segment[] {
  let x = 50
  return texts.map((text, index) => {
    const x0 = x
    const x1 = x0 + text.length * 5
    x = x1 + (gaps[index] ?? 0)
    return { text, x0, x1, y, size: 10, order: index }
  })
}

const texts = (segments: readonly Segment[]): string[] => joinLooseLines(segments).map(({ text }) => text)

test('a justified line whose words stand wide apart is one line, from its first word to its last', () => {
  const words = ['heterogeneous', 'collections,', 'and', 'demonstrate']
  const [line, ...others] = joinLooseLines(row(words, [18, 18.4, 17.8]))
  expect(line).toMatchObject({ text: words.join(' '), x0: 50 })
  expect(line?.x1).toBeCloseTo(50 + 39 * 5 + 54.2)
  expect(others).toEqual([])
})

test('lines below each other stay apart, and what follows at another distance stays by itself', () => {
  const upper = row(['Second', 'paragraph', 'of', 'one', 'says'], [15, 15, 15, 15])
  const lower = row(['nobody', 'knows', 'the', 'characteristics', 'Price'], [20, 20, 20, 60], 114)
  expect(texts([...upper, ...lower])).toEqual(['Second paragraph of one says', 'nobody knows the characteristics', 'Price'])
})

test('so are three words with small letters, and a table drawn over them can still part them', () => {
  const [line] = joinLooseLines(row(['interdisciplinary', 'communication', 'remains'], [20, 20.1]))
  expect(line?.text).toBe('interdisciplinary communication remains')
  expect(line?.gaps?.map(({ characters }) => characters)).toEqual([17, 30])
})

test.each<[string, string[], number[]]>([
  ['cells whose columns begin at the same places', ['Kettle', 'on', 'stock', 'unavailable'], [20, 40, 25]],
  ['numbers', ['12', '1304', '8', '99.50'], [20, 20, 20]],
  ['cells of several words', ['House rules', 'of', 'the', 'first floor'], [20, 20, 20]],
  ['three words', ['Item', 'Quantity', 'Price'], [20, 20]],
  ['three small words at nearly equal distances', ['interdisciplinary', 'is', 'remains'], [20, 21.5]],
  ['words of one width, as in a grid', ['aa', 'bb', 'cc', 'dd'], [20, 20, 20]],
])('%s are not joined', (_what, cells, gaps) => {
  expect(texts(row(cells, gaps))).toEqual(cells)
})
