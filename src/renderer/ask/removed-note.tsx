import { Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { bringBack, useConversation } from '../state/conversation.ts'

/** The open chat was deleted in another window: said at once, with the way back, before a question is asked into nothing. */
export function RemovedNote() {
  const { t } = useTranslation()
  const chatId = useConversation((state) => (state.removed ? state.chatId : null))
  if (chatId === null) return null
  return (
    <div
      role="alert"
      className="mx-auto mb-2 flex w-[calc(100%-64px)] max-w-[756px] flex-wrap items-center gap-x-4 gap-y-2 rounded-[10px] border border-line bg-warn-wash px-4 py-2.5 text-ui max-[1000px]:w-[calc(100%-40px)]"
    >
      <Trash2 size={15} strokeWidth={1.6} className="flex-none" aria-hidden="true" />
      <span className="min-w-0 flex-1 basis-60">{t('ask.removedElsewhere')}</span>
      <button type="button" className="button button-small" onClick={() => void bringBack(chatId)}>
        {t('common.undo')}
      </button>
    </div>
  )
}
