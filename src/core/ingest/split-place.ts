import type { Box, Place } from '../../contract/place.ts'
import type { PageLine, Positions, ReadSection } from './read/read.ts'

/** A section and where it begins in the text of the group it was joined into. */
export interface PlacedSection {
  section: ReadSection
  offset: number
}

/** The number in whose stretch `offset` lies. */
function numberAt(positions: Extract<Positions, { starts: number[] }>, offset: number): number {
  let low = 0
  let high = positions.starts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (positions.starts[middle]! <= offset) low = middle + 1
    else high = middle
  }
  return positions.first + Math.max(0, low - 1)
}

/** The place of `[start, end)` of the joined text, which is not empty. */
export function placeOf(sections: readonly PlacedSection[], start: number, end: number, heading: string[]): Place {
  const first = sections.findLast((placed) => placed.offset <= start)!
  const last = sections.findLast((placed) => placed.offset < end)!
  const from = first.section.positions
  const to = last.section.positions
  if (from.kind === 'page' && to.kind === 'page') {
    const boxes = sections.flatMap(({ section, offset }) =>
      section.positions.kind === 'page'
        ? joinedBoxes(section.positions.lines.filter((line) => line.start + offset < end && line.end + offset > start))
        : [],
    )
    return {
      kind: 'page',
      page: from.page,
      ...(to.page === from.page ? {} : { toPage: to.page }),
      ...(boxes.length === 0 ? {} : { boxes }),
    }
  }
  if (from.kind === 'slide') return { kind: 'slide', slide: from.slide }
  if (from.kind === 'message') return { kind: 'message', message: from.message }
  if (from.kind === 'time' && to.kind === 'time') return { kind: 'time', from: from.from, to: Math.max(from.to, to.to) }
  if (!('starts' in from) || !('starts' in to)) return first.section.place
  const range = { from: numberAt(from, start - first.offset), to: numberAt(to, end - 1 - last.offset) }
  if (from.kind === 'rows') return { kind: 'sheet', sheet: from.sheet, ...range }
  if (from.kind === 'chapter') return { kind: 'chapter', chapter: from.chapter, ...range }
  if (from.kind === 'paragraphs') return { kind: 'section', heading, ...range }
  return { kind: 'lines', ...range, ...(heading.length === 0 ? {} : { heading }) }
}

/** The same, and where in the stretch each further page begins. */
export function placeWithPages(sections: readonly PlacedSection[], start: number, end: number, heading: string[]): Place {
  const place = placeOf(sections, start, end, heading)
  if (place.kind !== 'page' || place.toPage === undefined) return place
  const pageStarts = sections.flatMap(({ section, offset }) =>
    section.positions.kind === 'page' && offset > start && offset < end ? [{ page: section.positions.page, at: offset - start }] : [],
  )
  return { ...place, pageStarts }
}

/** Lines of one column under each other are one box. */
function joinedBoxes(lines: readonly PageLine[]): Box[] {
  const boxes: Box[] = []
  for (const { box } of lines) {
    const open = boxes.at(-1)
    if (open !== undefined && open.page === box.page && belongTogether(open, box)) {
      const bottom = Math.max(open.y + open.height, box.y + box.height)
      const right = Math.max(open.x + open.width, box.x + box.width)
      open.x = Math.min(open.x, box.x)
      open.y = Math.min(open.y, box.y)
      open.width = right - open.x
      open.height = bottom - open.y
    } else boxes.push({ ...box })
  }
  return boxes.map((box) => ({
    page: box.page,
    x: rounded(box.x),
    y: rounded(box.y),
    width: rounded(box.width),
    height: rounded(box.height),
  }))
}

function belongTogether(open: Box, next: Box): boolean {
  const gap = next.y - (open.y + open.height)
  return Math.abs(open.x - next.x) < 0.02 && Math.abs(open.width - next.width) < 0.03 && gap > -next.height && gap < next.height
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
