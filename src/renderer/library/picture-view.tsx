import { ChevronRight } from 'lucide-react'
import { useMemo, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { BreakdownCell } from '../../contract/library.ts'
import { client } from '../client.ts'
import { useFormat } from '../format.ts'
import { usePaced } from '../parts/use-paced.ts'
import { useRefreshed } from '../parts/use-refreshed.ts'
import { readPreference, writePreference } from '../preferences.ts'
import { datesOf, setFilter, useFilter } from './filter-state.ts'
import { pictureOf, type Bar } from './picture.ts'
import { sizeText } from './size-text.ts'

/** While documents are read the picture is drawn anew this often at most. */
const refreshMs = 3000

function useCells(folderId: number | null, changing: string, wanted: boolean): BreakdownCell[] {
  const [cells, setCells] = useState<BreakdownCell[]>([])
  const version = usePaced(changing, refreshMs)
  useRefreshed(wanted ? String(folderId) : null, version, async (signal) => {
    // The list below says what is wrong.
    const found = await client.documents.breakdown(folderId === null ? {} : { folderId }, { signal }).catch(() => null)
    if (found !== null && !signal.aborted) setCells(found)
  })
  return cells
}

function Rows<Key extends string | number>({
  title,
  labels,
  bars,
  name,
  onChoose,
  children,
}: {
  title: string
  /** Width of the names. */
  labels: string
  bars: Bar<Key>[]
  name: (key: Key) => string
  onChoose: (bar: Bar<Key>) => void
  /** Below the rows. */
  children?: ReactNode
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const most = Math.max(1, ...bars.map((bar) => bar.documents))
  return (
    <div role="group" aria-label={title} className="min-w-0" style={{ ['--labels' as string]: labels }}>
      <h3 className="mb-1 text-small text-ink-2">{title}</h3>
      {bars.map((bar) => (
        <button
          key={bar.key}
          type="button"
          className="picture-row"
          aria-pressed={bar.chosen}
          disabled={bar.documents === 0 && !bar.chosen}
          title={t('library.pictureBar', { count: bar.documents, documents: format.count(bar.documents), bytes: format.bytes(bar.bytes) })}
          onClick={() => onChoose(bar)}
        >
          <span className="truncate">{name(bar.key)}</span>
          <i aria-hidden="true">
            <i style={{ width: `${(bar.documents / most) * 100}%` }} />
          </i>
          <span className="text-end tabular-nums">{format.count(bar.documents)}</span>
        </button>
      ))}
      {children}
    </div>
  )
}

function Columns({ bars, onChoose }: { bars: Bar<string>[]; onChoose: (bar: Bar<string>) => void }) {
  const { t, i18n } = useTranslation()
  const format = useFormat()
  const most = Math.max(1, ...bars.map((bar) => bar.documents))
  const name = useMemo(() => {
    const month = new Intl.DateTimeFormat(i18n.language === 'zh' ? 'zh-CN' : 'en', { year: 'numeric', month: 'short' })
    return (key: string) => (key.includes('-') ? month.format(datesOf(key).from ?? 0) : key)
  }, [i18n.language])
  return (
    <div role="group" aria-label={t('library.pictureDates')} className="flex min-w-0 flex-col">
      <h3 className="mb-1 text-small text-ink-2">{t('library.pictureDates')}</h3>
      <div className="flex min-h-24 flex-1 items-stretch gap-px">
        {bars.map((bar) => (
          <button
            key={bar.key}
            type="button"
            className="picture-column"
            aria-pressed={bar.chosen}
            disabled={bar.documents === 0 && !bar.chosen}
            aria-label={`${name(bar.key)}: ${t('library.found', { count: bar.documents, documents: format.count(bar.documents) })}`}
            title={`${name(bar.key)} · ${t('library.pictureBar', { count: bar.documents, documents: format.count(bar.documents), bytes: format.bytes(bar.bytes) })}`}
            onClick={() => onChoose(bar)}
          >
            <i aria-hidden="true" style={{ height: bar.documents === 0 ? 0 : `max(3px, ${(bar.documents / most) * 100}%)` }} />
          </button>
        ))}
      </div>
      {bars.length > 0 && (
        <p className="mt-1 flex justify-between text-tiny text-ink-3" aria-hidden="true">
          <span>{name(bars[0]?.key ?? '')}</span>
          {bars.length > 1 && <span>{name(bars.at(-1)?.key ?? '')}</span>}
        </p>
      )}
    </div>
  )
}

/** As it was left; else where there is room for it and the list. */
function isWanted(): boolean {
  const kept = readPreference('library-picture')
  return kept === null ? window.innerHeight >= 700 : kept === 'yes'
}

/** The dates have the widest part, and in a narrow place a line of their own. */
const threeParts =
  'grid-cols-[minmax(0,1.1fr)_minmax(0,1.5fr)_minmax(0,1.1fr)] @max-[640px]:grid-cols-2 @max-[640px]:[&>:nth-child(2)]:order-last @max-[640px]:[&>:nth-child(2)]:col-span-2 @max-[420px]:grid-cols-1 @max-[420px]:[&>:nth-child(2)]:col-span-1'

/** Kinds that are shown before more are asked for. */
const mostKinds = 8

const noDates = { from: null, before: null }

/** What is in the library by kind, date and size. A click on a part shows only that. */
export function PictureView({ version }: { version: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [open, setOpen] = useState(isWanted)
  const { folderId, kinds, dates, band } = useFilter()
  const cells = useCells(folderId, version, open)
  const picture = useMemo(() => pictureOf(cells, { kinds, dates, band }), [cells, kinds, dates, band])
  const [all, setAll] = useState(false)
  // What is chosen is always in sight.
  const shown = picture.kinds.filter(({ chosen }, index) => all || index < mostKinds || chosen)
  const hidden = picture.kinds.length - shown.length
  return (
    <section aria-label={t('library.picture')} className="@container mt-5">
      <button
        type="button"
        aria-expanded={open}
        className="flex items-center gap-1.5 rounded-sm border-0 bg-transparent p-0 text-ui font-semibold"
        onClick={() => {
          writePreference('library-picture', open ? 'no' : 'yes')
          setOpen(!open)
        }}
      >
        <ChevronRight
          size={13}
          strokeWidth={1.8}
          className={`text-ink-3 transition-transform ${open ? 'rotate-90' : ''}`}
          aria-hidden="true"
        />
        {t('library.picture')}
      </button>
      {open && cells.length > 0 && (
        <div className={`card mt-2 grid gap-x-7 gap-y-4 px-4 py-3 ${threeParts}`}>
          <Rows
            title={t('library.pictureKinds')}
            labels="6.5em"
            bars={shown}
            name={(kind) => t(`library.kind.${kind}`)}
            onChoose={({ key, chosen }) => setFilter({ kinds: chosen ? kinds.filter((kind) => kind !== key) : [...kinds, key] })}
          >
            {(hidden > 0 || all) && picture.kinds.length > mostKinds && (
              <button type="button" className="picture-row" aria-expanded={all} onClick={() => setAll(!all)}>
                <span className="col-span-full truncate">{all ? t('library.fewerKinds') : t('library.moreKinds', { count: hidden })}</span>
              </button>
            )}
          </Rows>
          <Columns bars={picture.periods} onChoose={({ key, chosen }) => setFilter({ dates: chosen ? noDates : datesOf(key) })} />
          <Rows
            title={t('library.pictureSizes')}
            labels="8.5em"
            bars={picture.bands}
            name={(each) => sizeText(each, t, format)}
            onChoose={({ key, chosen }) => setFilter({ band: chosen ? null : key })}
          />
        </div>
      )}
    </section>
  )
}
