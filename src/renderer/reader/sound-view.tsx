import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso'
import type { DocumentRow } from '../../contract/library.ts'
import { timeText, type Place } from '../../contract/place.ts'
import { LoadingPanel, ProblemPanel } from '../parts/state-panel.tsx'
import { blocksOf, quoteMarks } from './blocks.ts'
import { useMatches } from './find.ts'
import { MarkedText } from './marked-text.tsx'
import { NoText } from './no-text.tsx'
import { useSections } from './sections.ts'

interface Props {
  document: DocumentRow
  place: Place | null
  quote: string
}

/** The time stands beside what was said: its mark in the text is not shown twice. */
const timeMark = /^\[\d{2}(?::\d{2}){1,2}\] /

/** A recording to listen to, with what was said in it below; each stretch plays from its time, the cited one is marked and ready. */
export function SoundView({ document, place, quote }: Props) {
  const { t } = useTranslation()
  const { items, total, problem } = useSections(document)
  const list = useRef<VirtuosoHandle>(null)
  const player = useRef<HTMLAudioElement>(null)
  const [unplayable, setUnplayable] = useState(false)
  const [seconds, setSeconds] = useState(0)
  const sections = useMemo(() => items.map((section) => ({ ...section, text: section.text.replace(timeMark, '') })), [items])
  const blocks = useMemo(() => blocksOf(sections, place), [sections, place])
  const spoken = useMemo(() => quote.replace(/\[\d{2}(?::\d{2}){1,2}\] /g, ''), [quote])
  const quoted = useMemo(() => quoteMarks(blocks, spoken), [blocks, spoken])
  const texts = useMemo(() => blocks.map((block) => block.text), [blocks])
  const found = useMatches(texts)
  const first = quoted.keys().next().value ?? blocks.findIndex((block) => block.on)
  const target = Math.max(0, found.piece ?? first)
  const start = place?.kind === 'time' ? place.from : null
  const playing = blocks.findLastIndex((block) => block.place?.kind === 'time' && block.place.from <= seconds)
  useEffect(() => {
    list.current?.scrollToIndex({ index: target, align: 'start', offset: target === 0 ? 0 : -60 })
  }, [target])
  useEffect(() => {
    if (player.current !== null && start !== null) player.current.currentTime = start
  }, [start, place])
  function playFrom(from: number) {
    if (player.current === null) return
    player.current.currentTime = from
    // Where it cannot be played, its own event says so.
    void player.current.play().catch(() => undefined)
  }
  const text =
    total === null ? (
      <LoadingPanel />
    ) : problem !== null && items.length === 0 ? (
      <ProblemPanel problem={problem} />
    ) : items.length === 0 ? (
      <NoText document={document} />
    ) : (
      <Virtuoso
        ref={list}
        className="h-full bg-sheet"
        tabIndex={0}
        aria-label={document.name}
        totalCount={blocks.length}
        initialTopMostItemIndex={{ index: target, align: 'start', offset: target === 0 ? 0 : -60 }}
        increaseViewportBy={600}
        components={{ Header: () => <div className="h-5" />, Footer: () => <div className="h-10" /> }}
        itemContent={(index) => {
          const block = blocks[index]
          if (block === undefined) return null
          const from = block.place?.kind === 'time' ? block.place.from : null
          return (
            <div className="section-block flex items-baseline gap-3" data-on={block.on}>
              {from !== null && (
                <button
                  type="button"
                  className={`w-16 flex-none rounded-sm border-0 bg-transparent p-0 text-start text-small tabular-nums hover:underline ${index === playing ? 'font-semibold text-seal' : block.on ? 'text-ink-2' : 'text-ink-3'}`}
                  aria-label={t('library.playFrom', { time: timeText(from) })}
                  aria-current={index === playing}
                  disabled={unplayable}
                  onClick={() => playFrom(from)}
                >
                  {timeText(from)}
                </button>
              )}
              <p className="min-w-0 flex-1 text-[14px] leading-[1.85] break-words whitespace-pre-wrap">
                <MarkedText text={block.text} marks={[...(quoted.get(index) ?? []), ...found.marks(index)]} />
              </p>
            </div>
          )
        }}
      />
    )
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex-none border-b border-line bg-paper px-4.5 py-3">
        {unplayable ? (
          <p className="text-small text-ink-2">{t('library.soundNotPlayed')}</p>
        ) : (
          <audio
            ref={player}
            controls
            preload="metadata"
            className="block w-full"
            aria-label={document.name}
            src={new URL(`document/${document.id}?${document.modifiedAt}`, window.document.baseURI).href}
            onLoadedMetadata={() => {
              if (player.current !== null && start !== null) player.current.currentTime = start
            }}
            onTimeUpdate={() => setSeconds(player.current?.currentTime ?? 0)}
            onError={() => setUnplayable(true)}
          />
        )}
      </div>
      <div className="min-h-0 flex-1">{text}</div>
    </div>
  )
}
