import { z } from 'zod'
import type { Language } from '../../../contract/library.ts'

/** What Open-Meteo answers, as far as it is used here. */
export const placesSchema = z.object({
  results: z
    .array(
      z.object({
        name: z.string(),
        latitude: z.number(),
        longitude: z.number(),
        population: z.number().nullish(),
        country: z.string().nullish(),
        admin1: z.string().nullish(),
        admin2: z.string().nullish(),
      }),
    )
    .optional(),
})
export type Place = NonNullable<z.infer<typeof placesSchema>['results']>[number]

const values = z.array(z.number().nullable())
export const forecastSchema = z.object({
  timezone: z.string().optional(),
  current_units: z.record(z.string(), z.string()),
  current: z.object({
    time: z.string(),
    temperature_2m: z.number().nullable(),
    relative_humidity_2m: z.number().nullish(),
    apparent_temperature: z.number().nullish(),
    weather_code: z.number().nullish(),
    wind_speed_10m: z.number().nullish(),
  }),
  daily_units: z.record(z.string(), z.string()),
  daily: z.object({
    time: z.array(z.string()),
    weather_code: values,
    temperature_2m_max: values,
    temperature_2m_min: values,
    precipitation_sum: values,
    precipitation_probability_max: values.optional(),
    wind_speed_10m_max: values,
  }),
})
export type Forecast = z.infer<typeof forecastSchema>

export const currentVariables = 'temperature_2m,relative_humidity_2m,apparent_temperature,weather_code,wind_speed_10m'
export const dailyVariables =
  'weather_code,temperature_2m_max,temperature_2m_min,precipitation_sum,precipitation_probability_max,wind_speed_10m_max'

export interface CityWeather {
  place: Place
  /** Others of the same name that may have been meant. */
  others: Place[]
  forecast: Forecast
}

/** WMO code table 4677, as far as the service uses it. */
const codeWords: Record<number, [string, string]> = {
  0: ['clear', '晴'],
  1: ['mostly clear', '大部晴朗'],
  2: ['partly cloudy', '多云'],
  3: ['overcast', '阴'],
  45: ['fog', '雾'],
  48: ['rime fog', '雾凇'],
  51: ['light drizzle', '小毛毛雨'],
  53: ['drizzle', '毛毛雨'],
  55: ['dense drizzle', '大毛毛雨'],
  56: ['light freezing drizzle', '小冻毛毛雨'],
  57: ['freezing drizzle', '冻毛毛雨'],
  61: ['light rain', '小雨'],
  63: ['rain', '中雨'],
  65: ['heavy rain', '大雨'],
  66: ['light freezing rain', '小冻雨'],
  67: ['freezing rain', '冻雨'],
  71: ['light snow', '小雪'],
  73: ['snow', '中雪'],
  75: ['heavy snow', '大雪'],
  77: ['snow grains', '米雪'],
  80: ['light showers', '小阵雨'],
  81: ['showers', '阵雨'],
  82: ['violent showers', '强阵雨'],
  85: ['light snow showers', '小阵雪'],
  86: ['snow showers', '阵雪'],
  95: ['thunderstorm', '雷暴'],
  96: ['thunderstorm with hail', '雷暴伴冰雹'],
  99: ['thunderstorm with heavy hail', '雷暴伴大冰雹'],
}

function sky(code: number | null | undefined, isChinese: boolean): string | null {
  if (code === null || code === undefined) return null
  const words = codeWords[code]
  return words === undefined ? `${isChinese ? '天气代码' : 'code'} ${code}` : words[isChinese ? 1 : 0]
}

/** Where a place lies: what tells it from others of its name. */
export function placeName(place: Place): string {
  const around = [...new Set([place.admin1, place.country])].filter((each) => each !== null && each !== undefined && each !== place.name)
  return cell(around.length === 0 ? place.name : `${place.name} (${around.join(', ')})`)
}

/** Names come from outside: none can break out of its cell. */
function cell(text: string): string {
  return text.replace(/[\s|]+/g, ' ').slice(0, 120)
}

/** Cities side by side: a column each, a row for now and one for each day. */
export function weatherTable(cities: CityWeather[], language: Language): string {
  const isChinese = language === 'zh'
  const days = [...new Set(cities.flatMap(({ forecast }) => forecast.daily.time))].sort()
  const rows = [
    ['', ...cities.map(({ place }) => placeName(place))],
    cities.map(() => '---').concat('---'),
    [isChinese ? '现在' : 'now', ...cities.map(({ forecast }) => nowCell(forecast, isChinese))],
    ...days.map((day) => [cell(day), ...cities.map(({ forecast }) => dayCell(forecast, day, isChinese))]),
  ]
  return rows.map((row) => `| ${row.join(' | ')} |`).join('\n')
}

function nowCell({ current, current_units: units }: Forecast, isChinese: boolean): string {
  const clock = current.time.slice(11, 16)
  return cells([
    clock === '' ? null : isChinese ? `当地 ${clock}` : `${clock} local`,
    sky(current.weather_code, isChinese),
    measured(current.temperature_2m, units['temperature_2m']),
    named(isChinese ? '体感' : 'feels like', measured(current.apparent_temperature, units['apparent_temperature'])),
    named(isChinese ? '湿度' : 'humidity', measured(current.relative_humidity_2m, units['relative_humidity_2m'])),
    named(isChinese ? '风速' : 'wind', measured(current.wind_speed_10m, units['wind_speed_10m'])),
  ])
}

function dayCell({ daily, daily_units: units }: Forecast, day: string, isChinese: boolean): string {
  const at = daily.time.indexOf(day)
  if (at < 0) return '–'
  const [low, high] = [daily.temperature_2m_min[at], daily.temperature_2m_max[at]]
  const range = isNumber(low) && isNumber(high) ? `${low} – ${high} ${units['temperature_2m_max'] ?? ''}`.trim() : null
  const chance = measured(daily.precipitation_probability_max?.[at], units['precipitation_probability_max'])
  const rain = measured(daily.precipitation_sum[at], units['precipitation_sum'])
  return cells([
    sky(daily.weather_code[at], isChinese),
    range,
    named(isChinese ? '降水' : 'precipitation', rain === null ? chance : chance === null ? rain : `${rain} (${chance})`),
    named(isChinese ? '最大风速' : 'wind up to', measured(daily.wind_speed_10m_max[at], units['wind_speed_10m_max'])),
  ])
}

function isNumber(value: number | null | undefined): value is number {
  return typeof value === 'number'
}

function measured(value: number | null | undefined, unit = ''): string | null {
  return isNumber(value) ? (unit === '%' ? `${value}%` : `${value} ${unit}`.trim()) : null
}

function named(name: string, value: string | null): string | null {
  return value === null ? null : `${name} ${value}`
}

function cells(parts: (string | null)[]): string {
  const known = parts.filter((part) => part !== null)
  return known.length === 0 ? '–' : cell(known.join(', '))
}
