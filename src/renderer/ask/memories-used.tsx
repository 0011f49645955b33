import { Bookmark } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { TurnView } from './turn-view.ts'

/** Which memories were given to the model, with the way to change them. */
export function MemoriesUsed({ turn }: { turn: TurnView }) {
  const { t } = useTranslation()
  if (turn.memories.length === 0) return null
  return (
    <details className="mb-3 text-small text-ink-2">
      <summary className="flex w-fit cursor-pointer list-none items-center gap-2 rounded-sm hover:text-ink">
        <Bookmark size={13} strokeWidth={1.6} className="text-ink-3" aria-hidden="true" />
        {t('agent.memoriesUsed', { count: turn.memories.length })}
      </summary>
      <ul className="ms-1.5 mt-1.5 border-s border-line ps-4">
        {turn.memories.map((memory) => (
          <li key={memory.id} className="py-0.5 [overflow-wrap:anywhere]">
            {memory.text}
          </li>
        ))}
        <li className="pt-1">
          <a href="#/memory" className="underline decoration-line-2 underline-offset-3 hover:decoration-seal">
            {t('agent.toMemory')}
          </a>
        </li>
      </ul>
    </details>
  )
}
