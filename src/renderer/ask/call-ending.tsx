import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CallRecord } from '../../contract/agent.ts'
import { needsNoteFolder, noteWritten, saidByTool } from '../../contract/call-text.ts'
import type { DocumentRow } from '../../contract/library.ts'
import { client } from '../client.ts'
import { Visible } from '../parts/visible.tsx'
import { fileName } from '../paths.ts'
import { openDocument } from '../state/reader.ts'
import { useSettings } from '../state/settings.ts'
import { ChooseNoteFolder } from '../tools/choose-note-folder.tsx'

const line = 'ms-[7px] mb-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 ps-9 text-small text-ink-2'

/** The document of the library that a file is, once it is one. */
function useDocumentAt(path: string): DocumentRow | null {
  const [found, setFound] = useState<DocumentRow | null>(null)
  useEffect(() => {
    const stop = new AbortController()
    client.documents.list({ name: fileName(path), limit: 50 }, { signal: stop.signal }).then(
      ({ documents }) => setFound(documents.find((document) => document.path === path) ?? null),
      () => undefined,
    )
    return () => stop.abort()
  }, [path])
  return found
}

function NoteWritten({ path }: { path: string }) {
  const { t } = useTranslation()
  const document = useDocumentAt(path)
  return (
    <p className={line}>
      <span className="min-w-0 [overflow-wrap:anywhere]">
        <Visible text={path} />
      </span>
      {document !== null && (
        <button type="button" className="button button-small" onClick={() => void openDocument(document.id, 'original')}>
          {t('common.open')}
        </button>
      )}
    </p>
  )
}

function NoNoteFolder() {
  const { t } = useTranslation()
  const folder = useSettings((state) => state.settings?.noteFolder ?? null)
  return (
    <div className={line}>
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {folder === null ? t('agent.ending.noNoteFolder') : <Visible text={t('agent.ending.noteFolderNow', { folder })} />}
      </span>
      {folder === null && <ChooseNoteFolder label={t('agent.ending.chooseFolder')} />}
    </div>
  )
}

/** What should be known of a call's end without unfolding it: why it failed and what helps, or where a note lies. */
export function CallEnding({ call }: { call: CallRecord }) {
  const { t } = useTranslation()
  const path = noteWritten(call)
  if (path !== null) return <NoteWritten path={path} />
  if (needsNoteFolder(call)) return <NoNoteFolder />
  if (call.status === 'offline') {
    return (
      <p className={line}>
        <span>{t('agent.statusText.offline')}</span>
        <a href="#/settings/network" className="button button-small no-underline">
          {t('agent.ending.toNetwork')}
        </a>
      </p>
    )
  }
  const said = call.status === 'error' ? saidByTool(call) : ''
  if (said === '') return null
  return (
    <p className={line}>
      <span className="line-clamp-2 min-w-0 [overflow-wrap:anywhere]">
        <Visible text={said} />
      </span>
    </p>
  )
}
