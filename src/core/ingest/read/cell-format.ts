import { Decimal } from 'decimal.js'
import { parseFormat, type Condition, type Section, type Token } from './cell-format-code.ts'
import { showDate, type DayOf } from './cell-format-date.ts'
import { digitNumerals, numeralsOf } from './cell-format-numerals.ts'

/** What a library of formats shows and knows. */
export interface FormatLibrary {
  /** The pattern of a built-in format, or how a plain format shows a number that is not negative. */
  format(code: string, value: number): string
  dayOf: DayOf
  builtIn: Readonly<Record<number, string>>
}

export interface CellFormat {
  /** A number as the file writes it, as its cell shows it. */
  number(format: number | string, text: string): string
  /** A text as its cell shows it. */
  text(format: number | string, text: string): string
}

/** Digits of a number that are kept by spreadsheets. */
const keptDigits = 15
/** Of a number that the file writes with more of them. */
const mostDigits = 40
/** Long rows of digits are worked with as they stand. */
const Exact = Decimal.clone({ precision: 2 * mostDigits })

/** Built-in formats that each language shows its own way: unambiguous, as the Chinese and Japanese Excel, without a currency that nobody wrote. */
const localFormats: Record<number, string> = {
  5: '#,##0;-#,##0',
  6: '#,##0;-#,##0',
  7: '#,##0.00;-#,##0.00',
  8: '#,##0.00;-#,##0.00',
  14: 'yyyy-mm-dd',
  22: 'yyyy-mm-dd hh:mm',
  27: 'yyyy"年"m"月"',
  28: 'm"月"d"日"',
  29: 'm"月"d"日"',
  30: 'yyyy-mm-dd',
  31: 'yyyy"年"m"月"d"日"',
  32: 'h"时"mm"分"',
  33: 'h"时"mm"分"ss"秒"',
  34: 'h"时"mm"分"',
  35: 'h"时"mm"分"ss"秒"',
  36: 'yyyy"年"m"月"',
  41: '#,##0;-#,##0;"-"',
  42: '#,##0;-#,##0;"-"',
  43: '#,##0.00;-#,##0.00;"-"',
  44: '#,##0.00;-#,##0.00;"-"',
  50: 'yyyy"年"m"月"',
  51: 'm"月"d"日"',
  52: 'yyyy"年"m"月"',
  53: 'm"月"d"日"',
  54: 'm"月"d"日"',
  55: 'h"时"mm"分"',
  56: 'h"时"mm"分"ss"秒"',
  57: 'yyyy"年"m"月"',
  58: 'm"月"d"日"',
}

export function createCellFormat(library: FormatLibrary, date1904: boolean): CellFormat {
  const parsed = new Map<number | string, Section[]>()

  function sectionsOf(format: number | string): Section[] {
    let sections = parsed.get(format)
    if (sections === undefined) {
      const code = typeof format === 'string' ? format : (localFormats[format] ?? library.builtIn[format] ?? 'General')
      parsed.set(format, (sections = parseFormat(code)))
    }
    return sections
  }

  return {
    number(format, text) {
      const value = Number(text)
      if (text.trim() === '' || !Number.isFinite(value)) return text
      const chosen = sectionFor(sectionsOf(format), value)
      if (chosen === null) return plainNumber(text)
      const { section, isUnsigned } = chosen
      if (section.kind === 'date') return (showDate(section, value, date1904, library.dayOf) ?? plainNumber(text)).trim()
      const { shown, isZero } = showNumber(section, text, library)
      const sign = value < 0 && !isUnsigned && !isZero ? '-' : ''
      return (sign + shown).trim()
    },
    text(format, text) {
      const section = sectionsOf(format).findLast(({ kind }) => kind === 'text')
      if (section === undefined || section.tokens.length === 1) return text
      return section.tokens
        .map((token) => (token.kind === 'value' ? text : token.text))
        .join('')
        .trim()
    },
  }
}

/** As Excel shows it without a format: at most eleven digits behind the point. Of a long row of digits, those that the file has. */
export function plainNumber(text: string): string {
  const value = Number(text)
  if (/^-?\d+$/.test(text) && text.length <= mostDigits) return text.replace(/^(-?)0+(?=\d)/, '$1')
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return `${value}`
  const shown = Number(value.toPrecision(Math.abs(value) >= 1e15 ? keptDigits : 11))
  if (Math.abs(shown) < 1e15) return exponential(`${shown}`)
  const written = /^(-?\d)(?:\.(\d+))?E\+?(\d+)$/i.exec(text)
  const behind = written?.[2] ?? ''
  // All of its digits are written, as a number with an exponent.
  if (written !== null && behind.length === Number(written[3]) && behind.length > 0) return (written[1] ?? '') + behind
  return exponential(shown.toExponential())
}

/** As spreadsheets write it: 1E-07. */
function exponential(text: string): string {
  return text.replace(/e([-+])(\d+)$/, (_all, sign: string, power: string) => `E${sign}${power.padStart(2, '0')}`)
}

function meets(value: number, { operator, limit }: Condition): boolean {
  switch (operator) {
    case '<':
      return value < limit
    case '<=':
      return value <= limit
    case '>':
      return value > limit
    case '>=':
      return value >= limit
    case '=':
      return value === limit
    case '<>':
      return value !== limit
  }
}

/** Which part of the format shows this number, and whether it says by itself that the number is negative. */
function sectionFor(sections: readonly Section[], value: number): { section: Section; isUnsigned: boolean } | null {
  const all = sections.length > 1 && sections.at(-1)?.kind === 'text' ? sections.slice(0, -1) : sections.slice(0, 3)
  const numbers = all.slice(0, 3)
  const [first, second, third] = numbers
  if (first === undefined) return null
  if (first.kind === 'text') return null
  if (numbers.every(({ condition }) => condition === null)) {
    if (second !== undefined && value < 0) return { section: second, isUnsigned: true }
    return { section: third !== undefined && value === 0 ? third : first, isUnsigned: false }
  }
  const usual: Condition[] = [
    { operator: second === undefined || third !== undefined ? '>' : '>=', limit: 0 },
    { operator: '<', limit: 0 },
  ]
  for (const [index, section] of numbers.entries()) {
    const condition = section.condition ?? (index === 2 || (index === 1 && third === undefined) ? null : (usual[index] ?? null))
    if (condition !== null && !meets(value, condition)) continue
    const isUnsigned = condition !== null && condition.operator.startsWith('<') && condition.operator !== '<>' && condition.limit <= 0
    return { section, isUnsigned }
  }
  return null
}

interface Shown {
  shown: string
  isZero: boolean
}

function showNumber(section: Section, text: string, library: FormatLibrary): Shown {
  const { tokens, numerals } = section
  const unsigned = text.trim().replace(/^[-+]/, '')
  if (tokens.some(({ kind }) => kind === 'general' || kind === 'value')) {
    const plain = numerals === 0 ? plainNumber(unsigned) : generalNumerals(plainNumber(unsigned), numerals)
    return {
      shown: tokens.map(({ kind, text: sign }) => (kind === 'general' || kind === 'value' ? plain : sign)).join(''),
      isZero: plain === '0',
    }
  }
  const first = tokens.findIndex(({ kind }) => kind === 'digit')
  if (first === -1) return { shown: tokens.map((token) => token.text).join(''), isZero: tokens.length === 0 }
  const last = tokens.findLastIndex(({ kind }) => kind === 'digit')
  const core = tokens.slice(first, last + 1)
  if (
    core.some(({ kind }, at) => kind === 'exponent' || (kind === 'slash' && /^[\d#?]/.test(core[at + 1]?.text ?? ''))) ||
    isFraction(core, tokens, last)
  ) {
    const shown = showCalculated(tokens, first, last, Number(unsigned), library)
    return { shown: numerals === 0 ? shown : digitNumerals(shown, numerals), isZero: Number(unsigned) === 0 }
  }
  return layOut(tokens, unsigned, numerals)
}

/** `# ??/100`: what a fraction is counted in is written out. */
function isFraction(core: readonly Token[], tokens: readonly Token[], last: number): boolean {
  const [slash, next] = [tokens[last + 1], tokens[last + 2]]
  return core.length > 0 && slash?.kind === 'slash' && /^\d/.test(next?.text ?? '')
}

/** Powers of ten and fractions are worked out by the library; what stands around the number is not its concern. */
function showCalculated(tokens: readonly Token[], first: number, last: number, value: number, library: FormatLibrary): string {
  let end = last
  while (tokens[end + 1]?.kind === 'slash' || /^\d$/.test(tokens[end + 1]?.text ?? '')) end += 1
  let start = first
  if (tokens[start - 1]?.kind === 'point') start -= 1
  const literal = (each: readonly Token[]): string => each.map((token) => token.text).join('')
  const code = tokens
    .slice(start, end + 1)
    .map(({ kind, text }) => (kind === 'text' && !/^[\d ]$/.test(text) ? `"${text.replaceAll('"', '')}"` : text))
    .join('')
  const percent = tokens.filter(({ kind }) => kind === 'percent').length
  return literal(tokens.slice(0, start)) + library.format(code, value * 100 ** percent).trim() + literal(tokens.slice(end + 1))
}

/** The digits of a number in the places of a format, with what stands before, between and behind them. */
function layOut(tokens: readonly Token[], unsigned: string, numerals: Section['numerals']): Shown {
  const point = tokens.findIndex(({ kind }) => kind === 'point')
  const isWhole = (at: number): boolean => point === -1 || at < point
  const places = tokens.flatMap(({ kind }, at) => (kind === 'digit' ? [at] : []))
  const whole = places.filter(isWhole)
  const behind = places.filter((at) => !isWhole(at))
  const [left = 0, right = 0] = [whole[0], whole.at(-1)]
  const commas = tokens.flatMap(({ kind }, at) => (kind === 'comma' && at > (places[0] ?? 0) ? [at] : []))
  const isGrouped = commas.some((at) => at > left && at < right)
  const thousands = commas.filter((at) => at > right && (isWhole(at) || at > (places.at(-1) ?? 0))).length
  const percent = tokens.filter(({ kind }) => kind === 'percent').length
  const value = exactOf(unsigned)
    .times(new Exact(10).pow(2 * percent - 3 * thousands))
    .toFixed(behind.length, Exact.ROUND_HALF_UP)
  const [shownWhole = '0', fraction = ''] = value.split('.')
  const digits = shownWhole === '0' ? [] : [...shownWhole]
  const cells = new Map<number, string>()
  let written = 0
  for (const at of whole.toReversed()) {
    const take = at === left ? digits.splice(0) : digits.splice(-1)
    const filled = take.length > 0 ? take : tokens[at]?.text === '0' ? ['0'] : tokens[at]?.text === '?' ? [' '] : []
    let cell = ''
    for (const digit of filled.toReversed()) {
      cell = digit + (isGrouped && written > 0 && written % 3 === 0 && digit !== ' ' ? ',' : '') + cell
      written += 1
    }
    cells.set(at, cell)
  }
  const significant = fraction.replace(/0+$/, '').length
  for (const [index, at] of behind.entries()) {
    const sign = tokens[at]?.text
    cells.set(at, index < significant || sign === '0' ? (fraction[index] ?? '0') : sign === '?' ? ' ' : '')
  }
  let shown = ''
  for (const [at, token] of tokens.entries()) {
    if (at === point && whole.length === 0) shown += inNumerals(digits.join(''), numerals)
    if (token.kind === 'digit') shown += inNumerals(cells.get(at) ?? '', numerals)
    else if (token.kind !== 'comma' || !commas.includes(at)) shown += token.text
  }
  return { shown, isZero: !/[1-9]/.test(value) }
}

function inNumerals(text: string, numerals: Section['numerals']): string {
  return numerals === 0 ? text : digitNumerals(text, numerals)
}

/** Fifteen digits, as spreadsheets count: 1.005 is no less than that. Long rows of digits stay whole. */
function exactOf(unsigned: string): Decimal {
  return /^\d+$/.test(unsigned) && unsigned.length <= mostDigits ? new Exact(unsigned) : new Exact(Number(unsigned).toPrecision(keptDigits))
}

function generalNumerals(plain: string, numerals: 1 | 2 | 3): string {
  const found = /^(\d+)(?:\.(\d+))?$/.exec(plain)
  if (found === null) return plain
  const behind = found[2] === undefined ? '' : `.${digitNumerals(found[2], numerals)}`
  return numeralsOf(found[1] ?? '0', numerals) + behind
}
