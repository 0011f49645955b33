import { useTranslation } from 'react-i18next'
import { problemText } from '../../contract/errors.ts'
import { ProblemText } from '../parts/problem-text.tsx'
import { Visible } from '../parts/visible.tsx'
import { askAgain } from '../state/conversation.ts'
import type { TurnView } from './turn-view.ts'

/** `told`: the problem comes with its own word on what to do, which is not said twice. */
function remedyOf({ outcome, answer, error }: TurnView, told: boolean) {
  if (outcome === 'failed' && answer !== '') return told ? 'ask.incompleteOnly' : 'ask.incomplete'
  if (told) return null
  return error?.code === 'model-call' || error?.code === 'timeout' || error?.code === 'internal' ? 'ask.askAgain' : null
}

/** How a turn ended when it did not simply end. */
export function TurnProblem({ turn }: { turn: TurnView }) {
  const { t, i18n } = useTranslation()
  if (turn.running) return null
  // Whoever stops a turn lets it end, and then its times are known.
  if (turn.outcome === 'stopped')
    return <p className="mb-3 text-small text-ink-2">{t(turn.timings === null ? 'ask.brokenOff' : 'ask.stopped')}</p>
  if (turn.outcome === 'incomplete') {
    // Only these are set by the user; the same call thrice, or a window that is full, is helped by no limit.
    const canBeRaised = turn.notes.some(({ code }) => code === 'step-limit' || code === 'budget')
    return (
      <div
        role="alert"
        className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-[10px] border border-line bg-warn-wash px-4 py-3 text-ui"
      >
        <span className="min-w-0 flex-1 basis-60">
          <b className="font-semibold">{t('agent.incomplete')}</b>
          <span className="block text-small text-ink-2">{t(canBeRaised ? 'agent.incompleteText' : 'agent.incompleteHere')}</span>
        </span>
        {canBeRaised && (
          <a href="#/settings/agent" className="button button-small no-underline">
            {t('agent.limits')}
          </a>
        )}
      </div>
    )
  }
  if (turn.error === null) return null
  const own = problemText(turn.error, i18n.language)
  const remedy = remedyOf(turn, own?.hint !== undefined)
  return (
    <div
      role="alert"
      className="mb-3 flex flex-wrap items-start gap-x-4 gap-y-2 rounded-[10px] border border-line bg-sheet px-4 py-3 text-ui"
    >
      <span className="dot mt-[7px]" data-tone="bad" aria-hidden="true" />
      <div className="min-w-0 flex-1 basis-60">
        {turn.notes.some(({ code }) => code === 'model-failed') ? (
          // What stands above says already that the model failed, and what was done instead.
          <>
            <span className="block break-words">
              <Visible text={own?.message ?? turn.error.message} />
            </span>
            <span className="block text-small text-ink-2">{t('ask.askAgain')}</span>
          </>
        ) : (
          <ProblemText problem={turn.error} {...(remedy === null ? {} : { remedy: t(remedy) })} />
        )}
      </div>
      <div className="flex gap-2">
        {turn.error.code.startsWith('model') && (
          <a href="#/models" className="button button-small no-underline">
            {t('common.models')}
          </a>
        )}
        <button type="button" className="button button-small" onClick={() => void askAgain(turn)}>
          {t('common.tryAgain')}
        </button>
      </div>
    </div>
  )
}
