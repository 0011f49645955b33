import { useEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso'
import type { DocumentRow, Section } from '../../contract/library.ts'
import type { Place } from '../../contract/place.ts'
import { placeText } from '../parts/place-text.ts'
import { LoadingPanel, ProblemPanel } from '../parts/state-panel.tsx'
import { NoText } from './no-text.tsx'
import { quoteRanges } from './quote-ranges.ts'
import { useSections } from './sections.ts'

/** Whether a section lies in the cited place. */
function holds(place: Place | null, section: Place): boolean {
  if (place === null || place.kind !== section.kind) return false
  if (place.kind === 'page' && section.kind === 'page') return section.page >= place.page && section.page <= (place.toPage ?? place.page)
  if (place.kind === 'lines' && section.kind === 'lines') return section.from <= place.to && section.to >= place.from
  if (place.kind === 'section' && section.kind === 'section') return section.from <= place.to && section.to >= place.from
  return JSON.stringify(place) === JSON.stringify(section)
}

/** A section's own heading, where its text begins with it, and the text after it. */
function headed({ place, text }: Section): [string | null, string] {
  const heading = place.kind === 'section' ? place.heading.at(-1) : undefined
  if (heading === undefined || heading === '' || !text.trimStart().startsWith(heading)) return [null, text]
  const rest = text.trimStart().slice(heading.length)
  return rest === '' || rest.startsWith('\n') ? [heading, rest.trimStart()] : [null, text]
}

function MarkedSection({ text, quote }: { text: string; quote: string }) {
  const lines = text.split('\n')
  const ranges = quote === '' ? [] : quoteRanges(lines, quote)
  return lines.map((line, index) => {
    const range = ranges.find((each) => each.line === index)
    return (
      <span key={index}>
        {range === undefined ? (
          line
        ) : (
          <>
            {line.slice(0, range.from)}
            <mark>{line.slice(range.from, range.to)}</mark>
            {line.slice(range.to)}
          </>
        )}
        {index < lines.length - 1 && '\n'}
      </span>
    )
  })
}

interface Props {
  document: DocumentRow
  place: Place | null
  quote: string
  /** Shows the place of each section: for looking at what was read. */
  places: boolean
}

/** The text of a document as Siku sees it, section by section. */
export function SectionsView({ document, place, quote, places }: Props) {
  const { t } = useTranslation()
  const { items, total, problem } = useSections(document.id, String(document.modifiedAt))
  const list = useRef<VirtuosoHandle>(null)
  const target = useMemo(
    () =>
      Math.max(
        0,
        items.findIndex((section) =>
          place === null ? quote !== '' && quoteRanges(section.text.split('\n'), quote).length > 0 : holds(place, section.place),
        ),
      ),
    [items, place, quote],
  )
  useEffect(() => {
    list.current?.scrollToIndex({ index: target, align: 'start', offset: target === 0 ? 0 : -40 })
  }, [target])
  if (total === null) return <LoadingPanel />
  if (problem !== null && items.length === 0) return <ProblemPanel problem={problem} />
  if (items.length === 0) return <NoText document={document} />
  return (
    <Virtuoso
      ref={list}
      className="h-full bg-sheet"
      tabIndex={0}
      aria-label={document.name}
      totalCount={items.length}
      initialTopMostItemIndex={{ index: target, align: 'start', offset: target === 0 ? 0 : -40 }}
      increaseViewportBy={600}
      components={{ Header: () => <div className="h-5" />, Footer: () => <div className="h-10" /> }}
      itemContent={(index) => {
        const section = items[index]
        if (section === undefined) return null
        const on = holds(place, section.place)
        const [heading, body] = headed(section)
        return (
          <div
            className={`px-7 py-1.5 ${on ? 'bg-[color-mix(in_srgb,var(--mark)_38%,transparent)] shadow-[inset_3px_0_0_var(--seal)]' : ''}`}
          >
            {places && <p className={`pt-1 text-tiny ${on ? 'text-ink-2' : 'text-ink-3'}`}>{placeText(section.place, t)}</p>}
            {heading !== null && <h3 className="pt-3 text-[15.5px] font-semibold">{heading}</h3>}
            {body !== '' && (
              <p className="text-[14px] leading-[1.85] break-words whitespace-pre-wrap">
                <MarkedSection text={body} quote={on || place === null ? quote : ''} />
              </p>
            )}
          </div>
        )
      }}
    />
  )
}
