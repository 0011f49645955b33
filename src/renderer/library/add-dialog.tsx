import { useTranslation } from 'react-i18next'
import { FolderDialog } from '../parts/folder-dialog.tsx'
import { addPaths } from '../state/library.ts'

/** Adding a folder or a file by its path. */
export function AddDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  async function add(path: string): Promise<string> {
    let refused = ''
    const added = await addPaths([path], false, (text) => (refused = text))
    return added.length > 0 ? '' : refused
  }
  return (
    <FolderDialog
      title={t('library.addFolder')}
      label={t('library.pathLabel')}
      action={t('library.addThis')}
      promise={t('library.readOnlyPromise')}
      onChoose={add}
      onClose={onClose}
    />
  )
}
