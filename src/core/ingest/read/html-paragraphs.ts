import type { Parser } from 'htmlparser2'
import { createMathMl, type FormulaReader } from './formula.ts'
import { blocks, createPageLook, empty, left, saidByElement } from './html-look.ts'
import { numeral } from './html-numerals.ts'
import { createReadings } from './html-ruby.ts'
import { createHtmlTable, type HtmlTable } from './html-table.ts'
import { createRaisedLine } from './raised.ts'
import type { BlockKind } from './reading.ts'
import { XmlProblem } from './xml-problem.ts'

/** The parser goes through the open ones for each. */
const maxDepth = 100_000

export interface Paragraph {
  text: string
  kind: BlockKind
  /** Of a heading, 1 to 6; else 0. */
  level: number
  /** Stands in the part of the page that calls itself its content, or in the header that has the page's heading. */
  main: boolean
}

export interface PageReader {
  readonly handler: NonNullable<ConstructorParameters<typeof Parser>[0]>
  end(): { title: string; paragraphs: Paragraph[] }
}

function trimLines(text: string): string {
  return text.includes('\n')
    ? text
        .split('\n')
        .map((line) => line.trim())
        .join('\n')
        .trim()
    : text.trim()
}

/** What a further paragraph of a list's item stands under. */
const inner = '  '
const parts = new Set(['td', 'th', 'tr', 'thead', 'tbody', 'tfoot'])

interface List {
  ordered: boolean
  next: number
  step: 1 | -1
  type: string
  /** Of a reversed list without a start: its numbers are known at its end. */
  items: { paragraph: Paragraph; mark: string }[] | null
}

interface Cell {
  attributes: Record<string, string>
  isHeader: boolean
}

interface OpenTable {
  table: HtmlTable
  /** Only arranges the page: its cells are read as what stands in them. */
  isLayout: boolean
  cell: Cell | null
  isInRow: boolean
  isInHead: boolean
}

/** Gathers paragraphs from a parser's events, without a tree: a list gives an item each, a table a row each. */
export function createPageReader(): PageReader {
  const paragraphs: Paragraph[] = []
  let title = ''
  let inTitle = false
  let inHead = false
  const line = createRaisedLine()
  const look = createPageLook()
  const readings = createReadings()
  let inSheet = false
  /** Depths of the open elements that raise their text. */
  const raisedAt: number[] = []
  /** Open elements inside the first hidden one, it included. */
  let hidden = 0
  let preformatted = 0
  let main = 0
  let level = 0
  let mark = ''
  const lists: List[] = []
  const tables: OpenTable[] = []
  let formula: FormulaReader | null = null
  let isOwnLine = false
  /** The open header outside the content, as the index of its first paragraph; -1: none. */
  let headerFrom = -1
  let headers = 0

  /** What the text ends with is kept beside it: to look would join all its pieces each time. */
  let endsBlank = true
  let isBlank = true
  function append(piece: string, isRaised = false): void {
    if (piece === '') return
    line.add(piece, isRaised)
    isBlank &&= piece.trim() === ''
    endsBlank = /\s/.test(piece.charAt(piece.length - 1))
  }

  function appendFlat(piece: string): void {
    if (preformatted > 0) return append(piece.replace(/\r\n?/g, '\n'), raisedAt.length > 0)
    const flat = piece.replace(/[ \t\r\n\f]+/g, ' ')
    append(endsBlank ? flat.replace(/^ /, '') : flat, raisedAt.length > 0)
  }

  function take(): string {
    append(readings.end())
    const text = line.take()
    endsBlank = true
    isBlank = true
    return preformatted > 0 ? text.replace(/^\n+/, '').trimEnd() : trimLines(text)
  }

  function close(): void {
    const body = take()
    if (body === '') return
    const kind: BlockKind = level > 0 ? 'heading' : mark !== '' ? 'item' : preformatted > 0 ? 'fence' : 'paragraph'
    const paragraph = { text: kind === 'item' ? mark + body : body, kind, level, main: main > 0 }
    paragraphs.push(paragraph)
    if (kind !== 'item' || mark === inner) return
    lists.at(-1)?.items?.push({ paragraph, mark })
    // What else stands in this item belongs under its mark.
    mark = inner
  }

  /** The table whose cell collects the text. */
  function openCell(): OpenTable | null {
    const table = tables.at(-1)
    return table !== undefined && !table.isLayout && table.isInRow ? table : null
  }

  function endCell(table: OpenTable): void {
    if (table.cell === null) return
    table.table.addCell(take(), table.cell.attributes, table.cell.isHeader)
    table.cell = null
  }

  function writeTable({ table }: OpenTable): void {
    for (const line of table.take()) paragraphs.push({ text: mark === inner ? mark + line : line, kind: 'row', level: 0, main: main > 0 })
  }

  function beginTable(attributes: Record<string, string>): void {
    // A table in a cell: those around it arrange the page.
    for (const open of tables) {
      if (open.isLayout) continue
      open.isLayout = true
      writeTable(open)
    }
    close()
    const isLayout = attributes['role'] === 'presentation' || attributes['role'] === 'none'
    tables.push({ table: createHtmlTable(), isLayout, cell: null, isInRow: false, isInHead: false })
  }

  function endTable(): void {
    const open = tables.pop()
    if (open === undefined) return
    if (!open.isLayout) endCell(open)
    close()
    writeTable(open)
  }

  function beginPart(table: OpenTable, name: string, attributes: Record<string, string>): void {
    if (name === 'td' || name === 'th') {
      if (table.isLayout) return close()
      endCell(table)
      // What stands in a row and in no cell is kept as one.
      if (!isBlank) table.table.addCell(take(), {}, false)
      if (!table.isInRow) close()
      table.isInRow = true
      table.cell = { attributes, isHeader: name === 'th' }
      return
    }
    endRow(table)
    if (name === 'thead') table.isInHead = true
    if (name === 'tr') {
      table.isInRow = true
      table.table.beginRow(table.isInHead)
    }
  }

  function endRow(table: OpenTable): void {
    if (table.isLayout || !table.isInRow) return close()
    endCell(table)
    if (!isBlank) table.table.addCell(take(), {}, false)
    table.table.endRow()
    table.isInRow = false
  }

  function endPart(table: OpenTable, name: string): void {
    if (name === 'td' || name === 'th') {
      if (table.isLayout) close()
      else endCell(table)
      return
    }
    endRow(table)
    if (name === 'thead') table.isInHead = false
  }

  function beginList(name: string, attributes: Record<string, string>): void {
    const start = Number.parseInt(attributes['start'] ?? '', 10)
    const isReversed = 'reversed' in attributes
    const items = name === 'ol' && isReversed && Number.isNaN(start) ? [] : null
    lists.push({
      ordered: name === 'ol',
      next: Number.isNaN(start) ? 1 : start,
      step: isReversed ? -1 : 1,
      type: attributes['type'] ?? '1',
      items,
    })
    mark = ''
  }

  function endList(): void {
    const list = lists.pop()
    for (const [index, { paragraph, mark }] of list?.items?.entries() ?? [])
      paragraph.text = `${numeral(list!.items!.length - index, list!.type)}. ${paragraph.text.slice(mark.length)}`
    mark = lists.length > 0 ? inner : ''
  }

  function beginItem(attributes: Record<string, string>): void {
    const list = lists.at(-1)
    if (list?.ordered !== true) {
      mark = '- '
      return
    }
    const value = Number.parseInt(attributes['value'] ?? '', 10)
    if (!Number.isNaN(value)) list.next = value
    mark = `${numeral(list.next, list.type)}. `
    list.next += list.step
  }

  function header(entering: boolean): void {
    headers = Math.max(0, headers + (entering ? 1 : -1))
    if (entering && headers === 1 && main === 0) headerFrom = paragraphs.length
    if (entering || headers > 0 || headerFrom === -1) return
    const own = paragraphs.slice(headerFrom)
    headerFrom = -1
    if (own.some((paragraph) => paragraph.level === 1)) for (const paragraph of own) headed.add(paragraph)
  }
  /** What stands in a header with the page's heading. */
  const headed = new Set<Paragraph>()

  function edge(name: string, entering: boolean, attributes: Record<string, string>): void {
    if (name === 'ruby' || name === 'rt' || name === 'rp') return readings.edge(name, entering)
    if (name === 'table') return entering ? beginTable(attributes) : endTable()
    const table = tables.at(-1)
    if (table !== undefined && parts.has(name)) return entering ? beginPart(table, name, attributes) : endPart(table, name)
    if (!blocks.has(name)) return
    if (openCell() !== null) {
      if (!endsBlank) append(' ')
      return
    }
    close()
    if (name === 'pre') preformatted = Math.max(0, preformatted + (entering ? 1 : -1))
    else if (name === 'main') main = Math.max(0, main + (entering ? 1 : -1))
    else if (name === 'header') header(entering)
    else if (/^h[1-6]$/.test(name)) level = entering ? Number(name[1]) : 0
    else if (name === 'ul' || name === 'ol') {
      if (entering) beginList(name, attributes)
      else endList()
    } else if (name === 'li') {
      if (entering) beginItem(attributes)
      else mark = ''
    }
  }

  function beginFormula(name: string, attributes: Record<string, string>): void {
    isOwnLine = attributes['display'] === 'block' && openCell() === null
    if (isOwnLine) close()
    formula = createMathMl()
    formula.open(name, attributes)
  }

  function endFormula(ended: FormulaReader): void {
    formula = null
    append(readings.end() + ended.end())
    if (isOwnLine) close()
  }

  let depth = 0
  return {
    handler: {
      onopentag(name, attributes) {
        if (!empty.has(name)) depth += 1
        if (depth > maxDepth) throw new XmlProblem('The document is nested too deeply.')
        if (formula !== null) {
          if (!blocks.has(name)) return empty.has(name) ? undefined : formula.open(name, attributes)
          // It was never closed.
          endFormula(formula)
        }
        if (name === 'style') inSheet = true
        if (hidden > 0 || left.has(name) || look.isHidden(name, attributes)) {
          if (!empty.has(name)) hidden += 1
          return
        }
        if (name === 'math' || name.endsWith(':math')) return beginFormula(name, attributes)
        if (name === 'head') inHead = true
        if (name === 'title' && title === '') inTitle = true
        if (name === 'body') inHead = false
        if (!empty.has(name) && look.isRaised(name, attributes)) raisedAt.push(depth)
        const said = saidByElement(name, attributes)
        if (said !== null) appendFlat(said)
        if (name === 'br') append(`${readings.end()}\n`)
        else if (name === 'hr') {
          if (openCell() === null) close()
          else if (!endsBlank) append(' ')
        } else edge(name, true, attributes)
      },
      onclosetag(name) {
        if (empty.has(name)) return
        if (name === 'style' && inSheet) {
          inSheet = false
          look.endSheet()
        }
        if (raisedAt.at(-1) === depth) raisedAt.pop()
        depth -= 1
        if (formula !== null) {
          if (formula.close()) endFormula(formula)
          return
        }
        if (hidden > 0) {
          hidden -= 1
          return
        }
        if (name === 'head') inHead = false
        if (name === 'title') inTitle = false
        edge(name, false, {})
      },
      ontext(data) {
        if (inSheet) look.sheet(data)
        if (hidden > 0) return
        if (formula !== null) return formula.text(data)
        if (inTitle) title += data
        else if (!inHead) appendFlat(readings.text(data.replaceAll('\u00AD', '')))
      },
    },
    end() {
      if (formula !== null) endFormula(formula)
      while (tables.length > 0) endTable()
      close()
      while (headers > 0) header(false)
      // The heading of a page stands before its content as often as in it.
      if (paragraphs.some((paragraph) => paragraph.main))
        for (const paragraph of paragraphs) if (paragraph.level === 1 || headed.has(paragraph)) paragraph.main = true
      return { title, paragraphs }
    },
  }
}
