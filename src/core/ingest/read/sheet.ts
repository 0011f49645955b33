import type { Reason } from '../../../contract/library.ts'
import { decode, looksWide } from './decode.ts'
import type { OpenFile } from './file.ts'
import { formatOf } from './format.ts'
import { csvRows } from './csv.ts'
import { encodingReason } from './encoding.ts'
import { failed, type ReadEnd, type Sections } from './reading.ts'
import type { SheetTable } from './sheet-rows.ts'
import { sheetSections } from './sheet-sections.ts'
import { lockedMessage, picturesReason, savedMessage, troubleOf } from './office-end.ts'
import { pageRanges } from './pdf-text.ts'
import { openZip, type Zip } from './zip.ts'

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
  let formulas = 0
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
      formulas += end.formulas
    }
  } catch (error) {
    const trouble = troubleOf(error)
    return sheets === 0 ? trouble : { ...trouble, status: 'partial' }
  }
  if (cut) {
    const message = 'It is too long: rows far down, or the end of very long cells, are not searched.'
    return { status: 'partial', reason: { code: 'too-large', message }, title: null, pages: sheets }
  }
  const said = remark()
  const reason = formulas > 0 && (said === null || said.code === 'parts-unread') ? formulasReason(formulas) : said
  if (reason?.code === 'damaged' && rows === 0) return failed('damaged', 'The file is damaged.')
  return { status: reason === null || reason.code === 'mixed-encodings' ? 'ready' : 'partial', reason, title: null, pages: sheets }
}

function formulasReason(count: number): Reason {
  const cells = count === 1 ? 'A cell has a formula' : `${count} cells have formulas`
  return { code: 'formulas-without-results', message: `${cells} whose result is not in the file.` }
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
      return oldTables(file.bytes())
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

/** Workbooks of Excel 97 to 2003 ([MS-XLS]). */
async function oldTables(bytes: Buffer): Promise<Tables> {
  const { readXlsTables } = await import('./xls.ts')
  const { tables, isDamaged } = readXlsTables(bytes)
  return { tables, remark: () => (isDamaged ? { code: 'damaged', message: savedMessage } : null) }
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
  const { formatLibrary } = await import('./format-library.ts')
  const workbook = await openWorkbook(zip, formatLibrary)
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
