import { z } from 'zod'
import type { SikuError } from '../../../contract/errors.ts'
import { defineTool, type Tool } from '../tool.ts'
import { evaluate } from './calculate-evaluate.ts'
import { Exact, numberText, wrong, type Numeric } from './calculate-numbers.ts'
import { valueText } from './calculate-values.ts'
import { convert, createUnits, samePowers, type Units } from './units.ts'

const schema = z.object({
  value: z.number().describe('the number to convert'),
  from: z.string().min(1).max(60).describe('its unit, e.g. "mi", "°F", "斤", "GiB", "L/100km"'),
  to: z.string().min(1).max(60).describe('the unit wanted, e.g. "km", "°C", "kg", "GB", "mpg"'),
})

export function createConvertUnits(): Tool {
  const units = createUnits()
  return defineTool({
    name: 'convert_units',
    description:
      'Converts a value from one unit to another: length, mass, volume, area, temperature, speed, time, data, energy, power, pressure, angle, fuel use, Chinese market units (斤, 两, 里, 亩, 尺).',
    schema,
    suits:
      /\b(?:convert\w*|in (?:km|kg|miles?|met(?:re|er)s?|feet|inches|pounds?|celsius|fahrenheit|lit(?:re|er)s?|gallons?|ounces?|grams?)|(?:kilomet\w+|miles?|feet|foot|inch\w*|pounds?|lbs?|ounces?|fahrenheit|celsius|gallons?|acres?|hectares?|°[fc]))\b|°[FC]|换算|换成|转换|多少(?:公里|千米|米|公斤|千克|克|斤|两|里|亩|升|磅|英里|摄氏度|华氏度)|英里|英尺|英寸|华氏|摄氏|磅|盎司|加仑|公顷|[斤两亩]/iu,
    access: 'read',
    aliases: ['unit_converter', 'convert'],
    line: ({ value, from, to }, language) => (language === 'zh' ? `换算 ${value} ${from} → ${to}` : `Convert ${value} ${from} to ${to}`),
    run({ value, from, to }) {
      // String(value) has the digits that were written, where they are no more than 15.
      const number = new Exact(String(value))
      const [source, target] = [units.find(from), units.find(to)]
      if (source === null || target === null) return compoundText(number, from, to, units)
      if (!samePowers(source.powers, target.powers)) {
        const others = units.namesOf(source.dimension).join(', ')
        throw wrong(
          `${source.name} is a unit of ${source.dimension} and ${target.name} of ${target.dimension}; they cannot be converted. Units of ${source.dimension}: ${others}.`,
        )
      }
      const { text, rounded } = numberText(convert(number, source, target), source.close || target.close)
      return `${numberText(number, false).text} ${source.name} ${rounded ? '≈' : '='} ${text} ${target.name}`
    },
  })
}

/** "kg·m/s^2", "metres per second": units made of several. */
function compoundText(number: Numeric, from: string, to: string, units: Units): string {
  const [source, target] = [from, to].map((name) => name.replace(/\s+per\s+/gi, '/'))
  for (const name of [source!, target!]) if (!/^[^\d+<>=!%,;]+(?:\^?-?\d[^\d+<>=!%,;]*)*$/.test(name)) throw noUnit(name, units)
  try {
    const { text, rounded } = valueText(evaluate(`${number.toFixed()} ${source} to ${target}`, units))
    return `${number.toFixed()} ${source} ${rounded ? '≈' : '='} ${text}`
  } catch (error) {
    const unknown = [source!, target!].find((name) => /^[\p{L}°]+$/u.test(name) && units.find(name) === null)
    throw unknown === undefined ? error : noUnit(unknown, units)
  }
}

function noUnit(name: string, units: Units): SikuError {
  const similar = units.similar(name)
  const hint =
    similar.length > 0
      ? `It could be ${similar.join(' or ')}.`
      : 'Write its usual sign or its English or Chinese name, e.g. "km", "kilogram", "公里".'
  return wrong(`There is no unit "${name}". ${hint}`)
}
