import { Check, Circle, CircleDot, Minus, type LucideIcon } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { PlanItem } from '../../contract/agent.ts'
import type { TurnView } from './turn-view.ts'

const icons: Record<PlanItem['state'], LucideIcon> = { open: Circle, doing: CircleDot, done: Check, dropped: Minus }
const looks: Record<PlanItem['state'], string> = {
  open: 'text-ink-2',
  doing: 'text-ink font-semibold',
  done: 'text-ink-2',
  dropped: 'text-ink-3 line-through',
}

/** The agent's own list of parts, as it is worked off. */
export function Plan({ turn }: { turn: TurnView }) {
  const { t } = useTranslation()
  if (turn.plan.length === 0) return null
  return (
    <section aria-label={t('agent.plan')} className="mb-3.5 rounded-[10px] border border-line px-4 py-2.5">
      <h3 className="mb-1 text-tiny text-ink-3">{t('agent.plan')}</h3>
      <ol className="text-ui">
        {turn.plan.map(({ text, state }, index) => {
          const Icon = icons[state]
          // A part that was being done when the turn ended is not being done any more.
          const shown = state === 'doing' && !turn.running ? 'open' : state
          const Sign = shown === state ? Icon : icons.open
          return (
            <li key={index} className={`flex items-start gap-2.5 py-0.5 ${looks[shown]}`}>
              <Sign
                size={14}
                strokeWidth={1.8}
                className={`mt-[3px] flex-none ${shown === 'done' ? 'text-ok' : shown === 'doing' ? 'text-seal' : 'text-ink-3'}`}
                aria-hidden="true"
              />
              <span className="min-w-0 [overflow-wrap:anywhere]">{text}</span>
              <span className="sr-only">{t(`agent.planState.${shown}`)}</span>
            </li>
          )
        })}
      </ol>
    </section>
  )
}
