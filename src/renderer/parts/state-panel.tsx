import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ErrorValue } from '../../contract/errors.ts'
import { useConnection } from '../client.ts'
import { ProblemDetail, ProblemText } from './problem-text.tsx'

/** What a list says when it has nothing to show: what to do about it. */
export function EmptyPanel({ icon, title, children }: { icon?: ReactNode; title: string; children?: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-12 text-center">
      {icon !== undefined && <div className="text-ink-3">{icon}</div>}
      <p className="font-semibold">{title}</p>
      {children !== undefined && <div className="max-w-md text-ui text-ink-2">{children}</div>}
    </div>
  )
}

/** Appears only after a moment, so that what is quick does not flash. */
export function LoadingPanel() {
  const { t } = useTranslation()
  const gone = useConnection((connection) => connection.gone)
  // Nothing loads then, and the bar above says why.
  if (gone) return null
  return (
    <div className="appear-late flex items-center justify-center gap-3 px-6 py-12 text-ui text-ink-2" role="status">
      <span className="spinner" aria-hidden="true" />
      {t('common.loading')}
    </div>
  )
}

interface ProblemPanelProps {
  problem: ErrorValue
  onRetry?: () => void
  /** Words that say more than those of the code, in their place. */
  children?: ReactNode
}

export function ProblemPanel({ problem, onRetry, children }: ProblemPanelProps) {
  const { t } = useTranslation()
  return (
    <div className="flex flex-col items-center gap-3 px-6 py-12 text-center" role="alert">
      <TriangleAlert size={22} strokeWidth={1.5} className="text-bad" aria-hidden="true" />
      <div className="max-w-md text-ui">
        {children === undefined ? <ProblemText problem={problem} /> : children}
        {children !== undefined && <ProblemDetail problem={problem} hint={false} />}
      </div>
      {onRetry !== undefined && (
        <button type="button" className="button" onClick={onRetry}>
          {t('common.tryAgain')}
        </button>
      )}
    </div>
  )
}
