import type { Parser } from 'htmlparser2'
import { createMathMl, type FormulaReader } from './formula.ts'
import { numeral } from './html-numerals.ts'
import { createHtmlTable, type HtmlTable } from './html-table.ts'
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

const left = new Set(
  'script style noscript template nav svg iframe object canvas select button input textarea dialog audio video datalist'.split(' '),
)
const blocks = new Set(
  (
    'address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html ' +
    'legend li main ol p pre section summary table tbody tfoot thead tr ul'
  ).split(' '),
)
const empty = new Set('area base br col embed hr img link meta param source track wbr input'.split(' '))

const unseen =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0*\.?0*\s*(?:;|$|!)|font-size\s*:\s*0(?!\.?\d*[1-9]))/i

function isHidden(name: string, attributes: Record<string, string>): boolean {
  // Some pages hide themselves until their scripts have run.
  if (name === 'html' || name === 'body') return false
  // A picture of the formula is shown instead.
  if (attributes['class']?.includes('mwe-math-mathml-') === true) return false
  return (
    'hidden' in attributes ||
    attributes['aria-hidden']?.trim().toLowerCase() === 'true' ||
    attributes['role'] === 'navigation' ||
    (attributes['style'] !== undefined && unseen.test(attributes['style'].slice(0, 2000)))
  )
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
  let text = ''
  /** Open elements inside the first hidden one, it included. */
  let hidden = 0
  let preformatted = 0
  let main = 0
  let level = 0
  let mark = ''
  const lists: List[] = []
  const tables: OpenTable[] = []
  /** Readings over the open words of Japanese or Chinese; null outside them. */
  let readings: string[] | null = null
  let inReading = 0
  let formula: FormulaReader | null = null
  let isOwnLine = false
  /** The open header outside the content, as the index of its first paragraph; -1: none. */
  let headerFrom = -1
  let headers = 0

  /** What the text ends with is kept beside it: to look would join all its pieces each time. */
  let endsBlank = true
  function append(piece: string): void {
    if (piece === '') return
    text += piece
    endsBlank = /\s/.test(piece.charAt(piece.length - 1))
  }

  function take(): string {
    const body = preformatted > 0 ? text.replace(/^\n+/, '').trimEnd() : trimLines(text)
    text = ''
    endsBlank = true
    return body
  }

  function close(): void {
    endReadings()
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
    endReadings()
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
      if (text.trim() !== '') table.table.addCell(take(), {}, false)
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
    if (text.trim() !== '') table.table.addCell(take(), {}, false)
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

  function endReadings(): void {
    if (readings === null) return
    const reading = readings.map((each) => each.trim()).filter((each) => each !== '')
    readings = null
    inReading = 0
    if (reading.length > 0) append(`（${reading.join(/[a-z]/i.test(reading.join('')) ? ' ' : '')}）`)
  }

  function ruby(name: string, entering: boolean): void {
    if (name === 'ruby') {
      endReadings()
      if (entering) readings = []
    } else if (readings !== null && (name === 'rt' || name === 'rp')) {
      inReading = Math.max(0, inReading + (entering ? 1 : -1))
      if (entering) readings.push('')
      // Brackets for those who cannot show readings: they are put here anyway.
      else if (name === 'rp') readings.pop()
    }
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
    if (name === 'ruby' || name === 'rt' || name === 'rp') return ruby(name, entering)
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
    append(ended.end())
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
        if (hidden > 0 || left.has(name) || isHidden(name, attributes)) {
          if (!empty.has(name)) hidden += 1
          return
        }
        if (name === 'math' || name.endsWith(':math')) return beginFormula(name, attributes)
        if (name === 'head') inHead = true
        if (name === 'title' && title === '') inTitle = true
        if (name === 'body') inHead = false
        if (name === 'br') append('\n')
        else if (name === 'hr') {
          if (openCell() === null) close()
          else if (!endsBlank) append(' ')
        } else edge(name, true, attributes)
      },
      onclosetag(name) {
        if (empty.has(name)) return
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
        if (hidden > 0) return
        if (formula !== null) return formula.text(data)
        if (inTitle) title += data
        else if (inHead) return
        else if (inReading > 0 && readings !== null) readings[readings.length - 1] += data
        else if (preformatted > 0) append(data.replace(/\r\n?/g, '\n'))
        else {
          const flat = data.replace(/[ \t\r\n\f]+/g, ' ')
          append(endsBlank ? flat.replace(/^ /, '') : flat)
        }
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
