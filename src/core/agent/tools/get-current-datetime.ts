import { z } from 'zod'
import { SikuError } from '../../../contract/errors.ts'
import type { Language } from '../../../contract/library.ts'
import { defineTool, withNames, type Tool } from '../tool.ts'

/** By name, the calendar of Intl that it is. */
const calendars = {
  gregorian: 'gregory',
  chinese: 'chinese',
  japanese: 'japanese',
  hebrew: 'hebrew',
  islamic: 'islamic-umalqura',
  persian: 'persian',
  indian: 'indian',
  buddhist: 'buddhist',
  roc: 'roc',
  coptic: 'coptic',
  ethiopic: 'ethiopic',
  dangi: 'dangi',
} as const
type Calendar = keyof typeof calendars

/** Cities that people name and that no zone is named after. */
const cities: Record<string, string> = {
  beijing: 'Asia/Shanghai',
  peking: 'Asia/Shanghai',
  北京: 'Asia/Shanghai',
  上海: 'Asia/Shanghai',
  中国: 'Asia/Shanghai',
  china: 'Asia/Shanghai',
  台北: 'Asia/Taipei',
  香港: 'Asia/Hong_Kong',
  东京: 'Asia/Tokyo',
  japan: 'Asia/Tokyo',
  伦敦: 'Europe/London',
  纽约: 'America/New_York',
  washington: 'America/New_York',
  sanfrancisco: 'America/Los_Angeles',
  delhi: 'Asia/Kolkata',
  mumbai: 'Asia/Kolkata',
}

const schema = z.object({
  zone: z.string().max(100).optional().describe('time zone, e.g. "Asia/Shanghai", "Europe/Berlin", "UTC", "UTC+8"; left out: the user’s'),
  calendar: z
    .enum(Object.keys(calendars) as [Calendar, ...Calendar[]])
    .optional()
    .describe('another calendar to show the date in as well'),
})

export function createGetCurrentDatetime(): Tool {
  return defineTool({
    name: 'get_current_datetime',
    description:
      'Gives the date and time now, the weekday and the week number, in any time zone and calendar. Use it whenever an answer depends on today’s date.',
    schema,
    suits:
      /\b(?:today|now|date|time|day|week(?:day)?|month|year|tomorrow|yesterday|o'?clock|clock|zone|calendar|lunar|deadline|days? (?:until|left|ago)|how long (?:until|ago))\b|今天|现在|几点|星期|周几|日期|时间|明天|昨天|几号|农历|时区|还有多久|还有几天|多少天/iu,
    access: 'read',
    aliases: ['get_datetime', 'get_current_time', 'current_time', 'get_date', 'now'],
    adapt: (given) => withNames(given, { zone: ['timezone', 'tz', 'timezonename', 'location', 'city', 'place'] }),
    line: ({ zone = '' }, language) =>
      `${language === 'zh' ? '看现在的日期和时间' : 'Look up date and time'}${zone === '' ? '' : ` (${zone})`}`,
    run: ({ zone, calendar }, { now, language }) => describe(new Date(now()), zoneNamed(zone), calendar, language),
  })
}

function zoneNamed(wanted: string | undefined): string {
  const name = wanted?.trim() ?? ''
  if (name === '' || name.toLowerCase() === 'local') return new Intl.DateTimeFormat().resolvedOptions().timeZone
  const fixed = /^(?:utc|gmt)?\s*([+-])(\d{1,2})(?::?00)?$/i.exec(name)
  const zones = Intl.supportedValuesOf('timeZone')
  const folded = fold(name)
  const candidates = [
    // The sign of these is turned round: west is positive.
    ...(fixed ? [`Etc/GMT${fixed[1] === '+' ? '-' : '+'}${Number(fixed[2])}`] : []),
    ...(Object.hasOwn(cities, folded) ? [cities[folded]!] : []),
    ...zones.filter((zone) => fold(zone) === folded || fold(zone.split('/').at(-1)!) === folded).slice(0, 1),
    name.replace(/\s+/g, '_'),
  ]
  const known = candidates.map(canonical).find((zone) => zone !== null)
  if (known) return known
  const similar = zones.filter((zone) => fold(zone).includes(folded) && folded.length > 2).slice(0, 8)
  const hint =
    similar.length > 0 ? `Similar ones: ${similar.join(', ')}.` : 'Give a name like "Asia/Shanghai" or "America/New_York", or "UTC+8".'
  throw new SikuError('bad-input', `There is no time zone "${name}". ${hint}`)
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '')
}

function canonical(zone: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

function describe(at: Date, zone: string, calendar: Calendar | undefined, language: Language): string {
  const part = partsIn(at, zone)
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = `${String(part.year).padStart(4, '0')}-${two(part.month)}-${two(part.day)}`
  const { year, week } = isoWeek(part)
  const locale = language === 'zh' ? 'zh-CN' : 'en-GB'
  const long = new Intl.DateTimeFormat(locale, { timeZone: zone, dateStyle: 'full' }).format(at)
  const lines = [
    `${day}T${two(part.hour)}:${two(part.minute)}:${two(part.second)}${part.offset}`,
    `date: ${long}`,
    `weekday: ${new Intl.DateTimeFormat('en', { timeZone: zone, weekday: 'long' }).format(at)}`,
    `time: ${two(part.hour)}:${two(part.minute)}:${two(part.second)}`,
    `time zone: ${zone} (UTC${part.offset})`,
    `ISO week: ${week} of ${year}; day ${dayOfYear(part)} of the year`,
  ]
  if (calendar !== undefined && calendar !== 'gregorian') lines.push(`${calendar} calendar: ${inCalendar(at, zone, calendar, language)}`)
  return lines.join('\n')
}

function inCalendar(at: Date, zone: string, calendar: Calendar, language: Language): string {
  const format = (locale: string): string =>
    new Intl.DateTimeFormat(`${locale}-u-ca-${calendars[calendar]}`, { timeZone: zone, dateStyle: 'long' }).format(at)
  const own = { chinese: 'zh-CN', japanese: 'ja-JP', roc: 'zh-TW' }[calendar as string]
  return [...new Set([...(own === undefined ? [] : [format(own)]), format(language === 'zh' ? 'zh-CN' : 'en')])].join(' / ')
}

interface Parts {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
  /** "+08:00". */
  offset: string
}

function partsIn(at: Date, zone: string): Parts {
  const format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    timeZoneName: 'longOffset',
  })
  const parts = new Map(format.formatToParts(at).map((each) => [each.type, each.value]))
  const number = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type))
  const offset = (parts.get('timeZoneName') ?? 'GMT').replace('GMT', '')
  return {
    year: number('year'),
    month: number('month'),
    day: number('day'),
    hour: number('hour'),
    minute: number('minute'),
    second: number('second'),
    offset: offset === '' ? '+00:00' : offset,
  }
}

const dayMs = 86_400_000

function dayOfYear({ year, month, day }: Parts): number {
  return (Date.UTC(year, month - 1, day) - Date.UTC(year, 0, 1)) / dayMs + 1
}

/** ISO 8601: weeks begin on Monday; the first has the year's first Thursday. */
function isoWeek({ year, month, day }: Parts): { year: number; week: number } {
  const date = new Date(Date.UTC(year, month - 1, day))
  date.setUTCDate(date.getUTCDate() + 4 - (date.getUTCDay() || 7))
  const first = Date.UTC(date.getUTCFullYear(), 0, 1)
  return { year: date.getUTCFullYear(), week: Math.floor((date.getTime() - first) / dayMs / 7) + 1 }
}
