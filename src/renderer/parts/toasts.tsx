import { X } from 'lucide-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemDetail, ProblemText } from './problem-text.tsx'
import { useOpenDialogs } from '../state/dialogs.ts'
import { useToastPlace } from './use-toast-place.ts'
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

/** What Siku has to say: over the page, moving nothing of it; in the dialog in which it came up, at its foot. */
export function Toasts({ within = null }: { within?: string | null }) {
  const { t } = useTranslation()
  const toasts = useToasts((state) => state.toasts)
  const dialogs = useOpenDialogs((state) => state.ids)
  const here = toasts.filter((toast) => placeOfToast(toast, dialogs) === within)
  const list = useRef<HTMLUListElement>(null)
  const { edge, at, left, right } = useToastPlace(list, within === null && here.length > 0)
  const over = within === null
  return (
    <section
      aria-label={t('common.messages')}
      aria-live="polite"
      data-toasts=""
      className={
        over
          ? 'pointer-events-none fixed z-30 flex justify-center px-4'
          : 'max-h-[30vh] flex-none overflow-y-auto border-line bg-sheet not-empty:border-t'
      }
      style={over ? { [edge]: at, left, right } : undefined}
    >
      {here.length > 0 && (
        <ul
          ref={list}
          className={`divide-y divide-line ${over ? 'pointer-events-auto max-h-[30vh] max-w-140 min-w-0 overflow-y-auto rounded-lg border border-line-2 bg-sheet shadow-sheet' : ''}`}
        >
          {here.map((toast) => (
            <ToastLine key={toast.id} toast={toast} />
          ))}
        </ul>
      )}
    </section>
  )
}
