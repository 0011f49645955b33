import { Hand } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useConnection } from '../client.ts'
import { useFormat } from '../format.ts'
import { FoldMark } from '../parts/fold-mark.tsx'
import { Visible } from '../parts/visible.tsx'
import { callLine } from '../tools/call-line.ts'
import { Elapsed } from './elapsed.tsx'
import type { TurnView } from './turn-view.ts'

/** What was done to answer, folded into one line; unfolded, each step with its time. */
export function Steps({ turn }: { turn: TurnView }) {
  const { t } = useTranslation()
  const format = useFormat()
  const gone = useConnection((connection) => connection.gone)
  const agent = turn.mode === 'agent'
  const asked = turn.approvals[0]
  const waiting = turn.running && (asked !== undefined || (turn.answer === '' && (agent || turn.thinking === '')))
  const doing =
    asked === undefined
      ? t(turn.activeStep === null ? 'ask.stepBegin' : `ask.doing.${turn.activeStep}`)
      : t('agent.waits', { line: callLine(asked, t) })
  const ended =
    turn.outcome === 'failed'
      ? 'ask.failedNow'
      : turn.outcome === 'stopped'
        ? 'ask.stoppedNow'
        : turn.outcome === 'incomplete'
          ? 'agent.incomplete'
          : 'ask.answered'
  const broken = gone && turn.running
  function words(step: TurnView['steps'][number]): string {
    return step.count === undefined || step.count === 0 ? t(`ask.did.${step.kind}`) : t(`ask.counted.${step.kind}`, { count: step.count })
  }
  const total = turn.timings?.totalMs ?? turn.steps.reduce((sum, step) => sum + step.elapsedMs, 0)
  return (
    <div className="mb-2.5 text-small text-ink-2">
      <div role="status" className={waiting || broken ? 'flex items-center gap-2.5' : 'sr-only'}>
        {waiting && !broken && asked === undefined && <span className="spinner" aria-hidden="true" />}
        {waiting && !broken && asked !== undefined && (
          <Hand size={14} strokeWidth={1.7} className="flex-none text-seal" aria-hidden="true" />
        )}
        <span className={asked === undefined ? undefined : 'line-clamp-2 min-w-0 [overflow-wrap:anywhere]'}>
          <Visible text={broken ? t('ask.interrupted') : waiting ? doing : t(turn.running ? 'ask.answering' : ended)} />
        </span>
        {agent && waiting && !broken && (
          <span aria-hidden="true" className="text-ink-3">
            <Elapsed since={turn.askedAt} />
          </span>
        )}
      </div>
      {turn.steps.length > 0 && !waiting && (
        <details className="group">
          <summary className="flex w-fit cursor-pointer list-none flex-wrap items-center gap-x-4 rounded-sm">
            <FoldMark className="-me-2" />
            {agent && <span>{t('agent.steps', { count: turn.steps.length, time: format.duration(total) })}</span>}
            {(agent ? [] : turn.steps).map((step, index) => (
              <span key={index}>{`${words(step)} · ${format.duration(step.elapsedMs)}`}</span>
            ))}
          </summary>
          <ol className="ms-1.5 mt-2 mb-3 border-s border-line ps-4">
            {turn.steps.map((step, index) => (
              <li key={index} className="grid grid-cols-[minmax(7em,auto)_5.5em_1fr] gap-x-4 py-0.5">
                <span className="text-ink">{words(step)}</span>
                <span className="text-end tabular-nums">{format.duration(step.elapsedMs)}</span>
                <span className="min-w-0 break-words">{step.detail ?? ''}</span>
              </li>
            ))}
          </ol>
        </details>
      )}
    </div>
  )
}
