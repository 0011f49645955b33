import type { Basis, TurnEvent } from '../contract/answer.ts'
import { fileAndSheet } from '../contract/place.ts'
import { count, plain } from './output.ts'
import type { Words } from './words.ts'

/** What a counted answer rests on, line by line: what was looked at, how the question was understood, which rows, the query. */
export function basisLines(basis: Basis, words: Words): string[] {
  const { understood, query, sheets, rows, counted, remarks } = basis
  const own = words.basis
  const several = new Set(rows.map(({ path, sheet }) => `${path}\n${sheet}`)).size > 1
  const shown = rows.map(({ path, sheet, row }) =>
    several ? `${fileAndSheet(plain(path.split(/[\\/]/).at(-1) ?? ''), plain(sheet))} ${row}` : String(row),
  )
  const more = counted !== null && counted > rows.length ? ' …' : ''
  return [
    `${own.title}: ${plain(basis.message)}`,
    ...(understood === null ? [] : [`  ${own.understood(plain(understood))}`]),
    ...sheets.map(
      (each) =>
        `  ${plain(fileAndSheet(each.path, each.sheet))}: ${own.sheet(count(each.rows), each.counted === null ? null : count(each.counted), each.value)}`,
    ),
    ...(rows.length === 0 ? [] : [`  ${own.rows(shown.join(', ') + more, count(counted ?? rows.length))}`]),
    ...remarks.map((remark) => `  ${plain(remark)}`),
    ...(query === null ? [] : [`  ${own.query}: ${plain(query).replace(/\s+/g, ' ')}`]),
  ]
}

/** How far a summary is: its steps carry "name 3/24". Null for every other event. */
export function summaryProgress(event: TurnEvent, words: Words): string | null {
  if (event.type !== 'step-end' || event.kind !== 'overview' || !/ \d+\/\d+$/.test(event.detail ?? '')) return null
  return `${words.basis.summarising} ${plain(event.detail ?? '')}`
}
