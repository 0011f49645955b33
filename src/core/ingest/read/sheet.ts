import { decode } from './decode.ts'
import type { OpenFile } from './file.ts'
import { formatOf } from './format.ts'
import { csvRows } from './csv.ts'
import { guessedMessage } from './html.ts'
import { failed, type ReadEnd, type Sections } from './reading.ts'
import { sheetSections, type SheetRow, type SheetTable } from './sheet-rows.ts'
import { troubleOf } from './word.ts'
import { openZip } from './zip.ts'

/** The tables of a document, one after the other. */
interface Tables {
  tables: AsyncIterable<SheetTable> | Iterable<SheetTable>
  /** Null: nothing is wrong. */
  remark: ReadEnd['reason']
}

/** xlsx, xls, ods and separated values: every sheet, as shown. */
export async function* readSheet(file: OpenFile): Sections {
  let sheets = 0
  let cut = false
  let remark: ReadEnd['reason'] = null
  try {
    const opened = await openTables(file)
    if ('status' in opened) return opened
    remark = opened.remark
    for await (const table of opened.tables) {
      sheets += 1
      const end = yield* sheetSections(table)
      cut ||= end.cut
    }
  } catch (error) {
    const trouble = troubleOf(error)
    return sheets === 0 ? trouble : { ...trouble, status: 'partial' }
  }
  if (cut) {
    const message = 'It is too long: rows far down, or the end of very long cells, are not searched.'
    return { status: 'partial', reason: { code: 'too-large', message }, title: null, pages: sheets }
  }
  return { status: remark === null ? 'ready' : 'partial', reason: remark, title: null, pages: sheets }
}

/** The tables of a document, or why there are none. */
export async function openTables(file: OpenFile): Promise<Tables | ReadEnd> {
  const format = formatOf(file)
  switch (format) {
    case 'xlsx':
      return { tables: workbookTables(file), remark: null }
    case 'ods':
      return { tables: openDocumentTables(file), remark: null }
    case 'xls':
      return { tables: await oldTables(file), remark: null }
    case 'office':
      return failed('encrypted', 'The document is protected by a password.')
    case null: {
      if (isNoText(file.first(512))) return failed('damaged', 'This is no table that can be read.')
      const decoded = decode(() => file.chunks())
      if (decoded.guessed) return { tables: [textTable(decoded.parts)], remark: { code: 'encoding-guessed', message: guessedMessage } }
      return { tables: [textTable(decoded.parts)], remark: null }
    }
    default:
      return failed('damaged', 'This is no table that can be read.')
  }
}

/** Zeros stand in text only where each character is two bytes. */
function isNoText(first: Buffer): boolean {
  const marked = (first[0] === 0xff && first[1] === 0xfe) || (first[0] === 0xfe && first[1] === 0xff)
  return !marked && first.includes(0)
}

function textTable(parts: Iterable<string>): SheetTable {
  return { name: 'Sheet1', rows: csvRows(parts) }
}

async function* workbookTables(file: OpenFile): AsyncGenerator<SheetTable> {
  const { openWorkbook } = await import('./xlsx.ts')
  const { SSF } = (await import('@e965/xlsx')).default
  const zip = await openZip(file.bytes())
  try {
    const format = (pattern: string | number, value: number, date1904: boolean): string =>
      SSF.format(pattern, value, { date1904 }) as string
    const workbook = await openWorkbook(zip, format)
    if (workbook === null) return
    for (const { name, rows } of workbook.sheets) yield { name, rows: await rows() }
  } finally {
    zip.close()
  }
}

async function* openDocumentTables(file: OpenFile): AsyncGenerator<SheetTable> {
  const { readOdsTables } = await import('./ods.ts')
  const zip = await openZip(file.bytes())
  try {
    const content = await zip.bytes('content.xml')
    if (content !== null) yield* readOdsTables(content)
  } finally {
    zip.close()
  }
}

/** Workbooks of Excel 97 to 2003 ([MS-XLS]). */
async function oldTables(file: OpenFile): Promise<SheetTable[] | never> {
  const { read, utils } = (await import('@e965/xlsx')).default
  let workbook
  try {
    workbook = read(file.bytes(), { type: 'buffer', cellNF: false, cellHTML: false, dateNF: 'yyyy-mm-dd' })
  } catch (error) {
    const { ZipProblem } = await import('./zip.ts')
    const protectedBy = error instanceof Error && /password|encrypt/i.test(error.message)
    throw new ZipProblem(protectedBy ? 'encrypted' : 'damaged', error instanceof Error ? error.message : 'damaged')
  }
  return workbook.SheetNames.map((name) => {
    const sheet = workbook.Sheets[name] ?? {}
    const raw = utils.sheet_to_json<string[]>(sheet, { header: 1, raw: false, defval: '', blankrows: true })
    const first = sheet['!ref'] === undefined ? 0 : utils.decode_range(sheet['!ref']).s.r
    const rows = raw.map((cells, index): SheetRow => ({ number: first + index + 1, cells: cells.map(String) }))
    for (const { s, e } of sheet['!merges'] ?? []) {
      const value = rows[s.r - first]?.cells[s.c] ?? ''
      for (let row = s.r; row <= Math.min(e.r, s.r + 1000); row += 1)
        for (let column = s.c; column <= Math.min(e.c, s.c + 1000); column += 1) {
          const cells = rows[row - first]?.cells
          if (cells !== undefined) cells[column] = value
        }
    }
    return { name, rows: rows.filter((row) => row.cells.some((cell) => cell !== '')) }
  })
}
