import { CornerLeftUp, FolderClosed } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../client.ts'
import { fileName } from '../paths.ts'
import { problemOf } from '../problem.ts'
import { pathProblem } from '../state/library.ts'
import { useSettings } from '../state/settings.ts'
import { Dialog } from './dialog.tsx'
import { Requests } from './refresher.ts'
import { visibleText } from './visible-text.ts'
import { isEnter } from './keys.ts'

interface Listing {
  path: string
  parent: string | null
  directories: string[]
}

interface Props {
  title: string
  action: string
  label: string
  promise: string
  /** Takes the path: '' when it is taken, else why not. */
  onChoose: (path: string) => Promise<string>
  onClose: () => void
}

function problemText(error: unknown): string {
  const { code, message } = problemOf(error)
  return pathProblem(code, message)
}

function joined(path: string, name: string): string {
  if (/^(?:[/\\]|[a-z]:)/i.test(name)) return name
  const separator = path.includes('\\') ? '\\' : '/'
  return path.endsWith(separator) ? path + name : path + separator + name
}

/** Choosing a folder by its path, with a look around the disk where the host has no dialog of its own. */
export function FolderDialog({ title, action, label, promise, onChoose, onClose }: Props) {
  const { t } = useTranslation()
  const home = useSettings((state) => state.info?.homeDir ?? '')
  const [path, setPath] = useState(home)
  const [listing, setListing] = useState<Listing | null>(null)
  const [problem, setProblem] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const [choosing, setChoosing] = useState(false)
  /** What the names of the folders must begin with: the end of a path that is being written. */
  const [beginning, setBeginning] = useState('')
  const requests = useRef(new Requests())
  /** Shows what the path leads to as it is written; while it leads nowhere, the folders that it may come to. */
  async function follow(written: string) {
    setPath(written)
    setProblem('')
    const isNewest = requests.current.begin()
    const last = Math.max(written.lastIndexOf('/'), written.lastIndexOf('\\'))
    for (const [to, rest] of [
      [written, ''],
      [written.slice(0, last + 1), written.slice(last + 1)],
    ] as const) {
      const found = to.trim() === '' ? null : await client.system.listDirectory({ path: to.trim() }).catch(() => null)
      if (found === null) continue
      if (!isNewest()) return
      setListing(found)
      setBeginning(rest)
      return
    }
    if (!isNewest()) return
    setListing(null)
    setBeginning(written)
  }
  async function browse(to: string) {
    const isNewest = requests.current.begin()
    try {
      const found = await client.system.listDirectory({ path: to })
      if (!isNewest()) return
      setBeginning('')
      setListing(found)
      setPath(found.path)
      setProblem('')
    } catch (error) {
      setProblem(problemText(error))
    }
  }
  useEffect(() => {
    let alive = true
    client.system.listDirectory({ path: home }).then(
      (found) => alive && setListing(found),
      (error: unknown) => alive && setProblem(problemText(error)),
    )
    return () => {
      alive = false
    }
  }, [home])
  // The dialog gives the focus to its first button when it opens; the path is what is wanted.
  useEffect(() => {
    field.current?.focus()
    field.current?.select()
  }, [])
  async function choose() {
    setChoosing(true)
    setProblem('')
    const refused = await onChoose(path.trim())
    setChoosing(false)
    setProblem(refused)
    if (refused === '') onClose()
  }
  const rows = (listing?.directories ?? []).filter((name) => fileName(name).toLowerCase().startsWith(beginning.toLowerCase()))
  return (
    <Dialog title={title} onClose={onClose} wide>
      <label className="text-ui">
        <span className="mb-1 block text-small text-ink-2">{label}</span>
        <input
          className="field font-mono text-small"
          ref={field}
          spellCheck={false}
          value={path}
          onChange={(event) => void follow(event.target.value)}
          onKeyDown={(event) => {
            if (isEnter(event) && path.trim() !== '' && !choosing) void choose()
          }}
        />
      </label>
      <div role="alert">{problem !== '' && <p className="pt-2 text-ui [overflow-wrap:anywhere] text-bad">{problem}</p>}</div>
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
              <span className="truncate">{fileName(name)}</span>
            </button>
          </li>
        ))}
        {rows.length === 0 && problem === '' && (listing !== null || beginning !== '') && (
          <li role="status" className="px-3 py-2 [overflow-wrap:anywhere] text-ink-2">
            {beginning === '' ? t('library.noFoldersHere') : t('library.noFolderBegins', { beginning: visibleText(beginning) })}
          </li>
        )}
      </ul>
      <div className="flex items-center gap-2 pt-4">
        <p className="min-w-0 flex-1 text-small text-ink-2">{promise}</p>
        <button type="button" className="button" onClick={onClose}>
          {t('common.cancel')}
        </button>
        <button type="button" className="button button-primary" disabled={path.trim() === '' || choosing} onClick={() => void choose()}>
          {action}
        </button>
      </div>
    </Dialog>
  )
}
