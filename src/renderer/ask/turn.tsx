import { memo, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Sentence } from '../../contract/answer.ts'
import { CitationContext, type CitationActions } from '../markdown/markdown.tsx'
import { bareLetters } from '../markdown/marks.ts'
import { Visible } from '../parts/visible.tsx'
import { visibleText as shown } from '../parts/visible-text.ts'
import { placeText } from '../parts/place-text.ts'
import { shownName } from '../parts/shown-name.ts'
import { openCitation, type CitationTrail } from '../state/reader.ts'
import { lastSentence, ownQuote } from '../reader/own-quote.ts'
import { useTurn } from '../state/turns.ts'
import { AskedOf } from './asked-of.tsx'
import { Answer } from './answer.tsx'
import { AttachmentIcon } from './attachment-list.tsx'
import { Calls } from './calls.tsx'
import { EditQuestion } from './edit-question.tsx'
import { MemoriesUsed } from './memories-used.tsx'
import { Notes } from './notes.tsx'
import { Plan } from './plan.tsx'
import { Sources } from './sources.tsx'
import { Steps } from './steps.tsx'
import { Thinking } from './thinking.tsx'
import { TurnFoot } from './turn-foot.tsx'
import { TurnProblem } from './turn-problem.tsx'
import type { TurnView } from './turn-view.ts'
import { useNear } from './use-near.ts'
import { Versions } from './versions.tsx'

/** Markers that the text uses, in the order of their first use. */
export function citedMarkers(turn: Pick<TurnView, 'answer' | 'citations' | 'running'>): number[] {
  const used = [...turn.answer.matchAll(/\[(\d{1,3}(?:\s*[,，]\s*\d{1,3})*)\]/g)].flatMap((match) =>
    (match[1] ?? '').split(/\s*[,，]\s*/).map(Number),
  )
  return [...new Set(used)]
}

/** The sentence that a chip closes: the one of the answer's that ends the text before it, or else what looks like one. */
function sentenceBefore(before: string, sentences: Sentence[]): string {
  const bare = bareLetters(before)
  const ending = sentences
    .filter((sentence) => {
      const letters = bareLetters(sentence.text.replace(/^\s*\d{1,3}[.)]\s+/, ''))
      return letters !== '' && bare.endsWith(letters)
    })
    .sort((one, other) => other.text.length - one.text.length)
  return ending[0]?.text ?? lastSentence(before)
}

function useCitations(turn: TurnView): CitationActions {
  const { t } = useTranslation()
  const { id, sources } = turn
  const latest = useRef(turn)
  useLayoutEffect(() => {
    latest.current = turn
  })
  const key = sources.map(({ marker, passageId, path }) => `${marker} ${passageId} ${path}`).join('\n')
  // What only a click needs is read then: the chips of a long answer are not made anew with each marker, nor at its end.
  return useMemo(() => {
    const labels = new Map(
      sources.map(({ marker, path, place }) => [
        marker,
        t('ask.openSource', { marker, name: shown(shownName(path, t)), place: placeText(place, t) }),
      ]),
    )
    return {
      turnId: id,
      open: (marker, before) => void openCitation(trailOf(latest.current, marker, before)),
      label: (marker) => labels.get(marker) ?? String(marker),
    }
    // eslint-disable-next-line react-hooks/exhaustive-deps -- Equal sources come as new objects.
  }, [id, key, t])
}

/** `before`: the text that the chip closes. */
function trailOf(turn: TurnView, marker: number, before: string | undefined): CitationTrail {
  const { id, question, sources, sentences } = turn
  const known = new Set(sources.map((each) => each.marker))
  const markers = citedMarkers(turn).filter((each) => known.has(each))
  const source = sources.find((each) => each.marker === marker)
  const quote = source === undefined || before === undefined ? null : ownQuote(source.text, sentenceBefore(before, sentences))
  const pdfs = new Map(
    sources.flatMap((each) =>
      each.place.kind === 'page' && /\.pdf$/i.test(each.path)
        ? [[each.marker, { documentId: each.documentId, page: each.place.page }] as const]
        : [],
    ),
  )
  return {
    turnId: id,
    markers: markers.includes(marker) ? markers : [...markers, marker],
    marker,
    question,
    pdfs,
    ...(source === undefined || quote === null ? {} : { own: { quote, place: source.place } }),
  }
}

/** About what a turn will take, in px, until it is made. */
function likelyHeight({ answer, question }: TurnView): number {
  return 320 + Math.ceil(question.length / 40) * 25 + Math.ceil(answer.length / 55) * 25
}

/**
 * One question with everything that answers it. Only the running turn is rendered again as text comes. A turn far from what is
 * seen only holds its place, so that a long chat opens as fast as a short one. `now`: it is made at once.
 */
export const TurnItem = memo(function TurnItem({ turnId, last, now }: { turnId: string; last: boolean; now: boolean }) {
  const turn = useTurn(turnId)
  const place = useRef<HTMLElement>(null)
  const near = useNear(place, now || turn?.running === true)
  if (turn === null) return null
  return (
    <article
      ref={place}
      data-turn={turnId}
      className="pb-9 has-data-approval:pb-1"
      aria-label={turn.question}
      aria-busy={turn.running}
      style={near ? undefined : { height: likelyHeight(turn) }}
    >
      {near && <WholeTurn turn={turn} last={last} />}
    </article>
  )
})

function WholeTurn({ turn, last }: { turn: TurnView; last: boolean }) {
  const { t } = useTranslation()
  const [editing, setEditing] = useState(false)
  return (
    <>
      <h2 className="sr-only">{t('ask.question')}</h2>
      {editing ? (
        <EditQuestion turn={turn} onDone={() => setEditing(false)} />
      ) : (
        <p className="ms-auto mb-5 w-fit max-w-[80%] rounded-[14px_14px_4px_14px] bg-sunk px-4 py-2.5 break-words whitespace-pre-wrap">
          {turn.question}
        </p>
      )}
      <AskedOf scope={turn.scope} />
      <Versions turnId={turn.id} />
      {turn.attachments.length > 0 && (
        <ul aria-label={t('agent.attach.list')} className="-mt-3 mb-5 flex flex-wrap justify-end gap-2">
          {turn.attachments.map(({ name, mediaType }, index) => (
            <li
              key={index}
              className="flex max-w-60 items-center gap-1.5 rounded-md border border-line px-2 py-0.5 text-small text-ink-2"
              title={shown(name)}
            >
              <AttachmentIcon mediaType={mediaType} />
              <span className="truncate">
                <Visible text={name} />
              </span>
            </li>
          ))}
        </ul>
      )}
      <TurnBody turn={turn} last={last} onEdit={() => setEditing(true)} />
    </>
  )
}

function TurnBody({ turn, last, onEdit }: { turn: TurnView; last: boolean; onEdit: () => void }) {
  const citations = useCitations(turn)
  return (
    <CitationContext.Provider value={citations}>
      <Steps turn={turn} />
      <Thinking turn={turn} />
      <Notes turn={turn} last={last} />
      <Plan turn={turn} />
      <Calls turn={turn} />
      <Answer turn={turn} />
      <Notes turn={turn} last={last} ending />
      <TurnProblem turn={turn} />
      {/* What waits for a word stands at the end. */}
      {turn.approvals.length === 0 && <MemoriesUsed turn={turn} />}
      <Sources turn={turn} onOpen={citations.open} />
      <TurnFoot turn={turn} last={last} onEdit={onEdit} />
    </CitationContext.Provider>
  )
}
