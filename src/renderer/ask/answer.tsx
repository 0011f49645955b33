import type { TFunction } from 'i18next'
import { useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { advanceBlocks, noBlocks, visibleTail, type Blocks } from '../markdown/blocks.ts'
import { MarkdownBlock } from '../markdown/markdown.tsx'
import { bareLetters, bareSentence, type WeakSentence } from '../markdown/marks.ts'
import { isQuoted, type TurnView } from './turn-view.ts'
import { WeakList } from './weak-list.tsx'

/** Keeps the finished blocks from one render to the next, so that only the last one is parsed again. */
function useBlocks(text: string): Blocks {
  const kept = useRef(noBlocks)
  // The split is a cache of a pure function: reading and writing it here changes no result.
  // eslint-disable-next-line react-hooks/refs
  const blocks = kept.current.text === text ? kept.current : advanceBlocks(kept.current, text)
  // eslint-disable-next-line react-hooks/refs
  kept.current = blocks
  return blocks
}

interface Weak extends WeakSentence {
  bare: string
  citations: number[]
}

function weakIn(block: string, weak: Weak[]): string {
  if (weak.length === 0) return ''
  const bare = bareLetters(block.replace(/\]\([^)\s]*\)/g, ']'))
  const found = weak.filter((sentence) => sentence.bare !== '' && bare.includes(sentence.bare))
  return found.length === 0 ? '' : JSON.stringify(found.map(({ text, why, key }) => ({ text, why, key })))
}

function whyWeak(problem: string | undefined, t: TFunction): string {
  if (problem === undefined || problem === 'meaning') return t('ask.weak.meaning')
  return problem === 'not-cited' ? t('ask.weak.notCited') : t('ask.weak.lacking', { what: problem })
}

export function Answer({ turn }: { turn: TurnView }) {
  const { t } = useTranslation()
  const quoted = isQuoted(turn)
  // A document's own headings are no headings here.
  const blocks = useBlocks(quoted ? turn.answer.replace(/^(\s*(?:[-*+]\s+)?)#{1,6}\s+/gm, '$1') : turn.answer)
  const markers = turn.sources.map((source) => source.marker).join(',')
  const weak = turn.sentences
    .filter((sentence) => !sentence.supported)
    .map((sentence, index): Weak => ({
      text: sentence.text,
      why: whyWeak(sentence.problem, t),
      key: String(index),
      bare: bareSentence(sentence.text),
      citations: sentence.citations,
    }))
  const tail = turn.running ? visibleTail(blocks) : blocks.text.slice(blocks.tailStart)
  const shown = tail.trim() === '' ? blocks.finished : [...blocks.finished, tail]
  const frame = useRef<HTMLDivElement>(null)
  const [underlined, setUnderlined] = useState('')
  const [asked, setAsked] = useState<string | null>(null)
  // Only what is seen to be underlined is told: a table, a heading or code states no sentence.
  // eslint-disable-next-line react-hooks/exhaustive-deps -- Blocks render by themselves too, and equal keys change nothing.
  useLayoutEffect(() => {
    const keys = [...(frame.current?.querySelectorAll('[data-weak]') ?? [])].map((each) => each.getAttribute('data-weak'))
    setUnderlined([...new Set(keys)].join(','))
  })
  const reset = turn.before !== ''
  // Once the text began anew, the place that it took is kept until the end: what is below does not jump up.
  const [tallest, setTallest] = useState(0)
  useLayoutEffect(() => {
    const height = frame.current?.offsetHeight
    if (reset) setTallest((before) => Math.max(before, height ?? 0))
    else if (height === undefined) setTallest(0)
  }, [reset])
  if (shown.length === 0 && !reset) return null
  return (
    <div
      ref={frame}
      className="prose"
      data-answer={turn.id}
      style={turn.running && tallest > 0 ? { minHeight: tallest } : undefined}
      onClick={({ target }) => {
        if (!(target instanceof Element) || target.closest('a, button') !== null) return
        setAsked(target.closest('[data-weak]')?.getAttribute('data-weak') ?? null)
      }}
    >
      {reset && shown.length === 0 && (
        <div className="opacity-60" aria-hidden="true">
          <MarkdownBlock text={turn.before} weak="" markers={markers} />
        </div>
      )}
      {shown.map((text, index) => (
        <div key={index} data-block={index}>
          <MarkdownBlock text={text} weak={weakIn(text, weak)} markers={markers} quoted={quoted} />
        </div>
      ))}
      {underlined !== '' && !turn.running && (
        <WeakList sentences={weak.filter(({ key }) => underlined.split(',').includes(key))} asked={asked} />
      )}
    </div>
  )
}
