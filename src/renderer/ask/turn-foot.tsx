import { Check, Copy, GitBranch, Pencil, RotateCcw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../format.ts'
import { useCopied } from '../parts/use-copied.ts'
import { IconButton } from '../parts/icon-button.tsx'
import { askAgain, branchFrom } from '../state/conversation.ts'
import { useRunning } from '../state/turns.ts'
import { ContextMeter } from './context-meter.tsx'
import { isWithoutModel, type TurnView } from './turn-view.ts'

/** Words of Latin script and characters of Chinese, a second of writing. */
function wordsPerSecond(turn: TurnView): number | null {
  const { timings, answer } = turn
  if (timings === null || timings.firstTextMs === null || turn.model === null || turn.mode === 'agent') return null
  const seconds = (timings.totalMs - timings.firstTextMs) / 1000
  const words = (answer.match(/\p{Script=Han}|[^\p{Script=Han}\s\p{P}]+/gu) ?? []).length
  return seconds < 0.2 || words < 5 ? null : words / seconds
}

export function TurnFoot({ turn, last, onEdit }: { turn: TurnView; last: boolean; onEdit: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { copied, copy } = useCopied()
  const busy = useRunning((state) => state.ids.length > 0)
  if (turn.running) return null
  const speed = wordsPerSecond(turn)
  const first = turn.timings?.firstTextMs ?? null
  return (
    <footer className="flex flex-wrap items-center gap-x-4 gap-y-1 text-small text-ink-3">
      {turn.model !== null && <span>{turn.model.model}</span>}
      {isWithoutModel(turn) && <span>{t('ask.withoutModel')}</span>}
      {first !== null && turn.mode === 'answer' && <span>{t('ask.firstWord', { time: format.duration(first) })}</span>}
      {speed !== null && <span>{t('ask.speed', { speed: format.count(Math.round(speed)) })}</span>}
      {turn.contextUse !== null && <ContextMeter use={turn.contextUse} />}
      <span className="-ms-1.5 flex">
        {turn.answer !== '' && (
          <IconButton label={t('ask.copy')} onClick={() => copy(turn.answer)}>
            {copied ? <Check size={15} strokeWidth={1.6} /> : <Copy size={15} strokeWidth={1.6} />}
          </IconButton>
        )}
        <IconButton
          label={t('ask.regenerate')}
          disabled={busy}
          onClick={() => {
            void askAgain(turn)
            document.getElementById('composer')?.focus()
          }}
        >
          <RotateCcw size={15} strokeWidth={1.6} />
        </IconButton>
        <IconButton data-edit="" label={t('ask.edit')} disabled={busy} onClick={onEdit}>
          <Pencil size={15} strokeWidth={1.6} />
        </IconButton>
        {!last && (
          <IconButton
            label={t('ask.branch')}
            disabled={busy}
            onClick={() => {
              branchFrom(turn.id)
              document.getElementById('composer')?.focus()
            }}
          >
            <GitBranch size={15} strokeWidth={1.6} />
          </IconButton>
        )}
      </span>
      <span className="sr-only" role="status">
        {copied ? t('common.copied') : ''}
      </span>
    </footer>
  )
}
