import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { makePdf, type PdfPage, type PdfText } from '../../../../test/fixtures/make-pdf.ts'
import { openFile, readDocument, type ReadSection } from './read.ts'

const directory = mkdtempSync(join(tmpdir(), 'siku-run-on-'))
afterAll(() => rmSync(directory, { recursive: true }))

async function read(pages: PdfPage[]): Promise<ReadSection[]> {
  const path = join(directory, 'document.pdf')
  writeFileSync(path, makePdf(pages))
  const opened = openFile(path)
  if (opened.kind === 'failed') throw new Error(opened.reason.message)
  const sections: ReadSection[] = []
  for await (const section of readDocument(opened.file, 'pdf')) sections.push(section)
  opened.file.close()
  return sections
}

function column(x: number, lines: readonly string[], font: PdfText['font'] = 'latin'): PdfText[] {
  return lines.map((text, index) => ({ x, y: 640 - index * 14, text, font }))
}

function joined(sections: readonly ReadSection[]): string {
  return sections.map(({ text, joint }, index) => (index === 0 ? '' : (joint ?? '\f')) + text).join('')
}

const lease = [
  'The tenant pays the rent on the first day of each month and keeps the',
  'garden in good order, as the rules of the house say. The landlord keeps',
  'the roof, the walls and the pipes of the house in repair, and answers in',
  'seven days. The deposit is returned at the end of the contract, when the',
  'keys are given back and nothing in the rooms is broken, and is otherwise',
]

describe('a text goes on', () => {
  it('over the border of two pages, in the middle of a sentence', async () => {
    const sections = await read([
      { texts: column(60, [...lease, 'kept by the']) },
      { texts: column(60, ['owner until all of it is mended.', 'Then it ends.']) },
    ])
    expect(joined(sections)).toContain('nothing in the rooms is broken, and is otherwise kept by the\n\nowner')
    const full = await read([{ texts: column(60, lease) }, { texts: column(60, ['kept by the owner until all of it is mended.']) }])
    expect(full.map(({ joint }) => joint)).toEqual([undefined, ' '])
    expect(joined(full)).toContain('and is otherwise kept by the owner')
  })

  it('over the border of two pages in the middle of a word, whose hyphen goes, and its place stays true', async () => {
    const [one, two] = await read([
      { texts: column(60, [...lease.slice(0, 4), 'keys are given back and nothing in the rooms is broken, and it is other-']) },
      { texts: column(60, ['wise kept by the owner.']) },
    ])
    expect(joined([one!, two!])).toContain('and it is otherwise kept by the owner.')
    expect(one!.positions.kind === 'page' && one!.positions.lines.at(-1)!.end).toBe(one!.text.length)
    expect(one!.blocks.at(-1)!.end).toBe(one!.text.length)
  })

  it('over the border of two Chinese pages, without a blank', async () => {
    const line = '承租人应当在每月一日支付租金并保持花园整洁出租人负责屋顶墙壁'
    const sections = await read([
      { texts: column(60, [line, line, line, line, line], 'chinese') },
      { texts: column(60, ['和管道的维修。'], 'chinese') },
    ])
    expect(sections[1]!.joint).toBe('')
  })

  it('from the foot of a column to the head of the next', async () => {
    const narrow = lease
      .join(' ')
      .match(/.{20,34}(?= |$)/g)!
      .map((line) => line.trim())
    const [left, right] = [narrow.slice(0, 12), [...narrow.slice(12), ...narrow, 'kept.']]
    const [section] = await read([
      { texts: [...column(40, [...left, 'and the owner of all of the house']), ...column(260, ['and garden keeps it.', ...right])] },
    ])
    expect(section!.text).toContain('the owner of all of the house and garden keeps it.')
  })

  it('not where the next page is a slide, begins with a heading, or is about something else', async () => {
    const heading = { x: 60, y: 660, text: 'Chapter Two', size: 18 }
    const sections = await read([
      { texts: column(60, lease) },
      { texts: [heading, ...column(60, ['what is kept is written down here, and', ...lease])] },
      { texts: column(60, ['Table 3. What was paid in all of the years', 'since then.']) },
    ])
    expect(sections.map(({ joint }) => joint)).toEqual([undefined, undefined, '\n\n'])
    const slides = await read([lease, ['kept by the owner.']].map((lines) => ({ texts: column(60, lines), rotate: 90 })))
    expect(slides.map(({ joint }) => joint)).toEqual([undefined, undefined])
  })

  it('not after a line that ends before the edge although the next word would have fitted', async () => {
    const rooms = [
      'The kitchen with its three windows to the garden',
      'The hall and the stairs to it',
      'The cellar under all of the house',
      'The loft with a door of iron',
    ]
    const [section] = await read([{ texts: column(60, [...rooms, 'The yard, the shed and a well']) }])
    expect(section!.text).toContain(`\n${rooms[2]}\n${rooms[3]}\nThe yard`)
  })
})
