import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from './dialog.tsx'

interface Props {
  title: string
  /** Names exactly what goes. */
  children: ReactNode
  action: string
  onConfirm: () => void
  onClose: () => void
}

/** Asked once before what cannot be undone; the safe choice has the focus. */
export function ConfirmDialog({ title, children, action, onConfirm, onClose }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="text-ui text-ink-2">{children}</div>
      <div className="flex justify-end gap-2 pt-5">
        <button type="button" className="button" autoFocus onClick={onClose}>
          {t('common.cancel')}
        </button>
        <button
          type="button"
          className="button button-primary"
          onClick={() => {
            onConfirm()
            onClose()
          }}
        >
          {action}
        </button>
      </div>
    </Dialog>
  )
}
