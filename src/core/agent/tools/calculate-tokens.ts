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
  [/===?/g, '='],
  [/!==/g, '!='],
]
/** ½, and 2½ as one number. */
const vulgarFraction = /(?:(?<![\d.,])(\d+) ?)?([¼-¾⅐-⅞↉])/g
const raisedDigits = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** Without what asks for the result: "=", "= ?", 等于多少. */
export function withoutQuestion(expression: string): string {
  return expression.trim().replace(/\s*(?:[=＝]\s*[?？]?|(?:等于|是|得)(?:多少|几)?\s*[?？]?|[?？])\s*$/, '')
}

/** Full-width forms, typographic signs and raised digits as plain ones. */
function plainText(text: string): string {
  let plain = text.replace(/[\uFF01-\uFF5E]/g, (character) => String.fromCharCode(character.charCodeAt(0) - 0xfee0)).replace(/\u3000/g, ' ')
  for (const [sign, meaning] of sameMeaning) plain = plain.replace(sign, meaning)
  plain = plain.replace(vulgarFraction, (_all, whole: string | undefined, fraction: string) => {
    const division = fraction.normalize('NFKC').replace('⁄', '/')
    return whole === undefined ? `(${division})` : `(${whole}+${division})`
  })
  return plain.replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹]+/g, (digits) => `^${Array.from(digits, (digit) => raisedDigits.indexOf(digit)).join('')}`)
}

const hanOperators: [string, string][] = [
  ['是多少', 'to'],
  ['等于多少', 'to'],
  ['合多少', 'to'],
  ['有多少', 'to'],
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
  plus: '+',
  minus: '-',
  times: '*',
  mod: '%',
  percent: 'percent',
  of: 'of',
  to: 'to',
  as: 'to',
  into: 'to',
}

const numberPattern = /(?:\d[\d_]*(?:\.\d[\d_]*)?|\.\d[\d_]*)(?:e[+-]?\d+)?/iy
const groupedPattern = /\d{1,3}(?:,\d{3})+(?![\d,])(?:\.\d+)?/y
const wordPattern = /[a-z°μ_][a-z0-9°μ_]*/iy
const operatorPattern = /<=|>=|!=|[-+*/^%!()[\]<>=,;]/y
/** 两 within a numeral stands before a unit; elsewhere it is the unit of mass. */
const hanNumeralPattern =
  /[两兩〇○零一二三四五六七八九十百千万萬亿億壹贰貳叁參肆伍陆陸柒捌玖拾佰仟廿卅](?:[〇○零一二三四五六七八九十百千万萬亿億壹贰貳叁參肆伍陆陸柒捌玖拾佰仟廿卅]|[两兩](?=[百千万萬亿億佰仟]))*(?:点[零〇一二三四五六七八九]+)?/y
/** 三分之一, 5分之2, and 百分之十五 as a percentage. */
const hanFractionPattern =
  /(百|[\d零〇一二两三四五六七八九十百千万亿]+)分之([\d零〇一二两三四五六七八九十百千万亿]+(?:[点.][\d零〇一二三四五六七八九]+)?)/y
const phrasePattern = /[a-z]{2,}(?: [a-z]{2,}){1,3}/iy

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

  /** A unit of several words: light year. */
  function takePhrase(): string | null {
    const from = at
    const given = take(phrasePattern)?.split(' ') ?? []
    at = from
    for (let count = given.length; count > 1; count--) {
      const phrase = given.slice(0, count).join(' ')
      if (units.find(phrase) === null) continue
      at += phrase.length
      return phrase
    }
    return null
  }
  while (at < text.length) {
    if (tokens.length >= mostTokens) throw wrong(`The expression is too long: more than ${mostTokens} parts.`)
    const last = tokens.at(-1)
    const afterNumber = last?.kind === 'number' || last?.kind === 'multiplier'
    if (take(/\s+/y) !== null) continue
    hanFractionPattern.lastIndex = at
    const fraction = hanFractionPattern.exec(text)
    if (fraction !== null) {
      at += fraction[0].length
      tokens.push(...fractionTokens(fraction[1] ?? '', fraction[2] ?? ''))
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
    const phrase = takePhrase()
    if (phrase !== null) {
      tokens.push({ kind: 'word', text: phrase })
      continue
    }
    const word = take(wordPattern)
    if (word !== null) {
      const lower = word.toLowerCase()
      const multiplier = afterNumber && Object.hasOwn(wordMultipliers, lower) ? wordMultipliers[lower] : undefined
      if (multiplier !== undefined) tokens.push({ kind: 'multiplier', value: new Exact(multiplier), text: word })
      else if (Object.hasOwn(wordOperators, lower) && (!['mod', 'percent'].includes(lower) || followsOperand(last)))
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
    if (text[at] === '负' && !followsOperand(last)) {
      at += 1
      tokens.push({ kind: 'operator', text: '-' })
      continue
    }
    if (text[at] === '半') {
      at += 1
      const half: Token = { kind: 'number', value: new Exact('0.5'), text: '半' }
      // 一斤半 is 1.5 斤.
      if (last?.kind === 'word' && tokens.at(-2)?.kind === 'number') tokens.push(half, last)
      else tokens.push(half)
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
  return last !== undefined && (last.kind !== 'operator' || [')', '%', '!', 'percent'].includes(last.text))
}

function numberOf(digits: string): Numeric {
  if (digits.length > longestNumber) throw wrong(`A number has more than ${longestNumber} digits.`)
  const value = new Exact(digits)
  if (!value.isFinite() || (value.isZero() && /[1-9]/.test(digits.replace(/e.*/i, '')))) throw wrong(`${digits} is out of range.`)
  return value
}

function numeralOf(text: string): Numeric {
  const [whole = '', fraction] = text.split(/[点.]/)
  const value = valueOfHanNumeral(whole)
  // 一百二点五: 120 or 102 and a half?
  const isUnclear = value === null || (fraction !== undefined && /[百千万亿][一二三四五六七八九]$/.test(whole))
  if (isUnclear)
    throw wrong(`"${text}" is no number, or it can be read in two ways. Write it in full, such as 一百二十 or 一百零二, or with digits.`)
  const decimals = fraction === undefined ? '' : `.${Array.from(fraction, (digit) => valueOfHanNumeral(digit) ?? 0).join('')}`
  return new Exact(`${value}${decimals}`)
}

/** In parentheses: a percent sign before a number would be a remainder. */
function fractionTokens(below: string, above: string): Token[] {
  const number = (text: string): Token => ({ kind: 'number', value: /^[\d.]+$/.test(text) ? numberOf(text) : numeralOf(text), text })
  const operator = (text: string): Token => ({ kind: 'operator', text })
  if (below === '百' || below === '100') return [operator('('), number(above), operator('%'), operator(')')]
  return [operator('('), number(above), operator('/'), number(below === '千' ? '1000' : below === '万' ? '10000' : below), operator(')')]
}
