import {
  filledCells,
  findHeader,
  flatCell,
  isFigure,
  isNumeric,
  longestCell,
  type Header,
  type SheetRow,
  type SheetTable,
} from './sheet-rows.ts'

/** Rows that add up the ones above. */
export const totalLabel = /^(?:(?:grand|sub)?[- ]?totals?|sum|合计|总计|小计|共计|总和|合計|總計|小計)\s*[:：]?$/i

/** Larger sheets are one beside the other in no part: they are not held in memory. In rows, and in cells and characters of them. */
const mostRowsBeside = 5000
const mostSizeBeside = 8_000_000
const mostTables = 100
const looksAt = 12
const mostCaptions = 4
/** Values of a table that are kept to know a row of values from a header. */
const mostSeen = 5000
/** A name of a column in a table that holds nothing but words. */
const columnWords =
  /(?:名|名称|姓名|品名|物资|项目|编号|编码|代码|序号|工号|学号|单号|号码|日期|时间|年份|月份|部门|单位|岗位|职务|职位|类别|类型|种类|规格|型号|品牌|状态|地址|地区|城市|省份|电话|手机|邮箱|联系人|负责人|备注|说明|数量|单价|金额|合计|人数|性别|年龄|^(?:no|id|name|date|time|type|kind|status|city|country|region|address|phone|e-?mail|owner|manager|department|team|role|position|item|product|category|description|notes?|remarks?|comments?|code|number|quantity|qty|price|amount|unit)\.?$)$/i
const noteWords = /^(?:注|备注|说明|note|remark)[:：\s]|[。.]$/i
const noName = /^(?:[-–—/]+|n\/?a|null|nil|none|#n\/a|无|暂无|未知|不详|待定|待补|tbd)$/i

/** The tables of a sheet: below each other, each under its own header, or beside each other with empty columns between. */
export async function* tablesOf(sheet: SheetTable): AsyncGenerator<SheetTable> {
  async function* all(): AsyncGenerator<SheetRow> {
    for await (const row of sheet.rows) yield bounded(row)
  }
  const rest = all()
  const first: SheetRow[] = []
  let isWhole = false
  let size = 0
  while (first.length < mostRowsBeside && size < mostSizeBeside && !isWhole) {
    const next = await rest.next()
    if (next.done === true) isWhole = true
    else {
      first.push(next.value)
      size += next.value.cells.reduce((sum, cell) => sum + cell.length, next.value.cells.length)
    }
  }
  if (isWhole) for (const rows of first.length === 0 ? [[]] : cut(first)) yield { ...sheet, rows }
  else yield* stackedIn(sheet, first, rest)
}

/** A cell that is too long keeps one character more than is shown of any, which tells that it was cut. */
function bounded(row: SheetRow): SheetRow {
  if (!row.cells.some((cell) => cell.length > longestCell)) return row
  // As bytes and back, for a part of a text holds on to all of it.
  const short = (cell: string): string => Buffer.from(cell.slice(0, longestCell + 1)).toString()
  return { ...row, cells: row.cells.map((cell) => (cell.length > longestCell ? short(cell) : cell)) }
}

/** Alternately by empty columns and by headers, until there is one table in each part. */
function cut(rows: readonly SheetRow[]): SheetRow[][] {
  const beside = bandsOf(rows)
  if (beside.length > 1) return beside.flatMap((band) => cut(slice(rows, band)))
  const stack = createStack()
  const parts: SheetRow[][] = []
  for (const [at, row] of rows.entries()) {
    const begins = stack.begins(rows.slice(at, at + looksAt))
    const part = parts.at(-1)
    if (part === undefined || begins) parts.push([row])
    else part.push(row)
  }
  return parts.length > 1 ? parts.flatMap((part) => cut(part)) : parts
}

async function* stackedIn(sheet: SheetTable, first: SheetRow[], rest: AsyncGenerator<SheetRow>): AsyncGenerator<SheetTable> {
  const stack = createStack()
  async function* marked(): AsyncGenerator<{ row: SheetRow; begins: boolean }> {
    let ahead = first
    let from = 0
    for (;;) {
      while (ahead.length - from < looksAt) {
        const next = await rest.next()
        if (next.done === true) break
        ahead.push(next.value)
      }
      const row = ahead[from]
      if (row === undefined) return
      const begins = stack.begins(ahead.slice(from, from + looksAt))
      from += 1
      if (from > mostRowsBeside) {
        ahead = ahead.slice(from)
        from = 0
      }
      yield { row, begins }
    }
  }
  const rows = marked()
  let next = await rows.next()
  while (next.done !== true) {
    async function* part(): AsyncGenerator<SheetRow> {
      for (let isFirst = true; next.done !== true && (isFirst || !next.value.begins); isFirst = false) {
        const { row } = next.value
        next = await rows.next()
        yield row
      }
    }
    yield { ...sheet, rows: part() }
  }
}

function isSingle(row: SheetRow): boolean {
  return new Set(filledCells(row)).size <= 1
}

/** Follows the rows of a sheet and says which of them begins a table below the one before. */
function createStack() {
  let tables = 0
  let names: string[] = []
  let captions: string[] = []
  let previous: SheetRow | null = null
  /** Of the table, rows with more than one value. */
  let rows = 0
  let seen = new Set<string>()

  function startAt(ahead: readonly SheetRow[]): void {
    const header = findHeader(ahead)
    names = header.names
    captions = header.captions.flatMap(filledCells)
    rows = 0
    seen = new Set()
    tables += 1
  }

  function isHeaderAhead(before: SheetRow, ahead: readonly SheetRow[]): boolean {
    const top = ahead[0]!
    const isApart = top.number - before.number > 1
    const count = ahead.findIndex((row) => !isSingle(row))
    if (count === -1 || count > mostCaptions) return false
    if (!isApart && count === 0 && !totalLabel.test(filledCells(before)[0] ?? '')) return false
    const header = findHeader(ahead.slice(0, bodyEnd(ahead, count)))
    if (header.names.length === 0 || header.rows <= count) return false
    // What stands apart from the header below it belongs to the table above, unless it stands apart from that one, too.
    const parted = ahead.findIndex((row, at) => at > 0 && at <= count && row.number - ahead[at - 1]!.number > 1)
    if (parted !== -1 && !(isApart && parted === 1 && count === 1 && !noteWords.test(filledCells(top)[0] ?? ''))) return false
    const own = ahead.slice(0, count).flatMap(filledCells)
    const same = names.length > 0 && trimmed(names).join('\n') === trimmed(header.names).join('\n')
    if (same) return own.length > 0 && own.join('\n') !== captions.join('\n')
    const body = ahead.slice(header.rows, bodyEnd(ahead, count))
    return looksNamed({ header, row: ahead[count]!, body, seen, isApart })
  }

  return {
    /** `ahead`: the row and those below it. */
    begins(ahead: readonly SheetRow[]): boolean {
      const row = ahead[0]!
      const isFirst = previous === null
      const begins = previous !== null && rows > 1 && tables < mostTables && isHeaderAhead(previous, ahead)
      if (isFirst || begins) startAt(ahead)
      if (!isSingle(row)) rows += 1
      for (const cell of seen.size < mostSeen ? filledCells(row) : []) seen.add(cell)
      previous = row
      return begins
    },
  }
}

function trimmed(names: readonly string[]): string[] {
  return names.slice(0, names.findLastIndex((name) => name !== '') + 1)
}

/** Behind the last of the rows that follow the header without an empty one between. */
function bodyEnd(ahead: readonly SheetRow[], header: number): number {
  let end = header + 1
  while (end < ahead.length && ahead[end]!.number - ahead[end - 1]!.number === 1) end += 1
  return end
}

interface Candidate {
  header: Header
  row: SheetRow
  body: readonly SheetRow[]
  /** Values of the table above. */
  seen: ReadonlySet<string>
  /** An empty row parts it from the table above. */
  isApart: boolean
}

/** A row of names: of words that columns have, or over numbers alone; none of them is a value of the table above. */
function looksNamed({ header, row, body, seen, isApart }: Candidate): boolean {
  const cells = filledCells(row)
  if (body.length === 0 || cells.length < 2) return false
  if (cells.some((cell) => noName.test(cell) || /^=|[:：]\S/.test(cell))) return false
  const isPeriod = cells.some(isNumeric)
  const isTwo = header.rows - header.captions.length > 1
  if (!isTwo && new Set(cells).size < cells.length) return false
  if (cells.some((cell) => seen.has(cell) && !columnWords.test(cell))) return false
  const columns = header.names.map((name, column) => ({
    name,
    below: body.map((each) => flatCell(each.cells[column] ?? '')).filter((cell) => cell !== ''),
  }))
  const width = Math.max(...body.map((each) => each.cells.length))
  if (width > header.names.length) return false
  if (columns.some(({ name, below }, column) => name === '' && column > 0 && below.length > body.length / 2)) return false
  const isOverNumbers = columns.some(
    ({ name, below }) => name !== '' && !isNumeric(name) && below.length >= body.length * 0.8 && below.every(isFigure),
  )
  const words = cells.filter((cell) => columnWords.test(cell)).length
  if (words >= 2 && words >= cells.length / 2) return true
  return isApart && (isPeriod || (isOverNumbers && (body.length > 1 || words > 0)))
}

interface Band {
  /** The first column and the one behind the last. */
  from: number
  to: number
}

/** The rows of these columns, without what is empty at their ends. */
function slice(rows: readonly SheetRow[], { from, to }: Band): SheetRow[] {
  return rows.flatMap((row): SheetRow[] => {
    const cells = row.cells.slice(from, to)
    const last = cells.findLastIndex((cell) => flatCell(cell) !== '')
    if (last === -1) return []
    const formulas = [...(row.formulas ?? [])].filter((column) => column >= from && column < to).map((column) => column - from)
    const shown = { number: row.number, cells: cells.slice(0, last + 1) }
    return [formulas.length === 0 ? shown : { ...shown, formulas: new Set(formulas) }]
  })
}

/** Groups of columns that are tables of their own. */
function bandsOf(rows: readonly SheetRow[]): Band[] {
  const used: boolean[] = []
  for (const row of rows)
    if (!isSingle(row)) for (const [column, cell] of row.cells.entries()) if (flatCell(cell) !== '') used[column] = true
  const groups: Band[] = []
  for (const [column, isUsed] of used.entries()) {
    if (isUsed !== true) continue
    const last = groups.at(-1)
    if (last !== undefined && last.to === column) last.to = column + 1
    else groups.push({ from: column, to: column + 1 })
  }
  if (groups.length < 2 || groups.length > mostTables) return [{ from: 0, to: Infinity }]
  const bands: Band[] = []
  for (const group of groups) {
    const last = bands.at(-1)
    if (last !== undefined && !areApart(rows, last, group)) last.to = group.to
    else bands.push({ ...group })
  }
  bands[0]!.from = 0
  bands.at(-1)!.to = Infinity
  return bands
}

interface Standing {
  header: Header
  headerRow: number
  body: SheetRow[]
  captions: string
  keys: string[]
}

/** A table that says of what its rows are in its first column, and needs none to its left. */
function standingOf(rows: readonly SheetRow[], band: Band): Standing | null {
  if (band.to - band.from < 2) return null
  const own = slice(rows, band)
  const header = findHeader(own.slice(0, looksAt))
  const top = own[header.rows - 1]
  if (header.names.filter((name) => name !== '').length < 2 || top === undefined) return null
  const end = bodyEnd(own, header.rows - 1)
  const body = own.slice(header.rows, end)
  const keys = body.map((row) => flatCell(row.cells[0] ?? '')).filter((key) => key !== '')
  const isCounted = /序号|编号|工号|学号|^(?:no|id)\.?$/i.test(header.names[0] ?? '')
  const isKey = (key: string): boolean => isCounted || !isNumeric(key) || /\d[-/.年月:]\d/.test(key)
  if (body.length === 0 || keys.length < body.length * 0.8 || keys.filter(isKey).length < keys.length * 0.8) return null
  return { header, headerRow: top.number, body, captions: header.captions.flatMap(filledCells).join('\n'), keys }
}

/** Columns that only stand apart belong to one table; two tables differ in more than that. */
function areApart(rows: readonly SheetRow[], left: Band, right: Band): boolean {
  const [one, other] = [standingOf(rows, left), standingOf(rows, right)]
  if (one === null || other === null) return false
  const isDense = ({ keys, body }: Standing): boolean => keys.length === body.length
  const isUnique = new Set(other.keys).size === other.keys.length
  const ends = [one, other].map(({ body }) => body.at(-1)!.number)
  return (
    (right.from - left.to > 1 && isUnique) ||
    one.headerRow !== other.headerRow ||
    (ends[0] !== ends[1] && isDense(one) && isDense(other)) ||
    one.header.names[0] === other.header.names[0] ||
    (other.captions !== '' && other.captions !== one.captions)
  )
}
