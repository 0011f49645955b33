import { decode, looksWide } from './decode.ts'
import type { OpenFile } from './file.ts'
import { formatOf } from './format.ts'
import { csvRows } from './csv.ts'
import { encodingReason } from './encoding.ts'
import { failed, type ReadEnd, type Sections } from './reading.ts'
import { sheetSections, type SheetRow, type SheetTable } from './sheet-rows.ts'
import { lockedMessage, picturesReason, savedMessage, troubleOf } from './office-end.ts'
import { pageRanges } from './pdf-text.ts'
import type { XlsRecords } from './xls-records.ts'
import { openZip, type Zip } from './zip.ts'
import type { WorkBook } from '@e965/xlsx'

/** The tables of a document, one after the other. */
interface Tables {
  tables: AsyncIterable<SheetTable> | Iterable<SheetTable>
  /** What is to be said of them once all were read; null: nothing is wrong. */
  remark: () => ReadEnd['reason']
}

const nothing = (): null => null

/** xlsx, xls, ods and separated values: every sheet, as shown. */
export async function* readSheet(file: OpenFile): Sections {
  let sheets = 0
  let cut = false
  let rows = 0
  let remark = nothing as Tables['remark']
  try {
    const opened = await openTables(file)
    if ('status' in opened) return opened
    remark = opened.remark
    for await (const table of opened.tables) {
      sheets += 1
      const end = yield* sheetSections(table)
      cut ||= end.cut
      rows += end.rows
    }
  } catch (error) {
    const trouble = troubleOf(error)
    return sheets === 0 ? trouble : { ...trouble, status: 'partial' }
  }
  if (cut) {
    const message = 'It is too long: rows far down, or the end of very long cells, are not searched.'
    return { status: 'partial', reason: { code: 'too-large', message }, title: null, pages: sheets }
  }
  const reason = remark()
  if (reason?.code === 'damaged' && rows === 0) return failed('damaged', 'The file is damaged.')
  return { status: reason === null || reason.code === 'mixed-encodings' ? 'ready' : 'partial', reason, title: null, pages: sheets }
}

/** The tables of a document, or why there are none. */
export async function openTables(file: OpenFile): Promise<Tables | ReadEnd> {
  const format = formatOf(file)
  switch (format) {
    case 'xlsx':
      return packedTables(file, workbookTables)
    case 'ods':
      return packedTables(file, openDocumentTables)
    case 'xls':
      return oldTables(file)
    case 'office':
      return failed('encrypted', lockedMessage)
    case null: {
      if (isNoText(file.first(512))) return failed('damaged', 'This is no table that can be read.')
      return textTables(file)
    }
    default:
      return failed('damaged', 'This is no table that can be read.')
  }
}

/** Zeros stand in text only where each character is two bytes. */
function isNoText(first: Buffer): boolean {
  const marked = (first[0] === 0xff && first[1] === 0xfe) || (first[0] === 0xfe && first[1] === 0xff)
  return !marked && first.includes(0) && looksWide(first) === null
}

function textTables(file: OpenFile): Tables {
  const decoded = decode(() => file.chunks())
  const stray: number[] = []
  const rows = csvRows(decoded.parts, { onStrayQuote: (row) => void stray.push(row) })
  return {
    tables: [{ name: '', rows }],
    remark() {
      const reason = encodingReason(decoded)
      if (decoded.guessed || stray.length === 0) return reason
      const shown = pageRanges([...new Set(stray)].slice(0, 20))
      const message = `A quote is never closed (row ${shown}${stray.length > 20 ? ', …' : ''}); it was read as a part of its cell.`
      return { code: 'damaged', message }
    },
  }
}

/** Tables of a packed document; damage of the package is known at the end. */
function packedTables(file: OpenFile, tablesOf: (zip: Zip, unread: { pictures: number }) => AsyncGenerator<SheetTable>): Tables {
  const unread = { pictures: 0 }
  let isDamaged = false
  async function* tables(): AsyncGenerator<SheetTable> {
    const zip = await openZip(file.bytes())
    try {
      yield* tablesOf(zip, unread)
      isDamaged = zip.damaged
    } finally {
      zip.close()
    }
  }
  return {
    tables: tables(),
    remark: () => (isDamaged ? { code: 'damaged', message: savedMessage } : picturesReason(unread.pictures)),
  }
}

async function* workbookTables(zip: Zip, unread: { pictures: number }): AsyncGenerator<SheetTable> {
  const { openWorkbook } = await import('./xlsx.ts')
  const { SSF } = (await import('@e965/xlsx')).default
  const format = (pattern: string | number, value: number, date1904: boolean): string => SSF.format(pattern, value, { date1904 }) as string
  const workbook = await openWorkbook(zip, format)
  if (workbook === null) return
  for (const { rows, comments, drawings, ...sheet } of workbook.sheets) {
    const drawn = await drawings()
    unread.pictures += drawn.pictures
    yield { ...sheet, rows: await rows(), remarks: [...(await comments()), ...drawn.remarks] }
  }
}

async function* openDocumentTables(zip: Zip): AsyncGenerator<SheetTable> {
  const { readOdsTables } = await import('./ods.ts')
  const { odfContent } = await import('./odf.ts')
  const content = await odfContent(zip)
  if (content !== null) yield* readOdsTables(content)
}

/** Workbooks of Excel 97 to 2003 ([MS-XLS]). */
async function oldTables(file: OpenFile): Promise<Tables> {
  const { CFB, read, utils } = (await import('@e965/xlsx')).default
  const { lostRecords, wholeRecords } = await import('./xls-records.ts')
  const options = { type: 'buffer' as const, cellNF: false, cellHTML: false, dateNF: 'yyyy-mm-dd' }
  const bytes = file.bytes()

  /** The records of the workbook; null where it is of an older kind, which has its own. */
  function recordsOf(): XlsRecords | null {
    try {
      const found = CFB.find(CFB.read(bytes, { type: 'buffer' }), '/Workbook')
      return found === null ? null : wholeRecords(Buffer.from(found.content))
    } catch {
      return lostRecords(bytes)
    }
  }
  const records = recordsOf()
  let workbook: WorkBook
  try {
    workbook = read(records?.damaged === true ? records.stream : bytes, options)
  } catch (error) {
    const { ZipProblem } = await import('./zip.ts')
    const protectedBy = error instanceof Error && /password|encrypt/i.test(error.message)
    throw new ZipProblem(protectedBy ? 'encrypted' : 'damaged', error instanceof Error ? error.message : 'damaged')
  }
  const tables = workbook.SheetNames.map((name, index) => {
    const sheet = workbook.Sheets[name] ?? {}
    const raw = utils.sheet_to_json<string[]>(sheet, { header: 1, raw: false, defval: '', blankrows: true })
    const first = sheet['!ref'] === undefined ? 0 : utils.decode_range(sheet['!ref']).s.r
    const rows = raw.map((cells, row): SheetRow => ({ number: first + row + 1, cells: cells.map(String) }))
    for (const { s, e } of sheet['!merges'] ?? []) {
      const value = rows[s.r - first]?.cells[s.c] ?? ''
      for (let row = s.r; row <= Math.min(e.r, s.r + 1000); row += 1)
        for (let column = s.c; column <= Math.min(e.c, s.c + 1000); column += 1) {
          const cells = rows[row - first]?.cells
          if (cells !== undefined) cells[column] = value
        }
    }
    const hidden = (workbook.Workbook?.Sheets?.[index]?.Hidden ?? 0) !== 0
    return { name, hidden, rows: rows.filter((row) => row.cells.some((cell) => cell !== '')) }
  })
  return { tables, remark: () => (records?.damaged === true ? { code: 'damaged', message: savedMessage } : null) }
}
