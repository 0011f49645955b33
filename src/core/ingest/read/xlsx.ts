import { createCellFormat, type CellFormat, type FormatLibrary } from './cell-format.ts'
import { decodeXml, readXml } from './xml.ts'
import { relationsOf } from './relations.ts'
import { createRaised } from './rich-text.ts'
import { commentRemark, type SheetRemark, type SheetRow } from './sheet-rows.ts'
import { readDrawings, type SheetDrawings } from './xlsx-drawings.ts'
import type { Zip } from './zip.ts'

/** Thirty times what a cell may hold: what goes on longer was not written by a spreadsheet. */
const longestCell = 1_000_000

export interface Workbook {
  sheets: {
    name: string
    hidden: boolean
    rows: () => Promise<SheetRow[]>
    comments: () => Promise<SheetRemark[]>
    drawings: () => Promise<SheetDrawings>
  }[]
}

/** What Excel allows. */
const longestFormula = 8192
/** Columns that a sheet may have. */
const mostColumns = 16_384
/** Cells that a merged area may fill. */
const mostMergedCells = 100_000

/** SpreadsheetML (ECMA-376 part 1, 18). Null when there is no workbook in the package. */
export async function openWorkbook(zip: Zip, library: FormatLibrary): Promise<Workbook | null> {
  const relations = await relationsOf(zip, '')
  const main = [...relations.values()].find((relation) => relation.type.endsWith('/officeDocument'))?.target ?? 'xl/workbook.xml'
  const source = await zip.bytes(main)
  if (source === null && !zip.damaged) return null
  const folder = main.slice(0, main.lastIndexOf('/') + 1)
  const parts = await relationsOf(zip, main)
  const find = (type: string): string | undefined => [...parts.values()].find((part) => part.type.endsWith(type))?.target
  const strings = readStrings(await zip.bytes(find('/sharedStrings') ?? `${folder}sharedStrings.xml`))
  const formats = readFormats(await zip.bytes(find('/styles') ?? `${folder}styles.xml`))
  const properties = [...relations.values()].find((relation) => relation.type.endsWith('/extended-properties'))?.target
  const application = (await zip.bytes(properties ?? 'docProps/app.xml'))?.toString('latin1') ?? ''
  let date1904 = false
  let recalculates = false
  const sheets: { name: string; hidden: boolean; target: string }[] = []
  readXml(source ?? '', {
    open(name, attributes) {
      if (local(name) === 'workbookPr') date1904 = /^(?:1|true)$/.test(attributes['date1904'] ?? '')
      if (local(name) === 'calcPr') recalculates = /^(?:1|true)$/.test(attributes['fullCalcOnLoad'] ?? '')
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
  const format = createCellFormat(library, date1904)
  const isRecalculated = recalculates || /Apache POI/i.test(application)
  return {
    sheets: sheets.map(({ name, hidden, target }) => ({
      name,
      hidden,
      comments: () => readComments(zip, target),
      drawings: () => readDrawings(zip, target),
      rows: async () => {
        const bytes = await zip.bytes(target)
        return bytes === null ? [] : readRows(decodeXml(bytes), { strings, formats, format, isRecalculated })
      },
    })),
  }
}

function local(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

function readStrings(source: Buffer | null): string[] {
  const strings: string[] = []
  if (source === null) return strings
  let text = ''
  let inText = false
  let phonetic = 0
  const raised = createRaised()
  readXml(source, {
    open(name, attributes) {
      const tag = local(name)
      if (tag === 'si') text = ''
      // How a word is spoken stands beside it.
      else if (tag === 'rPh') phonetic += 1
      raised.open(tag, attributes)
      inText = tag === 't' && phonetic === 0
    },
    close(name) {
      const tag = local(name)
      if (tag === 'si') strings.push(text)
      else if (tag === 'rPh') phonetic -= 1
      raised.close(tag)
      inText = false
    },
    text(data) {
      if (inText && text.length < longestCell) text += raised.shown(data)
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

interface CellContext {
  strings: readonly string[]
  /** By cell style. */
  formats: readonly (number | string)[]
  format: CellFormat
  /** The results in the file are no results: whoever wrote it left them to the next program. */
  isRecalculated: boolean
}

function readRows(source: string, { strings, formats, format, isRecalculated }: CellContext): SheetRow[] {
  const rows: SheetRow[] = []
  let row: SheetRow = { number: 0, cells: [] }
  let column = 0
  let type = ''
  let style = 0
  let text = ''
  let formula: string | null = null
  let taking: 'value' | 'formula' | null = null
  const raised = createRaised()
  /** Cells with formulas whose result is zero. */
  const zeros: { row: SheetRow; column: number; formula: string }[] = []
  let results = 0

  function put(into: SheetRow, at: number, value: string): void {
    while (into.cells.length < at) into.cells.push('')
    into.cells[at] = value
  }

  function putFormula(into: SheetRow, at: number, written: string): void {
    put(into, at, `=${written === '' ? '…' : written}`)
    into.formulas = new Set([...(into.formulas ?? []), at])
  }

  function endCell(): void {
    if (column < 0 || column >= mostColumns) return
    const isNumber = type === '' || type === 'n'
    if (formula !== null && isNumber && text.trim() === '') {
      putFormula(row, column, formula)
      return
    }
    if (formula !== null && isNumber && Number(text) === 0) zeros.push({ row, column, formula })
    else if (formula !== null) results += 1
    const value = shownCell()
    if (value !== '') put(row, column, value)
  }

  function shownCell(): string {
    const of = formats[style] ?? 0
    switch (type) {
      case '':
      case 'n':
        return format.number(of, text)
      case 'b':
        return text === '1' ? 'TRUE' : 'FALSE'
      case 's':
        return format.text(of, strings[Number(text)] ?? '')
      case 'str':
      case 'inlineStr':
        return format.text(of, text)
      default:
        return text
    }
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
        formula = null
      } else if (tag === 'f') formula = ''
      raised.open(tag, attributes)
      taking = tag === 'v' || tag === 't' ? 'value' : tag === 'f' ? 'formula' : null
    },
    close(name) {
      const tag = local(name)
      taking = null
      raised.close(tag)
      if (tag === 'c') endCell()
      else if (tag === 'row' && row.cells.length > 0) rows.push(row)
    },
    text(data) {
      if (taking === 'value' && text.length < longestCell) text += raised.shown(data)
      else if (taking === 'formula' && formula !== null && formula.length < longestFormula) formula += data
    },
  })
  if (isRecalculated && results === 0) for (const { row: of, column: at, formula: written } of zeros) putFormula(of, at, written)
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
