import { basename } from 'node:path'
import type { Basis, Outcome, Source } from '../../../contract/answer.ts'
import type { Language } from '../../../contract/library.ts'
import type { Table, TableAnswer, TableCell, TableColumn } from '../../../contract/tables.ts'
import type { Store } from '../../store/store.ts'
import { buildPlan, type TablePlan } from './build.ts'
import { rowSource } from './cite.ts'
import type { OverviewRun } from './run.ts'
import { tableWords } from './table-words.ts'
import { plainBasis, plainWords, tell, type ToldLine } from './tell.ts'
import { mayMix, unitColumn, unitOf, withUnit } from './units.ts'
import { overviewWords, shownNumber } from './words.ts'

const rowsCited = 5
const rowsShown = 20
const groupsShown = 100

/** A file's name, with its sheet where the file has more than the one that it is. */
export function sheetName({ sheet, documents }: Pick<Table, 'sheet' | 'documents'>): string {
  const file = basename(documents[0]?.path ?? '')
  return plainWords(
    /^(?:(?:sheet|工作表)1?)?$/i.test(sheet) || file === '' || file.startsWith(`${sheet}.`) ? file || sheet : `${file} › ${sheet}`,
  )
}

interface FoundRow {
  table: Table
  row: number
  label: TableCell
  /** What it is ranked by; null where nothing is ranked. */
  value: TableCell
}

/** Runs a plan and tells what it gives: the number or the rows, each sheet's part, and whatever is not certain about it. */
export async function tellPlan(run: OverviewRun, plan: TablePlan): Promise<Outcome> {
  const { recorder, parts, language, scope, signal } = run
  const words = tableWords(language)
  const answer = await parts.tables.query({ sql: plan.sql, scope, limit: groupsShown }, { signal })
  const behind = await rowsBehind(run, plan)
  const told = toldValue(run, plan, answer, behind.rows)
  const sheetParts = plan.partsSql === null ? [] : (await parts.tables.query({ sql: plan.partsSql, scope, limit: 100 }, { signal })).rows
  const lines: ToldLine[] = [...told]
  const sheets = sheetsOf(answer, plan, sheetParts)
  if (sheetParts.length > 0)
    for (const { path, sheet, counted, value } of sheets.filter((each) => each.value !== null))
      lines.push({
        text: words.part(sheetName({ sheet, documents: [{ documentId: 0, path }] }), value ?? '', shownNumber(counted ?? 0)),
        item: true,
      })
  for (const other of plan.others)
    lines.push({ text: words.otherReading(other.told, await otherwise(run, plan, other.plans, answer, behind.rows)) })
  const understood = understoodBy(run, plan)
  if (plan.assumed) lines.push({ text: words.understoodAs(understood) })
  tell(recorder, lines, {
    ...basisOf(run, answer),
    understood,
    sheets,
    counted: behind.counted,
    rows: behind.rows.map(({ table, row }) => ({ path: table.documents[0]?.path ?? '', sheet: table.sheet, row })),
    remarks: remarksOf(run, plan),
  })
  return 'answered'
}

async function rowsBehind({ parts, scope, signal }: OverviewRun, plan: TablePlan): Promise<{ counted: number | null; rows: FoundRow[] }> {
  if (plan.rowsSql === null) return { counted: null, rows: [] }
  const query = (sql: string) => parts.tables.query({ sql, scope, limit: rowsShown }, { signal })
  const { rows } = await query(`${plan.rowsSql} LIMIT ${rowsShown}`)
  const counted = rows.length < rowsShown ? rows.length : Number((await query(`SELECT count(*) FROM (${plan.rowsSql})`)).rows[0]?.[0])
  const found = rows.flatMap(([name, row, label = null, value = null]) => {
    const table = plan.tables.find((each) => each.table === name)
    return table === undefined ? [] : [{ table, row: Number(row), label, value }]
  })
  return { counted, rows: found }
}

/** The lines that are the answer itself. */
function toldValue(
  { parts: { store }, language }: OverviewRun,
  plan: TablePlan,
  { rows }: TableAnswer,
  behind: readonly FoundRow[],
): ToldLine[] {
  const words = tableWords(language)
  const { aggregate, groups } = plan
  const column = plan.column === null ? '' : plainWords(plan.column.original || plan.column.name)
  const whole = plan.tables.slice(0, rowsCited).flatMap((table) => cited(store, table, null))
  const isMixed = plan.unit === null
  const shown = (row: readonly TableCell[]): string => shownValue(plan, row.at(-1) ?? null, isMixed ? String(row[0] ?? '') : plan.unit!)
  if (groups.length > 0) {
    const kept = plan.extreme === null ? rows : rows.filter((row) => row.at(-1) === rows[0]?.at(-1))
    if (kept.length === 0) return [{ text: words.noRows(column), sources: whole }]
    const named = (row: readonly TableCell[]): string =>
      row
        .slice(isMixed ? 1 : 0, -1)
        .map(shownCell)
        .join(' · ')
    return [{ text: words.groups(), sources: whole }, ...kept.map((row) => ({ text: `${named(row)}: ${shown(row)}`, item: true }))]
  }
  if (isMixed && rows.length !== 1) {
    if (rows.length === 0) return [{ text: words.noRows(column), sources: whole }]
    const each = rows.map((row) => `${shown(row)}${row[0] === '' ? ` ${words.noUnit()}` : ''}`)
    return [{ text: words.byUnit(aggregate, column, each), sources: whole }]
  }
  if (plan.top !== null) {
    if (behind.length === 0) return [{ text: words.noRows(column), sources: whole }]
    const items = behind.map(({ table, row, label, value }) => ({
      text: `${shownCell(label)}: ${shownValue(plan, value, plan.unit ?? '')} (${words.sheetRow(String(row))})`,
      sources: cited(store, table, row),
      item: true,
    }))
    return [{ text: words.ranked(aggregate === 'max', column, shownNumber(behind.length)) }, ...items]
  }
  const value = rows[0]?.at(-1) ?? null
  const isExtreme = aggregate === 'max' || aggregate === 'min'
  const hasItems = isExtreme || aggregate === 'list'
  if (value === null) return [{ text: words.noRows(column), sources: whole }]
  const sources = hasItems ? [] : behind.slice(0, rowsCited).flatMap(({ table, row }) => cited(store, table, row))
  const text =
    aggregate === 'count' || aggregate === 'list'
      ? words.rows(shownCell(value))
      : aggregate === 'distinct'
        ? words.distinct(column, shownCell(value))
        : words.aggregate(aggregate, column, shown(rows[0] ?? []))
  const lines: ToldLine[] = [{ text, sources: behind.length === 0 ? whole : sources }]
  if (!hasItems) return lines
  for (const { table, row, label } of behind)
    lines.push({ text: `${shownCell(label)} (${words.sheetRow(String(row))})`, sources: cited(store, table, row), item: true })
  if (aggregate === 'list' && Number(value) > behind.length)
    lines.push({ text: overviewWords(language).more(shownNumber(Number(value) - behind.length)) })
  return lines
}

function shownValue({ aggregate, column }: TablePlan, value: TableCell, unit: string): string {
  const isOfColumn = column !== null && column.type !== 'date' && aggregate !== 'count' && aggregate !== 'list' && aggregate !== 'distinct'
  return typeof value === 'number' && isOfColumn ? withUnit(value, unit) : shownCell(value)
}

/** What the other reading gives, in short; null where it gives the same. */
async function otherwise(
  run: OverviewRun,
  plan: TablePlan,
  plans: TablePlan['others'][number]['plans'],
  answer: TableAnswer,
  rows: readonly FoundRow[],
): Promise<string | null> {
  const other = buildPlan(plans)
  const found = await run.parts.tables.query({ sql: other.sql, scope: run.scope, limit: groupsShown }, { signal: run.signal })
  const behind = await rowsBehind(run, other)
  const numbers = (of: readonly FoundRow[]): string => JSON.stringify(of.map(({ table, row }) => [table.table, row]))
  const isOfRows = plan.aggregate === 'max' || plan.aggregate === 'min' || plan.aggregate === 'list'
  if (JSON.stringify(found.rows) === JSON.stringify(answer.rows) && (!isOfRows || numbers(behind.rows) === numbers(rows))) return null
  const lines = found.rows
    .slice(0, 5)
    .map((row) => [...row.slice(0, -1).map(shownCell), shownValue(other, row.at(-1) ?? null, other.unit ?? String(row[0]))])
  const labels = isOfRows ? behind.rows.slice(0, 5).map(({ label }) => shownCell(label)) : []
  return `${lines.map((line) => line.join(' ')).join('; ')}${labels.length === 0 ? '' : ` (${labels.join(', ')})`}`
}

function understoodBy({ language }: OverviewRun, { aggregate, column, tables, groups, extreme, conditions }: TablePlan): string {
  const nameOf = (name: string): string => {
    const known = tables[0]?.columns.find((each) => each.name === name || each.unitIn === name)
    return plainWords(known?.original || name)
  }
  return tableWords(language).understood({
    aggregate,
    column: column === null ? null : plainWords(column.original || column.name),
    tables: tables.map(sheetName),
    groups: groups.map(({ original, name }) => plainWords(original || name)),
    extreme,
    conditions: conditions.map((condition) => ({
      column: nameOf(condition.column),
      operator: condition.operator,
      values: [...new Set(condition.values.map((value) => (typeof value === 'number' ? shownNumber(value) : plainWords(value, 60))))],
    })),
  })
}

/** How cells were read that bear on the answer, and what units were taken for granted. */
function remarksOf({ language }: OverviewRun, { column, groups, conditions, tables }: TablePlan): string[] {
  const words = tableWords(language)
  const names = new Set([column?.name, ...groups.map(({ name }) => name), ...conditions.map((each) => each.column)])
  const used = tables.flatMap((table) => table.columns.filter(({ name }) => names.has(name)).map((each) => ({ table, column: each })))
  const remarks = used.flatMap(({ table, column: each }) => {
    const unit = unitOf(each)
    return [
      ...(each.reading === null ? [] : [words.cellsRead(plainWords(each.original), each.reading)]),
      ...(unit !== '' && each.units.includes('') && unitColumn(table, each) === null && each.units.length > 1
        ? [words.unitTaken(plainWords(each.original), unit)]
        : []),
    ]
  })
  return [...new Set(remarks)]
}

function sheetsOf(answer: TableAnswer, plan: TablePlan, sheetParts: readonly (readonly TableCell[])[]): Basis['sheets'] {
  const isShared = ({ sheet, documents }: Pick<Table, 'sheet' | 'documents'>): boolean =>
    answer.sheets.filter((each) => each.sheet === sheet && each.documents[0]?.path === documents[0]?.path).length > 1
  return answer.sheets.map(({ table, sheet, documents, rows }) => {
    const part = sheetParts.find(([name]) => name === table)
    const known = isShared({ sheet, documents }) ? plan.tables.find((each) => each.table === table) : undefined
    return {
      path: documents[0]?.path ?? '',
      sheet: known === undefined ? sheet : [sheet, nameInSheet(known)].filter((each) => each !== '').join(' · '),
      rows,
      counted: part === undefined ? (sheetParts.length > 0 ? 0 : null) : Number(part[1]),
      value: part === undefined ? null : shownValue(plan, part[2] ?? null, plan.unit ?? ''),
    }
  })
}

/** What tells a table from others in its sheet. */
function nameInSheet({ title, columns }: Table): string {
  return (
    title ??
    columns
      .slice(0, 2)
      .map(({ original, name }) => original || name)
      .join(' · ')
  )
}

function basisOf({ language }: OverviewRun, answer: TableAnswer): Basis {
  const cut = answer.sheets.some((sheet) => sheet.cut)
  const message = tableWords(language).basis(shownNumber(answer.sheets.length), shownNumber(answer.rowsLookedAt), cut)
  return { ...plainBasis('tables', 'rows', message, answer.rowsLookedAt), query: answer.sql }
}

/** Whether the query names it, as far as its text tells. */
function isRead({ sql }: TableAnswer, column: TableColumn): boolean {
  return sql.toLowerCase().includes(column.name.toLowerCase())
}

/** Functions for which SQLite takes a text as 0. */
const addsUp = /\b(?:sum|total|avg|max|min)\s*\(|[+*/]/i

/** What a query that somebody else wrote may have put together that does not belong together, and how its cells were read. */
export function queryRemarks(language: Language, answer: TableAnswer, tables: readonly Table[]): string[] {
  const words = tableWords(language)
  const read = tables.filter(({ table }) => answer.sheets.some((sheet) => sheet.table === table))
  return read.flatMap((table) => [
    ...table.columns
      .filter((column) => isRead(answer, column) && mayMix([{ table, column }]))
      .map((column) => words.severalUnits(sheetName(table), plainWords(column.original))),
    ...table.columns
      .filter((column) => isRead(answer, column))
      .flatMap(({ original, reading }) => (reading === null ? [] : [words.cellsRead(plainWords(original), reading)])),
    ...table.columns
      .filter((column) => isRead(answer, column) && addsUp.test(answer.sql))
      .flatMap(({ original, stray }) =>
        stray === null || stray.of !== 'number' || stray.cells === 0
          ? []
          : [words.strayCells(plainWords(original), shownNumber(stray.cells), plainWords(stray.example, 40))],
      ),
  ])
}

/** What a query gave that a model wrote. */
export function tellRows(run: OverviewRun, answer: TableAnswer, tables: readonly Table[]): void {
  const { recorder, parts, language } = run
  const words = tableWords(language)
  const read = tables.filter(({ table }) => answer.sheets.some((sheet) => sheet.table === table))
  const rowAt = answer.columns.indexOf('_row')
  const single = answer.rows.length === 1 && answer.columns.length === 1
  const whole = read.slice(0, rowsCited).flatMap((table) => cited(parts.store, table, null))
  const lines: ToldLine[] = [{ text: single ? `${shownCell(answer.rows[0]![0]!)}` : words.result(), sources: rowAt === -1 ? whole : [] }]
  const rows: Basis['rows'] = []
  if (!single) {
    for (const row of answer.rows.slice(0, rowsShown)) {
      const cells = row.flatMap((cell, index) =>
        index === rowAt ? [] : [`${plainWords(answer.columns[index] ?? '', 40)}: ${shownCell(cell)}`],
      )
      // Which sheet a row is of can be said only where there is one.
      const isKnown = rowAt !== -1 && read.length === 1
      if (isKnown) rows.push({ path: read[0]!.documents[0]?.path ?? '', sheet: read[0]!.sheet, row: Number(row[rowAt]) })
      lines.push({ text: cells.join(' · '), sources: isKnown ? cited(parts.store, read[0]!, Number(row[rowAt])) : [], item: true })
    }
    if (answer.rows.length > rowsShown || answer.more)
      lines.push({ text: answer.more ? '…' : overviewWords(language).more(shownNumber(answer.rows.length - rowsShown)) })
  }
  const remarks = queryRemarks(run.language, answer, tables)
  const sheets = answer.sheets.map(({ sheet, documents, rows: count }) => ({
    path: documents[0]?.path ?? '',
    sheet,
    rows: count,
    counted: null,
    value: null,
  }))
  // An uncertain reading belongs to the answer, not to its foot.
  const open = read.some((table) =>
    table.columns.some((column) => isRead(answer, column) && (column.reading?.certain === false || mayMix([{ table, column }]))),
  )
  if (open) lines.push(...remarks.map((text) => ({ text })))
  tell(recorder, lines, { ...basisOf(run, answer), sheets, counted: rowAt === -1 ? null : answer.rows.length, rows, remarks })
}

function cited(store: Store, table: Table, row: number | null): Source[] {
  const source = rowSource(store, table, row, 1)
  return source === null ? [] : [source]
}

function shownCell(cell: TableCell): string {
  if (cell === null) return '–'
  return typeof cell === 'number' ? shownNumber(cell) : plainWords(cell)
}
