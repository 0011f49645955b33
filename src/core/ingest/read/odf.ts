import { commentLine, runningLine } from './docx-asides.ts'
import { createMathMl, type FormulaReader } from './formula.ts'
import type { TextParagraph } from './paragraphs.ts'
import { raisedSpans } from './odf-styles.ts'
import type { PlacedPicture } from './pictures.ts'
import { createRaisedLine, type RaisedLine } from './raised.ts'
import { tableLines, type TableRow } from './table-rows.ts'
import { readXml } from './xml.ts'
import { ZipProblem, type Zip } from './zip.ts'

export interface OdfText {
  paragraphs: TextParagraph[]
  pictures: PlacedPicture[]
  /** There are tracked changes. */
  tracked: boolean
}

/** Cells and rows that a table says it repeats, beyond which nobody wrote anything. */
const mostRepeats = 64

interface OpenTable {
  rows: TableRow[]
  cells: string[]
  text: string
  repeats: number
  header: boolean
  covered: boolean
  /** Columns of the row whose cell is that to the left. */
  merged: Set<number>
  /** Columns of the row whose cell is the one above. */
  fallen: Set<number>
  /** What the row above shows, and for how many more rows it hangs down. */
  hanging: Map<number, { text: string; rows: number; beside: boolean }>
  spans: { columns: number; rows: number }
}

/** Formulas by the name of their object. */
export type Formulas = ReadonlyMap<string, string>

/** What is left out: what was deleted, what is said about the text, and how it looks. */
const left = new Set([
  'text:tracked-changes',
  'office:annotation-end',
  'text:table-of-content',
  'text:alphabetical-index',
  'svg:desc',
  'svg:title',
])

/** OpenDocument (ISO/IEC 26300): the content of a text document, or of anything that holds its paragraphs. */
export function createOdfReader(formulas: Formulas = new Map(), raised: ReadonlySet<string> = new Set()) {
  const paragraphs: TextParagraph[] = []
  const pictures: PlacedPicture[] = []
  const open: { line: RaisedLine; level: number; item: boolean; notes: string[]; pictures: string[] }[] = []
  const tables: OpenTable[] = []
  const lists: number[] = []
  let skipped = 0
  let tracked = false
  let firstOfItem = false
  /** A footnote, or what somebody wrote at the edge. */
  let note: { line: RaisedLine; author: string; isComment: boolean } | null = null
  /** Whether the open stretches are raised, the outermost first. */
  const spans: boolean[] = []
  let inAuthor = false
  let inDate = false
  let formula: FormulaReader | null = null
  /** The object of a frame has a picture beside it that shows the same. */
  let objects = 0
  let isOrnament = false
  let inCitation = false
  let noteCount = 0

  function put(paragraph: TextParagraph): void {
    const table = tables.at(-1)
    if (table !== undefined) table.text += table.text === '' ? paragraph.text : `\n${paragraph.text}`
    else paragraphs.push(paragraph)
  }

  function add(text: string, isRaised = spans.at(-1) === true): void {
    if (note !== null && inAuthor) note.author += text
    else if (note !== null) note.line.add(inCitation || inDate ? '' : text, isRaised)
    else open.at(-1)?.line.add(text, isRaised)
  }

  function endParagraph(): void {
    if (note !== null) {
      note.line.add(' ', false)
      return
    }
    const paragraph = open.pop()
    if (paragraph === undefined) return
    const { level, item, notes } = paragraph
    const text = paragraph.line.take().trim()
    if (text !== '') put({ text: item ? `- ${text}` : text, kind: level > 0 ? 'heading' : item ? 'item' : 'paragraph', level })
    for (const each of notes) put({ text: each, kind: 'paragraph', level: 0 })
    for (const part of paragraph.pictures) pictures.push({ part, after: paragraphs.length })
  }

  function endNote(): void {
    const text = note?.line.take().trim() ?? ''
    const { isComment = false, author = '' } = note ?? {}
    note = null
    if (text === '') return
    if (isComment) {
      const line = commentLine(author, text)
      const paragraph = open.at(-1)
      if (paragraph === undefined) put({ text: line, kind: 'paragraph', level: 0 })
      else paragraph.notes.push(line)
      return
    }
    noteCount += 1
    const mark = `(${noteCount})`
    add(mark, false)
    open.at(-1)?.notes.push(`${mark} ${text}`)
  }

  function onTable(name: string, attributes: Record<string, string>): void {
    const table = tables.at(-1)
    const count = (key: string): number => Math.max(1, Math.min(mostRepeats, Number(attributes[key] ?? 1) || 1))
    if (name === 'table:table') tables.push(newTable())
    else if (table === undefined) return
    else if (name === 'table:table-header-rows') table.header = true
    else if (name === 'table:table-cell' || name === 'table:covered-table-cell') {
      table.covered = name === 'table:covered-table-cell'
      table.text = ''
      table.repeats = count('table:number-columns-repeated')
      table.spans = { columns: count('table:number-columns-spanned'), rows: count('table:number-rows-spanned') }
    }
  }

  function endTable(): void {
    const table = tables.pop()
    const lines = table === undefined ? [] : tableLines(table.rows)
    if (lines.length === 0) return
    // Within a cell, the rows of another table are set apart by brackets.
    if (tables.length > 0) put({ text: `[${lines.join('; ')}]`, kind: 'row', level: 0 })
    else for (const line of lines) put({ text: line, kind: 'row', level: 0 })
  }

  function onFormula(name: string, attributes: Record<string, string> | null): void {
    if (formula === null) return
    if (attributes !== null) return formula.open(name, attributes)
    if (!formula.close()) return
    add(formula.end(), false)
    formula = null
  }

  function onFrame(name: string, attributes: Record<string, string>): void {
    const link = (attributes['xlink:href'] ?? '').replace(/^\.\//, '')
    if (name === 'draw:frame') {
      objects = 0
      isOrnament = isSmall(attributes['svg:width']) || isSmall(attributes['svg:height'], 0.5)
    } else if (name === 'draw:object') {
      objects += 1
      const said = formulas.get(link)
      if (said !== undefined) add(said, false)
    } else if (name === 'draw:image' && objects === 0 && !isOrnament && link !== '') {
      const paragraph = open.at(-1)
      if (paragraph === undefined) pictures.push({ part: link, after: paragraphs.length })
      else paragraph.pictures.push(link)
    }
  }

  return {
    handler: {
      open(name: string, attributes: Record<string, string>): void {
        if (skipped > 0 || left.has(name)) {
          if (name === 'text:tracked-changes') tracked = true
          skipped += 1
          return
        }
        if (formula === null && (name === 'math' || name === 'math:math')) formula = createMathMl()
        if (formula !== null) return onFormula(name, attributes)
        onFrame(name, attributes)
        if (name === 'text:p' || name === 'text:h') {
          if (note === null) {
            const level = name === 'text:h' ? Math.max(1, Number(attributes['text:outline-level'] ?? 1) || 1) : 0
            open.push({ line: createRaisedLine(), level, item: lists.length > 0 && firstOfItem && level === 0, notes: [], pictures: [] })
            firstOfItem = false
          }
        } else if (name === 'text:span') spans.push(spans.at(-1) === true || raised.has(attributes['text:style-name'] ?? ''))
        else if (name === 'text:list') lists.push(0)
        else if (name === 'text:list-item') firstOfItem = true
        else if (name === 'text:s') add(' '.repeat(Math.min(100, Number(attributes['text:c'] ?? 1) || 1)))
        else if (name === 'text:tab') add('\t')
        else if (name === 'text:line-break') add('\n')
        else if (name === 'text:note' || name === 'office:annotation') {
          note = { line: createRaisedLine(), author: '', isComment: name === 'office:annotation' }
          spans.push(false)
        } else if (name === 'text:note-citation') inCitation = true
        else if (name === 'dc:creator') inAuthor = true
        else if (name === 'dc:date' || name === 'meta:date-string' || name === 'meta:creator-initials') inDate = true
        onTable(name, attributes)
      },
      close(name: string): void {
        if (skipped > 0) {
          skipped -= 1
          return
        }
        if (formula !== null) return onFormula(name, null)
        const table = tables.at(-1)
        if (name === 'text:p' || name === 'text:h') endParagraph()
        else if (name === 'text:list') lists.pop()
        else if (name === 'text:note-citation') inCitation = false
        else if (name === 'text:note' || name === 'office:annotation') {
          spans.pop()
          endNote()
        } else if (name === 'text:span') spans.pop()
        else if (name === 'dc:creator') inAuthor = false
        else if (name === 'dc:date' || name === 'meta:date-string' || name === 'meta:creator-initials') inDate = false
        else if (table === undefined) return
        else if (name === 'table:table-cell' || name === 'table:covered-table-cell') endCell(table)
        else if (name === 'table:table-header-rows') table.header = false
        else if (name === 'table:table-row') endRow(table)
        else if (name === 'table:table') endTable()
      },
      text(data: string): void {
        // White space of the file is one blank; more are said by elements of their own.
        if (skipped > 0) return
        if (formula === null) add(data.replace(/\s+/g, ' '))
        else formula.text(data)
      },
    },
    end(): OdfText {
      while (open.length > 0) endParagraph()
      for (let table = tables.at(-1); table !== undefined; table = tables.at(-1)) {
        if (table.cells.length > 0) endRow(table)
        endTable()
      }
      return { paragraphs, pictures, tracked }
    },
  }
}

function newTable(): OpenTable {
  return {
    rows: [],
    cells: [],
    text: '',
    repeats: 1,
    header: false,
    covered: false,
    merged: new Set(),
    fallen: new Set(),
    hanging: new Map(),
    spans: { columns: 1, rows: 1 },
  }
}

/** A covered cell is that to the left or the one above, whichever reaches over it. */
function endCell(table: OpenTable): void {
  const { cells, covered, text, repeats, spans, hanging } = table
  for (let time = 0; time < (text === '' && !covered ? 1 : repeats); time += 1) {
    const column = cells.length
    const above = hanging.get(column)
    if (!covered) cells.push(text)
    else if (above === undefined) {
      cells.push(cells.at(-1) ?? '')
      table.merged.add(column)
    } else {
      table.fallen.add(column)
      cells.push(above.text)
      if (above.beside) table.merged.add(column)
      if (--above.rows === 0) hanging.delete(column)
    }
    if (covered || spans.rows === 1) continue
    for (let next = 0; next < spans.columns; next += 1)
      hanging.set(column + next, { text, rows: spans.rows - (next === 0 ? 1 : 0), beside: next > 0 })
  }
}

function endRow(table: OpenTable): void {
  table.rows.push({ cells: table.cells, merged: table.merged, hanging: table.fallen, header: table.header })
  table.cells = []
  table.merged = new Set()
  table.fallen = new Set()
}

/** Whether a length on the page is that of an ornament. */
function isSmall(length: string | undefined, leastCentimetres = 1.27): boolean {
  const found = /^([\d.]+)(cm|mm|in|pt)$/.exec(length ?? '')
  if (found === null) return false
  const units: Record<string, number> = { cm: 1, mm: 0.1, in: 2.54, pt: 2.54 / 72 }
  return Number(found[1]) * (units[found[2] ?? ''] ?? 1) < leastCentimetres
}

/** The content of an open document; null when it is not in the package. Rejects with a ZipProblem where it is locked. */
export async function odfContent(zip: Zip): Promise<Buffer | null> {
  const manifest = await zip.bytes('META-INF/manifest.xml')
  if (manifest?.includes('encryption-data') === true) throw new ZipProblem('encrypted', 'The document is encrypted.')
  return zip.bytes('content.xml')
}

/** Formulas are objects of their own within the package. */
export async function formulasOf(zip: Zip): Promise<Formulas> {
  const formulas = new Map<string, string>()
  for (const name of zip.names) {
    const object = /^(Object \d+)\/content\.xml$/.exec(name)?.[1]
    const source = object === undefined ? null : await zip.bytes(name)
    if (object === undefined || source === null || !/<(?:math:)?math[\s>]/.test(source.toString('latin1', 0, 2000))) continue
    const formula = createMathMl()
    readXml(source, { open: formula.open, close: () => formula.close(), text: formula.text })
    formulas.set(object, formula.end())
  }
  return formulas
}

/** The content of a text document; null when it is not in the package. */
export async function readOdfText(zip: Zip): Promise<OdfText | null> {
  const content = await odfContent(zip)
  if (content === null) return null
  const reader = createOdfReader(await formulasOf(zip), await raisedSpans(zip, content))
  readXml(content, reader.handler)
  const { paragraphs, pictures, tracked } = reader.end()
  const lines = runningLines(await zip.bytes('styles.xml')).map((text) => ({ text, kind: 'paragraph' as const, level: 0 }))
  return {
    paragraphs: [...lines, ...paragraphs],
    pictures: pictures.map(({ part, after }) => ({ part, after: after + lines.length })),
    tracked,
  }
}

/** What runs over and under the pages, each line once. */
function runningLines(styles: Buffer | null): string[] {
  const lines = new Set<string>()
  if (styles === null) return []
  let kind: 'header' | 'footer' | null = null
  let text = ''
  readXml(styles, {
    open(name) {
      const found = /^style:(header|footer)(?:-left|-first)?$/.exec(name)?.[1]
      if (found === undefined) return
      kind = found === 'header' ? 'header' : 'footer'
      text = ''
    },
    close(name) {
      if (kind === null || !/^style:(?:header|footer)(?:-left|-first)?$/.test(name)) {
        if (name === 'text:p') text += ' '
        return
      }
      const line = runningLine(kind, text)
      if (line !== null) lines.add(line)
      kind = null
    },
    text: (data) => (text += kind === null ? '' : data),
  })
  return [...lines]
}
