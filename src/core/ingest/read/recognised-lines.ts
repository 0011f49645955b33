import type { Box } from '../../../contract/place.ts'
import { median, regionsOf } from './pdf-columns.ts'
import { composePage, type PageText } from './pdf-paragraphs.ts'
import type { Segment, TurnedSegments } from './pdf-segments.ts'
import { needsBlank } from './pdf-text.ts'
import type { LineTurn, RecognisedLine } from './reading.ts'

/** Heights of boxes differ with the letters in them: within this share of the usual one they are one size. */
const sameSize = 0.25
/** A gap of so many sizes is a border of a column or a cell; a smaller one is within a line. */
const wideGap = 1.2
/** A box reaches from so far above the baseline to so far below it, in sizes: what the page writer makes of a line. */
const above = 0.86
const below = 0.24

/** The text of a page of recognised lines in reading order, in columns, paragraphs and tables, with the box of every line. */
export function composeRecognised(lines: readonly RecognisedLine[], page: { number: number; width: number; height: number }): PageText {
  const groups = recognisedGroups(lines, page.width, page.height)
  return composePage(
    groups.map(({ turn, segments }) => ({ turn, regions: regionsOf(segments) })),
    page,
  )
}

/** Lines as if they had been text of a page of that size, those that run down as columns from the right; most text first. */
export function recognisedGroups(lines: readonly RecognisedLine[], width: number, height: number): TurnedSegments[] {
  const groups = (['down', 'left', 'up'] as const).map((turn) => ({
    turn,
    segments: turnedSegments(
      lines.filter((line) => line.turn === turn),
      turn,
      width,
      height,
    ),
  }))
  const others = lines.filter(({ turn }) => turn === undefined)
  return [...straightGroups(others, width, height), ...groups]
    .filter(({ segments }) => segments.length > 0)
    .sort((one, other) => lengthOf(other.segments) - lengthOf(one.segments))
}

/** Lines of a page that lies on a side or on its head, as if it were set upright, in the space of their turn. */
function turnedSegments(lines: readonly RecognisedLine[], turn: LineTurn, width: number, height: number): Segment[] {
  const [across, down] = turn === 'left' ? [width, height] : [height, width]
  const upright = lines.map((line) => ({ ...line, box: { ...line.box, ...boxUpright(line.box, turn) } }))
  // The middle of a turned space lies in a corner of the page.
  const [dx, dy] = { down: [0, -width], left: [-width, -height], up: [-height, 0] }[turn] as [number, number]
  return mergeLines(segmentsOfLines(upright, across, down)).map((segment) => ({
    ...segment,
    x0: segment.x0 + dx,
    x1: segment.x1 + dx,
    y: segment.y + dy,
  }))
}

function boxUpright({ x, y, width, height }: Box, turn: LineTurn): Omit<Box, 'page'> {
  switch (turn) {
    case 'down':
      return { x: y, y: 1 - x - width, width: height, height: width }
    case 'left':
      return { x: 1 - x - width, y: 1 - y - height, width, height }
    case 'up':
      return { x: 1 - y - height, y: x, width: height, height: width }
  }
}

function straightGroups(lines: readonly RecognisedLine[], width: number, height: number): TurnedSegments[] {
  const isTall = ({ text, box }: RecognisedLine): boolean => box.height * height > box.width * width * 2 && text.length > 1
  const columns = lines.filter(isTall)
  const columnWidth = median(columns.map(({ box }) => box.width))
  const isMostlyColumns = lengthOf(columns) > lengthOf(lines) / 2
  // The end of a column may be a character or two, which are not tall.
  const isColumn = (line: RecognisedLine): boolean =>
    isTall(line) || (isMostlyColumns && line.text.length <= 2 && line.box.width < columnWidth * 1.4)
  return [
    {
      turn: 'right',
      segments: mergeLines(
        segmentsOfLines(
          lines.filter((line) => !isColumn(line)),
          width,
          height,
        ),
      ),
    },
    { turn: 'columns', segments: mergeLines(columnsOf(lines.filter(isColumn), width, height)) },
  ]
}

function lengthOf(lines: readonly { text: string }[]): number {
  return lines.reduce((sum, { text }) => sum + text.length, 0)
}

function columnsOf(lines: readonly RecognisedLine[], width: number, height: number): Segment[] {
  const columns = lines.map(({ text, box }) => {
    const top = box.y * height
    return { text, x0: top, x1: top + box.height * height, y: -(box.x + box.width / 2) * width, size: box.width * width, order: 0 }
  })
  return columns.sort((one, other) => one.y - other.y || one.x0 - other.x0).map((column, order) => ({ ...column, order }))
}

function segmentsOfLines(lines: readonly RecognisedLine[], width: number, height: number): Segment[] {
  const usual = median(lines.map(({ box }) => box.height * height))
  return lines.map(({ text, box }) => {
    const own = box.height * height
    const size = (Math.abs(own - usual) <= usual * sameSize ? usual : own) / (above + below)
    const middle = (box.y + box.height / 2) * height
    const y = middle + (size * (above - below)) / 2
    return { text, x0: box.x * width, x1: (box.x + box.width) * width, y, size, order: 0 }
  })
}

/** Pieces of one line become one; what stands apart stays apart. From the top down, in a line from left to right. */
function mergeLines(segments: Segment[]): Segment[] {
  const rows: Segment[][] = []
  for (const segment of [...segments].sort((one, other) => one.y - other.y)) {
    const row = rows.at(-1)
    const last = row?.[0]
    if (row !== undefined && last !== undefined && segment.y - last.y < Math.min(segment.size, last.size) * 0.5) row.push(segment)
    else rows.push([segment])
  }
  const merged: Segment[] = []
  for (const row of rows) {
    let open: Segment | null = null
    for (const segment of row.sort((one, other) => one.x0 - other.x0)) {
      const alike: boolean = open !== null && Math.max(open.size, segment.size) < Math.min(open.size, segment.size) * 1.4
      if (open !== null && alike && segment.x0 - open.x1 < Math.max(open.size, segment.size) * wideGap) {
        // Boxes of one line may overlap at a mark, which then stands in both.
        const twice = segment.x0 < open.x1 && /^[，。、；：]/.test(segment.text) && open.text.endsWith(segment.text.charAt(0))
        const text = twice ? segment.text.slice(1) : segment.text
        open.text += (needsBlank(open.text, text) ? ' ' : '') + text
        open.x1 = Math.max(open.x1, segment.x1)
      } else {
        open = { ...segment, order: merged.length }
        merged.push(open)
      }
    }
  }
  return merged
}
