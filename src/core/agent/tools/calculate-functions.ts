import { bounded, Close, Exact, exactDigits, piValue, wrong, type Numeric } from './calculate-numbers.ts'
import {
  add,
  comparison,
  divide,
  multiply,
  plainNumber,
  power,
  remainder,
  rootOf,
  shownNumber,
  valueText,
  type Amount,
  type Value,
} from './calculate-values.ts'
import { dimensions, type Dimensions } from './units-data.ts'
import { noPowers, samePowers } from './units.ts'

export interface ExpressionFunction {
  least: number
  most: number
  /** `spend` refuses when the whole expression takes too many steps. */
  run(args: Amount[], spend: (steps: number) => void): Value
}

const mostArguments = 1000
const mostFactorial = 3000
const mostChosen = 10_000
const tiny = '1e-42'
/** What a function of `Close` costs, next to an addition. */
export const closeSteps = 150
const largestAngle = '1e30'

function bare(amount: Amount): Numeric {
  if (!samePowers(amount.powers, noPowers) || amount.zeroed)
    throw wrong(`${valueText(amount).text} has a unit; a bare number is wanted there.`)
  return amount.value
}

function whole(amount: Amount): Numeric {
  const value = bare(amount).toSignificantDigits(exactDigits)
  if (!value.isInteger()) throw wrong(`${valueText(amount).text} is not a whole number.`)
  return value
}

function wholeUpTo(amount: Amount, most: number): number {
  const value = whole(amount)
  if (value.isNegative() || value.gt(most)) throw wrong(`${valueText(amount).text} is out of range: 0 to ${most}.`)
  return value.toNumber()
}

function big(amount: Amount): bigint {
  const value = whole(amount).abs()
  if (value.e > exactDigits) throw wrong(`The number has more than ${exactDigits} digits.`)
  return BigInt(value.toFixed())
}

function radians(amount: Amount): Numeric {
  if (!samePowers(amount.powers, dimensions.angle)) bare(amount)
  if (amount.value.abs().gt(largestAngle)) throw wrong('The angle is too large.')
  return short(amount.value)
}

/** The functions of `Close` look at every digit they are given. */
function short(value: Numeric): Numeric {
  return new Close(value).toSignificantDigits(50)
}

function closely(value: Numeric): Amount {
  return plainNumber(bounded(value.abs().lt(tiny) ? new Close(0) : value, true), true)
}

function one(run: (amount: Amount, spend: (steps: number) => void) => Value): ExpressionFunction {
  return { least: 1, most: 1, run: ([amount], spend) => run(amount!, spend) }
}

function two(run: (first: Amount, second: Amount, spend: (steps: number) => void) => Value): ExpressionFunction {
  return { least: 2, most: 2, run: ([first, second], spend) => run(first!, second!, spend) }
}

function many(run: (amounts: Amount[]) => Value): ExpressionFunction {
  return { least: 1, most: mostArguments, run: (amounts) => run(amounts) }
}

function real(check: (value: Numeric) => boolean, compute: (value: Numeric) => Numeric, domain: string): ExpressionFunction {
  return one((amount, spend) => {
    spend(closeSteps)
    const value = short(bare(amount))
    if (!check(value)) throw wrong(`${valueText(amount).text} is out of range: ${domain}.`)
    return closely(compute(value))
  })
}

const positive = (value: Numeric): boolean => value.gt(0)
const within1 = (value: Numeric): boolean => value.abs().lte(1)
const exponent = (value: Numeric): boolean => value.abs().lte(23_000)
const always = (): boolean => true

/** In the unit that the number is shown in: 2.567 km to one decimal is 2.6 km. */
function rounded(amount: Amount, places: number, rounding: 0 | 1 | 2 | 3 | 4): Amount {
  const shown = shownNumber(amount).toSignificantDigits(exactDigits)
  const value = shown.e > exactDigits ? shown : shown.toDecimalPlaces(Math.max(0, places), rounding)
  const scaled =
    places >= 0 ? value : Exact.mul(Exact.div(value, Exact.pow(10, -places)).toDecimalPlaces(0, rounding), Exact.pow(10, -places))
  if (amount.zeroed) return { ...amount, value: scaled, percent: false }
  if (shown.isZero()) return { ...amount, value: scaled, percent: false }
  return { ...amount, value: Exact.div(Exact.mul(scaled, amount.value), shownNumber(amount)), percent: false }
}

function rounding(mode: 0 | 1 | 2 | 3 | 4): ExpressionFunction {
  return {
    least: 1,
    most: 2,
    run([amount, places]) {
      const digits = places === undefined ? 0 : whole(places).toNumber()
      if (Math.abs(digits) > 500) throw wrong('Too many digits to round to.')
      return rounded(amount!, digits, mode)
    },
  }
}

function sum(amounts: Amount[]): Amount {
  return amounts.map((amount) => ({ ...amount, percent: false })).reduce((total, amount) => add(total, amount, 1))
}

function mean(amounts: Amount[]): Amount {
  return divide(sum(amounts), plainNumber(new Exact(amounts.length)))
}

function sorted(amounts: Amount[]): Amount[] {
  return [...amounts].sort(comparison)
}

function median(amounts: Amount[]): Amount {
  const list = sorted(amounts)
  const middle = Math.floor(list.length / 2)
  return list.length % 2 === 1 ? list[middle]! : mean([list[middle - 1]!, list[middle]!])
}

/** Of a sample: n − 1 below. */
function variance(amounts: Amount[]): Amount {
  if (amounts.length < 2) throw wrong('At least two numbers are wanted.')
  const middle = mean(amounts)
  const squares = amounts.map((amount) => {
    const apart = add({ ...amount, percent: false }, middle, -1)
    return multiply(apart, apart)
  })
  return divide(sum(squares), plainNumber(new Exact(amounts.length - 1)))
}

function squareRoot(amount: Amount): Amount {
  if (amount.value.isNegative()) throw wrong('A negative number has no real square root.')
  const powers = amount.powers.map((each) => each / 2)
  if (
    amount.zeroed ||
    !powers.every(Number.isInteger) ||
    amount.units.some((each) => each.power % 2 !== 0 && each.unit.powers.some((part) => part % 2 !== 0))
  )
    throw wrong(`${valueText(amount).text} has no square root.`)
  const units = amount.units.every((each) => each.power % 2 === 0) ? amount.units.map((each) => ({ ...each, power: each.power / 2 })) : []
  if (units.length === 0 && !samePowers(amount.powers, noPowers)) throw wrong(`${valueText(amount).text} has no square root.`)
  const root = rootOf(amount, 2)
  return { ...amount, value: root.value, close: root.close, powers: powers as unknown as Dimensions, units, percent: false }
}

function gcd(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b]
  return a
}

function factorial(amount: Amount, spend: (steps: number) => void): Amount {
  const count = wholeUpTo(amount, mostFactorial)
  spend(Math.ceil(count / 2))
  let value: Numeric = new Exact(1)
  for (let factor = 2; factor <= count; factor++) value = Exact.mul(value, factor)
  return plainNumber(bounded(value, false))
}

function falling(n: number, count: number, spend: (steps: number) => void): Numeric {
  spend(count)
  let value: Numeric = new Exact(1)
  for (let factor = n; factor > n - count; factor--) value = bounded(Exact.mul(value, factor), false)
  return value
}

function choose(n: Amount, k: Amount, spend: (steps: number) => void): Amount {
  const from = wholeUpTo(n, mostChosen)
  const taken = wholeUpTo(k, mostChosen)
  if (taken > from) return plainNumber(new Exact(0))
  const count = Math.min(taken, from - taken)
  spend(count)
  let value: Numeric = new Exact(1)
  for (let index = 1; index <= count; index++) value = bounded(Exact.div(Exact.mul(value, from - count + index), index), false)
  return plainNumber(value)
}

function compareText(a: Amount, b: Amount): Value {
  const order = comparison(a, b)
  const [first, second] = [valueText(a).text, valueText(b).text]
  const difference =
    order === 0 || a.zeroed || b.zeroed ? '' : ` The difference is ${valueText(order > 0 ? add(a, b, -1) : add(b, a, -1)).text}.`
  const text =
    order === 0 ? `${first} and ${second} are equal.` : `${first} is ${order > 0 ? 'greater' : 'less'} than ${second}.${difference}`
  return { kind: 'said', text }
}

const log10 = real(positive, (value) => Close.log10(value), 'more than 0')

/** By name in lower case. */
export const functions: ReadonlyMap<string, ExpressionFunction> = new Map<string, ExpressionFunction>([
  ['abs', one((amount) => ({ ...amount, value: amount.value.abs() }))],
  ['sqrt', one(squareRoot)],
  ['cbrt', one((amount) => rootOf(plainNumber(bare(amount), amount.close), 3))],
  ['root', two((amount, degree) => power(amount, divide(plainNumber(new Exact(1)), plainNumber(whole(degree)))))],
  ['pow', two(power)],
  ['exp', real(exponent, (value) => Close.exp(value), '-23,000 to 23,000')],
  ['ln', real(positive, (value) => Close.ln(value), 'more than 0')],
  ['log', { least: 1, most: 2, run: (args, spend) => (args.length === 1 ? log10.run(args, spend) : logOf(args[0]!, args[1]!, spend)) }],
  ['log10', log10],
  ['log2', one((amount, spend) => logOf(amount, plainNumber(new Exact(2)), spend))],
  ['sin', trigonometric((angle) => Close.sin(angle))],
  ['cos', trigonometric((angle) => Close.cos(angle))],
  ['tan', trigonometric(tangent)],
  ['asin', real(within1, (value) => Close.asin(value), '-1 to 1')],
  ['acos', real(within1, (value) => Close.acos(value), '-1 to 1')],
  ['atan', real(always, (value) => Close.atan(value), '')],
  ['atan2', two((y, x, spend) => costly(spend, Close.atan2(short(bare(y)), short(bare(x)))))],
  ['sinh', real(exponent, (value) => Close.sinh(value), '-23,000 to 23,000')],
  ['cosh', real(exponent, (value) => Close.cosh(value), '-23,000 to 23,000')],
  ['tanh', real(exponent, (value) => Close.tanh(value), '-23,000 to 23,000')],
  ['degrees', one((amount) => closely(Close.div(Close.mul(radians(amount), 180), piValue())))],
  ['radians', one((amount) => closely(Close.div(Close.mul(short(bare(amount)), piValue()), 180)))],
  ['floor', rounding(3)],
  ['ceil', rounding(2)],
  ['ceiling', rounding(2)],
  ['trunc', rounding(1)],
  ['round', rounding(4)],
  ['sign', one((amount) => plainNumber(new Exact(amount.value.isZero() ? 0 : amount.value.isNegative() ? -1 : 1)))],
  ['min', many((amounts) => sorted(amounts)[0]!)],
  ['max', many((amounts) => sorted(amounts).at(-1)!)],
  ['sum', many(sum)],
  ['add', many(sum)],
  ['product', many((amounts) => amounts.reduce(multiply))],
  ['mean', many(mean)],
  ['average', many(mean)],
  ['avg', many(mean)],
  ['median', many(median)],
  ['variance', many(variance)],
  ['stdev', many((amounts) => squareRoot(variance(amounts)))],
  ['count', many((amounts) => plainNumber(new Exact(amounts.length)))],
  ['mod', two(remainder)],
  ['gcd', many((amounts) => plainNumber(new Exact(amounts.map(big).reduce(gcd).toString())))],
  ['lcm', many((amounts) => plainNumber(bounded(new Exact(amounts.map(big).reduce(leastMultiple).toString()), true)))],
  ['factorial', one(factorial)],
  ['comb', two(choose)],
  [
    'perm',
    two((n, k, spend) =>
      plainNumber(
        wholeUpTo(k, mostChosen) > wholeUpTo(n, mostChosen)
          ? new Exact(0)
          : falling(wholeUpTo(n, mostChosen), wholeUpTo(k, mostChosen), spend),
      ),
    ),
  ],
  ['hypot', two((a, b) => squareRoot(add(multiply(a, a), multiply(b, b), 1)))],
  ['compare', two(compareText)],
])

function leastMultiple(a: bigint, b: bigint): bigint {
  if (a === 0n || b === 0n) return 0n
  const multiple = (a / gcd(a, b)) * b
  if (multiple.toString(16).length > 4000) throw wrong('The number gets too large.')
  return multiple
}

function logOf(amount: Amount, base: Amount, spend: (steps: number) => void): Amount {
  const [value, of] = [short(bare(amount)), short(bare(base))]
  if (!value.gt(0) || !of.gt(0) || of.eq(1)) throw wrong('A logarithm is only of a number above 0, to a base above 0 that is not 1.')
  spend(closeSteps)
  return closely(Close.div(Close.ln(value), Close.ln(of)))
}

function costly(spend: (steps: number) => void, value: Numeric): Amount {
  spend(closeSteps)
  return closely(value)
}

function trigonometric(compute: (angle: Numeric) => Numeric): ExpressionFunction {
  return one((amount, spend) => {
    spend(closeSteps)
    return closely(compute(radians(amount)))
  })
}

function tangent(angle: Numeric): Numeric {
  if (Close.cos(angle).abs().lt(tiny)) throw wrong('The tangent has no value there.')
  return Close.tan(angle)
}

/** By name as written. */
export const constants: ReadonlyMap<string, () => Amount> = new Map([
  ['pi', () => plainNumber(piValue(), true)],
  ['PI', () => plainNumber(piValue(), true)],
  ['e', () => plainNumber(Close.exp(1), true)],
  ['phi', () => plainNumber(Close.div(Close.add(1, Close.sqrt(5)), 2), true)],
])
