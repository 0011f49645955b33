import type { Region } from './pdf-columns.ts'
import { median } from './pdf-columns.ts'
import { pageRectangle, type Segment, type Turn } from './pdf-segments.ts'
import { endsSentence, firstCharacter, isEastAsian, lastCharacter } from './pdf-text.ts'
import type { Block, BlockKind, PageLine } from './reading.ts'

interface VisualLine {
  text: string
  x0: number
  x1: number
  y: number
  size: number
  /** Cells of a row: more than one where wide gaps part them. */
  cells: number
}

export interface PageText {
  text: string
  blocks: Block[]
  lines: PageLine[]
}

const itemMark =
  /^(?:[•●○■□◆◇▪‣·–—*-]\s*\S|\(?\d{1,3}[.)、．]\s*\S|\[\d{1,3}\]\s|[（(][一二三四五六七八九十\d]{1,3}[)）]|[一二三四五六七八九十]{1,3}、)/

function linesOf(segments: readonly Segment[]): VisualLine[] {
  const rows: Segment[][] = []
  for (const segment of [...segments].sort((a, b) => a.y - b.y)) {
    const row = rows.at(-1)
    const before = row?.[0]
    if (row !== undefined && before !== undefined && segment.y - before.y < Math.min(segment.size, before.size) * 0.45) row.push(segment)
    else rows.push([segment])
  }
  return rows.map((row) => {
    row.sort((a, b) => a.x0 - b.x0)
    const rightToLeft = row.length > 1 && row.filter((segment) => /[\u0590-\u08ff]/.test(segment.text)).length * 2 > row.length
    if (rightToLeft) row.reverse()
    const size = Math.max(...row.map((segment) => segment.size))
    const base = row.reduce((widest, segment) => (segment.x1 - segment.x0 > widest.x1 - widest.x0 ? segment : widest))
    return {
      text: row.map((segment) => segment.text).join('  '),
      x0: Math.min(...row.map((segment) => segment.x0)),
      x1: Math.max(...row.map((segment) => segment.x1)),
      y: base.y,
      size,
      cells: row.length,
    }
  })
}

/** The text of a page: lines joined to paragraphs where they run on, kept apart where they do not; with the box of every line. */
export function composePage(
  groups: readonly { turn: Turn; regions: readonly Region[] }[],
  page: { number: number; width: number; height: number },
): PageText {
  const result: PageText = { text: '', blocks: [], lines: [] }
  const compounds = new Set<string>()
  for (const { regions } of groups) {
    for (const { segments } of regions)
      for (const segment of segments)
        for (const match of segment.text.matchAll(/\p{L}+(?:-\p{L}+)+/gu)) compounds.add(match[0].toLowerCase())
  }
  const body = median(
    groups.flatMap((group) =>
      group.regions.flatMap((region) => region.segments.flatMap((s) => Array<number>(Math.ceil(s.text.length / 20)).fill(s.size))),
    ),
  )
  for (const { turn, regions } of groups) {
    for (const region of regions) composeRegion(result, linesOf(region.segments), region.table, { turn, page, compounds, body })
  }
  return result
}

interface Context {
  turn: Turn
  page: { number: number; width: number; height: number }
  compounds: ReadonlySet<string>
  /** The size of most of the page's text. */
  body: number
}

function composeRegion(result: PageText, lines: readonly VisualLine[], table: boolean, context: Context): void {
  if (lines.length === 0) return
  const left = Math.min(...lines.map((line) => line.x0))
  const right = Math.max(...lines.map((line) => line.x1))
  const leading = median(lines.slice(1).map((line, index) => line.y - lines[index]!.y)) || lines[0]!.size * 1.2
  let before: VisualLine | null = null
  let open: Block | null = null
  for (const line of lines) {
    const full = before !== null && before.x1 > left + (right - left) * 0.82
    if (before === null || open === null || beginsParagraph(line, before, { left, leading, full, table })) {
      if (result.text !== '')
        result.text +=
          open?.kind === 'row' && kindOf(line, table, context.body) === 'row' && before !== null && line.y - before.y < leading * 1.8
            ? '\n'
            : '\n\n'
      open = { kind: kindOf(line, table, context.body), start: result.text.length, end: 0 }
      result.blocks.push(open)
      append(result, line, line.text, context)
    } else if (!full) {
      result.text += '\n'
      append(result, line, line.text, context)
    } else joinLine(result, line, context)
    open.end = result.text.length
    before = line
  }
}

function kindOf(line: VisualLine, table: boolean, body: number): BlockKind {
  if (table || line.cells > 1) return 'row'
  if (line.size > body * 1.18 && line.text.length < 120) return 'heading'
  return itemMark.test(line.text) ? 'item' : 'paragraph'
}

function beginsParagraph(
  line: VisualLine,
  before: VisualLine,
  region: { left: number; leading: number; full: boolean; table: boolean },
): boolean {
  if (region.table || line.cells > 1 || before.cells > 1) return true
  const step = line.y - before.y
  if (step > region.leading * 1.45 && step > line.size * 1.3) return true
  if (line.size > before.size * 1.15 || before.size > line.size * 1.15) return true
  if (itemMark.test(line.text) && (!region.full || endsSentence(before.text) || line.x0 > before.x0 - line.size * 0.2))
    return !/^\d/.test(line.text) || !region.full || endsSentence(before.text)
  const indent = line.x0 - before.x0
  if (
    indent > line.size * 0.8 &&
    indent < line.size * 6 &&
    before.x0 < region.left + line.size * 0.6 &&
    (endsSentence(before.text) || !region.full)
  )
    return true
  return !region.full && endsSentence(before.text)
}

/** The line runs on from the one before: hyphens of a broken word go, Latin words get a space, full-width text none. */
function joinLine(result: PageText, line: VisualLine, context: Context): void {
  const broken = /(\p{L}[\p{L}\p{N}-]*)([-\u2010\u00ad])$/u.exec(result.text.slice(-60))
  const next = /^\p{L}+/u.exec(line.text)?.[0]
  if (broken !== null && next !== undefined && !isEastAsian(next[0]!)) {
    const [, stem, hyphen] = broken as unknown as [string, string, string]
    const isBroken =
      hyphen === '\u00ad' ||
      (/^\p{Ll}/u.test(next) && !stem.includes('-') && stem.length > 1 && !context.compounds.has(`${stem}-${next}`.toLowerCase()))
    if (isBroken) {
      result.text = result.text.slice(0, -1)
      const last = result.lines.at(-1)
      if (last !== undefined) last.end = Math.min(last.end, result.text.length)
    }
    append(result, line, line.text, context)
    return
  }
  if (!isEastAsian(lastCharacter(result.text)) && !isEastAsian(firstCharacter(line.text))) result.text += ' '
  append(result, line, line.text, context)
}

function append(result: PageText, line: VisualLine, text: string, { turn, page }: Context): void {
  const start = result.text.length
  result.text += text
  const rectangle = pageRectangle(
    turn,
    line.x0,
    line.y - line.size * (turn === 'columns' ? 0.5 : 0.86),
    line.x1,
    line.y + line.size * (turn === 'columns' ? 0.5 : 0.24),
  )
  const x = clamp(rectangle.x / page.width)
  const y = clamp(rectangle.y / page.height)
  result.lines.push({
    start,
    end: result.text.length,
    box: {
      page: page.number,
      x,
      y,
      width: clamp((rectangle.x + rectangle.width) / page.width) - x,
      height: clamp((rectangle.y + rectangle.height) / page.height) - y,
    },
  })
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value))
}
