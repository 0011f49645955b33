import { FileText, Folder as FolderIcon, X } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { folderName } from '../parts/folder-name.ts'
import { Visible } from '../parts/visible.tsx'
import { visibleText } from '../parts/visible-text.ts'
import { setScope, useConversation } from '../state/conversation.ts'
import { useLibrary } from '../state/library.ts'
import { learnDocumentNames, useDocumentNames } from '../state/scope-names.ts'

function without(list: number[] | undefined, id: number): number[] | undefined {
  const next = (list ?? []).filter((each) => each !== id)
  return next.length === 0 ? undefined : next
}

/** The folders and documents that the question is asked of; without any it is asked of everything. */
export function ScopeChips() {
  const { t } = useTranslation()
  const scope = useConversation((state) => state.scope)
  const folders = useLibrary((state) => state.progress?.folders ?? null)
  const names = useDocumentNames((state) => state.names)
  const { folderIds, documentIds } = scope
  useEffect(() => learnDocumentNames(documentIds ?? []), [documentIds])
  const chips = [
    ...(folderIds ?? []).map((id) => {
      const folder = folders?.find((each) => each.id === id)
      const name = folder === undefined ? '…' : folderName(folder, t)
      return { key: `folder-${id}`, icon: FolderIcon, name, remove: () => setScope({ ...scope, folderIds: without(folderIds, id) }) }
    }),
    ...(documentIds ?? []).map((id) => ({
      key: `document-${id}`,
      icon: FileText,
      name: names[id] ?? '…',
      remove: () => setScope({ ...scope, documentIds: without(documentIds, id) }),
    })),
  ]
  if (chips.length === 0) return null
  return (
    <ul aria-label={t('ask.scope')} className="mb-2 flex max-h-20 flex-wrap gap-1.5 overflow-y-auto">
      {chips.map(({ key, icon: Icon, name, remove }) => (
        <li key={key} className="flex max-w-60 items-center gap-1.5 rounded-md bg-seal-wash ps-2 text-small" title={visibleText(name)}>
          <Icon size={13} strokeWidth={1.6} className="flex-none text-ink-2" aria-hidden="true" />
          <span className="min-w-0 truncate">
            <Visible text={name} />
          </span>
          <button
            type="button"
            className="icon-button size-6"
            aria-label={t('ask.scopeRemove', { name: visibleText(name) })}
            onClick={() => {
              remove()
              document.getElementById('composer')?.focus()
            }}
          >
            <X size={12} strokeWidth={1.8} />
          </button>
        </li>
      ))}
    </ul>
  )
}
