import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isComposing, isEnter } from '../parts/keys.ts'
import { useGrowing } from '../parts/use-growing.ts'
import { askAgain } from '../state/conversation.ts'
import { longestQuestion } from './question.ts'
import type { TurnView } from './turn-view.ts'

/** The question in its place, to be asked in other words. What it was, and all that came after it, stays as another version. */
export function EditQuestion({ turn, onDone }: { turn: TurnView; onDone: () => void }) {
  const { t } = useTranslation()
  const [text, setText] = useState(turn.question)
  const area = useGrowing(text)
  const question = text.trim()
  const sendable = question !== '' && question.length <= longestQuestion
  useEffect(() => {
    const element = area.current
    element?.focus()
    element?.setSelectionRange(element.value.length, element.value.length)
    element?.scrollIntoView({ block: 'nearest' })
  }, [area])
  function send() {
    if (!sendable) return
    onDone()
    void askAgain(turn, { question })
    document.getElementById('composer')?.focus()
  }
  function giveUp() {
    const button = area.current?.closest('article')?.querySelector<HTMLElement>('[data-edit]')
    onDone()
    button?.focus({ preventScroll: true })
  }
  return (
    <form
      className="ms-auto mb-5 max-w-[80%] rounded-[14px] border border-line-2 bg-sheet px-4 py-2.5 max-[1000px]:max-w-full"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <textarea
        ref={area}
        rows={1}
        className="block field-sizing-content max-h-[40vh] w-full resize-none border-0 bg-transparent text-body outline-none"
        aria-label={t('ask.edit')}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (isEnter(event)) {
            event.preventDefault()
            send()
          } else if (event.key === 'Escape' && !isComposing(event)) {
            event.preventDefault()
            giveUp()
          }
        }}
      />
      {question.length > longestQuestion && <p className="text-small text-bad">{t('ask.tooLong')}</p>}
      <div className="mt-2 flex flex-wrap items-center justify-end gap-2">
        <span className="min-w-0 flex-1 basis-40 text-small text-ink-2">{t('ask.editKeeps')}</span>
        <button type="button" className="button button-small" onClick={giveUp}>
          {t('common.cancel')}
        </button>
        <button type="submit" className="button button-small button-primary" disabled={!sendable}>
          {t('ask.askEdited')}
        </button>
      </div>
    </form>
  )
}
