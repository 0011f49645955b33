import type { TextParagraph } from './paragraphs.ts'
import { tableLines, type TableRow } from './table-rows.ts'
import { readXml } from './xml.ts'

export interface OdfText {
  paragraphs: TextParagraph[]
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
}

/** What is left out: what was deleted, what is said about the text, and how it looks. */
const left = new Set([
  'text:tracked-changes',
  'office:annotation',
  'office:annotation-end',
  'text:table-of-content',
  'text:alphabetical-index',
  'svg:desc',
  'svg:title',
])

/** OpenDocument (ISO/IEC 26300): the content of a text document, or of anything that holds its paragraphs. */
export function createOdfReader() {
  const paragraphs: TextParagraph[] = []
  const open: { text: string; level: number; item: boolean; notes: string[] }[] = []
  const tables: OpenTable[] = []
  const lists: number[] = []
  let skipped = 0
  let tracked = false
  let firstOfItem = false
  let note: { text: string; depth: number } | null = null
  let inCitation = false
  let noteCount = 0

  function put(paragraph: TextParagraph): void {
    const table = tables.at(-1)
    if (table !== undefined) table.text += table.text === '' ? paragraph.text : `\n${paragraph.text}`
    else paragraphs.push(paragraph)
  }

  function add(text: string): void {
    if (note !== null) note.text += inCitation ? '' : text
    else {
      const paragraph = open.at(-1)
      if (paragraph !== undefined) paragraph.text += text
    }
  }

  function endParagraph(): void {
    if (note !== null) {
      note.text += ' '
      return
    }
    const paragraph = open.pop()
    const text = paragraph?.text.trim() ?? ''
    if (paragraph === undefined || text === '') return
    const { level, item, notes } = paragraph
    put({ text: item ? `- ${text}` : text, kind: level > 0 ? 'heading' : item ? 'item' : 'paragraph', level })
    for (const each of notes) put({ text: each, kind: 'paragraph', level: 0 })
  }

  function endNote(): void {
    const text = note?.text.trim() ?? ''
    note = null
    if (text === '') return
    noteCount += 1
    const mark = `(${noteCount})`
    add(mark)
    open.at(-1)?.notes.push(`${mark} ${text}`)
  }

  function onTable(name: string, attributes: Record<string, string>): void {
    const table = tables.at(-1)
    if (name === 'table:table') tables.push({ rows: [], cells: [], text: '', repeats: 1, header: false })
    else if (table === undefined) return
    else if (name === 'table:table-header-rows') table.header = true
    else if (name === 'table:table-cell' || name === 'table:covered-table-cell') {
      table.text = name === 'table:covered-table-cell' ? (table.cells.at(-1) ?? '') : ''
      table.repeats = Math.min(mostRepeats, Number(attributes['table:number-columns-repeated'] ?? 1) || 1)
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
        if (name === 'text:p' || name === 'text:h') {
          if (note === null) {
            const level = name === 'text:h' ? Math.max(1, Number(attributes['text:outline-level'] ?? 1) || 1) : 0
            open.push({ text: '', level, item: lists.length > 0 && firstOfItem && level === 0, notes: [] })
            firstOfItem = false
          }
        } else if (name === 'text:list') lists.push(0)
        else if (name === 'text:list-item') firstOfItem = true
        else if (name === 'text:s') add(' '.repeat(Math.min(100, Number(attributes['text:c'] ?? 1) || 1)))
        else if (name === 'text:tab') add('\t')
        else if (name === 'text:line-break') add('\n')
        else if (name === 'text:note') note = { text: '', depth: 0 }
        else if (name === 'text:note-citation') inCitation = true
        onTable(name, attributes)
      },
      close(name: string): void {
        if (skipped > 0) {
          skipped -= 1
          return
        }
        const table = tables.at(-1)
        if (name === 'text:p' || name === 'text:h') endParagraph()
        else if (name === 'text:list') lists.pop()
        else if (name === 'text:note-citation') inCitation = false
        else if (name === 'text:note') endNote()
        else if (table === undefined) return
        else if (name === 'table:table-cell' || name === 'table:covered-table-cell')
          table.cells.push(...Array.from({ length: table.text === '' ? 1 : table.repeats }, () => table.text))
        else if (name === 'table:table-header-rows') table.header = false
        else if (name === 'table:table-row') {
          table.rows.push({ cells: table.cells, header: table.header })
          table.cells = []
        } else if (name === 'table:table') {
          tables.pop()
          for (const line of tableLines(table.rows)) put({ text: line, kind: 'row', level: 0 })
        }
      },
      text(data: string): void {
        // White space of the file is one blank; more are said by elements of their own.
        if (skipped === 0) add(data.replace(/\s+/g, ' '))
      },
    },
    end(): OdfText {
      while (open.length > 0) endParagraph()
      return { paragraphs, tracked }
    },
  }
}

export function readOdfText(content: Buffer): OdfText {
  const reader = createOdfReader()
  readXml(content, reader.handler)
  return reader.end()
}
