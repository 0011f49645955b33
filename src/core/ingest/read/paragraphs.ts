import type { Block, BlockKind, ReadSection } from './reading.ts'
import { sectionCharacters, shortHeading } from './reading.ts'

/** A stretch of a document that has paragraphs but no pages or lines: of a word processor, a web page, a chapter. */
export interface TextParagraph {
  text: string
  kind: BlockKind
  /** Of a heading, from 1; else 0. */
  level: number
  /** No empty line stands before it. */
  near?: boolean
}

/** A section for each heading, cut where it grows long. With a chapter, places are paragraphs of it. */
export function* paragraphSections(paragraphs: Iterable<TextParagraph>, chapter?: string): Generator<ReadSection> {
  const path: { level: number; text: string }[] = []
  let text = ''
  let starts: number[] = []
  let found: Block[] = []
  let first = 1
  let number = 0

  function* flush(): Generator<ReadSection> {
    if (text !== '') {
      const heading = path.map((part) => part.text)
      const range = { from: first, to: number }
      yield {
        text,
        place: chapter === undefined ? { kind: 'section', heading, ...range } : { kind: 'chapter', chapter, ...range },
        heading: chapter === undefined || heading[0] === chapter ? heading : [chapter, ...heading],
        blocks: found,
        positions: chapter === undefined ? { kind: 'paragraphs', first, starts } : { kind: 'chapter', chapter, first, starts },
      }
    }
    text = ''
    starts = []
    found = []
    first = number + 1
  }
  for (const paragraph of paragraphs) {
    if (paragraph.kind === 'heading') {
      yield* flush()
      while (path.length > 0 && path.at(-1)!.level >= paragraph.level) path.pop()
      path.push({ level: paragraph.level, text: shortHeading(paragraph.text) })
    } else if (text.length > sectionCharacters) yield* flush()
    number += 1
    const alike = (paragraph.kind === 'row' || paragraph.kind === 'item') && found.at(-1)?.kind === paragraph.kind
    if (text !== '') text += alike || paragraph.near === true ? '\n' : '\n\n'
    starts.push(text.length)
    found.push({ kind: paragraph.kind, start: text.length, end: text.length + paragraph.text.length })
    text += paragraph.text
  }
  yield* flush()
}
