import type { Table } from '../../../contract/tables.ts'
import { foldText } from '../../search/search.ts'
import type { Condition, Reason } from './conditions.ts'
import { escaped, namePattern, type Reading } from './text.ts'

const negations =
  /(?:\b(?:not|isn't|aren't|except(?: for)?|excluding|without|other than|besides|no)(?: (?:in|from|of|the|a))?|不是|不在|不属于|不含|不包括|除了?|非)\s*["“]?$/

/** Values of text columns that the question has, chosen or ruled out; why not, where one stands in several columns. */
export function takeValues(reading: Reading, table: Table): Condition[] | Reason {
  const found: Condition[] = []
  const candidates = table.columns
    .flatMap((column) => (column.values ?? []).map((value) => ({ column, value, folded: foldedName(value) })))
    .filter(({ folded }) => (/\p{L}/u.test(folded) || folded.length > 2) && reading.rest.includes(folded.slice(0, 2)))
    .sort((one, other) => other.folded.length - one.folded.length)
  for (const { column, value, folded } of candidates) {
    const pattern = namePattern(value)
    if (pattern === null || !reading.has(pattern)) continue
    // A value that is only the name of its column, or one word of asking, is no choice of rows.
    if (folded === foldedName(column.original) || /^(?:total|count|sum|number|name|yes|no|是|否)$/.test(folded)) continue
    // 销售 within 销售额 is part of a column's name.
    if (table.columns.some(({ original }) => isWithin(reading, pattern, foldedName(original), folded))) continue
    const others = table.columns.filter((other) => other !== column && other.values?.some((each) => foldedName(each) === folded))
    if (others.length > 0) {
      const all = [column, ...others]
      const marked = all.filter((each) => namePattern(each.original)?.test(reading.rest) === true)
      if (marked.length !== 1) return { code: 'value-in-several', value, columns: all.map(({ original }) => original) }
      if (marked[0] !== column) continue
    }
    const at = pattern.exec(reading.rest)?.index ?? 0
    const negated = negations.exec(reading.rest.slice(0, at))
    if (negated !== null) reading.take(new RegExp(`${escaped(negated[0])}(?=${pattern.source})`))
    reading.take(pattern)
    if (negated !== null) reading.take(/之外|以外/)
    // 住宿类 is what 住宿 is said of.
    reading.take(/(?<=\u0001 )类(?![\u3400-\u9fff]?型)/)
    // All the ways in which the column writes it.
    const same = (column.values ?? []).filter((each) => foldedName(each) === folded)
    const operator = negated === null ? 'in' : 'not in'
    const known = found.find((each) => each.column === column.name && each.operator === operator)
    if (known === undefined) found.push({ column: column.name, operator, values: same })
    else known.values.push(...same)
  }
  return found
}

function foldedName(text: string): string {
  return (/^[ -~]*$/.test(text) ? text.toLowerCase() : foldText(text)).trim()
}

/** Every place of a value is inside the longer name of a column. */
function isWithin(reading: Reading, value: RegExp, name: string, folded: string): boolean {
  const whole = name.length > folded.length && name.includes(folded) ? namePattern(name) : null
  if (whole === null || !reading.has(whole)) return false
  const without = reading.copy()
  while (without.take(whole) !== null);
  return !without.has(value)
}
