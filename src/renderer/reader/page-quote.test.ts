import { expect, test } from 'vitest'
import { quoteOnPages } from './page-quote.ts'

function marked(pages: string[][], quote: string): string[] {
  return quoteOnPages(pages, quote).map((ranges, page) =>
    ranges.map(({ line, from, to }) => (pages[page]?.[line] ?? '').slice(from, to)).join('|'),
  )
}

test('a quote on one page is marked there alone', () => {
  expect(marked([['One.', 'Two.'], ['Three.']], 'Three.')).toEqual(['', 'Three.'])
})

test('a quote over a page break is marked on both pages, without what stands between', () => {
  const pages = [
    ['The deposit is paid back', ' within thirty days, when', 'Page 3'],
    ['Lease', 'the keys have been given', ' back. Then more.'],
  ]
  expect(marked(pages, 'within thirty days, when the keys have been given back.')).toEqual([
    'within thirty days, when',
    'the keys have been given| back',
  ])
})

test('a word that is hyphened at the page break is found, Chinese too', () => {
  expect(marked([['it ends with an agree-', '7'], ['ment of both.']], 'ends with an agreement of both.')).toEqual([
    'ends with an agree',
    'ment of both',
  ])
  expect(
    marked(
      [
        ['第一条 押金应当在', '- 3 -'],
        ['合同', '三十日内退还。'],
      ],
      '押金应当在三十日内退还。',
    ),
  ).toEqual(['押金应当在', '三十日内退还'])
})

test('what stands on neither page is not marked', () => {
  expect(marked([['The deposit is paid'], ['by bank.']], 'The deposit is never given back to anyone.')).toEqual(['', ''])
})
