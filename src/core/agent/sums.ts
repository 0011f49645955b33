import { evaluate } from './tools/calculate-evaluate.ts'
import { valueText } from './tools/calculate-values.ts'
import { createUnits } from './tools/units.ts'

/** A calculation that an answer writes out and that does not come to what it says. */
export interface WrongSum {
  /** As the answer says it: `12.5 * 8 = 108`. */
  said: string
  /** What is so instead: `100`, or `9.11 < 9.9`. */
  value: string
}

const number = String.raw`[$€£¥￥]?\d+(?:[\d,_]*\d)?(?:\.\d+)?`
const term = String.raw`[-−]?(?:\(\s*)*[-−]?${number}\s*(?:%|％|元|块|\^\s*\d+|²|³)?\s*\)*`
const operator = String.raw`\s*(?:\*\*|[-+*/×÷·−–^])\s*|\s+x\s+`
const expression = String.raw`${term}(?:(?:${operator})${term})*`
const equation = new RegExp(String.raw`(${term}(?:(?:${operator})${term})+)\s*(=|≈|等于|equals|is equal to)\s*(${expression})`, 'gi')
const order = new RegExp(
  String.raw`(${number})\s*(?:(?:is|was)\s+)?(?:(>|<)|(?:numerically\s+)?(greater|larger|bigger|higher|smaller|less|lower)\s+than|(大于|高于|小于|低于)|比\s*(${number})\s*(?:要|更|还)?(大|高|小|低))\s*(${number})?`,
  'gi',
)
/** Before a sum stands the rest of another one: it was not understood whole. */
const torn = /[-+*/×÷·−–^=<>≈%.\d\\]\s*$|[a-z_]$|[a-z]\s*[(\[]$/i
/** After it, what it would mean something else with: more digits, an operator, a remainder, a unit, a multiplier. */
const continued = /^[\d,]*\.?\d|^\s*(?:[-+*/×÷·^%]\s*[\d(a-z]|remainder\b|余|[°a-zµ]{1,4}\b|[万亿千百兆]|million|billion|thousand)/i
const plainWord = /^\s*(?:and|but|so|or|as|at|in|by|when|is|was|for|to|of|on|the|you|we|per|all|with)\b/i
/** A sentence that asks, supposes or denies does not say it. */
const unsaid =
  /[?？]|\b(?:if|whether|not|n['’]t|never|false|wrong|incorrect|mistake|instead of|rather than)\b|如果|假如|是否|不|没|错|误|并非/i
/** 3.10 comes after 3.9 among versions and sections, and before it among numbers: a name before the number may mean either. */
const counted =
  /\b(?:versions?|releases?|sections?|chapters?|clauses?|articles?|figures?|tables?|items?|v\d)|版|章|节|條|条|款|编号|序号|项/i
const named = /(?:^|[\s(])(?!(?:So|Thus|Hence|Therefore|Since|Because|And|But|Yes|Then|Here|As|Clearly|Answer)\s)\p{Lu}[\p{L}.+#]*\s+$/u
const shownMost = 60
/** Characters. No sum of a sentence is longer, and reading one grows with its square. */
const mostLine = 400
const mostAnswer = 40_000

let units: ReturnType<typeof createUnits> | null = null

/** Without a model: what cannot be read for certain is let be. */
export function wrongSums(answer: string): WrongSum[] {
  const found: WrongSum[] = []
  const lines = plainMaths(answer.slice(0, mostAnswer).replace(/```[\s\S]*?(?:```|$)/g, '\n')).split(/\n|(?<=[。！？!?])|(?<=\.)\s/)
  for (const line of lines) {
    if (line.length > mostLine || unsaid.test(line)) continue
    for (const match of line.matchAll(equation)) {
      if (isTorn(line, match)) continue
      const wrong = wrongEquation(match[1] ?? '', match[2] ?? '', match[3] ?? '')
      if (wrong !== null) found.push({ said: shortened(match[0]), value: wrong })
    }
    if (counted.test(line)) continue
    for (const match of line.matchAll(order)) {
      // Signs also part the steps of a path: Chapter 2 > 3.
      if (isTorn(line, match) || (match[2] !== undefined && /[a-z]\s*$/i.test(line.slice(0, match.index)))) continue
      if (named.test(line.slice(0, match.index))) continue
      const wrong = wrongOrder(match)
      if (wrong !== null) found.push({ said: shortened(match[0]), value: wrong })
    }
  }
  return found
}

/** More of the sum, or a unit, stands on either side. */
function isTorn(line: string, match: RegExpMatchArray): boolean {
  const end = (match.index ?? 0) + match[0].length
  const after = line.slice(end)
  if (torn.test(line.slice(0, match.index))) return true
  return continued.test(after) && !plainWord.test(after)
}

function wrongEquation(left: string, sign: string, right: string): string | null {
  if (isDate(left) || isDate(right)) return null
  const made = valueOf(left)
  if (made === null) return null
  // `2 + 3 = 5 × 4 = 20`: what comes after the first number may belong to the next sum.
  const first = new RegExp(`^${term}`).exec(right)?.[0] ?? right
  const fits = [right, first].some((side) => {
    const value = valueOf(side)
    return value === null || Math.abs(value.number - made.number) <= roomOf(side, left, sign, made.number)
  })
  return fits ? null : made.text
}

/** Half of the last digit that is said where something was rounded; nothing where whole numbers come to a whole one. */
function roomOf(said: string, left: string, sign: string, value: number): number {
  const tiny = Math.abs(value) * 1e-9
  const decimals = /\.(\d+)/.exec(said)?.[1]?.length ?? 0
  if (sign === '≈') return Math.max(Math.abs(value) * 0.03, 10 ** -decimals / 2) + tiny
  const isWhole = Number.isInteger(value) && decimals === 0
  if (isWhole && !/[/÷.%％]/.test(left)) return tiny
  return 10 ** -decimals / 2 + tiny
}

function wrongOrder(match: RegExpMatchArray): string | null {
  const [, one = '', symbol, english, chinese, other, compared, last] = match
  const second = other ?? last
  if (second === undefined || (other !== undefined && last !== undefined)) return null
  const isMore = symbol === '>' || /greater|larger|bigger|higher/i.test(english ?? '') || /大|高/.test(chinese ?? compared ?? '')
  const a = valueOf(one)
  const b = valueOf(second)
  if (a === null || b === null || (isMore ? a.number > b.number : a.number < b.number)) return null
  const sign = a.number === b.number ? '=' : a.number > b.number ? '>' : '<'
  return `${one.trim()} ${sign} ${second.trim()}`
}

function valueOf(text: string): { number: number; text: string } | null {
  // A comma that groups no thousands may be a decimal point, or stand between two numbers.
  const commas = text.match(/\d[\d,]*,\d*/g) ?? []
  if (commas.some((each) => !/^\d{1,3}(?:,\d{3})+$/.test(each))) return null
  const plain = text
    .replace(/[,_$€£¥￥元块]/g, '')
    .replace(/[×·]|\sx\s/gi, ' * ')
    .replace(/÷/g, ' / ')
    .replace(/[−–]/g, '-')
    .replace(/\*\*/g, '^')
    .replace(/²/g, '^2')
    .replace(/³/g, '^3')
    .replace(/％/g, '%')
  // In programs it is the remainder, elsewhere a part of a hundred.
  if (/%\s*[\d(]/.test(plain)) return null
  try {
    units ??= createUnits()
    const value = evaluate(plain, units)
    if (value.kind !== 'amount') return null
    const { text: shown } = valueText(value)
    const number = Number(shown.replace(/[,\s]|…$/g, '').replace('%', 'e-2'))
    return Number.isFinite(number) ? { number, text: shown } : null
  } catch {
    return null
  }
}

function isDate(text: string): boolean {
  return /\d{4}\s*[-/–]\s*\d{1,2}(?!\d)|\d[-–]\d+[-–]\d/.test(text)
}

/** The signs that models write in formulas. */
function plainMaths(text: string): string {
  return text
    .replace(/\\(?:times|cdot)\b/g, '×')
    .replace(/\\div\b/g, '÷')
    .replace(/\\approx\b/g, '≈')
    .replace(/\\[()[\]]|\$\$|\\[,;!]/g, ' ')
    .replace(/\*\*(?=\S)([^*\n]+?)\*\*/g, '$1')
    .replace(/`/g, '')
}

function shortened(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ')
  return line.length > shownMost ? `…${line.slice(-shownMost)}` : line
}

export function sumWords(wrong: readonly WrongSum[]): string {
  const list = wrong.slice(0, 5).map(({ said, value }) => `“${said}” is not so: it is ${value}`)
  return `(Check your answer: ${list.join('; ')}. Write the whole answer again with what is right. Do not mention this check.)`
}
