import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DocumentRow } from '../../contract/library.ts'
import { client } from '../client.ts'
import { useFormat } from '../format.ts'
import { shownStatus } from '../library/shown-status.ts'
import { StatusDot } from '../library/status-dot.tsx'
import { useLibrary } from '../state/library.ts'
import { go } from '../state/route.ts'
import { reportProblem } from '../state/toasts.ts'
import { PasswordForm } from './password-form.tsx'
import { holdPassword } from './pdf-passwords.ts'

/** What became of a document: its status, the reason, and what helps. `full` adds the figures. */
export function DocumentState({ document, full }: { document: DocumentRow; full: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  // As it was when it was asked to be read again: what comes of that is another.
  const [askedOf, setAskedOf] = useState<DocumentRow | null>(null)
  const asked = askedOf === document
  const { reason } = document
  const all = useLibrary((state) => state.progress?.phase === 'paused')
  const folder = useLibrary((state) => state.progress?.folders.find((each) => each.id === document.folderId))
  const { unreachableSince } = document
  const troubled =
    unreachableSince !== null ||
    reason !== null ||
    document.status === 'failed' ||
    document.status === 'partial' ||
    document.status === 'waiting'
  if (!full && !troubled) return null
  const atLimit = reason?.code === 'too-slow' || reason?.code === 'too-much-memory'
  function retry() {
    setAskedOf(document)
    client.documents.retry({ documentId: document.id, more: atLimit }).catch(reportProblem)
  }
  const pending = document.status === 'waiting' || document.status === 'reading' || asked
  const stopped = pending ? (all ? 'all' : folder?.state === 'paused' ? 'folder' : null) : null
  function resume() {
    const resumed = stopped === 'all' ? client.library.resume({}) : client.folders.resume({ folderId: document.folderId })
    resumed.catch(reportProblem)
  }
  // Office documents cannot be opened with a password here.
  const canUnlock = reason?.code === 'encrypted' && document.kind === 'pdf'
  async function unlock(password: string, keep: boolean): Promise<boolean> {
    const { opened } = await client.documents.unlock({ documentId: document.id, password, keep })
    if (!opened) return false
    holdPassword(document.id, password)
    setAskedOf(document)
    return true
  }
  const figures = [
    document.pages === null ? null : t('library.pages', { count: document.pages, pages: format.count(document.pages) }),
    document.pagesRecognised === 0
      ? null
      : t('library.pagesRecognised', { count: document.pagesRecognised, pages: format.count(document.pagesRecognised) }),
    t('library.passagesCount', { count: document.passages, passages: format.count(document.passages) }),
    format.bytes(document.sizeBytes),
    format.dateTime(document.modifiedAt),
  ].filter((figure) => figure !== null)
  return (
    <div className="flex-none border-b border-line bg-paper px-4.5 py-3 text-ui">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-0.5">
        <span className="flex items-center gap-2 font-semibold">
          <StatusDot status={shownStatus(document)} />
          {t(`library.status.${shownStatus(document)}`)}
        </span>
        {full && <span className="text-small text-ink-2">{figures.join(' · ')}</span>}
      </p>
      {unreachableSince !== null && (
        <p className="mt-1.5 text-bad">{t('library.unreachableSince', { time: format.dateTime(unreachableSince) })}</p>
      )}
      {reason !== null && (
        <div className="mt-1.5 flex items-start gap-3">
          <div className="min-w-0 flex-1">
            <p>
              {t(`library.reason.${reason.code}`)}
              {reason.pages !== undefined && ` ${t('library.reasonPages', { pages: reason.pages })}`}
            </p>
            <p className="text-small text-ink-2">{t(canUnlock ? 'library.remedyPassword' : `library.remedy.${reason.code}`)}</p>
            {canUnlock && !asked && <PasswordForm onTry={unlock} canKeep />}
          </div>
          {reason.code === 'not-transcribed' && (
            <button type="button" className="button button-small" onClick={() => go('models')}>
              {t('library.openHearing')}
            </button>
          )}
          <button type="button" className="button button-small" disabled={asked} onClick={retry}>
            {t(!asked ? (atLimit ? 'library.retryMore' : 'library.retry') : stopped === null ? 'library.retrying' : 'library.retryWaits')}
          </button>
        </div>
      )}
      {stopped !== null && (
        <div role="status" className="mt-1.5 flex items-center gap-3">
          <p className="min-w-0 flex-1">{t(stopped === 'all' ? 'library.readingPaused' : 'library.folderPaused')}</p>
          <button type="button" className="button button-small" onClick={resume}>
            {t('library.resume')}
          </button>
        </div>
      )}
    </div>
  )
}
