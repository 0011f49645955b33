import { X } from 'lucide-react'
import { useEffect, useId, useLayoutEffect, useRef, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { noteDialog } from '../state/dialogs.ts'
import { Toasts } from './toasts.tsx'

interface Props {
  title: string
  onClose: () => void
  children: ReactNode
  /** Wider for what holds a list. */
  wide?: boolean
  /** Only for screen readers. */
  hideTitle?: boolean
}

/** A modal sheet on the browser's own dialog: it keeps the focus in, gives it back, and closes with Esc. */
export function Dialog({ title, onClose, children, wide = false, hideTitle = false }: Props) {
  const { t } = useTranslation()
  const element = useRef<HTMLDialogElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const id = useId()
  useEffect(() => noteDialog(id), [id])
  // Closed before it leaves the page: else the browser does not give the focus back.
  useLayoutEffect(() => {
    const dialog = element.current
    if (dialog !== null && !dialog.open) dialog.showModal()
    // The way out is no place to begin.
    if (document.activeElement?.hasAttribute('data-close') === true)
      content.current?.querySelector<HTMLElement>('input:not([hidden]), textarea, select, button, a[href]')?.focus()
    return () => {
      dialog?.close()
      // What was done in the dialog may have made what is above what has the focus again grow.
      const back = document.activeElement
      if (back?.matches('button, a, input') === true) requestAnimationFrame(() => back.scrollIntoView({ block: 'nearest' }))
    }
  }, [])
  return createPortal(
    <dialog
      ref={element}
      className="sheet"
      style={{
        ...(wide ? { width: 'min(680px, calc(100vw - 48px))' } : {}),
        ...(hideTitle ? { marginTop: '14vh', maxHeight: 'min(720px, calc(86vh - 24px))' } : {}),
      }}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onKeyDown={(event) => event.stopPropagation()}
      onMouseDown={(event) => {
        if (event.target === element.current) onClose()
      }}
    >
      <header className={hideTitle ? 'sr-only' : 'flex items-center gap-3 px-5 pt-4 pb-1'}>
        <h2 id={id} className="flex-1 text-title font-semibold">
          {title}
        </h2>
        {!hideTitle && (
          <button type="button" data-close="" className="icon-button -me-1" aria-label={t('common.close')} onClick={onClose}>
            <X size={17} strokeWidth={1.6} />
          </button>
        )}
      </header>
      <div
        ref={content}
        className={hideTitle ? 'flex min-h-0 flex-1 flex-col' : 'flex min-h-0 flex-1 flex-col overflow-y-auto px-5 pt-2 pb-5'}
      >
        {children}
      </div>
      <Toasts within={id} />
    </dialog>,
    document.body,
  )
}
