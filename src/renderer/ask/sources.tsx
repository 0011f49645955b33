import { memo, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Sentence, Source } from '../../contract/answer.ts'
import { Chip, useOpenMarker } from '../markdown/chip.tsx'
import { FoldMark } from '../parts/fold-mark.tsx'
import { Excerpt } from '../parts/excerpt.tsx'
import { markExcerpt, wordsOf } from '../parts/mark-words.ts'
import { placeText } from '../parts/place-text.ts'
import { shownName } from '../parts/shown-name.ts'
import { Visible } from '../parts/visible.tsx'
import { visibleText } from '../parts/visible-text.ts'
import { citedMarkers } from './turn.tsx'
import type { TurnView } from './turn-view.ts'

interface CardProps {
  source: Source
  question: string
  /** What a model said with this source, joined: its words are marked too. Extracts would mark all of themselves. */
  said: string
  /** Where the excerpt begins; empty for a source that is not cited. */
  quote: string
  on: boolean
  onOpen: (marker: number) => void
}

const SourceCard = memo(function SourceCard({ source, question, said, quote, on, onOpen }: CardProps) {
  const { t } = useTranslation()
  const parts = useMemo(() => {
    // Signs of headings say nothing in a line; in a program they are its own.
    const plain = (text: string) => (/\.(?:md|markdown)$/i.test(source.path) ? text.replace(/^#{1,6}\s+/gm, '') : text)
    return markExcerpt(plain(source.text), wordsOf(`${question} ${said}`), 130, plain(quote))
  }, [source.text, source.path, question, said, quote])
  const name = shownName(source.path, t)
  const place = placeText(source.place, t)
  return (
    <li className="min-w-0">
      <button
        type="button"
        title={visibleText(source.path)}
        aria-current={on ? 'true' : undefined}
        className={`card flex h-full w-full flex-col px-3 py-2.5 text-start text-[13px] leading-[1.55] transition-colors hover:border-line-2 ${on ? 'border-seal! ' : ''}`}
        onClick={() => onOpen(source.marker)}
      >
        <span className="flex w-full items-baseline gap-1.5">
          <Chip marker={source.marker} label="" on={on} />
          <b className="min-w-0 truncate font-semibold">
            <Visible text={name} />
          </b>
          <span className="ms-auto max-w-[45%] flex-none truncate ps-2 text-small text-ink-2">{place}</span>
        </span>
        <span className="mt-1 line-clamp-3 [overflow-wrap:anywhere] text-ink-2">
          <Excerpt parts={parts} />
        </span>
      </button>
    </li>
  )
})

function saidWith(sentences: Sentence[], marker: number): string {
  return sentences
    .filter((sentence) => sentence.citations.includes(marker))
    .map((sentence) => sentence.text)
    .join(' ')
}

/** The passages behind the answer: the cited ones as cards, the others folded. */
export function Sources({ turn, onOpen }: { turn: TurnView; onOpen: (marker: number) => void }) {
  const { t } = useTranslation()
  const open = useOpenMarker(turn.id)
  if (turn.sources.length === 0) return null
  const cited = citedMarkers(turn)
  const nothingCited = !turn.running && cited.length === 0 && turn.outcome !== 'failed' && turn.outcome !== 'stopped'
  const first = nothingCited
    ? turn.sources.slice(0, 4)
    : cited.flatMap((marker) => turn.sources.find((source) => source.marker === marker) ?? [])
  const others = turn.running ? [] : turn.sources.filter((source) => !first.includes(source))
  const leftOut = turn.notes.some(({ code }) => code === 'passages-left-out')
  function card(source: Source) {
    return (
      <SourceCard
        key={source.marker}
        source={source}
        question={turn.question}
        said={turn.model === null ? '' : saidWith(turn.sentences, source.marker)}
        quote={turn.citations.find((citation) => citation.marker === source.marker)?.quote ?? ''}
        on={open === source.marker}
        onOpen={onOpen}
      />
    )
  }
  const grid = 'grid grid-cols-[repeat(auto-fill,minmax(min(270px,100%),1fr))] gap-2.5'
  return (
    <div role="group" aria-label={t('ask.sources')} className="my-4">
      {nothingCited && <h3 className="mb-2 text-small text-ink-2">{t('ask.nearest')}</h3>}
      {first.length > 0 && <ul className={grid}>{first.map(card)}</ul>}
      {others.length > 0 && (
        <details className="group mt-2.5 text-small">
          <summary className="flex w-fit cursor-pointer list-none items-center gap-1.5 rounded-sm text-ink-2">
            <FoldMark />
            {t(leftOut ? 'ask.otherFound' : 'ask.otherSources', { count: others.length })}
          </summary>
          <ul className={`${grid} mt-2.5`}>{others.map(card)}</ul>
        </details>
      )}
    </div>
  )
}
