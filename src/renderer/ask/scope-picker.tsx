import { FileText, Folder as FolderIcon, LibraryBig } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Scope } from '../../contract/library.ts'
import { folderName } from '../parts/folder-name.ts'
import { parentOf } from '../paths.ts'
import { setScope, useConversation } from '../state/conversation.ts'
import { useLibrary } from '../state/library.ts'
import { noteDocumentName } from '../state/scope-names.ts'
import { PickerButton } from './picker-button.tsx'
import { useFoundDocuments } from './use-found-documents.ts'

function toggled(list: number[] | undefined, id: number): number[] | undefined {
  const next = list?.includes(id) === true ? list.filter((each) => each !== id) : [...(list ?? []), id]
  return next.length === 0 ? undefined : next
}

function Row({
  icon,
  label,
  detail,
  checked,
  onToggle,
}: {
  icon: 'folder' | 'file'
  label: string
  detail: string
  checked: boolean
  onToggle: () => void
}) {
  const Icon = icon === 'folder' ? FolderIcon : FileText
  return (
    <label className="menu-item" title={detail}>
      <input type="checkbox" className="size-3.5 flex-none accent-seal" checked={checked} onChange={onToggle} />
      <Icon size={15} strokeWidth={1.5} className="flex-none text-ink-2" aria-hidden="true" />
      <span className="min-w-0 flex-1 truncate">{label}</span>
    </label>
  )
}

/** What the question is asked of: everything, some folders, some documents. */
export function ScopePicker() {
  const { t } = useTranslation()
  const scope = useConversation((state) => state.scope)
  const folders = useLibrary((state) => state.progress?.folders ?? null)
  const [name, setName] = useState('')
  const found = useFoundDocuments(name, 20)
  const folderIds = scope.folderIds ?? []
  const documentIds = scope.documentIds ?? []
  const chosen = folderIds.length + documentIds.length
  function change(next: Scope) {
    setScope({ ...scope, ...next })
  }
  // What is chosen stands by name above the question.
  const label = chosen === 0 ? t('ask.everything') : t('ask.chosen', { count: chosen })
  return (
    <Popover.Root onOpenChange={(open) => !open && setName('')}>
      <Popover.Trigger asChild>
        <PickerButton icon={LibraryBig} aria-label={t('ask.scopeIs', { scope: label })}>
          <span className="truncate @max-[420px]:hidden">{label}</span>
        </PickerButton>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className="menu w-80" align="start" sideOffset={6} aria-label={t('ask.scope')}>
          <input
            type="search"
            className="field mb-1"
            placeholder={t('ask.findDocument')}
            aria-label={t('ask.findDocument')}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          {chosen > 0 && (
            <button type="button" className="menu-item text-seal!" onClick={() => setScope({})}>
              {t('ask.backToEverything')}
            </button>
          )}
          {found.map((each) => (
            <Row
              key={each.id}
              icon="file"
              label={each.name}
              detail={each.path}
              checked={documentIds.includes(each.id)}
              onToggle={() => {
                noteDocumentName(each.id, each.name)
                change({ documentIds: toggled(scope.documentIds, each.id) })
              }}
            />
          ))}
          {name.trim() === '' &&
            folders?.map((folder) => (
              <Row
                key={folder.id}
                icon={folder.single ? 'file' : 'folder'}
                label={folderName(folder, t)}
                detail={parentOf(folder.path)}
                checked={folderIds.includes(folder.id)}
                onToggle={() => change({ folderIds: toggled(scope.folderIds, folder.id) })}
              />
            ))}
          {name.trim() !== '' && found.length === 0 && <p className="menu-label pb-2!">{t('common.nothingFound')}</p>}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
