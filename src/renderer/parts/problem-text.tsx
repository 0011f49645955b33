import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { problemText, type ErrorValue } from '../../contract/errors.ts'
import { Visible } from './visible.tsx'

/** What happened and what to do, in the user's language; the core's own English words are a detail for whoever helps. */
export function ProblemText({ problem, remedy, detail = true }: { problem: ErrorValue; remedy?: string; detail?: boolean }) {
  const { t } = useTranslation()
  return (
    <>
      <span>{t(`errors.${problem.code}`)}</span>
      {remedy !== undefined && <span className="block">{remedy}</span>}
      {detail && <ProblemDetail problem={problem} />}
    </>
  )
}

/** Why, beside words that say what happened. */
export function ProblemDetail({ problem, hint = true }: { problem: ErrorValue; hint?: boolean }) {
  const { t, i18n } = useTranslation()
  const [shown, setShown] = useState(false)
  if (problem.message === '' || problem.message === problem.code) return null
  const own = problemText(problem, i18n.language)
  if (own === null)
    return (
      <span className="block text-small text-ink-2">
        <button type="button" className="underline" aria-expanded={shown} onClick={() => setShown(!shown)}>
          {t('common.problemDetails')}
        </button>
        {shown && (
          <span lang="en" className="block [overflow-wrap:anywhere]">
            <Visible text={problem.message} />
          </span>
        )}
      </span>
    )
  return (
    <>
      <span className="block text-small [overflow-wrap:anywhere] text-ink-2">
        <Visible text={own.message} />
      </span>
      {hint && own.hint !== undefined && <span className="block text-small text-ink-2">{own.hint}</span>}
    </>
  )
}
