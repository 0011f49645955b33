import type { Segment, TurnedSegments } from './pdf-segments.ts'
import type { RecognisedLine } from './reading.ts'

/** Lines that text recognition found, as if they had been text of a page of that size. */
export function recognisedSegments(lines: readonly RecognisedLine[], width: number, height: number): TurnedSegments[] {
  const across: Segment[] = []
  const columns: Segment[] = []
  for (const [order, { text, box }] of lines.entries()) {
    const clean = text.replace(/\s+/g, ' ').trim()
    if (clean === '') continue
    const [x, y, w, h] = [box.x * width, box.y * height, box.width * width, box.height * height]
    if (h > w * 2 && clean.length > 1) columns.push({ text: clean, x0: y, x1: y + h, y: -(x + w / 2), size: w, order })
    // A box reaches a little over and under the letters.
    else across.push({ text: clean, x0: x, x1: x + w, y: y + h * 0.8, size: h * 0.8, order })
  }
  const groups: TurnedSegments[] = [
    { turn: 'right', segments: across },
    { turn: 'columns', segments: columns },
  ]
  const lengthOf = (group: TurnedSegments): number => group.segments.reduce((sum, segment) => sum + segment.text.length, 0)
  return groups.filter((group) => group.segments.length > 0).sort((a, b) => lengthOf(b) - lengthOf(a))
}
