import { median } from './pdf-columns.ts'
import { segmentsOf, type TextItem, type TextStyle, type TurnedSegments } from './pdf-segments.ts'
import type { RecognisedLine } from './reading.ts'

/** Heights of boxes differ with the letters in them: within this share of the usual one they are one size. */
const sameSize = 0.25
/** A box reaches from so far above the baseline to so far below it, in sizes. */
const above = 0.86
const below = 0.24
const styles: Record<string, TextStyle> = {
  across: { ascent: above, descent: -below, vertical: false },
  down: { ascent: above, descent: -below, vertical: true },
}

/** Lines that text recognition found, as if they had been text of a page of that size: pieces of one line are one. */
export function recognisedSegments(lines: readonly RecognisedLine[], width: number, height: number): TurnedSegments[] {
  const shown = lines.filter(({ text }) => text.trim() !== '')
  const across = shown.filter((line) => !isUpright(line, width, height))
  const usual = median(across.map(({ box }) => box.height * height))
  const placed = across.map(({ text, box }) => {
    const own = box.height * height
    const size = (Math.abs(own - usual) <= usual * sameSize ? usual : own) / (above + below)
    const y = (box.y + box.height / 2) * height + (size * (above - below)) / 2
    return { text, size, x: box.x * width, y, length: box.width * width }
  })
  const items = inRows(placed).map(({ text, size, x, y, length }): TextItem => {
    return { str: text, dir: 'ltr', width: length, height: size, transform: [size, 0, 0, size, x, y], fontName: 'across' }
  })
  const columns = shown
    .filter((line) => isUpright(line, width, height))
    .sort((a, b) => b.box.x - a.box.x)
    .map(({ text, box }): TextItem => {
      const size = box.width * width
      const middle = (box.x + box.width / 2) * width
      return {
        str: text,
        dir: 'ttb',
        width: 0,
        height: box.height * height,
        transform: [size, 0, 0, size, middle, box.y * height],
        fontName: 'down',
      }
    })
  return segmentsOf([...items, ...columns], styles, [1, 0, 0, 1, 0, 0])
}

/** A column of upright characters, as in old Chinese and Japanese books. */
function isUpright({ text, box }: RecognisedLine, width: number, height: number): boolean {
  return [...text.trim()].length > 1 && box.height * height > box.width * width * 2
}

/** From the top down, and what stands at one height from left to right. */
function inRows<Line extends { x: number; y: number; size: number }>(lines: readonly Line[]): Line[] {
  const rows: Line[][] = []
  for (const line of [...lines].sort((a, b) => a.y - b.y)) {
    const row = rows.at(-1)
    const first = row?.[0]
    if (row !== undefined && first !== undefined && line.y - first.y < Math.min(line.size, first.size) * 0.5) row.push(line)
    else rows.push([line])
  }
  return rows.flatMap((row) => row.sort((a, b) => a.x - b.x))
}
