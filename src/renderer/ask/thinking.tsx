import { ChevronRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { TurnView } from './turn-view.ts'

/** The model's own considerations, kept apart from the answer and folded. */
export function Thinking({ turn }: { turn: TurnView }) {
  const { t } = useTranslation()
  if (turn.thinking === '') return null
  return (
    <details className="group mb-3 text-small text-ink-2">
      <summary className="flex w-fit cursor-pointer list-none items-center gap-2 rounded-sm">
        {turn.thinkingOpen ? (
          <span className="spinner" aria-hidden="true" />
        ) : (
          <ChevronRight size={13} strokeWidth={1.8} className="text-ink-3 transition-transform group-open:rotate-90" aria-hidden="true" />
        )}
        {t(turn.thinkingOpen ? 'ask.thinking' : 'ask.thought')}
      </summary>
      <div className="mt-2 border-s border-line ps-4 break-words whitespace-pre-wrap">{turn.thinking}</div>
    </details>
  )
}
