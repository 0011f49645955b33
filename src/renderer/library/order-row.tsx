import { ArrowDown, ArrowUp } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { DocumentSort } from '../../contract/library.ts'
import { setFilter, useFilter } from './filter-state.ts'

/** With the widths of a row's columns. */
const columns = [
  { by: 'name', place: 'min-w-0 flex-1 ps-7.25' },
  { by: 'status', place: 'w-52 flex-none @max-[960px]:w-36 @max-[480px]:w-24' },
  { by: 'passages', place: 'w-20 flex-none justify-end @max-[480px]:hidden' },
  { by: 'size', place: 'w-18 flex-none justify-end @max-[640px]:hidden' },
  { by: 'date', place: 'w-28 flex-none justify-end @max-[800px]:hidden' },
] as const satisfies readonly { by: DocumentSort; place: string }[]

/** Names begin with the first letter, status with what needs a look, numbers with the largest, dates with the newest. */
const fallsAtFirst: ReadonlySet<DocumentSort> = new Set(['passages', 'size', 'date'])

/** What the columns are, each to order the list by: once, the other way round, and again as the folders have it. */
export function OrderRow() {
  const { t } = useTranslation()
  const order = useFilter((filter) => filter.order)
  function choose(by: DocumentSort) {
    const descending = fallsAtFirst.has(by)
    if (order?.by !== by) setFilter({ order: { by, descending } })
    else setFilter({ order: order.descending === descending ? { by, descending: !descending } : null })
  }
  return (
    <div role="group" aria-label={t('library.order')} className="-mb-1 flex items-center gap-3 pt-2.5 text-small text-ink-2">
      {columns.map(({ by, place }) => {
        const on = order?.by === by
        const Arrow = order?.descending === true ? ArrowDown : ArrowUp
        return (
          <span key={by} className={`flex ${place}`}>
            <button
              type="button"
              aria-pressed={on}
              aria-label={t(on && order.descending ? 'library.orderedDown' : on ? 'library.orderedUp' : 'library.orderBy', {
                column: t(`library.column.${by}`),
              })}
              title={t(`library.columnText.${by}`)}
              className={`flex min-h-6 max-w-full items-center gap-1 rounded-sm border-0 bg-transparent p-0 ${on ? 'font-semibold text-ink' : 'hover:text-ink'}`}
              onClick={() => choose(by)}
            >
              <span className="truncate">{t(`library.column.${by}`)}</span>
              {on && <Arrow size={12} strokeWidth={2} className="flex-none" aria-hidden="true" />}
            </button>
          </span>
        )
      })}
    </div>
  )
}
