import { ChevronDown } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../format.ts'
import { datesOf, type Dates } from './filter-state.ts'

const dayMs = 86_400_000

/** A day as a date field has it, in the time of this machine; '' for none. */
function dayOf(at: number | null): string {
  if (at === null) return ''
  const date = new Date(at)
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`
}

function startOf(day: string, later = 0): number | null {
  const [year, month, date] = day.split('-').map(Number)
  return year === undefined || month === undefined || date === undefined ? null : new Date(year, month - 1, date + later).getTime()
}

/** When a file was changed: some usual stretches, or from one day to another. */
export function DatesChoice({ dates, onChange }: { dates: Dates; onChange: (dates: Dates) => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { from, before } = dates
  const last = before === null ? null : before - dayMs / 2
  const label =
    from === null && last === null
      ? t('library.anyDate')
      : last === null
        ? t('library.dateFrom', { date: format.date(from ?? 0) })
        : from === null
          ? t('library.dateUntil', { date: format.date(last) })
          : t('library.dateBetween', { from: format.date(from), until: format.date(last) })
  const today = new Date()
  const since = (days: number): Dates => ({ from: startOf(dayOf(Date.now() - days * dayMs)), before: null })
  const usual = [
    { label: t('library.lastDays', { count: 7 }), dates: () => since(7) },
    { label: t('library.lastDays', { count: 30 }), dates: () => since(30) },
    { label: t('library.thisYear'), dates: () => datesOf(String(today.getFullYear())) },
    { label: t('library.lastYear'), dates: () => datesOf(String(today.getFullYear() - 1)) },
    { label: t('library.anyDate'), dates: () => ({ from: null, before: null }) },
  ]
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <button type="button" className="pill" aria-pressed={from !== null || before !== null}>
          {label}
          <ChevronDown size={13} strokeWidth={1.8} aria-hidden="true" />
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className="menu" align="start" sideOffset={6} aria-label={t('library.dates')}>
          {usual.map((each) => (
            <Popover.Close key={each.label} asChild>
              <button type="button" className="menu-item" onClick={() => onChange(each.dates())}>
                {each.label}
              </button>
            </Popover.Close>
          ))}
          <div className="mt-1 grid gap-1.5 border-t border-line px-2.5 pt-2 pb-1.5">
            <label className="flex items-center gap-2 text-small">
              <span className="w-10">{t('library.from')}</span>
              <input
                type="date"
                className="field min-h-7.5! text-small"
                value={dayOf(from)}
                onChange={(event) => onChange({ from: startOf(event.target.value), before })}
              />
            </label>
            <label className="flex items-center gap-2 text-small">
              <span className="w-10">{t('library.until')}</span>
              <input
                type="date"
                className="field min-h-7.5! text-small"
                value={dayOf(last)}
                onChange={(event) => onChange({ from, before: startOf(event.target.value, 1) })}
              />
            </label>
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
