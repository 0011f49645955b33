import { useTranslation } from 'react-i18next'
import { useFormat } from '../format.ts'
import { useReader } from '../state/reader.ts'

/** When the document is no longer what was cited: says so and shows the quote as it was kept. */
export function CitationBanner() {
  const { t } = useTranslation()
  const format = useFormat()
  const { citation, freshness, document } = useReader()
  const since = document?.unreachableSince ?? null
  if (citation === null || freshness === 'current') return null
  return (
    <div role="status" className="flex-none border-b border-line bg-warn-wash px-4.5 py-3 text-ui">
      <p className="font-semibold">
        {freshness === 'unreachable'
          ? t('library.citationUnreachable', { time: since === null ? '' : format.dateTime(since) })
          : t(freshness === 'gone' ? 'library.citationGone' : 'library.citationChanged')}
      </p>
      <blockquote
        className="mt-2 max-h-52 overflow-y-auto border-s-2 border-line-2 ps-3 font-serif text-[14px] leading-[1.8] break-words whitespace-pre-wrap"
        tabIndex={0}
      >
        {citation.quote}
      </blockquote>
      {freshness !== 'changed' && <p className="mt-2 text-small break-all text-ink-2">{citation.path}</p>}
    </div>
  )
}
