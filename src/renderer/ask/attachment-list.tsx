import { AudioLines, FileText, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../format.ts'
import { Visible } from '../parts/visible.tsx'
import { visibleText } from '../parts/visible-text.ts'
import { detach } from '../state/attaching.ts'
import { useDraft } from '../state/draft.ts'
import { isPicture } from './attachments.ts'

export function AttachmentIcon({ mediaType }: { mediaType: string }) {
  const Icon = mediaType.startsWith('audio/') ? AudioLines : FileText
  return <Icon size={15} strokeWidth={1.5} className="flex-none text-ink-2" aria-hidden="true" />
}

/** What goes along with the next question, for this chat only. */
export function AttachmentList() {
  const { t } = useTranslation()
  const format = useFormat()
  const attachments = useDraft((draft) => draft.attachments)
  if (attachments.length === 0) return null
  return (
    <ul aria-label={t('agent.attach.list')} className="mb-2 flex max-h-28 flex-wrap gap-2 overflow-y-auto">
      {attachments.map(({ id, name, mediaType, data, sizeBytes }) => (
        <li
          key={id}
          className="flex max-w-60 items-center gap-2 rounded-md border border-line bg-paper py-1 ps-1.5 pe-1 text-small"
          title={visibleText(name)}
        >
          {isPicture(mediaType) ? (
            <img src={`data:${mediaType};base64,${data}`} alt="" className="size-8 flex-none rounded-sm object-cover" />
          ) : (
            <AttachmentIcon mediaType={mediaType} />
          )}
          <span className="min-w-0">
            <span className="block truncate leading-tight">
              <Visible text={name} />
            </span>
            <span className="block text-tiny leading-tight text-ink-3">{format.bytes(sizeBytes)}</span>
          </span>
          <button
            type="button"
            className="icon-button size-6.5"
            aria-label={t('agent.attach.remove', { name: visibleText(name) })}
            onClick={() => {
              detach(id)
              document.getElementById('composer')?.focus()
            }}
          >
            <X size={13} strokeWidth={1.7} />
          </button>
        </li>
      ))}
    </ul>
  )
}
