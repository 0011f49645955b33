import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

const units = ['kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

export interface Format {
  count: (value: number) => string
  percent: (fraction: number) => string
  bytes: (value: number) => string
  /** A measured time: 34 ms, 1.2 s, 3 min 20 s. */
  duration: (milliseconds: number) => string
  /** A time still to go, without false precision. */
  remaining: (milliseconds: number) => string
  date: (at: number) => string
  dateTime: (at: number) => string
}

function unit(locale: string, name: string, digits: number): (value: number) => string {
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'short', maximumFractionDigits: digits })
  return (value) => format.format(value)
}

/** Numbers, sizes, times and dates in the words of a locale. */
export function createFormat(locale: string): Format {
  const tag = locale === 'zh' ? 'zh-CN' : 'en'
  const plain = new Intl.NumberFormat(tag)
  const percent = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 0 })
  const date = new Intl.DateTimeFormat(tag, { year: 'numeric', month: 'short', day: 'numeric' })
  const dateTime = new Intl.DateTimeFormat(tag, { year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' })
  const milliseconds = unit(tag, 'millisecond', 0)
  const seconds = [unit(tag, 'second', 0), unit(tag, 'second', 1), unit(tag, 'second', 2)] as const
  const minutes = unit(tag, 'minute', 0)
  const hours = unit(tag, 'hour', 0)
  const sizes = units.map((name, index) => [unit(tag, name, 0), unit(tag, name, index > 0 ? 1 : 0)] as const)
  function bytes(value: number): string {
    const power = value < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log(value) / Math.log(1000)) - 1)
    const scaled = value > 0 && value < 1000 ? 1 : value / 1000 ** (power + 1)
    return sizes[power]?.[scaled < 10 ? 1 : 0](scaled) ?? plain.format(value)
  }
  function long(value: number): string {
    const total = Math.round(value / 1000)
    if (total < 3600) return total % 60 === 0 ? minutes(total / 60) : `${minutes(Math.floor(total / 60))} ${seconds[0](total % 60)}`
    const left = Math.round((total % 3600) / 60)
    return left === 0 ? hours(Math.floor(total / 3600)) : `${hours(Math.floor(total / 3600))} ${minutes(left)}`
  }
  return {
    count: (value) => plain.format(value),
    percent: (fraction) => percent.format(fraction),
    bytes,
    duration(value) {
      if (value < 10) return milliseconds(Math.max(1, Math.round(value)))
      if (value < 1000) return seconds[2](value / 1000)
      return value < 60_000 ? seconds[1](value / 1000) : long(value)
    },
    remaining(value) {
      if (value < 55_000) return seconds[0](Math.max(5, Math.ceil(value / 5000) * 5))
      return value < 3_600_000 ? minutes(Math.ceil(value / 60_000)) : long(value)
    },
    date: (at) => date.format(at),
    dateTime: (at) => dateTime.format(at),
  }
}

export function useFormat(): Format {
  const { i18n } = useTranslation()
  return useMemo(() => createFormat(i18n.language), [i18n.language])
}
