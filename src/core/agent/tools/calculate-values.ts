import { bounded, Close, closeDigits, Exact, exactDigits, numberText, wrong, type Numeric } from './calculate-numbers.ts'
import {
  addPowers,
  baseUnits,
  convert,
  fromBase,
  noPowers,
  powersName,
  powersText,
  samePowers,
  toBase,
  type Dimensions,
  type Unit,
  type UnitPower,
} from './units.ts'
import { dimensions } from './units-data.ts'

/** A number with its unit. */
export interface Amount {
  kind: 'amount'
  /** In base units; with `zeroed`, in that unit. */
  value: Numeric
  /** It went through something that gives only so many digits. */
  close: boolean
  powers: Dimensions
  /** How it is shown: units whose powers make up `powers`. */
  units: UnitPower[]
  /** A unit whose zero is not the base unit's: °C, °F; or whose value is a reciprocal. */
  zeroed: Unit | null
  /** It was written with a percent sign: added to an amount, it is a part of that amount. */
  percent: boolean
}

/** A sentence or a truth: what a comparison gives. Nothing can be calculated with it. */
export interface Said {
  kind: 'said'
  text: string
}

export type Value = Amount | Said

export function plainNumber(value: Numeric, close = false): Amount {
  return { kind: 'amount', value, close, powers: noPowers, units: [], zeroed: null, percent: false }
}

export function withUnit(amount: Amount, unit: Unit, power: number): Amount {
  if (!samePowers(amount.powers, noPowers) || amount.zeroed) throw wrong(`${unit.name} cannot follow something that has a unit.`)
  if (unit.offset !== null || unit.reciprocal) {
    if (power !== 1) throw wrong(`${unit.name} cannot be raised to a power.`)
    return { ...amount, powers: unit.powers, units: [{ unit, power }], zeroed: unit, percent: false }
  }
  return multiply(amount, unitAmount(unit, power))
}

function unitAmount(unit: Unit, power: number): Amount {
  const value = bounded(Exact.pow(unit.factor, power), false)
  const powers = unit.powers.map((each) => each * power) as unknown as Dimensions
  return { kind: 'amount', value, close: unit.close, powers, units: [{ unit, power }], zeroed: null, percent: false }
}

function noZeroed(amount: Amount): Amount {
  if (amount.zeroed)
    throw wrong(
      `Nothing can be calculated with a value in ${amount.zeroed.name}; only converted and compared. Calculate with the bare number.`,
    )
  return amount
}

/** By the number alone. */
export function negate(amount: Amount): Amount {
  return { ...amount, value: amount.value.neg() }
}

export function add(a: Amount, b: Amount, sign: 1 | -1): Amount {
  noZeroed(a)
  noZeroed(b)
  if (b.percent && !a.percent) return multiply(a, plainNumber(sign === 1 ? Exact.add(1, b.value) : Exact.sub(1, b.value), b.close))
  mustMatch(a, b, sign === 1 ? 'added' : 'subtracted')
  const value = bounded(sign === 1 ? Exact.add(a.value, b.value) : Exact.sub(a.value, b.value), true)
  return { ...a, value, close: a.close || b.close, units: a.units.length > 0 ? a.units : b.units, percent: a.percent && b.percent }
}

export function mustMatch(a: Amount, b: Amount, verb: string): void {
  if (!samePowers(a.powers, b.powers)) throw wrong(`${powersName(a.powers)} and ${powersName(b.powers)} cannot be ${verb}.`)
}

export function multiply(a: Amount, b: Amount): Amount {
  noZeroed(a)
  noZeroed(b)
  const value = bounded(Exact.mul(a.value, b.value), a.value.isZero() || b.value.isZero())
  return product(a, b, value, 1)
}

export function divide(a: Amount, b: Amount): Amount {
  noZeroed(a)
  noZeroed(b)
  if (b.value.isZero()) throw wrong('Nothing can be divided by zero.')
  return product(a, b, bounded(Exact.div(a.value, b.value), a.value.isZero()), -1)
}

function product(a: Amount, b: Amount, value: Numeric, sign: 1 | -1): Amount {
  const powers = addPowers(a.powers, b.powers, sign)
  const units = samePowers(powers, noPowers) ? [] : readable(joined(a.units, b.units, sign), powers)
  return { kind: 'amount', value, close: a.close || b.close, powers, units, zeroed: null, percent: false }
}

/** Units of one kind become one: km × m is shown in km². */
function joined(a: UnitPower[], b: UnitPower[], sign: 1 | -1): UnitPower[] {
  const units = a.map((each) => ({ ...each }))
  for (const { unit, power } of b) {
    const same = units.find((each) => samePowers(each.unit.powers, unit.powers))
    if (same) same.power += sign * power
    else units.push({ unit, power: sign * power })
  }
  return units.filter((each) => each.power !== 0)
}

/** mph × h is shown in m: where a base unit cancels out, the base units remain. */
function readable(units: UnitPower[], powers: Dimensions): UnitPower[] {
  const cancels = powers.some((power, index) => power === 0 && units.some((each) => each.unit.powers[index] !== 0))
  return cancels ? baseUnits(powers) : units
}

export function remainder(a: Amount, b: Amount): Amount {
  noZeroed(a)
  noZeroed(b)
  mustMatch(a, b, 'divided with a remainder')
  if (b.value.isZero()) throw wrong('Nothing can be divided by zero.')
  if (a.value.e - b.value.e > exactDigits) throw wrong('The numbers are too far apart for an exact remainder.')
  return { ...a, value: Exact.mod(a.value, b.value), close: a.close || b.close, percent: false }
}

/** Digits that a power may have. */
const mostPowerDigits = 10_000

export function power(base: Amount, exponent: Amount): Amount {
  noZeroed(base)
  if (!samePowers(exponent.powers, noPowers) || exponent.zeroed) throw wrong('An exponent cannot have a unit.')
  const times = exponent.value
  const hasUnit = !samePowers(base.powers, noPowers)
  if (hasUnit && (!times.isInteger() || times.abs().gt(9))) throw wrong('Something with a unit can be raised only to whole powers up to 9.')
  if (base.value.isZero() && times.isNegative()) throw wrong('Zero cannot be raised to a negative power.')
  // Before anything is computed: 9^9^9 has 369,693,100 digits.
  if (
    !base.value.isZero() &&
    times
      .abs()
      .mul(Math.abs(base.value.e) + 1)
      .gt(mostPowerDigits * 4) &&
    !base.value.abs().eq(1)
  ) {
    const digits = Close.mul(Close.log10(base.value.abs().toSignificantDigits(50)), times).abs()
    if (digits.gt(mostPowerDigits)) throw wrong('The power gets too large or too small: more than 10,000 digits.')
  }
  if (times.isInteger() && times.abs().lte(1e15)) {
    const value = bounded(Exact.pow(base.value, times), base.value.isZero())
    const powers = base.powers.map((each) => each * times.toNumber()) as unknown as Dimensions
    const units = base.units.map((each) => ({ unit: each.unit, power: each.power * times.toNumber() })).filter((each) => each.power !== 0)
    return { kind: 'amount', value, close: base.close || exponent.close, powers, units, zeroed: null, percent: false }
  }
  if (times.isInteger()) throw wrong('The exponent is too large.')
  if (base.value.isNegative()) throw wrong('A negative number has no real power with a fraction.')
  if (times.eq(0.5)) return rootOf(base, 2)
  return plainNumber(bounded(Close.pow(base.value.toSignificantDigits(50), times.toSignificantDigits(50)), base.value.isZero()), true)
}

/** Square or cube root of a bare number: exact where it has no more than 50 digits. */
export function rootOf(amount: Amount, degree: 2 | 3): Amount {
  const short = amount.value.toSignificantDigits(50)
  const root = (degree === 2 ? Close.sqrt(short) : Close.cbrt(short)).toSignificantDigits(closeDigits)
  const isExact = Exact.pow(root, degree).eq(amount.value)
  return { ...plainNumber(root, amount.close || !isExact) }
}

export function comparison(a: Amount, b: Amount): number {
  if (a.zeroed || b.zeroed) {
    mustMatch(a, b, 'compared')
    return settled(inBase(a), a.close || b.close).comparedTo(settled(inBase(b), a.close || b.close))
  }
  mustMatch(a, b, 'compared')
  return settled(a.value, a.close || b.close).comparedTo(settled(b.value, a.close || b.close))
}

/** Without the last digits, which rounding may have spoilt: 1/3*3 is 1. */
function settled(value: Numeric, close: boolean): Numeric {
  return new Exact(value).toSignificantDigits(close ? closeDigits : exactDigits)
}

function inBase(amount: Amount): Numeric {
  return amount.zeroed ? toBase(amount.value, amount.zeroed) : amount.value
}

export function convertTo(given: Amount, target: UnitPower[]): Amount {
  const powers = target.reduce<Dimensions>((sum, { unit, power }) => addPowers(sum, unit.powers, power), noPowers)
  const amount = fuelUse(given, powers)
  const only = target.length === 1 && target[0]!.power === 1 ? target[0]!.unit : null
  if (!samePowers(amount.powers, powers)) {
    if (samePowers(amount.powers, noPowers)) throw wrong(`The value has no unit; it cannot become ${powersName(powers)}.`)
    throw wrong(`A value of ${powersName(amount.powers)} cannot become ${powersName(powers)}.`)
  }
  const close = amount.close || target.some((each) => each.unit.close)
  if (only && amount.zeroed) {
    const value = convert(amount.value, amount.zeroed, only)
    return only.offset !== null || only.reciprocal
      ? { ...amount, value, close, units: target, zeroed: only }
      : { ...amount, value: toBase(value, only), close, units: target, zeroed: null }
  }
  if (only && (only.offset !== null || only.reciprocal))
    return { ...amount, value: fromBase(amount.value, only), close, units: target, zeroed: only }
  return { ...amount, value: inBase(amount), close, units: target, zeroed: null }
}

/** One litre for 100 km, in m²: a volume for each length. */
const fuelArea = '1e-8'

/** Litres ÷ kilometres, and kilometres ÷ litres, are a fuel use; and the other way round. */
function fuelUse(amount: Amount, wanted: Dimensions): Amount {
  const isFuel = samePowers(amount.powers, dimensions.fuel)
  const other = isFuel ? wanted : samePowers(wanted, dimensions.fuel) ? amount.powers : null
  const length = Math.abs(other?.[0] ?? 0)
  if (other === null || length !== 2 || other.some((power, index) => index > 0 && power !== 0)) return amount
  const value = inBase(amount)
  if (value.isZero()) throw wrong('Zero has no fuel use.')
  const perLength = (area: Numeric): Numeric => (other[0] === 2 ? area : Exact.div(1, area))
  const converted = isFuel ? perLength(Exact.mul(value, fuelArea)) : Exact.div(perLength(value), fuelArea)
  return { ...amount, value: converted, powers: wanted, zeroed: null, units: [] }
}

/** The number in the units that it is shown in. */
export function shownNumber(amount: Amount): Numeric {
  if (amount.zeroed) return amount.value
  const scale = amount.units.reduce((product, { unit, power }) => Exact.mul(product, Exact.pow(unit.factor, power)), new Exact(1))
  return Exact.div(amount.value, scale)
}

export function valueText(value: Value): { text: string; rounded: boolean } {
  if (value.kind === 'said') return { text: value.text, rounded: false }
  const { text, rounded } = numberText(shownNumber(value), value.close || value.units.some((each) => each.unit.close))
  const unit = unitText(value)
  const isSign = unit.startsWith('°') && unit.length === 1
  return { text: unit === '' ? text : `${text}${isSign ? '' : ' '}${unit}`, rounded }
}

/** kg·m/s² is N. */
function unitText({ units, powers }: Amount): string {
  const isBase = units.length > 1 && units.every((each) => each.unit.factor.eq(1))
  const names = isBase && baseUnits(powers).length === 1 ? baseUnits(powers) : units
  return powersText(names.map(({ unit: { name }, power }) => ({ name, power })))
}
