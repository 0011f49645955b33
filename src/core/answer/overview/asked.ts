import type { Reading } from './text.ts'

export type Aggregate = 'count' | 'distinct' | 'sum' | 'average' | 'max' | 'min' | 'list'

/** What a question asks of rows, by its words alone. */
export interface Asked {
  distinct: boolean
  average: boolean
  /** `certain`: "the sum of", 之和; `perhaps`: "in total", 一共, which also stands beside a count. */
  sum: 'certain' | 'likely' | 'perhaps' | null
  max: boolean
  min: boolean
  /** It asks where the most or the fewest are, and need not say of what. */
  most: boolean
  /** `things`: "how many", 多少人; `open`: 多少 alone; `much`: "how much", which asks for no rows. */
  count: 'things' | 'open' | 'much' | null
  list: boolean
  /** What its word of the highest or lowest is said of: "latest" of days, "cheapest" of prices. */
  of: 'time' | 'money' | null
}

const counters = '个条笔份家人位名种项张台件次行单辆套本篇户'
const distinctWords =
  /\bhow many (?:different|distinct|unique)\b|\bnumber of (?:different|distinct|unique)\b|\b(?:different|distinct|unique)\b|(?:多少|几)种(?:不同的?)?|有?(?:多少|几)个?不同的?|不重复的?|去重/
const averageWords = /\b(?:on )?(?:average|mean|avg)\b|平均(?:值|数|下来|每个)?|均值|人均/
const sumWords: [RegExp, NonNullable<Asked['sum']>][] = [
  [
    /\b(?:grand |sum |overall )?total (?:sum|value|worth)(?: of)?\b|\bsum(?:med)?(?: up)?(?: total)?(?: of)?\b|\badd(?:s|ed|ing)? (?:(?:it|them|these|those|all|everything)(?: all)? )?(?:up|together)\b|\b(?:amount|come|add up) to\b|之和|总和|总额|总值|求和|相加|加总|(?:加|合|算)(?:起来|在一起|到一起)|的和(?=是|为|等于|有|$| )/,
    'certain',
  ],
  [
    /\btotal (?=number of\b)|\bin total\b|\baltogether\b|\ball together\b|\bin all\b|\boverall\b|一共|总共|共有|共计(?=有?(?:多少|几))/,
    'perhaps',
  ],
  [/\b(?:grand )?totals?(?: of)?\b|\bcombined\b|合计|总计|共计|小计|累计|总量|总(?![部裁监经编统结数])/, 'likely'],
]
const maxWords =
  /\b(?:highest|largest|biggest|greatest|maximum|max|most expensive|dearest|latest|newest|most recent(?:ly)?|longest|most|last|youngest|top)\b|最(?:高|大|多|贵|晚|新|近|长|后|迟)|成绩最好|考得最好/
const minWords =
  /\b(?:lowest|smallest|least(?! \d)|minimum|min|cheapest|earliest|shortest|fewest|first|soonest|oldest)\b|最(?:低|小|少|便宜|早|短|先|快|旧|老)|成绩最差|考得最差|第一个(?=到期|结束|开始)/
const timeWords = /\b(?:latest|newest|most recent(?:ly)?|earliest|soonest|oldest|first|last)\b|最(?:早|晚|近|新|先|后|迟|旧)/
const moneyWords = /\b(?:most expensive|dearest|cheapest|value|worth)\b|最(?:贵|便宜)|价值|总值|总额|多少钱/
const countThings = new RegExp(
  `\\bhow many\\b|\\bnumber of\\b|\\bcount(?: of)?\\b|(?:多少|几)(?=\\s?[${counters}])|数量|数目|[${counters}]数|总数|计数|有几`,
)
const countOpen = /多少/
const countMuch = /\bhow much\b|多少(?:钱|元|块)|(?<=[了过])多少(?=\s*$)/
const listWords =
  /\b(?:list|show|display|enumerate)\b|\bgive me (?:all|every)\b|\bfind (?:all|every)\b|\bis there (?:any|an?)\b|\bare there any\b|\bdo (?:we|i) have any\b|有没有|是否有|有无|列出|列举|列一下|显示|哪些|哪几|找出|查出|罗列/

/** Takes the words of asking away; null where there are none. */
export function takeAsked(reading: Reading): Asked | null {
  const asked: Asked = {
    distinct: reading.take(distinctWords) !== null,
    average: reading.take(averageWords) !== null,
    sum: null,
    max: false,
    min: false,
    most: reading.has(/\b(?:most|fewest|least)\b(?! expensive)|最多|最少/),
    count: null,
    list: false,
    of: reading.has(timeWords) ? 'time' : reading.has(moneyWords) ? 'money' : null,
  }
  for (const [pattern, certainty] of sumWords)
    while (reading.take(pattern) !== null) if (asked.sum === null || asked.sum === 'perhaps') asked.sum = certainty
  asked.max = reading.take(maxWords) !== null
  asked.min = reading.take(minWords) !== null
  while (reading.take(countThings) !== null) asked.count = 'things'
  while (reading.take(countMuch) !== null) asked.count ??= 'much'
  while (reading.take(countOpen) !== null) asked.count ??= 'open'
  asked.list = reading.take(listWords) !== null
  const { of: _of, ...asks } = asked
  return Object.values(asks).some((each) => each !== null && each !== false) ? asked : null
}

/** True where a question's words of asking would still stand without those of `pattern`. */
export function asksWithout(reading: Reading, pattern: RegExp): boolean {
  const copy = reading.copy()
  copy.take(pattern)
  return takeAsked(copy) !== null
}
