import { bounded, Exact, exactDigits, factorOf, wrong, type Numeric } from './calculate-numbers.ts'
import { dimensions, unitRows, type DimensionName, type Dimensions, type UnitRow } from './units-data.ts'

export type { Dimensions } from './units-data.ts'

export interface Unit {
  /** As it is shown. */
  name: string
  dimension: DimensionName
  powers: Dimensions
  /** Base units in one of it. */
  factor: Numeric
  /** Null unless its zero is not the base unit's. */
  offset: Numeric | null
  reciprocal: boolean
  /** Its factor has pi in it. */
  close: boolean
}

export interface UnitPower {
  unit: Unit
  power: number
}

/** All units by name, made once for each tool that needs them. */
export interface Units {
  /** Null: no such unit. Plurals, another case, `m2` and `m^2` are understood where only one unit can be meant. */
  find(name: string): Unit | null
  /** Names in Chinese characters, the longest first. */
  hanNames: string[]
  /** Names that differ only in case: "mb" may be Mb or MB. */
  similar(name: string): string[]
  /** Names that can stand where `kind` does. */
  namesOf(dimension: DimensionName): string[]
}

export const noPowers: Dimensions = [0, 0, 0, 0, 0, 0, 0]

export function createUnits(): Units {
  const exact = new Map<string, Unit>()
  const anyCase = new Map<string, Unit | null>()
  for (const row of unitRows) {
    const unit = unitOf(row)
    for (const name of row.names.split(' ')) {
      exact.set(name, unit)
      const folded = fold(name)
      const known = anyCase.get(folded)
      anyCase.set(folded, known === undefined || known === unit ? unit : null)
    }
  }

  function find(given: string): Unit | null {
    const name = given
      .trim()
      .replace(/[µ]/g, 'μ')
      .replace(/℃/g, '°C')
      .replace(/℉/g, '°F')
      .replace(/(?<=[a-z])(?:\^|\*\*)?2$/i, '²')
      .replace(/(?<=[a-z])(?:\^|\*\*)?3$/i, '³')
    const found = exact.get(name) ?? exact.get(name.replace(/\s+/g, '')) ?? exact.get(words(name)) ?? anyCase.get(fold(name))
    if (found) return found
    const singular = fold(name).replace(/es$|s$/, '')
    return singular.length > 2 ? (anyCase.get(singular) ?? anyCase.get(fold(name).replace(/s$/, '')) ?? null) : null
  }

  return {
    find,
    hanNames: [...exact.keys()].filter((name) => /^\p{Script=Han}+$/u.test(name)).sort((a, b) => b.length - a.length),
    similar: (name) => [...exact.keys()].filter((each) => fold(each) === fold(name)),
    namesOf: (dimension) => unitRows.filter((row) => row.dimension === dimension).map((row) => row.names.split(' ')[0]!),
  }
}

function words(name: string): string {
  return name
    .toLowerCase()
    .replace(/^degrees?\s+(?=[cf]|kelvin)/, '')
    .replace(/[\s-]+/g, '_')
}

function fold(name: string): string {
  return words(name).replace(/_/g, '')
}

function unitOf(row: UnitRow): Unit {
  return {
    name: row.names.split(' ')[0]!,
    dimension: row.dimension,
    powers: dimensions[row.dimension],
    factor: factorOf(row.factor),
    offset: row.offset === undefined ? null : new Exact(row.offset),
    reciprocal: row.reciprocal ?? false,
    close: row.factor.includes('pi'),
  }
}

export function samePowers(a: Dimensions, b: Dimensions): boolean {
  return a.every((power, index) => power === b[index])
}

/** `sign` -1 divides. */
export function addPowers(a: Dimensions, b: Dimensions, sign = 1): Dimensions {
  return a.map((power, index) => power + sign * b[index]!) as unknown as Dimensions
}

/** A value in a unit, in base units. */
export function toBase(value: Numeric, unit: Unit): Numeric {
  if (unit.reciprocal) return reciprocal(value, unit)
  const moved = unit.offset === null ? value : Exact.add(value, unit.offset)
  return bounded(Exact.mul(moved, unit.factor), moved.isZero())
}

/** A value in base units, in a unit. */
export function fromBase(value: Numeric, unit: Unit): Numeric {
  if (unit.reciprocal) return reciprocal(value, unit)
  const scaled = bounded(Exact.div(value, unit.factor), value.isZero())
  return unit.offset === null ? scaled : Exact.sub(scaled, unit.offset)
}

function reciprocal(value: Numeric, unit: Unit): Numeric {
  if (value.isZero()) throw wrong(`Zero cannot be converted to or from ${unit.name}.`)
  return Exact.div(unit.factor, value)
}

/** The value that the other unit gives to the same amount. */
export function convert(value: Numeric, from: Unit, to: Unit): Numeric {
  if (from === to) return value
  if (!samePowers(from.powers, to.powers))
    throw wrong(`${from.name} is a unit of ${from.dimension}, ${to.name} of ${to.dimension}: they cannot be converted.`)
  const base = toBase(value, from)
  if (from.dimension === 'temperature' && base.isNegative() && !base.isZero() && base.toSignificantDigits(exactDigits).lt(0))
    throw wrong(`${value.toString()} ${from.name} is below absolute zero.`)
  return fromBase(base, to)
}

const baseNames = ['m', 'kg', 's', 'K', 'bit', 'rad', 'L/100km']
const namedByOne: DimensionName[] = ['force', 'energy', 'power', 'pressure', 'frequency']

/** N for a force, else powers of m, kg, s … */
export function baseUnits(powers: Dimensions): UnitPower[] {
  const whole = namedByOne.find((dimension) => samePowers(dimensions[dimension], powers))
  if (whole) return [{ unit: unitOf(unitRows.find((row) => row.dimension === whole)!), power: 1 }]
  return powers.flatMap((power, index) => {
    const row = unitRows.find((each) => each.names.split(' ')[0] === baseNames[index])
    return power === 0 || row === undefined ? [] : [{ unit: unitOf(row), power }]
  })
}

/** What a kind of amount is called: "length", or its base units when it has no name. */
export function powersName(powers: Dimensions): string {
  const named = Object.entries(dimensions).find(([, each]) => samePowers(each, powers))
  if (named) return named[0]
  return samePowers(powers, noPowers) ? 'a plain number' : powersText(powers.map((power, index) => ({ name: baseNames[index]!, power })))
}

/** "km/h", "kg·m²/s²". */
export function powersText(parts: { name: string; power: number }[]): string {
  const up = parts.filter((part) => part.power > 0).map(({ name, power }) => name + raised(power))
  const down = parts.filter((part) => part.power < 0).map(({ name, power }) => name + raised(-power))
  if (down.length === 0) return up.join('·')
  if (up.length === 0)
    return parts
      .filter((part) => part.power !== 0)
      .map(({ name, power }) => `${name}^${power}`)
      .join('·')
  return `${up.join('·')}/${down.length === 1 ? down[0] : `(${down.join('·')})`}`
}

function raised(power: number): string {
  return power === 1 ? '' : power === 2 ? '²' : power === 3 ? '³' : `^${power}`
}
