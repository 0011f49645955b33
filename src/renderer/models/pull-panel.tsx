import { ArrowDownToLine, Check, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { suggestedModels } from '../../contract/suggested-models.ts'
import { useFormat } from '../format.ts'
import { ProblemText } from '../parts/problem-text.tsx'
import { dismissPull, pullModel, usePulls, type Pull } from '../state/pulls.ts'
import { useSettings } from '../state/settings.ts'

function PullRow({ pull, providerId }: { pull: Pull; providerId: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { progress, rate, problem, done } = pull
  const total = progress?.totalBytes ?? null
  const completed = progress?.completedBytes ?? 0
  const share = total === null || total === 0 ? 0 : completed / total
  const parts = [
    total === null
      ? (progress?.status ?? t('models.pullBegin'))
      : t('models.pullBytes', { done: format.bytes(completed), total: format.bytes(total) }),
    rate === null ? null : t('models.pullRate', { rate: format.bytes(rate) }),
    rate === null || total === null ? null : t('library.timeLeft', { time: format.remaining(((total - completed) / rate) * 1000) }),
  ].filter((part) => part !== null)
  return (
    <li className="py-2">
      <div className="flex items-center gap-3">
        {done && <Check size={15} strokeWidth={1.8} className="text-ok" aria-hidden="true" />}
        <b className="text-ui font-semibold">{pull.name}</b>
        <span role="status" className="min-w-0 flex-1 truncate text-small text-ink-2 tabular-nums">
          {done ? t('models.pulled') : problem === null ? parts.join(' · ') : ''}
        </span>
        {problem !== null && (
          <button type="button" className="button button-small" onClick={() => void pullModel(providerId, pull.name)}>
            {t('common.tryAgain')}
          </button>
        )}
        {done || problem !== null ? (
          <button type="button" className="icon-button size-7" aria-label={t('common.dismiss')} onClick={() => dismissPull(pull.name)}>
            <X size={14} strokeWidth={1.6} />
          </button>
        ) : (
          <button type="button" className="button button-small" onClick={() => dismissPull(pull.name)}>
            {t('common.cancel')}
          </button>
        )}
      </div>
      {problem !== null && (
        <p role="alert" className="text-ui text-bad">
          <ProblemText problem={problem} />
        </p>
      )}
      {!done && problem === null && (
        <div
          className="bar mt-1.5"
          data-tone={total === null ? 'waiting' : 'busy'}
          role="progressbar"
          aria-label={pull.name}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(share * 100)}
        >
          <i style={{ width: `${share * 100}%` }} />
        </div>
      )}
    </li>
  )
}

/** Fetching a model by name or from the short list. */
export function PullPanel({ providerId, installed }: { providerId: string; installed: string[] }) {
  const { t } = useTranslation()
  const pulls = usePulls((state) => state.pulls)
  const [name, setName] = useState('')
  const format = useFormat()
  const memoryBytes = useSettings((state) => state.info?.memoryBytes ?? 0)
  const wanted = suggestedModels.filter(
    (each) => each.memoryBytes <= memoryBytes && !installed.includes(each.name) && !pulls.some((pull) => pull.name === each.name),
  )
  return (
    <div className="border-t border-line px-5 py-3.5">
      {pulls.length > 0 && (
        <ul className="mb-2">
          {pulls.map((pull) => (
            <PullRow key={pull.name} pull={pull} providerId={providerId} />
          ))}
        </ul>
      )}
      <form
        className="flex flex-wrap items-center gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() === '') return
          void pullModel(providerId, name.trim())
          setName('')
        }}
      >
        <input
          className="field w-56! flex-none"
          placeholder={t('models.pullName')}
          aria-label={t('models.pullName')}
          spellCheck={false}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <button type="submit" className="button" disabled={name.trim() === ''}>
          <ArrowDownToLine size={14} strokeWidth={1.7} aria-hidden="true" /> {t('models.pull')}
        </button>
        {wanted.length > 0 && <span className="ms-2 text-small text-ink-2">{t('models.goodOnes')}</span>}
        {wanted.map(({ name: each, sizeBytes }) => (
          <button
            key={each}
            type="button"
            className="pill"
            aria-label={t('models.pullThis', { model: `${each} ${format.bytes(sizeBytes)}` })}
            onClick={() => void pullModel(providerId, each)}
          >
            {each} <span className="text-ink-3">{format.bytes(sizeBytes)}</span>
          </button>
        ))}
      </form>
    </div>
  )
}
