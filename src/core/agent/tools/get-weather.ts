import { z } from 'zod'
import { counted } from '../../../contract/counted.ts'
import { SikuError } from '../../../contract/errors.ts'
import type { Net } from '../../net/net.ts'
import { defineTool, type Tool, type ToolContext, type ToolOutput } from '../tool.ts'
import { getJson } from './web-get.ts'
import { oneLine } from './web-text.ts'
import {
  currentVariables,
  dailyVariables,
  forecastSchema,
  placeName,
  placesSchema,
  weatherTable,
  type CityWeather,
  type Place,
} from './web-weather.ts'

const mostCities = 8

const schema = z.object({
  cities: z
    .array(z.string().trim().min(1).max(100))
    .min(1)
    .max(mostCities)
    .describe('names of cities, in any language; several are shown side by side'),
  days: z.int().min(1).max(14).default(3).describe('how many days of forecast, today included'),
})

const service = 'open-meteo.com'
const purpose = 'weather'

/** The weather now and in the next days. */
export function createGetWeather({ net }: { net: Net }): Tool {
  return defineTool({
    name: 'get_weather',
    description: 'Gives the weather now and the forecast for one or several cities, side by side, with units.',
    schema,
    suits:
      /\b(?:weather|rain\w*|snow\w*|temperature|forecast|sunny|cloudy|wind\w*|umbrella|hot|cold|warm|humid\w*|storm)\b|天气|下雨|下雪|气温|温度|预报|晴|阴天|刮风|带伞|冷不冷|热不热|多少度|湿度|台风/iu,
    access: 'network',
    gives: { untrusted: true },
    aliases: ['weather', 'get_current_weather', 'get_forecast', 'weather_forecast', 'query_weather'],
    limits: { timeoutMs: 45_000 },
    site: () => service,
    line: ({ cities, days }, language) =>
      language === 'zh'
        ? `向 ${service} 查询天气：${cities.join('、')}（${days} 天）`
        : `Ask ${service} for the weather of ${cities.join(', ')} (${counted(days, 'day')})`,
    async run({ cities, days }, context): Promise<ToolOutput> {
      const names = [...new Set(cities.flatMap(separateNames))]
      if (names.length === 0) return { failed: true, text: 'No city was named.' }
      if (names.length > mostCities)
        return { failed: true, text: `At most ${mostCities} cities in one call; ask for the others in another.` }
      const settled = await Promise.allSettled(names.map((name) => weatherOf(net, name, days, context)))
      const failures = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []))
      if (context.signal.aborted || failures.length === names.length) throw failures[0]
      const found = settled.flatMap((each) => (each.status === 'fulfilled' && each.value !== null ? [each.value] : []))
      const notes = settled.flatMap((each, at) => {
        const name = oneLine(names[at] ?? '', 100)
        if (each.status === 'rejected')
          return [`The weather of ${name} could not be had: ${each.reason instanceof SikuError ? each.reason.message : 'it failed.'}`]
        if (each.value === null)
          return [
            `No place named “${name}” was found. Write its name in another way or language${name.includes(',') ? ', and each city as an item of its own' : ''}.`,
          ]
        const { place, others } = each.value
        if (others.length === 0) return []
        return [`${placeName(place)} was taken for “${name}”. There is also: ${others.map(placeName).join('; ')}.`]
      })
      if (found.length === 0) return { failed: true, text: notes.join('\n') }
      return { text: [weatherTable(found, context.language), ...notes, `Weather data by Open-Meteo (https://${service}/).`].join('\n\n') }
    },
  })
}

/** Small models write a list into one text. A comma stays: it may part a city from its country. */
function separateNames(text: string): string[] {
  return text
    .split(/[、，；;\n]|\s(?:and|和|与)\s/)
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** Null: there is no such place. */
async function weatherOf(net: Net, name: string, days: number, context: ToolContext): Promise<CityWeather | null> {
  const { signal } = context
  const places = await placesNamed(net, name, context)
  const place = places[0]
  if (place === undefined) return null
  const url = new URL('https://api.open-meteo.com/v1/forecast')
  const parameters = {
    latitude: String(place.latitude),
    longitude: String(place.longitude),
    current: currentVariables,
    daily: dailyVariables,
    timezone: 'auto',
    forecast_days: String(days),
  }
  for (const [key, value] of Object.entries(parameters)) url.searchParams.set(key, value)
  return { place, others: othersLike(place, places), forecast: await getJson(net, url, forecastSchema, { purpose, signal }) }
}

async function placesNamed(net: Net, name: string, { signal, language }: ToolContext): Promise<Place[]> {
  // The service knows 南京 but not 南京市.
  const shorter = /^\p{Script=Han}{2,}[市县縣区區州]$/u.test(name) ? name.slice(0, -1) : null
  for (const each of shorter === null ? [name] : [name, shorter]) {
    const url = new URL('https://geocoding-api.open-meteo.com/v1/search')
    const inChinese = language === 'zh' || /\p{Script=Han}/u.test(name)
    const parameters = { name: each, count: '5', language: inChinese ? 'zh' : language === 'other' ? 'en' : language, format: 'json' }
    for (const [key, value] of Object.entries(parameters)) url.searchParams.set(key, value)
    const { results = [] } = await getJson(net, url, placesSchema, { purpose, signal })
    if (results.length > 0) return results
  }
  return []
}

/** Of the same name elsewhere, and not tiny beside it. */
function othersLike(place: Place, places: Place[]): Place[] {
  const least = Math.max(20_000, (place.population ?? 0) * 0.02)
  const seen = new Set([placeName(place)])
  return places.slice(1).filter((each) => {
    const isOther = each.name === place.name && (each.population ?? 0) >= least && !seen.has(placeName(each))
    seen.add(placeName(each))
    return isOther
  })
}
