import { readNumbering, readStyles, type DocxStyle, type Numbering } from './docx-parts.ts'
import type { TextParagraph } from './paragraphs.ts'
import { tableLines, type TableRow } from './table-rows.ts'
import { readXml } from './xml.ts'
import type { Zip } from './zip.ts'

export interface DocxText {
  paragraphs: TextParagraph[]
  title: string | null
  /** There are insertions or deletions that nobody accepted or refused yet. */
  tracked: boolean
}

/** WordprocessingML (ECMA-376 part 1, 17). Null when there is no document in the package. */
export async function readDocxText(zip: Zip): Promise<DocxText | null> {
  const main = await mainPart(zip)
  const document = main === null ? null : await zip.bytes(main)
  if (main === null || document === null) return null
  const folder = main.slice(0, main.lastIndexOf('/') + 1)
  const part = (name: string): Promise<Buffer | null> => zip.bytes(folder + name)
  const styles = readStyles(await part('styles.xml'))
  const numbering = readNumbering(await part('numbering.xml'))
  const notes = new Map([...readNotes('footnote', await part('footnotes.xml')), ...readNotes('endnote', await part('endnotes.xml'))])
  const body = createBodyReader(styles, numbering, notes)
  readXml(document, body.handler)
  const { paragraphs, tracked } = body.end()
  return { paragraphs, tracked, title: coreTitle(await zip.bytes('docProps/core.xml')) }
}

/** Strict and transitional packages name it alike, some writers do not. */
async function mainPart(zip: Zip): Promise<string | null> {
  if (zip.has('word/document.xml')) return 'word/document.xml'
  const relations = await zip.bytes('_rels/.rels')
  let target: string | null = null
  if (relations !== null)
    readXml(relations, {
      open(_name, attributes) {
        if ((attributes['Type'] ?? '').endsWith('/officeDocument')) target = (attributes['Target'] ?? '').replace(/^\//, '')
      },
    })
  return target ?? zip.names.find((name) => /^word\/document\d*\.xml$/.test(name)) ?? null
}

export function coreTitle(source: Buffer | null): string | null {
  let title = ''
  let inTitle = false
  if (source !== null)
    readXml(source, {
      open: (name) => (inTitle = name === 'dc:title'),
      close: () => (inTitle = false),
      text: (data) => (title += inTitle ? data : ''),
    })
  return title.trim() === '' ? null : title.trim()
}

type NoteKind = 'footnote' | 'endnote'

function readNotes(kind: NoteKind, source: Buffer | null): Map<string, string> {
  const notes = new Map<string, string>()
  if (source === null) return notes
  let id = ''
  let text = ''
  let inText = false
  let deleted = 0
  readXml(source, {
    open(name, attributes) {
      if (name === `w:${kind}`) {
        // The separators between text and notes are notes as well.
        id = attributes['w:type'] === undefined || attributes['w:type'] === 'normal' ? (attributes['w:id'] ?? '') : ''
        text = ''
      } else if (name === 'w:del' || name === 'w:moveFrom') deleted += 1
      else if (name === 'w:p' && text !== '') text += ' '
      inText = name === 'w:t'
    },
    close(name) {
      if (name === 'w:del' || name === 'w:moveFrom') deleted -= 1
      if (name === `w:${kind}` && id !== '' && text.trim() !== '') notes.set(`${kind} ${id}`, text.trim())
      inText = false
    },
    text(data) {
      if (inText && deleted === 0) text += data
    },
  })
  return notes
}

/** One paragraph that is being read. Text boxes stand in a paragraph and have paragraphs of their own. */
interface OpenParagraph {
  text: string
  style: string
  level: number | null
  numbering: { id: string; level: number } | null
  notes: string[]
  /** Of runs that show something. */
  bold: boolean
  plain: boolean
}

interface OpenTable {
  rows: TableRow[]
  cells: { text: string; span: number; merge: 'none' | 'start' | 'continue'; bold: boolean }[]
  header: boolean
  above: string[]
}

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹'
const runFlags: Record<string, 'bold' | 'hidden'> = { 'w:b': 'bold', 'w:bCs': 'bold', 'w:vanish': 'hidden' }

function createBodyReader(styles: ReadonlyMap<string, DocxStyle>, numbering: Numbering, notes: ReadonlyMap<string, string>) {
  const paragraphs: TextParagraph[] = []
  const open: OpenParagraph[] = []
  const tables: OpenTable[] = []
  /** Whether the choice of an alternative gave text; its fallback says the same again. */
  const alternatives: { length: number }[] = []
  let tracked = false
  let removed = 0
  let skipped = 0
  let inText = false
  let inRun = false
  let run = { bold: false, hidden: false }
  let noteCount = 0
  let written = 0

  function add(text: string): void {
    const paragraph = open.at(-1)
    if (paragraph === undefined || removed > 0 || skipped > 0 || run.hidden) return
    paragraph.text += text
    written += text.length
    if (text.trim() !== '') paragraph[run.bold ? 'bold' : 'plain'] = true
  }

  function put(paragraph: TextParagraph): void {
    const cell = tables.at(-1)?.cells.at(-1)
    if (cell !== undefined) cell.text += cell.text === '' ? paragraph.text : `\n${paragraph.text}`
    else paragraphs.push(paragraph)
  }

  function endParagraph(): void {
    const paragraph = open.pop()
    if (paragraph === undefined) return
    const style = styles.get(paragraph.style)
    const text = paragraph.text.replace(/[ \t]*\n[ \t]*/g, '\n').trim()
    const list = paragraph.numbering ?? style?.numbering ?? null
    // A number is counted even where its paragraph is empty.
    const mark = list === null || list.id === '0' ? '' : numbering.mark(list.id, list.level)
    if (text !== '' && style?.contents !== true) {
      const level = paragraph.level ?? style?.level ?? 0
      const marked = mark === '' ? text : `${mark} ${text}`
      const cell = tables.at(-1)?.cells.at(-1)
      if (cell !== undefined) cell.bold = cell.bold && paragraph.bold && !paragraph.plain
      put({ text: marked, kind: level > 0 ? 'heading' : mark === '' ? 'paragraph' : 'item', level })
    }
    for (const note of paragraph.notes) put({ text: note, kind: 'paragraph', level: 0 })
  }

  function note(kind: NoteKind, id: string): void {
    const text = notes.get(`${kind} ${id}`)
    if (text === undefined || removed > 0 || skipped > 0) return
    noteCount += 1
    const mark = [...`${noteCount}`].map((digit) => superscripts[Number(digit)] ?? digit).join('')
    add(mark)
    open.at(-1)?.notes.push(`${mark} ${text}`)
  }

  function endRow(table: OpenTable): void {
    const cells: string[] = []
    const nextAbove: string[] = []
    for (const cell of table.cells) {
      const column = cells.length
      const text = cell.merge === 'continue' ? (table.above[column] ?? '') : cell.text
      for (let span = 0; span < Math.min(cell.span, 1000); span += 1) {
        cells.push(text)
        nextAbove.push(text)
      }
    }
    table.above = nextAbove
    const looks = table.rows.length === 0 && table.cells.length > 1 && table.cells.every((cell) => cell.bold && cell.text !== '')
    table.rows.push({ cells, header: table.header || looks })
    table.cells = []
    table.header = false
  }

  function endTable(): void {
    const table = tables.pop()
    if (table === undefined) return
    for (const line of tableLines(table.rows)) put({ text: line, kind: 'row', level: 0 })
  }

  function onParagraph(name: string, attributes: Record<string, string>): void {
    const paragraph = open.at(-1)
    if (paragraph === undefined) return
    const value = attributes['w:val'] ?? ''
    if (name === 'w:pStyle') paragraph.style = value
    else if (name === 'w:outlineLvl') paragraph.level = Number(value) > 8 ? 0 : Number(value) + 1
    else if (name === 'w:numId') paragraph.numbering = { id: value, level: paragraph.numbering?.level ?? 0 }
    else if (name === 'w:ilvl') paragraph.numbering = { id: paragraph.numbering?.id ?? '', level: Number(value) }
    else if (name === 'w:tab') add(inRun ? '\t' : '')
    else if (name === 'w:br' || name === 'w:cr') add('\n')
    else if (name === 'w:noBreakHyphen') add('-')
    else if (name === 'w:sym') add(symbol(attributes['w:char'] ?? ''))
    else if (name === 'w:footnoteReference') note('footnote', attributes['w:id'] ?? '')
    else if (name === 'w:endnoteReference') note('endnote', attributes['w:id'] ?? '')
  }

  function onTable(name: string, attributes: Record<string, string>): void {
    const table = tables.at(-1)
    const cell = table?.cells.at(-1)
    if (name === 'w:tbl') tables.push({ rows: [], cells: [], header: false, above: [] })
    else if (table === undefined) return
    else if (name === 'w:tc') table.cells.push({ text: '', span: 1, merge: 'none', bold: true })
    else if (name === 'w:tblHeader') table.header = !/^(?:0|false|off)$/.test(attributes['w:val'] ?? '')
    else if (cell === undefined) return
    else if (name === 'w:gridSpan') cell.span = Math.max(1, Number(attributes['w:val']) || 1)
    else if (name === 'w:vMerge') cell.merge = attributes['w:val'] === 'restart' ? 'start' : 'continue'
  }

  const handler = {
    open(name: string, attributes: Record<string, string>): void {
      if (skipped > 0) {
        skipped += 1
        return
      }
      if (name === 'mc:AlternateContent') alternatives.push({ length: written })
      else if (name === 'mc:Fallback' && written > (alternatives.at(-1)?.length ?? 0)) skipped = 1
      else if (name === 'w:del' || name === 'w:moveFrom') removed += 1
      else if (name === 'w:p') open.push({ text: '', style: '', level: null, numbering: null, notes: [], bold: false, plain: false })
      else if (name === 'w:r') {
        inRun = true
        run = { bold: false, hidden: false }
      } else if (runFlags[name] !== undefined && inRun) run[runFlags[name]] = !/^(?:0|false|off)$/.test(attributes['w:val'] ?? '')
      if (name === 'w:ins' || name === 'w:del' || name === 'w:moveTo' || name === 'w:moveFrom') tracked = true
      inText = name === 'w:t' || name === 'm:t'
      onParagraph(name, attributes)
      onTable(name, attributes)
    },
    close(name: string): void {
      if (skipped > 0) {
        skipped -= 1
        return
      }
      inText = false
      if (name === 'mc:AlternateContent') alternatives.pop()
      else if (name === 'w:del' || name === 'w:moveFrom') removed = Math.max(0, removed - 1)
      else if (name === 'w:r') {
        inRun = false
        run = { bold: false, hidden: false }
      } else if (name === 'w:p') endParagraph()
      else if (name === 'w:tr') {
        const table = tables.at(-1)
        if (table !== undefined) endRow(table)
      } else if (name === 'w:tbl') endTable()
    },
    text(data: string): void {
      if (inText) add(data)
    },
  }

  return {
    handler,
    end() {
      // A document that was cut off still has what was open.
      while (open.length > 0) endParagraph()
      while (tables.length > 0) {
        const table = tables.at(-1)
        if (table !== undefined && table.cells.length > 0) endRow(table)
        endTable()
      }
      return { paragraphs, tracked }
    },
  }
}

/** Symbol fonts live in the private area; the common marks have their own characters. */
function symbol(code: string): string {
  const known: Record<string, string> = { F0B7: '•', F0A7: '▪', F0FC: '✓', F0FE: '☑', F0A8: '☐', F0E0: '→', F0B0: '°', F0B1: '±' }
  const upper = code.toUpperCase()
  const value = Number.parseInt(upper, 16)
  if (known[upper] !== undefined) return known[upper]
  return Number.isNaN(value) || (value >= 0xe000 && value <= 0xf8ff) ? '' : String.fromCodePoint(value)
}
