import { FolderOpen, Plus, TextCursorInput } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { pickFolders } from '../state/library.ts'
import { useSettings } from '../state/settings.ts'
import { AddDialog } from './add-dialog.tsx'

/** Adding without dropping: the host's own dialog where there is one, else a path. `small`: only its sign where there is little room. */
export function AddButton({ small = false }: { small?: boolean }) {
  const { t } = useTranslation()
  const canPick = useSettings((state) => state.info?.canPickFolders === true)
  const [asking, setAsking] = useState(false)
  const face = (
    <>
      <Plus size={15} strokeWidth={1.8} aria-hidden="true" />
      <span className={small ? 'max-[560px]:sr-only' : undefined}>{t('library.addFolder')}</span>
    </>
  )
  return (
    <>
      {canPick ? (
        <DropdownMenu.Root modal={false}>
          <DropdownMenu.Trigger asChild>
            <button
              type="button"
              className={`button button-primary ${small ? 'flex-none max-[560px]:px-2' : ''}`}
              title={small ? t('library.addFolder') : undefined}
            >
              {face}
            </button>
          </DropdownMenu.Trigger>
          <DropdownMenu.Portal>
            <DropdownMenu.Content className="menu" align="end" sideOffset={6}>
              <DropdownMenu.Item className="menu-item" onSelect={() => void pickFolders()}>
                <FolderOpen size={15} strokeWidth={1.6} aria-hidden="true" /> {t('library.choose')}
              </DropdownMenu.Item>
              <DropdownMenu.Item className="menu-item" onSelect={() => setTimeout(() => setAsking(true))}>
                <TextCursorInput size={15} strokeWidth={1.6} aria-hidden="true" /> {t('library.byPath')}
              </DropdownMenu.Item>
            </DropdownMenu.Content>
          </DropdownMenu.Portal>
        </DropdownMenu.Root>
      ) : (
        <button
          type="button"
          className={`button button-primary ${small ? 'flex-none max-[560px]:px-2' : ''}`}
          title={small ? t('library.addFolder') : undefined}
          onClick={() => setAsking(true)}
        >
          {face}
        </button>
      )}
      {asking && <AddDialog onClose={() => setAsking(false)} />}
    </>
  )
}
