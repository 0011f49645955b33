import { basename } from 'node:path'
import { counted } from '../../contract/counted.ts'
import type { Table, TableCell, TableColumn } from '../../contract/tables.ts'
import { quoted } from './tables-database.ts'

const valuesShown = 12
const cellCharacters = 40
const columnsShown = 60

/** The tables as a model is told of them: each with its columns, what they hold, and a few rows. Data, never instruction. */
export async function describeTables(
  tables: readonly Table[],
  sample: (sql: string) => Promise<{ rows: TableCell[][] }>,
  { sampleRows = 3 }: { sampleRows?: number } = {},
): Promise<string> {
  const parts: string[] = []
  for (const table of tables) {
    const columns = table.columns.slice(0, columnsShown)
    const lines = [
      `TABLE ${quoted(table.table)} -- ${counted(table.rows, 'row')}; file ${files(table)}${table.sheet === '' ? '' : `, sheet ${oneLine(table.sheet)}`}${titled(table)}`,
    ]
    lines.push('  _row INTEGER -- number of the row in the sheet')
    for (const column of columns) {
      const original = column.original === '' || column.original === column.name ? '' : ` (${oneLine(column.original)})`
      lines.push(`  ${quoted(column.name)} ${sqlType(column.type)} -- ${column.type}${original}${holds(column.values)}${units(column)}`)
    }
    if (table.columns.length > columns.length) lines.push(`  -- and ${counted(table.columns.length - columns.length, 'more column')}`)
    if (sampleRows > 0) {
      const names = columns.map(({ name }) => quoted(name)).join(', ')
      const { rows } = await sample(`SELECT ${names === '' ? '_row' : names} FROM ${quoted(table.table)} ORDER BY _row LIMIT ${sampleRows}`)
      for (const row of rows) lines.push(`  -- ${row.map((cell) => oneLine(String(cell ?? 'NULL'))).join(' | ')}`)
    }
    parts.push(lines.join('\n'))
  }
  return parts.join('\n\n')
}

function sqlType(type: string): string {
  return type === 'integer' ? 'INTEGER' : type === 'decimal' ? 'REAL' : 'TEXT'
}

function files({ documents }: Table): string {
  return documents.map(({ path }) => oneLine(basename(path))).join(', ')
}

function titled({ title }: Table): string {
  return title === null ? '' : `, titled ${oneLine(title)}`
}

function holds(values: string[] | null): string {
  if (values === null || values.length === 0) return ''
  const shown = values.slice(0, valuesShown).map((value) => `'${oneLine(value).replaceAll("'", "''")}'`)
  return `; ${values.length > valuesShown ? 'such as' : 'one of'} ${shown.join(', ')}`
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > cellCharacters ? `${line.slice(0, cellCharacters)}…` : line
}

/** A sum over several units would be wrong: where a row's unit stands is said. */
function units({ units: known, unitIn }: TableColumn): string {
  return unitIn === null
    ? ''
    : `; of several units, see ${quoted(unitIn)}: ${known.map((unit) => (unit === '' ? 'none' : oneLine(unit))).join(', ')}`
}
