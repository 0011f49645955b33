import { describe, expect, it } from 'vitest'
import { edgesOf, withoutRunning } from './pdf-running.ts'
import type { Segment, TurnedSegments } from './pdf-segments.ts'

const height = 800

function page(lines: [text: string, y: number, size?: number][]): TurnedSegments[] {
  const segments = lines.map(([text, y, size = 10], order): Segment => ({ text, x0: 50, x1: 50 + text.length * 5, y, size, order }))
  return [{ turn: 'right', segments }]
}

/** What stays of each page when all of them are near each other. */
function kept(pages: TurnedSegments[][]): string[][] {
  const edges = pages.map((groups, index) => edgesOf(index + 1, groups, height))
  return pages.map((groups, index) =>
    withoutRunning(index + 1, groups, height, edges, 10).flatMap((group) => group.segments.map((segment) => segment.text)),
  )
}

const texts = (make: (number: number) => [string, number, number?][], count = 4): string[][] =>
  kept(Array.from({ length: count }, (_, index) => page(make(index + 1))))

describe('what runs along at the edge of pages', () => {
  it.each<[string, (number: number) => [string, number][]]>([
    [
      'a head and a number',
      (n) => [
        ['Annual report 2018', 30],
        [`text ${n}`, 400],
        [String(n + 6), 780],
      ],
    ],
    [
      'a number of all',
      (n) => [
        [`text ${n}`, 400],
        [`Page ${n} of 4`, 780],
      ],
    ],
    [
      'a number between dashes',
      (n) => [
        [`text ${n}`, 400],
        [`- ${n} -`, 780],
      ],
    ],
    [
      'a Chinese number',
      (n) => [
        [`text ${n}`, 400],
        [`第${'一二三四'[n - 1]}页`, 780],
      ],
    ],
    [
      'a Roman number',
      (n) => [
        [`text ${n}`, 400],
        [['i', 'ii', 'iii', 'iv'][n - 1]!, 780],
      ],
    ],
  ])('%s goes', (_what, make) => {
    expect(texts(make)).toEqual([1, 2, 3, 4].map((n) => [`text ${n}`]))
  })

  it('heads of left and right pages go, each by its kind', () => {
    expect(
      texts(
        (n) => [
          [n % 2 === 0 ? 'The book' : 'The chapter', 30],
          [`text ${n}`, 400],
        ],
        6,
      ).flat(),
    ).toEqual([1, 2, 3, 4, 5, 6].map((n) => `text ${n}`))
  })

  it.each<[string, (number: number) => [string, number, number?][], number?]>([
    [
      'on two pages only',
      (n) => [
        ['Head', 30],
        [`text ${n}`, 400],
      ],
      2,
    ],
    [
      'in the middle',
      (n) => [
        ['The same line', 300],
        [`text ${n}`, 400],
      ],
    ],
    [
      'at other heights',
      (n) => [
        ['Continued', 30 + n * 15],
        [`text ${n}`, 400],
      ],
    ],
    [
      'with other numbers',
      (n) => [
        [`text ${n}`, 400],
        [`Total ${n * n * 17}`, 780],
      ],
    ],
    [
      'a value that never changes',
      (n) => [
        [`text ${n}`, 400],
        ['42', 780],
      ],
    ],
    [
      'a title in larger type',
      (n) => [
        ['Results', 30, 24],
        [`text ${n}`, 400],
      ],
    ],
  ])('a line stays that stands %s', (_what, make, count = 4) => {
    expect(texts(make, count)).toEqual(Array.from({ length: count }, (_, index) => make(index + 1).map(([text]) => text)))
  })

  it('stays where nothing else is', () => {
    expect(texts(() => [['Left blank on purpose', 30]])).toEqual(Array(4).fill(['Left blank on purpose']))
  })
})
