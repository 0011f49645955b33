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
    [
      'a number in brackets',
      (n) => [
        [`text ${n}`, 400],
        [`[${n}]`, 780],
      ],
    ],
    [
      'a number of all behind the name',
      (n) => [
        [`Handbook, Page ${n}`, 30],
        [`text ${n}`, 400],
        [`第 ${n} 页 共 4 页`, 780],
      ],
    ],
    [
      'a number through a stroke',
      (n) => [
        [`text ${n}`, 400],
        [`${n} / 4`, 780],
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

  it('a title with the number of the page beside it goes where pages enough say so', () => {
    const make = (n: number): [string, number][] => [
      [n % 2 === 0 ? `${n} J. Smith and others` : `On the tides ${n}`, 30],
      [`text ${n}`, 400],
    ]
    expect(texts(make, 8).flat()).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((n) => `text ${n}`))
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
      'with the number of a receipt, and its date',
      (n) => [
        [`收据 No.000${n}`, 30],
        [`收款日期:2024年${n}月5日`, 60],
        [`text ${n}`, 400],
      ],
    ],
    [
      'with the number of a certificate',
      (n) => [
        [`证书编号:ZS-2024-10${n}`, 30],
        [`text ${n}`, 400],
      ],
    ],
    [
      'with a name and a month that count',
      (n) => [
        [`姓名 员工${n} 月份 2024-0${n}`, 30],
        [`text ${n}`, 400],
      ],
    ],
    [
      'with the number of a clause or a chapter',
      (n) => [
        [`甲方对本条第${n}款负责。`, 30],
        [`第${n}章正文内容,讲述第${n}件事。`, 60],
        [`Chapter ${n} is about ${n} things.`, 90],
        [`text ${n}`, 400],
      ],
    ],
    [
      'with a number beside a word in a short document',
      (n) => [
        [`Invoice ${n}`, 30],
        [`text ${n}`, 400],
      ],
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

  it('a label stays with the value beside it', () => {
    const pages = [1, 2, 3].map((n): TurnedSegments[] => [
      {
        turn: 'right',
        segments: [
          { text: 'Name', x0: 50, x1: 70, y: 30, size: 10, order: 0 },
          { text: `Pupil ${n}`, x0: 90, x1: 130, y: 30, size: 10, order: 1 },
          { text: 'School', x0: 500, x1: 530, y: 30, size: 10, order: 2 },
          { text: `text ${n}`, x0: 50, x1: 90, y: 400, size: 10, order: 3 },
        ],
      },
    ])
    expect(kept(pages)).toEqual([1, 2, 3].map((n) => ['Name', `Pupil ${n}`, `text ${n}`]))
  })

  it('stays where nothing else is', () => {
    expect(texts(() => [['Left blank on purpose', 30]])).toEqual(Array(4).fill(['Left blank on purpose']))
  })
})
