import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { DocumentRow } from '../../contract/library.ts'
import type { Place } from '../../contract/place.ts'
import { placeText } from '../parts/place-text.ts'
import { blocksOf, quoteMarks } from './blocks.ts'
import { useMatches } from './find.ts'
import { MarkedText } from './marked-text.tsx'
import { useSections } from './sections.ts'
import { TextList } from './text-list.tsx'

interface Props {
  document: DocumentRow
  place: Place | null
  quote: string
  /** Shows the place of each section: for looking at what was read, and for slides. */
  places: boolean
}

/** The text of a document as Siku sees it: its headings and paragraphs, the cited ones marked. */
export function SectionsView({ document, place, quote, places }: Props) {
  const { t } = useTranslation()
  const sections = useSections(document)
  const blocks = useMemo(() => blocksOf(sections.items, place), [sections.items, place])
  const quoted = useMemo(() => quoteMarks(blocks, quote), [blocks, quote])
  const texts = useMemo(() => blocks.map((block) => block.text), [blocks])
  const found = useMatches(texts)
  const first = quoted.keys().next().value ?? blocks.findIndex((block) => block.on)
  const target = Math.max(0, found.piece ?? first)
  return (
    <TextList
      document={document}
      sections={sections}
      count={blocks.length}
      empty={sections.items.length === 0}
      target={target}
      offset={target === 0 ? 0 : -60}
      increaseViewportBy={600}
      components={{ Header: () => <div className="h-5" />, Footer: () => <div className="h-10" /> }}
      piece={(index) => {
        const block = blocks[index]
        if (block === undefined) return null
        const text = <MarkedText text={block.text} marks={[...(quoted.get(index) ?? []), ...found.marks(index)]} />
        return (
          <div className="section-block" data-on={block.on} data-quoted={quoted.size > 0}>
            {places && block.place !== null && (
              <p className={`pt-2 text-tiny ${block.on ? 'text-ink-2' : 'text-ink-3'}`}>{placeText(block.place, t)}</p>
            )}
            {block.kind === 'heading' ? (
              <h3 className="pt-2.5 text-[15.5px] leading-[1.6] font-semibold">{text}</h3>
            ) : (
              <p className="text-[14px] leading-[1.85] break-words whitespace-pre-wrap">{text}</p>
            )}
          </div>
        )
      }}
    />
  )
}
