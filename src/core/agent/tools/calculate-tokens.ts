import { valueOfHanNumeral } from '../../search/search.ts'
import { Exact, wrong, type Numeric } from './calculate-numbers.ts'
import type { Units } from './units.ts'

export type Token =
  | { kind: 'number'; value: Numeric; text: string }
  /** Follows a number: 万, million. */
  | { kind: 'multiplier'; value: Numeric; text: string }
  | { kind: 'word'; text: string }
  | { kind: 'operator'; text: string }

export const longestExpression = 4000
const mostTokens = 1000
const longestNumber = 350

const sameMeaning: [RegExp, string][] = [
  [/[×∙⋅·✕✖]/g, '*'],
  [/÷/g, '/'],
  [/[−–—﹣]/g, '-'],
  [/≤/g, '<='],
  [/≥/g, '>='],
  [/≠/g, '!='],
  [/√/g, ' sqrt '],
  [/π/g, ' pi '],
  [/℃/g, '°C'],
  [/℉/g, '°F'],
  [/µ/g, 'μ'],
  [/\*\*/g, '^'],
  [/\blight[ -]years?\b/gi, ' ly '],
  [/===?/g, '='],
  [/!==/g, '!='],
]
const fractions: Record<string, string> = {
  '½': '1/2',
  '¼': '1/4',
  '¾': '3/4',
  '⅓': '1/3',
  '⅔': '2/3',
  '⅛': '1/8',
  '⅜': '3/8',
  '⅝': '5/8',
  '⅞': '7/8',
}
const raisedDigits = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** Full-width forms, typographic signs and raised digits as plain ones. */
function plainText(text: string): string {
  let plain = text.replace(/[\uFF01-\uFF5E]/g, (character) => String.fromCharCode(character.charCodeAt(0) - 0xfee0)).replace(/\u3000/g, ' ')
  for (const [sign, meaning] of sameMeaning) plain = plain.replace(sign, meaning)
  plain = plain.replace(
    /(\d*) ?([½¼¾⅓⅔⅛⅜⅝⅞])/g,
    (_all, whole: string, sign: string) => `(${whole === '' ? '' : `${whole} + `}${fractions[sign]})`,
  )
  return plain.replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹]+/g, (digits) => `^${Array.from(digits, (digit) => raisedDigits.indexOf(digit)).join('')}`)
}

const hanOperators: [string, string][] = [
  ['换算成', 'to'],
  ['换算为', 'to'],
  ['转换成', 'to'],
  ['转换为', 'to'],
  ['换成', 'to'],
  ['除以', '/'],
  ['乘以', '*'],
  ['加上', '+'],
  ['减去', '-'],
  ['的', 'of'],
  ['加', '+'],
  ['减', '-'],
  ['负', '-'],
  ['乘', '*'],
  ['大于', '>'],
  ['小于', '<'],
]
const hanMultipliers: [string, string][] = [
  ['万亿', '1e12'],
  ['亿', '1e8'],
  ['万', '1e4'],
  ['千', '1e3'],
  ['百', '1e2'],
]
const wordMultipliers: Record<string, string> = {
  hundred: '1e2',
  thousand: '1e3',
  million: '1e6',
  billion: '1e9',
  trillion: '1e12',
  dozen: '12',
}
const wordOperators: Record<string, string> = {
  percent: '%',
  plus: '+',
  minus: '-',
  times: '*',
  mod: '%',
  of: 'of',
  to: 'to',
  as: 'to',
  into: 'to',
}

const numberPattern = /(?:\d[\d_]*(?:\.\d[\d_]*)?|\.\d[\d_]*)(?:e[+-]?\d+)?/iy
const groupedPattern = /\d{1,3}(?:,\d{3})+(?![\d,])(?:\.\d+)?/y
const wordPattern = /[a-z°μ_][a-z0-9°μ_]*/iy
const operatorPattern = /<=|>=|!=|[-+*/^%!()[\]<>=,;]/y
const hanNumeralPattern = /[零〇○一二两兩三四五六七八九十百千万萬亿億壹贰貳叁參肆伍陆陸柒捌玖拾佰仟廿卅]+(?:点[零〇一二三四五六七八九]+)?/y
/** 百分之十五, 三分之一. */
const partsPattern = /([零〇一二两三四五六七八九十百千万]+|\d+)分之([零〇一二两三四五六七八九十百千万点]+|\d+(?:\.\d+)?)/y

/** Throws for what cannot stand in an expression, and for more than the bounds. */
export function tokensOf(given: string, units: Units): Token[] {
  if (given.length > longestExpression) throw wrong(`The expression is too long: ${given.length} characters, ${longestExpression} at most.`)
  const text = plainText(given)
  const tokens: Token[] = []
  /** For each open parenthesis, whether commas within part the arguments of a function. */
  const calls: boolean[] = []
  let at = 0

  function take(pattern: RegExp): string | null {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found === undefined) return null
    at += found.length
    return found
  }
  function takeOne(list: [string, string][]): string | null {
    const found = list.find(([name]) => text.startsWith(name, at))
    if (!found) return null
    at += found[0].length
    return found[1]
  }

  while (at < text.length) {
    if (tokens.length >= mostTokens) throw wrong(`The expression is too long: more than ${mostTokens} parts.`)
    const last = tokens.at(-1)
    const afterNumber = last?.kind === 'number' || last?.kind === 'multiplier'
    if (take(/\s+/y) !== null) continue
    const parts = afterNumber ? null : take(partsPattern)
    if (parts !== null) {
      tokens.push(...partsOf(parts))
      continue
    }
    const grouped = calls.at(-1) === true ? null : take(groupedPattern)
    const digits = grouped?.replaceAll(',', '') ?? take(numberPattern)?.replaceAll('_', '')
    if (digits !== undefined) {
      tokens.push({ kind: 'number', value: numberOf(digits), text: digits })
      continue
    }
    const operator = take(operatorPattern)
    if (operator !== null) {
      if (operator === '(' || operator === '[') calls.push(operator === '[' || last?.kind === 'word')
      if (operator === ')' || operator === ']') calls.pop()
      tokens.push({ kind: 'operator', text: operator })
      continue
    }
    const word = take(wordPattern)
    if (word !== null) {
      const lower = word.toLowerCase()
      const multiplier = afterNumber && Object.hasOwn(wordMultipliers, lower) ? wordMultipliers[lower] : undefined
      if (multiplier !== undefined) tokens.push({ kind: 'multiplier', value: new Exact(multiplier), text: word })
      else if (Object.hasOwn(wordOperators, lower) && (lower !== 'mod' || followsOperand(last)))
        tokens.push({ kind: 'operator', text: wordOperators[lower]! })
      else tokens.push({ kind: 'word', text: word })
      continue
    }
    const hanUnit = afterNumber ? units.hanNames.find((name) => text.startsWith(name, at)) : undefined
    if (hanUnit !== undefined) {
      at += hanUnit.length
      tokens.push({ kind: 'word', text: hanUnit })
      continue
    }
    const multiplier = afterNumber ? takeOne(hanMultipliers) : null
    if (multiplier !== null) {
      tokens.push({ kind: 'multiplier', value: new Exact(multiplier), text: multiplier })
      continue
    }
    const hanOperator = takeOne(hanOperators)
    if (hanOperator !== null) {
      tokens.push({ kind: 'operator', text: hanOperator })
      continue
    }
    const otherUnit =
      (last?.kind === 'operator' && (last.text === 'to' || last.text === '/')) ||
      (last?.kind === 'word' && last.text.toLowerCase() === 'in')
        ? units.hanNames.find((name) => text.startsWith(name, at))
        : undefined
    if (otherUnit !== undefined) {
      at += otherUnit.length
      tokens.push({ kind: 'word', text: otherUnit })
      continue
    }
    const half = !afterNumber && take(/半/y) !== null
    if (half) {
      tokens.push({ kind: 'number', value: new Exact('0.5'), text: '半' })
      continue
    }
    const numeral = take(hanNumeralPattern)
    if (numeral !== null) {
      tokens.push({ kind: 'number', value: numeralOf(numeral), text: numeral })
      continue
    }
    throw wrong(`"${Array.from(text.slice(at))[0]}" cannot stand in an expression (after "${text.slice(Math.max(0, at - 20), at)}").`)
  }
  return tokens
}

/** `mod` between operands is an operator, elsewhere the function. */
function followsOperand(last: Token | undefined): boolean {
  return last !== undefined && (last.kind !== 'operator' || [')', '%', '!'].includes(last.text))
}

function numberOf(digits: string): Numeric {
  if (digits.length > longestNumber) throw wrong(`A number has more than ${longestNumber} digits.`)
  const value = new Exact(digits)
  if (!value.isFinite() || (value.isZero() && /[1-9]/.test(digits.replace(/e.*/i, '')))) throw wrong(`${digits} is out of range.`)
  return value
}

function partsOf(text: string): Token[] {
  const [whole = '', part = ''] = text.split('分之')
  const [all, some] = [whole, part].map((each): Token => ({
    kind: 'number',
    value: /^\d/.test(each) ? numberOf(each) : numeralOf(each),
    text: each,
  }))
  const operator = (sign: string): Token => ({ kind: 'operator', text: sign })
  return whole === '百' ? [some!, operator('%')] : [operator('('), some!, operator('/'), all!, operator(')')]
}

function numeralOf(text: string): Numeric {
  const [whole = '', fraction] = text.split('点')
  const value = valueOfHanNumeral(whole)
  if (value === null) throw wrong(`"${text}" is not a number.`)
  const decimals = fraction === undefined ? '' : `.${Array.from(fraction, (digit) => valueOfHanNumeral(digit) ?? 0).join('')}`
  return new Exact(`${value}${decimals}`)
}
