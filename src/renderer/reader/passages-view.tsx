import { MessageSquareQuote } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso'
import type { DocumentRow } from '../../contract/library.ts'
import { placeText } from '../parts/place-text.ts'
import { EmptyPanel, LoadingPanel, ProblemPanel } from '../parts/state-panel.tsx'
import { askAbout } from './ask-about.ts'
import { useMatches } from './find.ts'
import { MarkedText } from './marked-text.tsx'
import { NoText } from './no-text.tsx'
import { usePassages } from './sections.ts'

/** The passages a document was split into: what search finds. */
export function PassagesView({ document }: { document: DocumentRow }) {
  const { t } = useTranslation()
  const { items, total, problem } = usePassages(document)
  const list = useRef<VirtuosoHandle>(null)
  const texts = useMemo(() => items.map((passage) => passage.text), [items])
  const found = useMatches(texts)
  const target = found.piece
  useEffect(() => {
    if (target !== null) list.current?.scrollToIndex({ index: target, align: 'start', offset: -20 })
  }, [target])
  if (total === null) return <LoadingPanel />
  if (problem !== null && items.length === 0) return <ProblemPanel problem={problem} />
  if (items.length === 0)
    return document.status === 'waiting' ? <NoText document={document} /> : <EmptyPanel title={t('library.noPassages')} />
  return (
    <Virtuoso
      ref={list}
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
              <p className="mb-1 flex items-center gap-3 text-tiny text-ink-3">
                <span className="tabular-nums">{passage.ordinal + 1}</span>
                <span className="min-w-0 flex-1 truncate">
                  {passage.heading.length > 0 ? passage.heading.join(' › ') : placeText(passage.place, t)}
                </span>
                <span className="tabular-nums">{t('ask.tokens', { count: passage.tokens, tokens: passage.tokens })}</span>
                <button
                  type="button"
                  className="icon-button -my-1 -me-2 size-6.5"
                  aria-label={t('library.askSelection')}
                  title={t('library.askSelection')}
                  onClick={() => askAbout(document, passage.text)}
                >
                  <MessageSquareQuote size={14} strokeWidth={1.6} />
                </button>
              </p>
              <p className="text-[13.5px] leading-[1.7] break-words whitespace-pre-wrap">
                <MarkedText text={passage.text} marks={found.marks(index)} />
              </p>
            </div>
          </div>
        )
      }}
    />
  )
}
