import { X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { ProblemText } from '../parts/problem-text.tsx'
import { dismissToast, useToasts, type Toast } from '../state/toasts.ts'

function ToastCard({ toast }: { toast: Toast }) {
  const { t } = useTranslation()
  return (
    <li className="appear card pointer-events-auto flex items-start gap-3 py-2.5 ps-4 pe-2 text-ui shadow-sheet">
      {(toast.problem !== undefined || toast.bad === true) && <span className="dot mt-[7px]" data-tone="bad" aria-hidden="true" />}
      <div className="min-w-0 flex-1 break-words">
        {toast.problem !== undefined && toast.text === '' ? <ProblemText problem={toast.problem} /> : toast.text}
        {toast.problem !== undefined && toast.text !== '' && (
          <span className="block text-small break-words text-ink-2">{toast.problem.message}</span>
        )}
      </div>
      {toast.action !== undefined && (
        <button
          type="button"
          className="button button-small"
          onClick={() => {
            toast.action?.run()
            dismissToast(toast.id)
          }}
        >
          {toast.action.label}
        </button>
      )}
      <button type="button" className="icon-button size-6.5" aria-label={t('common.dismiss')} onClick={() => dismissToast(toast.id)}>
        <X size={14} strokeWidth={1.6} />
      </button>
    </li>
  )
}

export function Toasts() {
  const { t } = useTranslation()
  const toasts = useToasts((state) => state.toasts)
  return (
    <section
      aria-label={t('common.messages')}
      aria-live="polite"
      className="pointer-events-none fixed end-4 top-15 z-50 w-[min(400px,calc(100vw-116px))]"
    >
      <ul className="flex flex-col gap-2">
        {toasts.map((toast) => (
          <ToastCard key={toast.id} toast={toast} />
        ))}
      </ul>
    </section>
  )
}
