import type { DocumentKind, SplitPiece } from '../../contract/library.ts'
import { decode, readDocument, type OpenFile, type ReadEnd, type ReadOptions, type ReadSection } from './read/read.ts'
import { splitByLines, type LinePiece, type LineTokenizer } from './split.ts'
import { placeOf, type PlacedSection } from './split-place.ts'

type Piece = Omit<SplitPiece, 'ordinal'>

/** The rule by lines over a whole file: over the raw lines of text, over the sections' text of what has pages or elements. */
export async function splitFileByLines(
  file: OpenFile,
  kind: DocumentKind,
  tokenizer: LineTokenizer,
  options: ReadOptions & { maxTokens?: number; overlap?: number },
): Promise<{ pieces: Piece[]; end: ReadEnd }> {
  const rule = { maxTokens: options.maxTokens ?? 600, overlap: options.overlap ?? 150 }
  const sections: ReadSection[] = []
  const reading = readDocument(file, kind, options)
  let next = await reading.next()
  for (; next.done !== true; next = await reading.next()) sections.push(next.value)
  const end = next.value
  if (sections.length === 0) return { pieces: [], end }
  if (sections[0]!.positions.kind !== 'lines') {
    let offset = 0
    const placed: PlacedSection[] = []
    for (const section of sections) {
      placed.push({ section, offset })
      offset += section.text.length + 2
    }
    const pieces = splitByLines(sections.map((section) => section.text).join('\n\n'), tokenizer, rule)
    return {
      pieces: pieces.map((piece) => ({
        text: piece.text,
        tokens: piece.tokens,
        place: placeOf(placed, piece.start, piece.end, sectionHeading(placed, piece)),
      })),
      end,
    }
  }
  let text = ''
  for (const part of decode(() => file.chunks()).parts) text += part
  const starts = lineStarts(text)
  const pieces = splitByLines(text, tokenizer, rule).map((piece) => ({
    text: piece.text,
    tokens: piece.tokens,
    place: { kind: 'lines' as const, from: lineAt(starts, piece.start), to: lineAt(starts, piece.end - 1) },
  }))
  return { pieces, end }
}

function sectionHeading(placed: readonly PlacedSection[], piece: LinePiece): string[] {
  return placed.findLast((part) => part.offset <= piece.start)?.section.heading ?? []
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (const match of text.matchAll(/\r\n?|\n/g)) starts.push(match.index + match[0].length)
  return starts
}

function lineAt(starts: readonly number[], offset: number): number {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (starts[middle]! <= offset) low = middle + 1
    else high = middle
  }
  return Math.max(1, low)
}
