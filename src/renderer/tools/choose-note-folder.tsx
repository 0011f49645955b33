import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../client.ts'
import { later } from '../parts/later.tsx'
import { problemOf } from '../problem.ts'
import { pathProblem } from '../state/library.ts'
import { patchSettings, useSettings } from '../state/settings.ts'
import { reportProblem } from '../state/toasts.ts'

const FolderDialog = later(() => import('../parts/folder-dialog.tsx').then((module) => module.FolderDialog), { dialog: true })

async function pick(): Promise<void> {
  try {
    const [path] = (await client.system.pickFolders({})).paths
    if (path !== undefined) await patchSettings({ noteFolder: path })
  } catch (error) {
    reportProblem(error)
  }
}

async function choose(path: string): Promise<string> {
  try {
    // A folder that cannot be listed cannot be written to either.
    const { path: real } = await client.system.listDirectory({ path })
    await patchSettings({ noteFolder: real })
    return ''
  } catch (error) {
    const { code, message } = problemOf(error)
    return pathProblem(code, message)
  }
}

/** Chooses the folder for notes: in the host's own dialog where there is one, else by its path. */
export function ChooseNoteFolder({ label }: { label: string }) {
  const { t } = useTranslation()
  const canPick = useSettings((state) => state.info?.canPickFolders === true)
  const [asking, setAsking] = useState(false)
  return (
    <>
      <button type="button" className="button button-small" onClick={() => (canPick ? void pick() : setAsking(true))}>
        {label}
      </button>
      {asking && (
        <FolderDialog
          title={t('tools.noteFolder')}
          label={t('tools.noteFolderPath')}
          action={t('tools.useFolder')}
          promise={t('tools.noteFolderPromise')}
          onChoose={choose}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
