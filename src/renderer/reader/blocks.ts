import type { Section } from '../../contract/library.ts'
import type { Place } from '../../contract/place.ts'
import type { TextMark } from './marks.ts'
import { quoteRanges } from './quote-ranges.ts'

/** One paragraph of a document as it is shown: few enough characters to be drawn alone. */
export interface Block {
  kind: 'heading' | 'text'
  text: string
  /** Of the section it begins. */
  place: Place | null
  /** It lies in the cited place. */
  on: boolean
}

function overlaps(
  one: { from?: number | undefined; to?: number | undefined },
  other: { from?: number | undefined; to?: number | undefined },
) {
  return (one.from ?? 1) <= (other.to ?? Infinity) && (other.from ?? 1) <= (one.to ?? Infinity)
}

/** Whether a part of a document lies in the cited place. */
export function holds(cited: Place | null, part: Place): boolean {
  if (cited === null) return false
  if (cited.kind === 'page' && part.kind === 'page') return part.page >= cited.page && part.page <= (cited.toPage ?? cited.page)
  if (cited.kind === 'lines' && part.kind === 'lines') return overlaps(cited, part)
  if (cited.kind === 'section' && part.kind === 'section') return overlaps(cited, part)
  if (cited.kind === 'sheet' && part.kind === 'sheet') return cited.sheet === part.sheet && overlaps(cited, part)
  if (cited.kind === 'chapter' && part.kind === 'chapter') return cited.chapter === part.chapter && overlaps(cited, part)
  // A stretch begins in the second in which the one before it ends.
  if (cited.kind === 'time' && part.kind === 'time') return part.from === cited.from || (part.from > cited.from && part.from < cited.to)
  if (cited.kind === 'slide' && part.kind === 'slide') return cited.slide === part.slide
  return cited.kind === 'message' && part.kind === 'message' && cited.message === part.message
}

const longestTitle = 120

/** What a section's text may begin with as its heading. */
function headingOf(place: Place, firstLine: string): boolean {
  if (firstLine === '' || firstLine.length > longestTitle) return false
  if (place.kind === 'section') return place.heading.at(-1) === firstLine
  if (place.kind === 'chapter') return place.chapter.split(' › ').at(-1) === firstLine
  return place.kind === 'slide' && !/^[-*•] |[。.!?！？;；]$/.test(firstLine)
}

/** The paragraphs of a section by number, where its text has as many as its place says. */
function numbered(place: Place, index: number, count: number): Place {
  if ((place.kind !== 'section' && place.kind !== 'chapter') || place.from === undefined || place.to === undefined) return place
  return place.to - place.from + 1 === count ? { ...place, from: place.from + index, to: place.from + index } : place
}

/** A document as paragraphs and headings, each saying whether it is cited. */
export function blocksOf(sections: readonly Section[], cited: Place | null): Block[] {
  return sections.flatMap((section) => {
    const { place } = section
    const paragraphs = section.text.split(/\n{2,}/).filter((text) => text.trim() !== '')
    return paragraphs.flatMap((paragraph, index): Block[] => {
      const on = holds(cited, numbered(place, index, paragraphs.length))
      const begins = index === 0 ? place : null
      const [first = '', ...rest] = paragraph.trimStart().split('\n')
      if (index > 0 || !headingOf(place, first.trim())) return [{ kind: 'text', text: paragraph, place: begins, on }]
      const heading: Block = { kind: 'heading', text: first.trim(), place: begins, on }
      return rest.length === 0 ? [heading] : [heading, { kind: 'text', text: rest.join('\n').trimStart(), place: null, on }]
    })
  })
}

/** Where a quote stands in the cited blocks, or anywhere where no place is known: marks by block. */
export function quoteMarks(blocks: readonly Block[], quote: string): Map<number, TextMark[]> {
  const marks = new Map<number, TextMark[]>()
  if (quote === '') return marks
  const places = blocks.some((block) => block.on)
  const candidates = blocks.flatMap((block, index) => (!places || block.on ? [index] : []))
  const texts = candidates.map((index) => blocks[index]?.text ?? '')
  for (const { line, from, to } of quoteRanges(texts, quote)) marks.set(candidates[line] ?? 0, [{ from, to, kind: 'quote' }])
  return marks
}
