import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ToolContext } from '../tool.ts'
import { Exact } from './calculate-numbers.ts'
import { createConvertUnits } from './convert-units.ts'
import { unitRows } from './units-data.ts'
import { convert, createUnits, samePowers } from './units.ts'

const tool = createConvertUnits()
const units = createUnits()
const all = unitRows.map((row) => units.find(row.names.split(' ')[0]!)!)

function converted(value: number, from: string, to: string): unknown {
  return tool.run({ value, from, to }, {} as ToolContext)
}

it.each([
  [5, 'miles', 'km', '5 mi = 8.04672 km'],
  [6, 'feet', 'cm', '6 ft = 182.88 cm'],
  [100, 'F', 'celsius', '100 °F ≈ 37.777777777777777778 °C'],
  [-40, '℃', '℉', '-40 °C = -40 °F'],
  [1, 'Degrees Celsius', 'Kelvin', '1 °C = 274.15 K'],
  [0.1, 'inches', 'mm', '0.1 in = 2.54 mm'],
  [1, '斤', '克', '1 斤 = 500 g'],
  [3, '两', 'g', '3 两 = 150 g'],
  [3, '亩', 'm2', '3 亩 = 2000 m²'],
  [20, '公里', '里', '20 km = 40 里'],
  [6, '尺', 'm', '6 尺 = 2 m'],
  [30, '寸', '米', '30 寸 = 1 m'],
  [1, 'GiB', 'MB', '1 GiB = 1073.741824 MB'],
  [1, 'kWh', 'kJ', '1 kWh = 3600 kJ'],
  [1, 'atm', 'kPa', '1 atm = 101.325 kPa'],
  [180, 'degrees', 'rad', '180 ° ≈ 3.1415926535897932385 rad'],
  [8, 'L/100km', 'km/L', '8 L/100km = 12.5 km/L'],
  [12.5, 'km/L', 'l/100km', '12.5 km/L = 8 L/100km'],
  [90, 'km/h', 'm/s', '90 km/h = 25 m/s'],
  [1, 'metres per second', 'km/h', '1 metres/second = 3.6 km/h'],
  [3, 'kg*m/s^2', 'N', '3 kg*m/s^2 = 3 N'],
  [2, 'square feet', 'm^2', '2 ft² = 0.18580608 m²'],
  [1, 'gallon', 'L', '1 gal = 3.785411784 L'],
  [1, 'imperial gallon', 'litres', '1 gal_uk = 4.54609 L'],
])('%d %s in %s', (value, from, to, text) => {
  expect(converted(value, from, to)).toBe(text)
})

describe('what cannot be converted', () => {
  it.each([
    [1, 'km', 'kg', /length and kg of mass.*Units of length: m, km,/],
    [1, 'blub', 'kg', /no unit "blub"/],
    [500, 'mb', 'GB', /could be Mb or MB/],
    [-500, '°C', 'K', /below absolute zero/],
    [0, 'mpg', 'L/100km', /Zero/],
    [3, 'km + 2', 'm', /no unit/],
    [3, '', 'm', /no unit/],
    [3, 'constructor', '__proto__', /no unit/],
    [3, '('.repeat(60), 'm', /.+/],
  ])('%d %s in %s', (value, from, to, words) => {
    expect(() => converted(value, from, to)).toThrow(words)
  })
})

it('no name means two units', () => {
  const names = unitRows.flatMap((row) => row.names.split(' '))
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

it('there and back again is where one was, between all units of a kind', () => {
  fc.assert(
    fc.property(fc.constantFrom(...all), fc.constantFrom(...all), fc.integer({ min: 1, max: 1_000_000 }), (from, to, thousandths) => {
      fc.pre(samePowers(from.powers, to.powers))
      const value = new Exact(thousandths).div(1000)
      const back = convert(convert(value, from, to), to, from)
      expect(back.sub(value).abs().div(value).lt('1e-50')).toBe(true)
    }),
    { numRuns: 500 },
  )
})
