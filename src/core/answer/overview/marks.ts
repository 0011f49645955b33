import type { Table, TableColumn } from '../../../contract/tables.ts'
import { foldText } from '../../search/search.ts'
import { stemPattern, type Condition } from './conditions.ts'
import { columnPatterns } from './named-columns.ts'
import { escaped, type Reading } from './text.ts'

/** What has not ended has an end all the same. */
const runsOut = /end|expir|terminat|start|begin|due|到期|届满|截止|结束|开始|生效|失效/

/** Cells of a column that are empty: "without an end date", 没有到期日期, 工资为空. */
export function takeEmpty(reading: Reading, table: Table): Condition[] {
  const found: Condition[] = []
  for (const column of [...table.columns].sort((one, other) => other.original.length - one.original.length)) {
    const name = columnPatterns(table, column)
      .map(({ source }) => source)
      .join('|')
    // "Not in use" is an answer of a column of yes and no, and no empty cell.
    if (name === '' || pairOf(column) !== null) continue
    const stem = stemPattern(column)?.source
    const patterns = [
      `(?<!有)(?:没有?|无|缺少?|未)(?:填写?|写明?|标明|注明|登记|录入|约定|提供)?(?:任何|明确的?)?(?:${name})`,
      `(?:${name})(?:一栏|这一栏|那一栏)?(?:是|为)?(?:空的?|空白|缺失|没有?填写?|未填写?)(?![\\u3400-\\u9fff]{0}间)`,
      `\\b(?:without|no|missing|lack(?:s|ing)?)(?: an?| any| the| its| their)? (?:${name})(?: dates?| set| given)?`,
      `(?:${name})(?: dates?)? (?:is|are) (?:empty|missing|blank|not (?:given|set|filled in))`,
      ...(stem === undefined || runsOut.test(stem)
        ? []
        : [`\\b(?:never|not)(?: yet| been| be)* (?=\\w+(?:ed|en)\\b)(?:${stem})`, `(?:未|没有?|尚未|还没有?)(?:${stem})`]),
    ]
    for (const pattern of patterns) {
      if (reading.take(new RegExp(pattern)) === null) continue
      found.push({ column: column.name, operator: 'empty', values: [] })
      break
    }
  }
  return found
}

const pairs: readonly (readonly [yes: string, no: string])[] = [
  ['是', '否'],
  ['yes', 'no'],
  ['y', 'n'],
  ['true', 'false'],
  ['√', '×'],
  ['✓', '✗'],
]

function pairOf({ type, values }: TableColumn): readonly [string, string] | null {
  const folded = (values ?? []).map((value) => foldText(value).trim())
  if (type !== 'text' || folded.length === 0) return null
  return pairs.find((pair) => folded.every((value) => pair.includes(value))) ?? null
}

/** A column of yes and no, named as what a row is: 在职, 不在职, "paid", "not paid". */
export function takeMarks(reading: Reading, table: Table, groups: readonly TableColumn[]): Condition[] {
  const found: Condition[] = []
  for (const column of table.columns) {
    const pair = groups.includes(column) ? null : pairOf(column)
    const name = foldText(column.original)
      .replace(/^(?:是否|is |has been |was )/, '')
      .trim()
    if (pair === null || name.length < 2) continue
    const isLatin = /^[a-z ]+$/.test(name)
    const source = isLatin ? `\\b${escaped(name)}\\b` : escaped(name)
    const negative = isLatin
      ? `\\b(?:not(?: yet)? (?:been )?|isn't |aren't |non-?|un-?)${escaped(name)}\\b`
      : `(?:不是|不|未|没有?|非)(?:在)?${escaped(name)}`
    const isNegated = reading.take(new RegExp(negative)) !== null
    if (!isNegated && reading.take(new RegExp(source)) === null) continue
    found.push({ column: column.name, operator: 'same', values: [isNegated ? pair[1] : pair[0]] })
  }
  return found
}

const words = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const han = '一二三四五六七八九十'
const count = `(\\d{1,3}|${words.join('|')}|[${han}两])`
const ends = 'most|highest|largest|biggest|greatest|lowest|smallest|cheapest|earliest|latest|newest|oldest|longest|shortest|most expensive'
const counters = '[个份名位条件笔种家张台人项本辆只]'
const patterns = [
  new RegExp(`\\b(?<=top )${count}\\b`),
  new RegExp(`\\b${count} (?=(?:(?:[a-z]+ ){1,3}(?:with|by|of) the )?(?:${ends})\\b)`),
  new RegExp(`(?<=\\b(?:${ends}) )${count}\\b(?! ?%)`),
  new RegExp(`(?<=最(?:高|大|多|贵|晚|新|长|后|低|小|少|便宜|早|短|先|快|近|旧)[^，。,]{0,6})(?<![哪第])前?${count}\\s?${counters}`),
  new RegExp(`(?<=\\p{L})前${count}\\s?(?:${counters}|(?=的|是|有|$| ))`, 'u'),
]

/** How many of the highest or lowest are asked for: "top 3", 最高的三个. Null where it is the one. `asks`: the words ask for the highest by themselves. */
export function takeTop(reading: Reading): { count: number; asks: boolean } | null {
  for (const [index, pattern] of patterns.entries()) {
    const found = reading.copy().take(pattern)
    if (found === null) continue
    const text = found[1] ?? ''
    const number = Number(text) || words.indexOf(text) + 1 || (text === '两' ? 2 : han.indexOf(text) + 1)
    reading.take(pattern)
    return number > 1 ? { count: number, asks: index === patterns.length - 1 } : null
  }
  return null
}
