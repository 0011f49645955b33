import { afterAll, describe, expect, it } from 'vitest'
import { makePdf, type PdfPage, type PdfText } from '../../../../test/fixtures/make-pdf.ts'
import { fileReader } from '../../../../test/fixtures/read-file.ts'
import {
  latinFont,
  linesOf,
  meantTable,
  placeTable,
  randomOf,
  textsOf,
  widthsFor,
  type MeantTable,
  type TableLook,
} from '../../../../test/fixtures/wrapped-tables.ts'

const files = fileReader()
afterAll(() => files.close())
const font = await latinFont()

const prose = {
  en: 'The works of the harbour in the coming year are listed below, with who answers for them, and what they cost at most; all of it has been agreed upon by the board, which meets each quarter.',
  zh: '下表列出来年港口的各项工程，以及由谁负责、最多花费多少；所有金额均不含税，其他工程须经每季度召开一次的董事会同意。',
}

function paragraph(text: string, x: number, top: number, width: number): { texts: PdfText[]; bottom: number } {
  const lines = linesOf(font, text, 10, width)
  return { texts: lines.flatMap((line, index) => textsOf(font, line, x, top - 10 - index * 13, 10)), bottom: top - lines.length * 13 }
}

/** A paragraph, the table, and the paragraph again below it. */
function pageWith(table: MeantTable, widths: readonly number[], look: TableLook, x = 40): PdfPage {
  const width = widths.reduce((sum, each) => sum + each, 0)
  const above = paragraph(prose[table.language], x, 670, width)
  const { page, bottom } = placeTable(font, [table.header, ...table.rows], widths, { x, top: above.bottom - 14 }, look)
  const below = paragraph(prose[table.language], x, bottom - 14, width)
  if (below.bottom < 10) throw new Error('the table does not fit on the page')
  return { texts: [...above.texts, ...page.texts!, ...below.texts], rules: page.rules! }
}

async function linesRead(pages: PdfPage[]): Promise<string[]> {
  return (await files.read(makePdf(pages), 'document.pdf')).text.split('\n')
}

const meant = ({ header, rows }: MeantTable): string[] => [header, ...rows].map((row) => row.join('  '))

const looks = (['top', 'middle', 'bottom'] as const).flatMap((align) =>
  (['cells', 'strokes', 'rows', 'header', 'none'] as const).flatMap((rules) =>
    (['cells', 'lines'] as const).map((drawn) => ({ align, rules, drawn })),
  ),
)

describe.each(['en', 'zh'] as const)('each row of a table with wrapped cells is one line: %s', (language) => {
  it.each(looks)('$align, lines around $rules, drawn by $drawn', async (look) => {
    const random = randomOf([...JSON.stringify([language, look])].reduce((sum, sign) => Math.imul(sum, 31) + sign.charCodeAt(0), 7))
    for (const columns of [2, 3, 4, 5, 6]) {
      const table = meantTable(random, language, columns, 5)
      const padding = 1 + Math.floor(random() * 4)
      const leading = [1.15, 1.25, 1.4][Math.floor(random() * 3)]!
      const page = pageWith(table, widthsFor(table.kinds, 420), { ...look, padding, gap: 10, leading, size: 9 })
      const read = await linesRead([page])
      expect(read, JSON.stringify({ columns, padding, leading })).toEqual(expect.arrayContaining([...meant(table), prose[language]]))
      expect(read.filter((line) => line === prose[language])).toHaveLength(2)
    }
  })
})

describe('where a table stands', () => {
  const look: TableLook = { align: 'top', rules: 'none', padding: 3, gap: 10, leading: 1.25, size: 9, drawn: 'cells' }

  it.each(['none', 'cells'] as const)('in a column of the page, beside running text: lines around %s', async (rules) => {
    for (const language of ['en', 'zh'] as const) {
      const table = meantTable(randomOf(11), language, 3, 5)
      const left = pageWith(table, widthsFor(table.kinds, 205), { ...look, rules, size: 8 }, 30)
      const right = paragraph(Array.from({ length: 6 }, () => prose[language]).join(language === 'en' ? ' ' : ''), 265, 670, 205)
      const read = await linesRead([{ texts: [...left.texts!, ...right.texts], rules: left.rules! }])
      expect(read).toEqual(expect.arrayContaining([prose[language], ...meant(table)]))
      expect(read.findIndex((line) => line.length > prose[language].length * 5)).toBeGreaterThan(read.lastIndexOf(meant(table).at(-1)!))
    }
  })

  it.each(['none', 'cells', 'rows'] as const)('over the end of a page, with its header again: lines around %s', async (rules) => {
    const table = meantTable(randomOf(5), 'en', 4, 24)
    const widths = widthsFor(table.kinds, 420)
    const [first, second] = [0, 12].map((from) =>
      placeTable(font, [table.header, ...table.rows.slice(from, from + 12)], widths, { x: 40, top: 660 }, { ...look, rules }),
    )
    const { sections } = await files.read(makePdf([first!.page, second!.page]), 'document.pdf')
    expect(sections.map((section) => section.text.split('\n'))).toEqual([
      meant({ ...table, rows: table.rows.slice(0, 12) }),
      meant({ ...table, rows: table.rows.slice(12) }),
    ])
  })

  it('with rows of one cell between the others', async () => {
    const rows = [
      ['Object', 'What is to be done', 'Cost'],
      ['Works on land', '', ''],
      ['Roof of the north hall and the tower', 'Replace the slates along the ridge and seal the gutter', '12,400.00'],
      ['Crane', 'Inspect the cable', '300.00'],
      ['Works at sea', '', ''],
      ['Gate', 'Grease', '45.50'],
    ]
    const placed = placeTable(font, rows, [100, 150, 100], { x: 40, top: 660 }, look)
    expect(await linesRead([placed.page])).toEqual(rows.map((row) => row.filter((cell) => cell !== '').join('  ')))
  })
})

describe('what is no table', () => {
  const english =
    'The works of the harbour in the coming year are listed below, with who answers for them, and what they cost at most. All of it has been agreed upon by the board. '

  it.each(['one column after the other', 'line by line over both'])('running text in two columns, drawn %s', async (order) => {
    const [left, right] = [30, 265].map((x) => paragraph(english.repeat(5).trim(), x, 670, 205).texts) as [PdfText[], PdfText[]]
    const texts = order === 'one column after the other' ? [...left, ...right] : left.flatMap((line, index) => [line, right[index]!])
    expect(await linesRead([{ texts }])).toEqual([`${english.repeat(5).trim()}`, '', english.repeat(5).trim()])
  })

  it('running text whose words are set far apart', async () => {
    const lines = linesOf(font, english.repeat(3).trim(), 10, 400)
    const texts = lines.flatMap((line, row) => {
      const words = line.split(' ')
      const width = row === lines.length - 1 ? font.widthOfTextAtSize(line.replaceAll(' ', '  '), 10) : 430
      const free = width - words.reduce((sum, word) => sum + font.widthOfTextAtSize(word, 10), 0)
      let x = 35
      return words.map((text) => {
        const word = { x, y: 600 - row * 13, text, size: 10 }
        x += font.widthOfTextAtSize(text, 10) + free / (words.length - 1)
        return word
      })
    })
    expect((await linesRead([{ texts }])).join('\n')).not.toMatch(/ {2}/)
  })

  it('a list whose items wrap beside their numbers', async () => {
    const texts = [1, 2, 3].flatMap((number) => {
      const top = 660 - number * 60
      return [{ x: 40, y: top - 10, text: `${number}.`, size: 10 }, ...paragraph(english.trim(), 62, top, 390).texts]
    })
    const read = await files.read(makePdf([{ texts }]), 'document.pdf')
    expect(read.sections[0]!.blocks.map(({ kind }) => kind)).not.toContain('row')
    expect(read.text.match(/harbour in the coming/g)).toHaveLength(3)
  })

  it('two addresses beside each other', async () => {
    const texts = [
      ...['Ann Birch', '12 Quay Street', 'Penarth CF64'].map((text, row) => ({ x: 40, y: 640 - row * 13, text })),
      ...['Bob Crane', '7 North Hall', 'Cardiff CF10'].map((text, row) => ({ x: 280, y: 640 - row * 13, text })),
    ]
    const text = (await linesRead([{ texts }])).join('\n')
    for (const part of ['Ann Birch', '12 Quay Street', 'Penarth CF64', 'Bob Crane', '7 North Hall', 'Cardiff CF10'])
      expect(text).toContain(part)
    expect(text).not.toContain('Ann Birch 12 Quay Street')
  })

  it('a table of contents: each line is its own', async () => {
    const titles = ['Of the harbour', 'Of the works on land and at sea', 'Of the board', 'Of the rest']
    const texts = titles.flatMap((text, row) => [
      { x: 40, y: 640 - row * 15, text },
      { x: 440, y: 640 - row * 15, text: String(row * 7 + 1) },
    ])
    expect(await linesRead([{ texts }])).toEqual(titles.map((title, row) => `${title}  ${row * 7 + 1}`))
  })

  it('a form of labels and values: each line is its own', async () => {
    const fields = [
      ['Name', 'Ann Birch'],
      ['Street', '12 Quay Street, by the north hall'],
      ['Town', 'Penarth'],
      ['Born', '1987-03-04'],
    ]
    const texts = fields.flatMap(([label, value], row) => [
      { x: 40, y: 640 - row * 14, text: label! },
      { x: 140, y: 640 - row * 14, text: value! },
    ])
    expect(await linesRead([{ texts }])).toEqual(fields.map((field) => field.join('  ')))
  })
})

it.each([
  ['a date', ['2026-12-', '01'], '2026-12-01'],
  ['a number of a file', ['HW-', '4821-17'], 'HW-4821-17'],
  ['years', ['2019\x96', '2024'], '2019–2024'],
  ['a name of two parts', ['Moreno-', 'Santiago'], 'Moreno-Santiago'],
  ['a word', ['labo-', 'ratory'], 'laboratory'],
  ['words', ['north', 'hall'], 'north hall'],
  ['a thought', ['the hall -', 'and more'], 'the hall - and more'],
])('%s that is broken over the lines of a cell', async (_what, lines, whole) => {
  const row = (y: number, cells: string[]): PdfText[] => cells.map((text, index) => ({ x: 50 + index * 120, y, text, size: 9 }))
  const broken = lines.map((text, index) => ({ x: 170, y: 580 - index * 11, text, size: 9 }))
  const texts = [
    ...row(600, ['Object', 'What', 'Cost']),
    { x: 50, y: 580, text: 'Roof', size: 9 },
    ...broken,
    { x: 290, y: 580, text: '12.50', size: 9 },
  ]
  texts.push(...row(550, ['Crane', 'Cable', '3.20']))
  expect(await linesRead([{ texts }])).toEqual(['Object  What  Cost', `Roof  ${whole}  12.50`, 'Crane  Cable  3.20'])
})
