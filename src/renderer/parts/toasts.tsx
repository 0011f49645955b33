import { X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { ProblemDetail, ProblemText } from './problem-text.tsx'
import { useOpenDialogs } from '../state/dialogs.ts'
import { dismissToast, placeOfToast, runToast, useToasts, type Toast } from '../state/toasts.ts'

function ToastLine({ toast }: { toast: Toast }) {
  const { t } = useTranslation()
  return (
    <li className="appear flex items-center gap-3 py-1.5 ps-5 pe-3 text-ui">
      {(toast.problem !== undefined || toast.bad === true) && <span className="dot" data-tone="bad" aria-hidden="true" />}
      <div className="min-w-0 flex-1 break-words">
        {toast.problem !== undefined && toast.text === '' ? <ProblemText problem={toast.problem} /> : toast.text}
        {toast.problem !== undefined && toast.text !== '' && <ProblemDetail problem={toast.problem} hint={false} />}
      </div>
      {toast.action !== undefined && (
        <button type="button" className="button button-small" onClick={() => runToast(toast)}>
          {toast.action.label}
        </button>
      )}
      <button type="button" className="icon-button size-6.5" aria-label={t('common.dismiss')} onClick={() => dismissToast(toast.id)}>
        <X size={14} strokeWidth={1.6} />
      </button>
    </li>
  )
}

/**
 * What Siku has to say, in a strip of its own at the foot of the window, or of the dialog in which it came up: it takes room
 * and covers nothing.
 */
export function Toasts({ within = null }: { within?: string | null }) {
  const { t } = useTranslation()
  const toasts = useToasts((state) => state.toasts)
  const dialogs = useOpenDialogs((state) => state.ids)
  const here = toasts.filter((toast) => placeOfToast(toast, dialogs) === within)
  return (
    <section
      aria-label={t('common.messages')}
      aria-live="polite"
      data-toasts=""
      className="max-h-[30vh] flex-none overflow-y-auto border-line bg-sheet not-empty:border-t"
    >
      {here.length > 0 && (
        <ul className="divide-y divide-line">
          {here.map((toast) => (
            <ToastLine key={toast.id} toast={toast} />
          ))}
        </ul>
      )}
    </section>
  )
}
