import { useTranslation } from 'react-i18next'
import { Virtuoso } from 'react-virtuoso'
import type { DocumentRow } from '../../contract/library.ts'
import { placeText } from '../parts/place-text.ts'
import { EmptyPanel, LoadingPanel, ProblemPanel } from '../parts/state-panel.tsx'
import { NoText } from './no-text.tsx'
import { usePassages } from './sections.ts'

/** The passages a document was split into: what search finds. */
export function PassagesView({ document }: { document: DocumentRow }) {
  const { t } = useTranslation()
  const { items, total, problem } = usePassages(document.id, `${document.modifiedAt} ${document.passages}`)
  if (total === null) return <LoadingPanel />
  if (problem !== null && items.length === 0) return <ProblemPanel problem={problem} />
  if (items.length === 0)
    return document.status === 'waiting' ? <NoText document={document} /> : <EmptyPanel title={t('library.noPassages')} />
  return (
    <Virtuoso
      className="h-full"
      tabIndex={0}
      aria-label={t('library.passages')}
      totalCount={items.length}
      increaseViewportBy={600}
      components={{ Header: () => <div className="h-3" />, Footer: () => <div className="h-6" /> }}
      itemContent={(index) => {
        const passage = items[index]
        if (passage === undefined) return null
        return (
          <div className="px-4 py-1.5">
            <div className="card px-4 py-3">
              <p className="mb-1 flex gap-3 text-tiny text-ink-3">
                <span className="tabular-nums">{passage.ordinal + 1}</span>
                <span className="min-w-0 flex-1 truncate">
                  {passage.heading.length > 0 ? passage.heading.join(' › ') : placeText(passage.place, t)}
                </span>
                <span className="tabular-nums">{t('ask.tokens', { count: passage.tokens, tokens: passage.tokens })}</span>
              </p>
              <p className="text-[13.5px] leading-[1.7] break-words whitespace-pre-wrap">{passage.text}</p>
            </div>
          </div>
        )
      }}
    />
  )
}
