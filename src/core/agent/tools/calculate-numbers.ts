import { Decimal } from 'decimal.js'
import { SikuError } from '../../../contract/errors.ts'

const bounds = { rounding: Decimal.ROUND_HALF_EVEN, modulo: Decimal.ROUND_FLOOR, maxE: 10_000, minE: -10_000, defaults: true } as const

/** For + - × ÷ and whole powers: what has up to 400 digits is exact. */
export const Exact = Decimal.clone({ ...bounds, precision: 400 })
/** For everything else: right to at least 40 digits. */
export const Close = Decimal.clone({ ...bounds, precision: 50 })

export type Numeric = Decimal

export const exactDigits = 360
export const closeDigits = 40
/** A fraction with more digits than this is shown rounded to `shownDigits`. */
const longestFraction = 40
const closeFraction = 30
const shownDigits = 20

/** Something in an expression that has no value: the words are for the model. */
export function wrong(message: string): SikuError {
  return new SikuError('bad-input', message)
}

/** Refuses what grew beyond 10,000 digits or shrank to nothing. */
export function bounded(value: Numeric, mayBeZero: boolean): Numeric {
  if (value.isNaN()) throw wrong('This has no value.')
  if (!value.isFinite()) throw wrong('The number gets too large: more than 10,000 digits.')
  if (!mayBeZero && value.isZero()) throw wrong('The number gets too small: more than 10,000 digits after the point.')
  return value
}

/** A fraction or decimal of the units' table. */
export function factorOf(text: string): Numeric {
  const [first = '', operator, second] = text.split(/([/*])/)
  const value = first === 'pi' ? piValue() : new Exact(first)
  if (second === undefined) return value
  return operator === '*' ? Exact.mul(value, second) : Exact.div(value, second)
}

export function piValue(): Numeric {
  return Close.acos(-1)
}

/** `close`: it went through a function that gives only so many digits. */
export function numberText(value: Numeric, close: boolean): { text: string; rounded: boolean } {
  const settled = new Exact(value).toSignificantDigits(close ? closeDigits : exactDigits)
  const isWhole = settled.isInteger() && settled.e < exactDigits && !close
  if (isWhole || settled.precision() <= (close ? closeFraction : longestFraction)) return { text: plain(settled), rounded: false }
  return { text: plain(settled.toSignificantDigits(shownDigits)), rounded: true }
}

function plain(value: Numeric): string {
  if (value.isZero()) return '0'
  return value.e > -30 && value.e < exactDigits ? value.toFixed() : value.toExponential()
}
