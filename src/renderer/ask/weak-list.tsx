import { useContext, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Chip, useOpenMarker } from '../markdown/chip.tsx'
import { CitationContext } from '../markdown/markdown.tsx'
import { FoldMark } from '../parts/fold-mark.tsx'
import { Visible } from '../parts/visible.tsx'

interface WeakSentence {
  key: string
  text: string
  why: string
  /** Markers of the sources that it names. */
  citations: number[]
}

/** As it is read in the answer: without markers and the signs of Markdown. */
function plain(text: string): string {
  return text
    .replace(/\s*\[\d{1,3}(?:\s*[,，]\s*\d{1,3})*\]/g, '')
    .replace(/^\s*(?:[>#*+-]+\s+|\d{1,3}[.)]\s+)+/, '')
    .replace(/\*\*|__|`/g, '')
    .trim()
}

/** The underlined sentences of an answer, each with its reason and its sources. `asked`: one that was clicked in the text. */
export function WeakList({ sentences, asked }: { sentences: WeakSentence[]; asked: string | null }) {
  const { t } = useTranslation()
  const { turnId, open, label } = useContext(CitationContext)
  const current = useOpenMarker(turnId)
  const [shown, setShown] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  const [wasAsked, setWasAsked] = useState(asked)
  if (wasAsked !== asked) {
    setWasAsked(asked)
    if (asked !== null) setShown(true)
  }
  useEffect(() => {
    if (asked !== null && shown) list.current?.querySelector('[data-asked]')?.scrollIntoView({ block: 'nearest' })
  }, [asked, shown])
  return (
    <details
      className="group mb-3 text-small text-ink-2"
      data-weak-list=""
      open={shown}
      onToggle={(event) => setShown(event.currentTarget.open)}
    >
      <summary className="flex w-fit cursor-pointer list-none items-center gap-1.5 rounded-sm">
        <FoldMark className="flex-none" />
        {t('ask.weakNote', { count: sentences.length })}
      </summary>
      <ul ref={list} className="ms-1.5! mt-1.5 mb-0! list-none border-s border-line ps-4!">
        {sentences.map(({ key, text, why, citations }) => (
          <li key={key} data-asked={key === asked ? '' : undefined} className="py-1">
            <span className="[overflow-wrap:anywhere] text-ink">
              <Visible text={plain(text)} />
            </span>
            <span className={`block ${key === asked ? 'text-ink' : ''}`}>
              {why}{' '}
              {citations.map((marker) => (
                <Chip key={marker} marker={marker} label={label(marker)} on={current === marker} onOpen={() => open(marker)} />
              ))}
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}
