import { z } from 'zod'
import { defineTool, type Tool } from '../tool.ts'
import { dateResult } from './calculate-dates.ts'
import { evaluate } from './calculate-evaluate.ts'
import { withoutCurrency } from './calculate-money.ts'
import { withoutQuestion } from './calculate-tokens.ts'
import { valueText, type Value } from './calculate-values.ts'
import { createUnits } from './units.ts'

const schema = z.object({
  expression: z
    .string()
    .min(1)
    .describe(
      'what to calculate, e.g. "(19.99 * 3) - 15%", "15% of 80", "sqrt(2)", "mean(3, 5, 10)", "9.11 < 9.9", "3 km + 200 m in m", "2026-03-01 - 2026-01-15"',
    ),
})

/** The operator that a call by this name means, between all its values. */
const operators: Record<string, string> = { add: '+', subtract: '-', multiply: '*', divide: '/' }
const longestShown = 200

export function createCalculate(): Tool {
  const units = createUnits()
  return defineTool({
    name: 'calculate',
    description:
      'Calculates exactly: + - * / ^ ! %, comparisons, functions (sqrt, round, min, max, sum, mean, median, log, ln, sin, gcd, lcm, compare …), units, days between dates. Use it for every calculation and for every comparison of numbers.',
    schema,
    suits:
      /\d\s*%|\d\s*[-+*\/×÷^%]\s*\d|\b(?:calculat\w*|comput\w*|how much|how many days|days between|percent\w*|plus|minus|times|divided|multipl\w*|sum|add|subtract|total|average|square|root|larger|smaller|bigger|greater|less|compare|interest|tax|discount|per cent)\b|计算|算|加|减|乘|除|百分|等于|多少钱|多少天|几天|平方|开方|比较|哪个(?:大|小)|更(?:大|小|多|少)|利息|税|折|总和|平均/iu,
    access: 'read',
    aliases: ['add', 'compare', 'subtract', 'multiply', 'divide', 'calculator'],
    line: ({ expression }, language) => `${language === 'zh' ? '计算' : 'Calculate'} ${expression}`,
    adapt: (given, calledAs) => expressionOf(given, calledAs),
    run({ expression }, { now }) {
      const dated = dateResult(expression, now)
      if (dated !== null) return dated
      const money = withoutCurrency(expression)
      const result = resultText(expression, evaluate(money.expression, units))
      return money.currency === null ? result : `${result} (the amounts are in ${money.currency})`
    },
  })
}

/** `3 + 4 = 7`, `1 / 3 ≈ 0.333…` */
function resultText(expression: string, value: Value): string {
  const line = withoutQuestion(expression).replace(/\s+/g, ' ')
  const shown = line.length > longestShown ? `${line.slice(0, longestShown)}…` : line
  const { text, rounded } = valueText(value)
  if (value.kind === 'said') return `${shown}: ${text}`
  return `${shown} ${rounded ? '≈' : '='} ${text}`
}

/**
 * `add`, `compare` and the like come with numbers by any names: `{a: 1, b: 2}`, `{numbers: [1, 2]}`, `[1, 2]`. In the order
 * given they become one expression. Undefined: as it was given.
 */
function expressionOf(given: unknown, calledAs: string): unknown {
  const args = typeof given === 'string' ? parsed(given) : given
  if (typeof args !== 'object' || args === null || Object.hasOwn(args, 'expression')) return typeof given === 'string' ? undefined : args
  const values = valuesIn(args)
  if (values === null || values.length === 0) return undefined
  if (Object.hasOwn(operators, calledAs)) return { expression: values.map(grouped).join(` ${operators[calledAs]} `) }
  if (calledAs === 'compare') return { expression: `compare(${values.join(', ')})` }
  return values.length === 1 ? { expression: values[0] } : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const mostValues = 1000

/** Numbers and texts, lists taken apart; null when there is anything else. */
function valuesIn(args: object): string[] | null {
  const values: string[] = []
  for (const value of Object.values(args).flat(2) as unknown[]) {
    if (typeof value === 'number' && Number.isFinite(value)) values.push(String(value))
    else if (typeof value === 'string' && value.trim() !== '') values.push(value.trim())
    else return null
    if (values.length > mostValues) return null
  }
  return values
}

/** A text may be an expression itself. */
function grouped(text: string): string {
  return /^[\d.]+$/.test(text) ? text : `(${text})`
}
