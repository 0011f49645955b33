import { foldText } from '../../search/search.ts'

/** A question in one form (lower case, simplified, half width), of which what is understood is taken away until nothing is left. */
export interface Reading {
  readonly rest: string
  /** Takes the first match away; null where there is none. */
  take(pattern: RegExp): RegExpExecArray | null
  has(pattern: RegExp): boolean
  /** True when only words are left that ask for nothing. */
  isUsedUp(): boolean
  /** The words that are left and ask for something. */
  remaining(): string[]
  copy(): Reading
}

const englishFillers =
  /\b(?:a|an|the|my|our|your|this|that|these|those|is|are|was|were|be|been|do|does|did|have|has|had|having|of|in|on|at|to|for|from|with|by|and|or|i|we|me|us|you|it|its|there|here|please|can|could|would|tell|show|give|what|what's|which|who|whose|how|many|much|all|any|each|every|only|just|now|currently|so|far|altogether|overall|get|got|where|whose|than|as|their|they|them|value|values|exactly|s)\b/g
const chineseFillers =
  /请问|请|帮我|告诉我|一下|一共|总共|总计|共有|现在|目前|到底|我们|我的|我|你|您|这个|这些|那些|所有|全部|整个|当中|其中|里面|里头|之中|分别|具体|大概|有没有|是不是|什么|哪些|哪一?[个份条笔位家名项张本封台件种]|哪几|的话|情况|里|中|内|的|地|得|了|着|过|吗|呢|吧|啊|呀|么|是|为|在|有|和|与|及|或|都|共|被|把|给|能|可以|会|要|想|知道|看看|这|那|它|其|之|个|份|条|笔|种|家|位|名|项|张|次|台|件|只|本|篇|封|页|到|从|于|等于|属于|以|做|多少|几|谁/g

export function readQuestion(question: string): Reading {
  return createReading(` ${foldText(question).replace(/\s+/g, ' ')} `)
}

function createReading(text: string): Reading {
  let rest = text
  return {
    get rest() {
      return rest
    },
    take(pattern) {
      const found = new RegExp(pattern.source, pattern.flags.replace('g', '')).exec(rest)
      // What stood on both sides stays apart.
      if (found !== null) rest = `${rest.slice(0, found.index)} \u0001 ${rest.slice(found.index + found[0].length)}`
      return found
    },
    has: (pattern) => pattern.test(rest),
    isUsedUp: () => wordsLeft(rest).length === 0,
    remaining: () => wordsLeft(rest),
    copy: () => createReading(rest),
  }
}

/** What stood together without fillers between stays together: "north rhine", 西班牙. */
function wordsLeft(rest: string): string[] {
  return rest
    .replace(englishFillers, ' \u0001 ')
    .replace(chineseFillers, ' \u0001 ')
    .split(/[\u0001,，;；:：?？!！。"“”「」『』()（）]+/)
    .map((part) => part.replace(/\s+/g, ' ').trim())
    .filter((part) => /[\p{L}\p{N}]/u.test(part))
}

export function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

/** A name as it may stand in a question: a word of its own, in singular or plural; anywhere between Chinese characters. */
export function namePattern(name: string): RegExp | null {
  const text = foldText(name)
    .replace(/[\s_]+/g, ' ')
    .trim()
  if (text === '' || (text.length < 2 && !/[\u3400-\u9fff]/.test(text) && !/^\d$/.test(text))) return null
  const source = text.split(' ').map(eitherWay).join('[\\s_]+')
  const [first, last] = [text.charAt(0), text.charAt(text.length - 1)]
  const begin = /[a-z0-9]/.test(first) ? '(?<![a-z0-9_.,])' : ''
  const end = /[a-z]/.test(last) ? `${pluralOf(text)}(?![a-z0-9_])` : /[0-9]/.test(last) ? '(?![a-z0-9_]|[.,]\\d)' : ''
  const stem = /[a-z]{3}s$/.test(text) ? source.replace(/s$/, '') : /[a-z]{2}y$/.test(text) ? source.replace(/y$/, '(?:y|ie)') : source
  return new RegExp(`${begin}${stem}${end}`)
}

/** Columns are headed by short forms or in English, and asked for in full or in Chinese. Each row names one thing. */
const sameNames: readonly (readonly string[])[] = [
  ['qty', 'quantity', 'quantities', '数量'],
  ['amt', 'amount', '金额'],
  ['price', '价格'],
  ['工资', '薪资', '薪水', '薪酬', '月薪', 'wage', 'salary', 'earn', 'earns', 'earned'],
  ['date', '日期'],
  ['name', '名称'],
  ['region', '地区'],
  ['product', '产品'],
  ['addr', 'address', '地址'],
  ['avg', 'average'],
  ['dept', 'department', '部门'],
  ['desc', 'description'],
  ['pct', 'percent'],
]

function eitherWay(word: string): string {
  const names = sameNames.find((row) => row.includes(word))
  return names === undefined ? escaped(word) : `(?:${names.map(escaped).join('|')})`
}

function pluralOf(text: string): string {
  return /(?:s|x|ch|sh)$/.test(text) ? '(?:e?s)?' : 's?'
}
