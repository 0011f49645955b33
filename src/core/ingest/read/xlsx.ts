import { decodeXml, readXml } from './xml.ts'
import { relationsOf } from './relations.ts'
import { commentRemark, type SheetRemark, type SheetRow } from './sheet-rows.ts'
import { readDrawings, type SheetDrawings } from './xlsx-drawings.ts'
import type { Zip } from './zip.ts'

/** Thirty times what a cell may hold: what goes on longer was not written by a spreadsheet. */
const longestCell = 1_000_000

/** How a number is shown. */
export type FormatNumber = (format: string | number, value: number, date1904: boolean) => string

export interface Workbook {
  sheets: {
    name: string
    hidden: boolean
    rows: () => Promise<SheetRow[]>
    comments: () => Promise<SheetRemark[]>
    drawings: () => Promise<SheetDrawings>
  }[]
}

/** Columns that a sheet may have. */
const mostColumns = 16_384
/** Cells that a merged area may fill. */
const mostMergedCells = 100_000

/** Built-in formats that each language shows its own way: unambiguous, and as Chinese and Japanese Excel show theirs. */
const localFormats: Record<number, string> = {
  14: 'yyyy-mm-dd',
  22: 'yyyy-mm-dd hh:mm',
  27: 'yyyy"年"m"月"',
  28: 'm"月"d"日"',
  29: 'm"月"d"日"',
  30: 'yyyy-mm-dd',
  31: 'yyyy"年"m"月"d"日"',
  32: 'h"时"mm"分"',
  33: 'h"时"mm"分"ss"秒"',
  34: 'h"时"mm"分"',
  35: 'h"时"mm"分"ss"秒"',
  36: 'yyyy"年"m"月"',
  50: 'yyyy"年"m"月"',
  51: 'm"月"d"日"',
  52: 'yyyy"年"m"月"',
  53: 'm"月"d"日"',
  54: 'm"月"d"日"',
  55: 'h"时"mm"分"',
  56: 'h"时"mm"分"ss"秒"',
  57: 'yyyy"年"m"月"',
  58: 'm"月"d"日"',
}

/** SpreadsheetML (ECMA-376 part 1, 18). Null when there is no workbook in the package. */
export async function openWorkbook(zip: Zip, format: FormatNumber): Promise<Workbook | null> {
  const relations = await relationsOf(zip, '')
  const main = [...relations.values()].find((relation) => relation.type.endsWith('/officeDocument'))?.target ?? 'xl/workbook.xml'
  const source = await zip.bytes(main)
  if (source === null && !zip.damaged) return null
  const folder = main.slice(0, main.lastIndexOf('/') + 1)
  const parts = await relationsOf(zip, main)
  const find = (type: string): string | undefined => [...parts.values()].find((part) => part.type.endsWith(type))?.target
  const strings = readStrings(await zip.bytes(find('/sharedStrings') ?? `${folder}sharedStrings.xml`))
  const formats = readFormats(await zip.bytes(find('/styles') ?? `${folder}styles.xml`))
  let date1904 = false
  const sheets: { name: string; hidden: boolean; target: string }[] = []
  readXml(source ?? '', {
    open(name, attributes) {
      if (local(name) === 'workbookPr') date1904 = /^(?:1|true)$/.test(attributes['date1904'] ?? '')
      if (local(name) !== 'sheet') return
      const id = Object.entries(attributes).find(([key]) => local(key) === 'id' && key.includes(':'))?.[1] ?? ''
      const part = parts.get(id)
      const hidden = /hidden/i.test(attributes['state'] ?? '')
      if (part !== undefined && !/\/(?:chartsheet|dialogsheet)$/.test(part.type))
        sheets.push({ name: attributes['name'] ?? `Sheet${sheets.length + 1}`, hidden, target: part.target })
    },
  })
  // What lists the sheets may be lost with the damage.
  if (sheets.length === 0 && zip.damaged)
    for (const target of zip.names.filter((name) => /^xl\/worksheets\/[^/]+\.xml$/.test(name)))
      sheets.push({ name: `Sheet${sheets.length + 1}`, hidden: false, target })
  function show(text: string, style: number): string {
    const value = Number(text)
    if (text === '' || Number.isNaN(value)) return text
    const of = formats[style] ?? 0
    if (of === 0 || of === 'General') return plainNumber(value)
    try {
      return format(typeof of === 'number' ? (localFormats[of] ?? of) : of, value, date1904).trim()
    } catch {
      return plainNumber(value)
    }
  }
  return {
    sheets: sheets.map(({ name, hidden, target }) => ({
      name,
      hidden,
      comments: () => readComments(zip, target),
      drawings: () => readDrawings(zip, target),
      rows: async () => {
        const bytes = await zip.bytes(target)
        return bytes === null ? [] : readRows(decodeXml(bytes), strings, show)
      },
    })),
  }
}

function local(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** As Excel shows it without a format: at most eleven digits. */
function plainNumber(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 1e15 ? `${value}` : `${Number(value.toPrecision(11))}`
}

function readStrings(source: Buffer | null): string[] {
  const strings: string[] = []
  if (source === null) return strings
  let text = ''
  let inText = false
  let phonetic = 0
  readXml(source, {
    open(name) {
      const tag = local(name)
      if (tag === 'si') text = ''
      // How a word is spoken stands beside it.
      else if (tag === 'rPh') phonetic += 1
      inText = tag === 't' && phonetic === 0
    },
    close(name) {
      const tag = local(name)
      if (tag === 'si') strings.push(text)
      else if (tag === 'rPh') phonetic -= 1
      inText = false
    },
    text(data) {
      if (inText && text.length < longestCell) text += data
    },
  })
  return strings
}

/** Comments on cells, with the names of their authors within them as the spreadsheet writes them. */
async function readComments(zip: Zip, sheet: string): Promise<SheetRemark[]> {
  const part = [...(await relationsOf(zip, sheet)).values()].find(({ type }) => type.endsWith('/comments'))
  const source = part === undefined ? null : await zip.bytes(part.target)
  const comments: { cell: string; text: string }[] = []
  let inText = false
  if (source !== null)
    readXml(source, {
      open(name, attributes) {
        if (local(name) === 'comment') comments.push({ cell: attributes['ref'] ?? '', text: '' })
        inText = local(name) === 't'
      },
      close: () => (inText = false),
      text(data) {
        const last = comments.at(-1)
        if (inText && last !== undefined && last.text.length < longestCell) last.text += data
      },
    })
  return comments.filter(({ text }) => text.trim() !== '').map(({ cell, text }) => commentRemark(cell, text))
}

/** The number format of each cell style: a built-in number or a pattern. */
function readFormats(source: Buffer | null): (number | string)[] {
  const formats: (number | string)[] = []
  if (source === null) return formats
  const patterns = new Map<number, string>()
  let inCells = false
  readXml(source, {
    open(name, attributes) {
      const tag = local(name)
      if (tag === 'numFmt') patterns.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? 'General')
      else if (tag === 'cellXfs') inCells = true
      else if (tag === 'xf' && inCells) {
        const id = Number(attributes['numFmtId'] ?? 0)
        formats.push(patterns.get(id) ?? id)
      }
    },
    close(name) {
      if (local(name) === 'cellXfs') inCells = false
    },
  })
  return formats
}

function columnOf(reference: string): number {
  let column = 0
  for (const letter of reference) {
    const code = letter.charCodeAt(0)
    if (code < 65 || code > 90) break
    column = column * 26 + code - 64
  }
  return column - 1
}

function readRows(source: string, strings: readonly string[], show: (text: string, style: number) => string): SheetRow[] {
  const rows: SheetRow[] = []
  let row: SheetRow = { number: 0, cells: [] }
  let column = 0
  let type = ''
  let style = 0
  let text = ''
  let taking = false

  function endCell(): void {
    const value =
      type === 's'
        ? (strings[Number(text)] ?? '')
        : type === 'b'
          ? text === '1'
            ? 'TRUE'
            : 'FALSE'
          : type === '' || type === 'n'
            ? show(text, style)
            : text
    if (value === '' || column < 0 || column >= mostColumns) return
    while (row.cells.length < column) row.cells.push('')
    row.cells[column] = value
  }

  readXml(source, {
    open(name, attributes) {
      const tag = local(name)
      if (tag === 'row') {
        const number = Number(attributes['r'])
        row = { number: Number.isInteger(number) && number > 0 ? number : row.number + 1, cells: [] }
        column = -1
      } else if (tag === 'c') {
        column = attributes['r'] === undefined ? column + 1 : columnOf(attributes['r'])
        type = attributes['t'] ?? ''
        style = Number(attributes['s'] ?? 0)
        text = ''
      }
      taking = tag === 'v' || tag === 't'
    },
    close(name) {
      const tag = local(name)
      taking = false
      if (tag === 'c') endCell()
      else if (tag === 'row' && row.cells.length > 0) rows.push(row)
    },
    text(data) {
      if (taking && text.length < longestCell) text += data
    },
  })
  merge(rows, source)
  return rows
}

/** A merged area shows the value of its first cell: every row under it has it. Areas stand behind the rows. */
function merge(rows: SheetRow[], source: string): void {
  const at = source.lastIndexOf('mergeCells')
  if (at === -1) return
  const begin = Math.max(0, source.search(/<(?:\w+:)?mergeCells\b/))
  const byNumber = new Map(rows.map((row) => [row.number, row]))
  let budget = mostMergedCells
  for (const [, from = '', to = ''] of source.slice(begin).matchAll(/<(?:\w+:)?mergeCell\b[^>]*?\bref="([A-Z]+\d+):([A-Z]+\d+)"/g)) {
    const [left, right] = [columnOf(from), Math.min(columnOf(to), mostColumns - 1)]
    const [top, bottom] = [Number(/\d+$/.exec(from)?.[0]), Number(/\d+$/.exec(to)?.[0])]
    const value = byNumber.get(top)?.cells[left] ?? ''
    if (value === '') continue
    for (let number = top; number <= bottom && budget > 0; number += 1) {
      const row = byNumber.get(number)
      // Rows that hold nothing else stay out; so does a title that is merged over a whole sheet.
      if (row === undefined) {
        budget -= 1
        continue
      }
      for (let column = left; column <= right && budget > 0; column += 1) {
        budget -= 1
        while (row.cells.length < column) row.cells.push('')
        row.cells[column] = value
      }
    }
  }
}
