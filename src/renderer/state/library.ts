import { create } from 'zustand'
import type { ErrorValue } from '../../contract/errors.ts'
import type { Folder, IndexProgress } from '../../contract/library.ts'
import { client } from '../client.ts'
import { follow, pause } from '../follow.ts'
import { folderName } from '../parts/folder-name.ts'
import { problemOf } from '../problem.ts'
import { i18next } from '../words/words.ts'
import { removeWithUndo, reportProblem, showToast } from './toasts.ts'

interface State {
  progress: IndexProgress | null
  problem: ErrorValue | null
}
/** The live state of indexing, one watch for the whole window. */
export const useLibrary = create<State>(() => ({ progress: null, problem: null }))

let wake = () => undefined as void

/** Watches again now, after an error. */
export function watchAgain(): void {
  useLibrary.setState({ problem: null })
  wake()
}

export async function watchLibrary(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await follow(
        (inner) => client.library.progress({}, { signal: inner }),
        (progress) => useLibrary.setState({ progress, problem: null }),
        signal,
      )
    } catch (error) {
      useLibrary.setState({ problem: problemOf(error) })
    }
    await Promise.race([pause(3_000, signal), new Promise<void>((resolve) => (wake = resolve))])
  }
}

/** Why a path cannot be added or looked into, in the user's words. */
export function pathProblem(code: string, message: string): string {
  if (code === 'not-found' || /\bENOENT\b|\bENOTDIR\b/.test(message)) return i18next.t('library.noSuchFolder')
  if (code === 'no-permission' || /\bEACCES\b|\bEPERM\b/.test(message)) return i18next.t('errors.no-permission')
  if (code === 'bad-input') return i18next.t('library.notAPath')
  return code === 'refused' ? i18next.t('library.ownFolder') : message
}

function refuseByToast(text: string): void {
  showToast({ text, bad: true })
}

/** Adds folders or files and says which were refused and why. */
export async function addPaths(paths: string[], copied = false, refuse = refuseByToast): Promise<Folder[]> {
  if (paths.length === 0) return []
  try {
    const { folders, refused } = await client.folders.add({ paths, copied })
    for (const each of refused) refuse(`${pathProblem(each.code, each.message)} ${each.path}`)
    if (folders.length > 0) {
      const name = folders[0]?.name ?? ''
      const one = i18next.t(copied ? 'library.addedCopyOne' : 'library.addedOne', { name })
      const several = i18next.t(copied ? 'library.addedCopy' : 'library.added', { count: folders.length, name })
      showToast({ text: folders.length === 1 ? one : several })
    }
    return folders
  } catch (error) {
    reportProblem(error)
    return []
  }
}

/** Adds what is chosen in the host's own dialog. */
export async function pickFolders(): Promise<void> {
  try {
    const { paths } = await client.system.pickFolders({})
    await addPaths(paths)
  } catch (error) {
    reportProblem(error)
  }
}

export async function removeFolder(folder: Folder): Promise<void> {
  try {
    await removeWithUndo(
      () => client.folders.remove({ folderId: folder.id }),
      i18next.t('library.removed', { name: folderName(folder, i18next.t) }),
      () => void client.folders.restore({ folderId: folder.id }).catch(reportProblem),
    )
  } catch (error) {
    reportProblem(error)
  }
}
