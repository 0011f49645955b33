import { useTranslation } from 'react-i18next'
import type { ErrorValue } from '../../contract/errors.ts'

/** What happened and what to do, in the user's language; then the core's own words, which are English, small. */
export function ProblemText({ problem, remedy, detail = true }: { problem: ErrorValue; remedy?: string; detail?: boolean }) {
  const { t, i18n } = useTranslation()
  const own = problem.message !== '' && problem.message !== problem.code ? problem.message : ''
  return (
    <>
      <span>{t(`errors.${problem.code}`)}</span>
      {remedy !== undefined && <span className="block">{remedy}</span>}
      {detail && own !== '' && <span className="block text-small break-words text-ink-2">{own}</span>}
      {detail && problem.hint !== undefined && i18n.language === 'en' && (
        <span className="block text-small text-ink-2">{problem.hint}</span>
      )}
    </>
  )
}
