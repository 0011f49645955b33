import type { Reason } from '../../../contract/library.ts'
import type { Box, Place } from '../../../contract/place.ts'
import type { InnerDocument } from '../../store/store.ts'

/** What a stretch of a section is; the splitter prefers to cut between two of them. A `fence` is kept whole when it fits. */
export type BlockKind = 'heading' | 'paragraph' | 'item' | 'fence' | 'code' | 'row'

export interface Block {
  kind: BlockKind
  /** Offsets in the section's text; blocks are in order and do not overlap. */
  start: number
  end: number
}

export interface PageLine {
  start: number
  end: number
  box: Box
}

/** Says where any stretch of a section's text stands in the document. `starts[i]` is the offset at which number `first + i` begins. */
export type Positions =
  | { kind: 'lines'; first: number; starts: number[] }
  | { kind: 'paragraphs'; first: number; starts: number[] }
  | { kind: 'page'; page: number; lines: PageLine[] }
  /** `first` and the numbers of `starts` are rows as the sheet counts them. */
  | { kind: 'rows'; sheet: string; first: number; starts: number[] }
  | { kind: 'slide'; slide: number }
  /** Paragraphs of a chapter. */
  | { kind: 'chapter'; chapter: string; first: number; starts: number[] }
  | { kind: 'message'; message: string }
  /** Whole seconds from the beginning of a recording. */
  | { kind: 'time'; from: number; to: number }

export interface ReadSection {
  text: string
  place: Place
  /** The headings above and of this section, outermost first. */
  heading: string[]
  blocks: Block[]
  positions: Positions
  /**
   * What stands between the section before and this one, where the text goes on over their border: nothing or a blank within a
   * sentence, a blank line between two paragraphs. Absent: a blank line, and no passage goes over it.
   */
  joint?: '' | ' ' | '\n\n'
  /** Headings that begin within the section, where it is a page: the path from each offset on. Before the first it is `heading`. */
  headings?: { offset: number; path: string[] }[]
}

export interface ReadEnd {
  status: 'ready' | 'partial' | 'failed' | 'skipped'
  reason: Reason | null
  title: string | null
  pages: number | null
  /** Pages without usable text that text recognition could read. */
  pagesToRecognise?: number[]
  /** Documents of their own that lie in this one, in order. */
  inner?: InnerDocument[]
  /** With more time, more would have been read. */
  isCutShort?: boolean
}

/** Where the lines of a page run that was laid on a side, or on its head. */
export type LineTurn = 'down' | 'left' | 'up'

/** A line that text recognition found on a page. */
export interface RecognisedLine {
  text: string
  box: Box
  /** 0 to 1. */
  confidence: number
  /** Where it runs on the page, when that lies otherwise than it is read; left out: to the right, or down in a column. */
  turn?: LineTurn
}

/** A stretch of what was said in a recording. */
export interface HeardSegment {
  fromMs: number
  toMs: number
  text: string
}

/** One reader for a kind: gives the sections in order and, at the end, how it went. Never throws for what a document holds. */
export type Sections = AsyncGenerator<ReadSection, ReadEnd, void>

/** Sections are cut at a blank line from here on, and anywhere at twice as much, so that no slice is large. */
export const sectionCharacters = 24_000

/** A heading in a path is for people and for the embedding: it is not a place for a paragraph. */
export function shortHeading(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  if (flat.length <= 120) return flat
  const cut = flat.slice(0, 120)
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}

export function failed(code: Reason['code'], message: string): ReadEnd {
  return { status: 'failed', reason: { code, message }, title: null, pages: null }
}
