import { useTranslation } from 'react-i18next'
import type { TurnView } from './turn-view.ts'
import { FoldMark } from '../parts/fold-mark.tsx'

/** The model's own considerations, kept apart from the answer and folded. */
export function Thinking({ turn }: { turn: TurnView }) {
  const { t } = useTranslation()
  if (turn.thinking === '') return null
  return (
    <details className="group mb-3 text-small text-ink-2">
      <summary className="flex w-fit cursor-pointer list-none items-center gap-2 rounded-sm">
        {turn.thinkingOpen ? <span className="spinner" aria-hidden="true" /> : <FoldMark />}
        {t(turn.thinkingOpen ? 'ask.thinking' : 'ask.thought')}
      </summary>
      <div className="mt-2 border-s border-line ps-4 break-words whitespace-pre-wrap">{turn.thinking}</div>
    </details>
  )
}
