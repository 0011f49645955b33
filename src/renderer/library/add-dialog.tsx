import { CornerLeftUp, FolderClosed } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ErrorValue } from '../../contract/errors.ts'
import { client } from '../client.ts'
import { Dialog } from '../parts/dialog.tsx'
import { isEnter } from '../parts/keys.ts'
import { ProblemText } from '../parts/problem-text.tsx'
import { problemOf } from '../problem.ts'
import { addPaths } from '../state/library.ts'
import { useSettings } from '../state/settings.ts'

interface Listing {
  path: string
  parent: string | null
  directories: string[]
}

function joined(path: string, name: string): string {
  const separator = path.includes('\\') ? '\\' : '/'
  return path.endsWith(separator) ? path + name : path + separator + name
}

/** Choosing a folder by its path, with a look around the disk where the host has no dialog of its own. */
export function AddDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const home = useSettings((state) => state.info?.homeDir ?? '')
  const [path, setPath] = useState(home)
  const [listing, setListing] = useState<Listing | null>(null)
  const [problem, setProblem] = useState<ErrorValue | null>(null)
  const [adding, setAdding] = useState(false)
  async function browse(to: string) {
    try {
      const found = await client.system.listDirectory({ path: to })
      setListing(found)
      setPath(found.path)
      setProblem(null)
    } catch (error) {
      setProblem(problemOf(error))
    }
  }
  useEffect(() => {
    let alive = true
    client.system.listDirectory({ path: home }).then(
      (found) => alive && setListing(found),
      (error: unknown) => alive && setProblem(problemOf(error)),
    )
    return () => {
      alive = false
    }
  }, [home])
  async function add() {
    setAdding(true)
    const added = await addPaths([path.trim()])
    setAdding(false)
    if (added.length > 0) onClose()
  }
  const rows = listing?.directories ?? []
  return (
    <Dialog title={t('library.addFolder')} onClose={onClose} wide>
      <label className="text-ui">
        <span className="mb-1 block text-small text-ink-2">{t('library.pathLabel')}</span>
        <input
          className="field font-mono text-small"
          autoFocus
          spellCheck={false}
          value={path}
          onChange={(event) => setPath(event.target.value)}
          onKeyDown={(event) => {
            if (isEnter(event)) void browse(path.trim())
          }}
        />
      </label>
      <div role="alert">
        {problem !== null && (
          <p className="pt-2 text-ui text-bad">
            <ProblemText problem={problem} />
          </p>
        )}
      </div>
      <ul aria-label={t('library.foldersHere')} className="card mt-3 h-72 overflow-y-auto p-1.5 text-ui">
        {listing !== null && listing.parent !== null && (
          <li>
            <button type="button" className="menu-item text-ink-2!" onClick={() => void browse(listing.parent ?? '')}>
              <CornerLeftUp size={16} strokeWidth={1.5} aria-hidden="true" /> {t('library.parentFolder')}
            </button>
          </li>
        )}
        {rows.map((name) => (
          <li key={name}>
            <button type="button" className="menu-item" onClick={() => void browse(joined(listing?.path ?? '', name))}>
              <FolderClosed size={16} strokeWidth={1.5} className="flex-none text-ink-2" aria-hidden="true" />
              <span className="truncate">{name}</span>
            </button>
          </li>
        ))}
        {listing !== null && rows.length === 0 && <li className="px-3 py-2 text-ink-2">{t('library.noFoldersHere')}</li>}
      </ul>
      <div className="flex items-center gap-2 pt-4">
        <p className="min-w-0 flex-1 text-small text-ink-2">{t('library.readOnlyPromise')}</p>
        <button type="button" className="button" onClick={onClose}>
          {t('common.cancel')}
        </button>
        <button type="button" className="button button-primary" disabled={path.trim() === '' || adding} onClick={() => void add()}>
          {t('library.addThis')}
        </button>
      </div>
    </Dialog>
  )
}
