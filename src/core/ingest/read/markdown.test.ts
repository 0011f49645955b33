import { describe, expect, it } from 'vitest'
import { linesOf } from './lines.ts'
import { readMarkdown } from './markdown.ts'
import type { ReadEnd, ReadSection } from './reading.ts'

async function read(text: string): Promise<{ sections: ReadSection[]; end: ReadEnd }> {
  const sections: ReadSection[] = []
  const reading = readMarkdown(linesOf([text]))
  let next = await reading.next()
  for (; next.done !== true; next = await reading.next()) sections.push(next.value)
  return { sections, end: next.value }
}

describe('Markdown', () => {
  it('makes a section of each heading, with the path above it and its exact lines', async () => {
    const { sections, end } = await read(
      'before\n\n# One **bold** [link](x)\n\ntext\n### Deep ###\n\n\nmore\n\nTwo\n---\nlast\n# One\nagain\n',
    )
    expect(sections.map((section) => [section.heading, section.place])).toEqual([
      [[], { kind: 'lines', from: 1, to: 1 }],
      [['One bold link'], { kind: 'lines', from: 3, to: 5, heading: ['One bold link'] }],
      [['One bold link', 'Deep'], { kind: 'lines', from: 6, to: 9, heading: ['One bold link', 'Deep'] }],
      [['One bold link', 'Two'], { kind: 'lines', from: 11, to: 13, heading: ['One bold link', 'Two'] }],
      [['One'], { kind: 'lines', from: 14, to: 15, heading: ['One'] }],
    ])
    expect(end.title).toBe('One bold link')
    expect(sections.map((section) => section.text).join('\n')).toContain('### Deep ###\n\n\nmore')
  })

  it('finds no headings in fences, indented code, front matter or under a rule', async () => {
    const text = '---\ntitle: A note\n# not: this\n---\n\n```sh\n# a comment\n~~~\n```\n\n    # indented\n\n#hashtag\n\n---\n\nend\n'
    const { sections, end } = await read(text)
    expect(sections.map((section) => section.heading)).toEqual([[]])
    expect(sections[0]!.text).toBe(text.trimEnd())
    expect(end.title).toBe('A note')
  })

  it('takes a rule at the top that nothing closes for a rule', async () => {
    const { sections } = await read('---\n\n# Heading\n\ntext')
    expect(sections.at(-1)?.heading).toEqual(['Heading'])
  })

  it('keeps blocks apart: paragraphs, items, fences, rows', async () => {
    const { sections } = await read('para\nstill para\n\n- one\n  more\n- two\n\n| a | b |\n|---|---|\n\n```\nx\n\ny\n```')
    const { text, blocks } = sections[0]!
    expect(blocks.map((block) => [block.kind, text.slice(block.start, block.end)])).toEqual([
      ['paragraph', 'para\nstill para'],
      ['item', '- one\n  more'],
      ['item', '- two'],
      ['row', '| a | b |\n|---|---|'],
      ['fence', '```\nx\n\ny\n```'],
    ])
  })

  it('cuts a section without end into bounded ones', async () => {
    const { sections } = await read(`# Long\n${'a line of text\n'.repeat(20_000)}`)
    expect(sections.length).toBeGreaterThan(4)
    for (const section of sections) expect(section.text.length).toBeLessThan(70_000)
    expect(sections.every((section) => section.heading[0] === 'Long')).toBe(true)
  })
})
