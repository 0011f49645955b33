import { Exact, wrong, type Numeric } from './calculate-numbers.ts'
import { closeSteps, constants, functions } from './calculate-functions.ts'
import { tokensOf, withoutQuestion, type Token } from './calculate-tokens.ts'
import {
  add,
  comparison,
  convertTo,
  divide,
  multiply,
  negate,
  plainNumber,
  power,
  remainder,
  withUnit,
  type Amount,
  type Value,
} from './calculate-values.ts'
import type { Unit, UnitPower, Units } from './units.ts'

/** How strongly what stands between two operands holds them together. */
const strength = { compare: 5, convert: 10, add: 20, multiply: 30, negate: 35, unit: 38, power: 40, after: 50 } as const
const comparisons: Record<string, (order: number) => boolean> = {
  '<': (order) => order < 0,
  '>': (order) => order > 0,
  '<=': (order) => order <= 0,
  '>=': (order) => order >= 0,
  '=': (order) => order === 0,
  '!=': (order) => order !== 0,
}
const mostDepth = 150
/** One is about 20 µs. */
const mostSteps = 10_000
const functionSteps = 20
const powerSteps = 40

/**
 * The value of an expression. There is nothing in it but numbers, units and the functions of a closed list; it ends within
 * bounds of length, depth, digits and steps, or throws words for the model.
 */
export function evaluate(expression: string, units: Units): Value {
  const text = withoutQuestion(expression)
  const tokens = tokensOf(text, units)
  if (tokens.length === 0) throw wrong('The expression is empty.')
  const parser = createParser(tokens, units)
  return parser()
}

function createParser(tokens: Token[], units: Units): () => Value {
  let at = 0
  let depth = 0
  let steps = 0

  function spend(count: number): void {
    steps += count
    if (steps > mostSteps) throw wrong('This takes too many steps.')
  }

  function isOperator(token: Token | undefined, ...texts: string[]): boolean {
    return token?.kind === 'operator' && texts.includes(token.text)
  }

  function expect(text: string): void {
    if (!isOperator(tokens[at], text))
      throw wrong(`"${text}" is missing${at < tokens.length ? ` before "${tokens[at]!.text}"` : ' at the end'}.`)
    at += 1
  }

  function amount(value: Value): Amount {
    if (value.kind === 'said') throw wrong('Nothing can be calculated with the result of a comparison.')
    return value
  }

  function expression(least: number): Value {
    depth += 1
    if (depth > mostDepth) throw wrong(`The expression is too deep: more than ${mostDepth} parentheses or signs within each other.`)
    let left = operand()
    for (;;) {
      spend(1)
      const next = continued(left, least)
      if (next === null) break
      left = next
    }
    depth -= 1
    return left
  }

  function operand(): Value {
    const token = tokens[at]
    if (token === undefined) throw wrong('The expression is not complete: something is missing at the end.')
    at += 1
    if (token.kind === 'number') return multiplied(plainNumber(token.value))
    if (token.kind === 'multiplier') throw wrong(`A number is missing before "${token.text}".`)
    if (token.kind === 'word') return named(token.text)
    if (token.text === '-') return negate(amount(expression(strength.negate)))
    if (token.text === '+') return amount(expression(strength.negate))
    if (token.text === '(') {
      const value = expression(0)
      expect(')')
      return value
    }
    throw wrong(`A number is missing before "${token.text}".`)
  }

  /** 3万5千 and 2 million: what follows a number and makes it larger. */
  function multiplied(number: Amount): Amount {
    let total = number.value
    let last: Token | undefined
    while (tokens[at]?.kind === 'multiplier') {
      last = tokens[at++]
      total = Exact.mul(total, (last as Token & { kind: 'multiplier' }).value)
    }
    const [following, after] = [tokens[at], tokens[at + 1]]
    if (last?.kind === 'multiplier' && following?.kind === 'number' && after?.kind === 'multiplier' && after.value.lt(last.value)) {
      at += 1
      total = Exact.add(total, multiplied(plainNumber(following.value)).value)
    }
    return plainNumber(total)
  }

  function named(name: string): Value {
    const known = functions.get(name.toLowerCase())
    if (known && isOperator(tokens[at], '(')) {
      at += 1
      const args = argumentsUntil(')')
      if (args.length < known.least || args.length > known.most) {
        const wanted =
          known.least === known.most ? `${known.least}` : known.most > 100 ? `${known.least} or more` : `${known.least} to ${known.most}`
        throw wrong(`${name} takes ${wanted} values; ${args.length} were given.`)
      }
      spend(functionSteps + args.length)
      return known.run(args, spend)
    }
    const constant = constants.get(name)
    if (constant) return constant()
    at -= 1
    const unit = unitHere()
    if (unit) return withUnit(plainNumber(new Exact(1)), unit.unit, unit.power)
    at += 1
    // √16 is "sqrt 16".
    if (known?.least === 1 && tokens[at] !== undefined && tokens[at]!.kind !== 'operator')
      return known.run([amount(expression(strength.unit))], spend)
    throw wrong(`There is no function, constant or unit "${name}".`)
  }

  function argumentsUntil(end: string): Amount[] {
    const args: Amount[] = []
    while (!isOperator(tokens[at], end)) {
      if (isOperator(tokens[at], '[')) {
        at += 1
        depth += 1
        if (depth > mostDepth) throw wrong('The expression is too deep.')
        args.push(...argumentsUntil(']'))
        depth -= 1
      } else args.push(amount(expression(0)))
      if (isOperator(tokens[at], ',', ';')) at += 1
      else break
    }
    expect(end)
    return args
  }

  /** A unit with its own power, from where the parser stands; null, and nothing is read, when there is none. */
  function unitHere(): UnitPower | null {
    const token = tokens[at]
    if (token?.kind !== 'word') return null
    const [slash, hundred, distance] = tokens.slice(at + 1, at + 4)
    if (
      /^l$/i.test(token.text) &&
      isOperator(slash, '/') &&
      hundred?.kind === 'number' &&
      hundred.value.eq(100) &&
      distance?.text === 'km'
    ) {
      at += 4
      return { unit: units.find('L/100km')!, power: 1 }
    }
    const unit = units.find(token.text)
    if (unit === null) return powered(token.text)
    at += 1
    return { unit, power: ownPower(unit) }
  }

  /** `s2` is s², though there is no unit of that name. */
  function powered(name: string): UnitPower | null {
    const found = /^(\D+)([2-9])$/.exec(name)
    const unit: Unit | null = found ? units.find(found[1]!) : null
    if (unit === null) return null
    at += 1
    return { unit, power: Number(found![2]) }
  }

  function ownPower(unit: Unit): number {
    if (!isOperator(tokens[at], '^')) return 1
    const isNegative = isOperator(tokens[at + 1], '-')
    const digits = tokens[at + (isNegative ? 2 : 1)]
    if (digits?.kind !== 'number' || !digits.value.isInteger() || digits.value.gt(9))
      throw wrong(`After ${unit.name}^ a whole number up to 9 is wanted.`)
    at += isNegative ? 3 : 2
    return (isNegative ? -1 : 1) * digits.value.toNumber()
  }

  function target(): UnitPower[] {
    const first = unitHere()
    if (first === null) throw wrong(tokens[at] === undefined ? 'A unit is missing at the end.' : `There is no unit "${tokens[at]!.text}".`)
    const parts = [first]
    for (;;) {
      const sign = isOperator(tokens[at], '/') ? -1 : 1
      const hasOperator = isOperator(tokens[at], '/', '*')
      if (hasOperator) at += 1
      const part = unitHere()
      if (part === null) {
        if (hasOperator) throw wrong('A unit is missing after the sign.')
        return parts
      }
      parts.push({ unit: part.unit, power: sign * part.power })
    }
  }

  function isConversion(left: Value, token: Token): boolean {
    if (token.kind === 'operator') return token.text === 'to'
    if (token.kind !== 'word' || token.text.toLowerCase() !== 'in') return false
    if (left.kind === 'amount' && left.units.length > 0) return true
    const next = tokens[at + 1]
    return next?.kind === 'word' && next.text.toLowerCase() !== 'in' && units.find(next.text) !== null
  }

  function startsOperand(token: Token | undefined): boolean {
    return (
      token !== undefined &&
      (token.kind === 'number' || isOperator(token, '(') || (token.kind === 'word' && token.text.toLowerCase() !== 'in'))
    )
  }

  /** The value with what follows it; null when nothing does that holds as strongly as `least`. */
  function continued(left: Value, least: number): Value | null {
    const token = tokens[at]
    if (token === undefined || isOperator(token, ')', ']', ',', ';')) {
      if (token !== undefined && depth === 1)
        throw wrong(
          token.text === ',' ? 'A comma cannot stand there. Numbers are written 1,234.5 or 1234.5.' : `"${token.text}" is one too many.`,
        )
      return null
    }
    if (isConversion(left, token)) {
      if (strength.convert <= least) return null
      at += 1
      return convertTo(amount(left), target())
    }
    if (token.kind === 'word') {
      if (strength.unit <= least) return null
      const unit = unitHere()
      if (unit === null) throw wrong(`"${token.text}" cannot follow there: no unit has that name.`)
      const holder = amount(left)
      return holder.units.length === 0
        ? withUnit(holder, unit.unit, unit.power)
        : multiply(holder, withUnit(plainNumber(new Exact(1)), unit.unit, unit.power))
    }
    if (token.kind === 'number' && left.kind === 'amount' && left.units.length === 1 && tokens[at + 1]?.kind === 'word') {
      if (strength.unit <= least) return null
      return together(left, token.value)
    }
    if (token.kind !== 'operator') throw wrong(`An operator is missing before "${token.text}".`)
    return operated(amount(left), token.text, least)
  }

  /** 3 ft 2 in. */
  function together(left: Amount, number: Numeric): Amount {
    at += 1
    const unit = unitHere()
    if (unit === null) throw wrong(`An operator is missing before "${tokens[at - 1]!.text}".`)
    return add(left, withUnit(plainNumber(number), unit.unit, unit.power), 1)
  }

  function operated(left: Amount, operator: string, least: number): Value | null {
    const compare = Object.hasOwn(comparisons, operator) ? comparisons[operator] : undefined
    if (compare) {
      if (strength.compare <= least) return null
      at += 1
      const order = comparison(left, amount(expression(strength.compare)))
      return { kind: 'said', text: compare(order) ? 'true' : 'false' }
    }
    const isPercent = operator === 'percent' || (operator === '%' && !startsOperand(tokens[at + 1]))
    if (isPercent || operator === '!') {
      if (strength.after <= least) return null
      at += 1
      if (!isPercent) return functions.get('factorial')!.run([left], spend)
      return { ...divide(left, plainNumber(new Exact(100))), percent: true }
    }
    switch (operator) {
      case '+':
      case '-':
        return between(left, strength.add, least, (a, b) => add(a, b, operator === '+' ? 1 : -1))
      case '*':
      case 'of':
        return between(left, strength.multiply, least, multiply)
      case '/':
        return between(left, strength.multiply, least, divide)
      case '%':
        return between(left, strength.multiply, least, remainder)
      case '^':
        // From the right: 2^3^2 is 2^(3^2).
        return between(left, strength.power, least, costlyPower, strength.unit)
      default:
        throw wrong(`An operator is missing before "${operator}".`)
    }
  }

  function costlyPower(base: Amount, exponent: Amount): Amount {
    spend(exponent.value.isInteger() ? powerSteps : closeSteps)
    return power(base, exponent)
  }

  function between(left: Amount, own: number, least: number, apply: (a: Amount, b: Amount) => Value, right = own): Value | null {
    if (own <= least) return null
    at += 1
    return apply(left, amount(expression(right)))
  }

  return () => {
    const value = expression(0)
    if (at < tokens.length) throw wrong(`"${tokens[at]!.text}" cannot stand there.`)
    return value
  }
}
