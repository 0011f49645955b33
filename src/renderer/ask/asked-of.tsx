import { FileText, Folder as FolderIcon } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { Scope } from '../../contract/library.ts'
import { folderName } from '../parts/folder-name.ts'
import { Visible } from '../parts/visible.tsx'
import { visibleText } from '../parts/visible-text.ts'
import { useLibrary } from '../state/library.ts'
import { learnDocumentNames, useDocumentNames } from '../state/scope-names.ts'

/** The folders and documents that a question was asked of; nothing where it was asked of everything. */
export function AskedOf({ scope }: { scope: Scope }) {
  const { t } = useTranslation()
  const folders = useLibrary((state) => state.progress?.folders ?? null)
  const names = useDocumentNames((state) => state.names)
  const { folderIds = [], documentIds = [] } = scope
  const asked = documentIds.join(' ')
  useEffect(() => learnDocumentNames(asked === '' ? [] : asked.split(' ').map(Number)), [asked])
  const parts = [
    ...folderIds.map((id) => {
      const folder = folders?.find((each) => each.id === id)
      return { key: `folder-${id}`, icon: FolderIcon, name: folder === undefined ? '…' : folderName(folder, t) }
    }),
    ...documentIds.map((id) => ({ key: `document-${id}`, icon: FileText, name: names[id] ?? '…' })),
  ]
  if (parts.length === 0) return null
  return (
    <ul aria-label={t('ask.askedOf')} className="-mt-3.5 mb-5 flex flex-wrap justify-end gap-x-3 gap-y-0.5 text-small text-ink-2">
      {parts.map(({ key, icon: Icon, name }) => (
        <li key={key} className="flex max-w-60 items-center gap-1" title={visibleText(name)}>
          <Icon size={12} strokeWidth={1.6} className="flex-none" aria-hidden="true" />
          <span className="truncate">
            <Visible text={name} />
          </span>
        </li>
      ))}
    </ul>
  )
}
