import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ErrorValue } from '../../contract/errors.ts'
import type { Hit, SearchResult } from '../../contract/search.ts'
import { client } from '../client.ts'
import { pause } from '../follow.ts'
import { useFormat } from '../format.ts'
import { Excerpt } from '../parts/excerpt.tsx'
import { markExcerpt, wordsOf } from '../parts/mark-words.ts'
import { placeText } from '../parts/place-text.ts'
import { shownName } from '../parts/shown-name.ts'
import { EmptyPanel, LoadingPanel, ProblemPanel } from '../parts/state-panel.tsx'
import { usePaced } from '../parts/use-paced.ts'
import { useRefreshed } from '../parts/use-refreshed.ts'
import { Visible } from '../parts/visible.tsx'
import { visibleText } from '../parts/visible-text.ts'
import { problemOf } from '../problem.ts'
import { ownQuote } from '../reader/own-quote.ts'
import { openDocument, useReader } from '../state/reader.ts'
import { clearFilter, isFiltered, useFilter } from './filter-state.ts'

const most = 50

/** While documents are read it is searched again this often at most. */
const refreshMs = 3000
/** Of rest before what was typed is searched for. */
const typingMs = 200

interface Found {
  key: string
  result: SearchResult | null
  problem: ErrorValue | null
}

/** What the words find within the filters; what was found before stays until then. */
function useSearch(words: string, changing: string): Found & { searching: boolean; again: () => void } {
  const { folderId, kinds, dates } = useFilter()
  const [found, setFound] = useState<Found>({ key: '', result: null, problem: null })
  const [tries, setTries] = useState(0)
  const version = usePaced(changing, refreshMs)
  const key = JSON.stringify([words, folderId, kinds, dates, tries])
  useRefreshed(key, version, async (signal) => {
    const scope = {
      ...(folderId === null ? {} : { folderIds: [folderId] }),
      ...(kinds.length === 0 ? {} : { kinds }),
      ...(dates.from === null ? {} : { modifiedFrom: dates.from }),
      ...(dates.before === null ? {} : { modifiedBefore: dates.before }),
    }
    await pause(typingMs, signal)
    if (signal.aborted) return
    try {
      const result = await client.search.query({ query: words, k: most, scope }, { signal })
      if (!signal.aborted) setFound({ key, result, problem: null })
    } catch (error) {
      if (!signal.aborted) setFound({ key, result: null, problem: problemOf(error) })
    }
  })
  return { ...found, searching: found.key !== key, again: () => setTries((count) => count + 1) }
}

function HitCard({ hit, words }: { hit: Hit; words: string }) {
  const { t } = useTranslation()
  const parts = useMemo(() => markExcerpt(hit.text, wordsOf(words), 260), [hit.text, words])
  const on = useReader((state) => state.open && state.document?.id === hit.documentId && state.found?.place === hit.place)
  const heading = hit.heading.join(' › ')
  return (
    <li>
      <button
        type="button"
        title={visibleText(hit.path)}
        aria-current={on ? 'true' : undefined}
        className={`card w-full px-4 py-2.5 text-start transition-colors hover:border-line-2 ${on ? 'border-seal!' : ''}`}
        onClick={() => void openDocument(hit.documentId, 'original', { place: hit.place, quote: ownQuote(hit.text, words) ?? '' })}
      >
        <span className="flex items-baseline gap-3 text-ui">
          <b className="min-w-0 truncate font-semibold">
            <Visible text={shownName(hit.path, t)} />
          </b>
          {heading !== '' && <span className="min-w-0 flex-1 truncate text-small text-ink-3">{heading}</span>}
          <span className="ms-auto max-w-1/2 flex-none truncate text-small text-ink-2">{placeText(hit.place, t)}</span>
        </span>
        <span className="mt-0.5 line-clamp-3 text-[13.5px] leading-[1.65] [overflow-wrap:anywhere] text-ink-2">
          <Excerpt parts={parts} />
        </span>
      </button>
    </li>
  )
}

/** Passages that words find, the best first; a click opens the place. */
export function PassageSearch({ words, version }: { words: string; version: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const filter = useFilter()
  const { result, problem, searching, again } = useSearch(words, version)
  if (problem !== null) return <ProblemPanel problem={problem} onRetry={again} />
  if (result === null) return <LoadingPanel />
  const { hits } = result
  return (
    <section aria-label={t('library.passagesFound')} aria-busy={searching} className="px-8 pb-8 max-[1000px]:px-5">
      <p role="status" className="py-3 text-small text-ink-2 tabular-nums">
        {hits.length > 0 &&
          t('library.passagesFoundIn', {
            count: hits.length,
            passages: format.count(hits.length),
            documents: format.count(new Set(hits.map((hit) => hit.documentId)).size),
            time: format.duration(result.elapsedMs),
          })}
        {result.notes.map(({ code }) =>
          // A search that looks at every vector is as good as another.
          code === 'exact-scan' ? null : (
            <span key={code} className="block">
              {t(`library.searchNote.${code}`)}
            </span>
          ),
        )}
      </p>
      {hits.length === 0 && !searching && (
        <EmptyPanel title={t('library.nothingFound')}>
          <p>{t('library.nothingFoundText')}</p>
          {isFiltered(filter) && (
            <button type="button" className="button mt-4" onClick={clearFilter}>
              {t('library.withoutFilters')}
            </button>
          )}
        </EmptyPanel>
      )}
      <ul className="flex flex-col gap-2">
        {hits.map((hit) => (
          <HitCard key={hit.passageId} hit={hit} words={words} />
        ))}
      </ul>
    </section>
  )
}
