import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Backup, Backups as BackupsState } from '../../contract/settings.ts'
import { client } from '../client.ts'
import { useFormat } from '../format.ts'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { backUp } from '../state/backups.ts'
import { useSettings } from '../state/settings.ts'
import { reportProblem } from '../state/toasts.ts'
import { Section } from './section.tsx'

/** How the name begins under which a restore keeps what it replaces. */
const replaced = 'siku-replaced-'

function Row({ backup, next, onRestore }: { backup: Backup; next: boolean; onRestore: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2">
      <span className="min-w-0 flex-1 basis-48">
        {format.dateTime(backup.madeAt)}
        {backup.name.startsWith(replaced) && <span className="block text-small text-ink-2">{t('settings.replaced')}</span>}
        <span className="block truncate font-mono text-tiny text-ink-3" title={backup.name}>
          {backup.name}
        </span>
      </span>
      <span className="text-small text-ink-2 tabular-nums">{format.bytes(backup.sizeBytes)}</span>
      {next ? (
        <span className="tag border-warn! text-warn-ink!">{t('settings.restoreNext')}</span>
      ) : (
        <button type="button" className="button button-small" onClick={onRestore}>
          {t('settings.restore')}
        </button>
      )}
    </li>
  )
}

/** Copies of the library: one is made with a click, and one is put back before the next start. */
export function Backups() {
  const { t } = useTranslation()
  const format = useFormat()
  const [state, setState] = useState<BackupsState | null>(null)
  const terminal = useSettings((settings) => settings.info?.host === 'browser')
  const [making, setMaking] = useState(false)
  const [asking, setAsking] = useState<Backup | null>(null)
  useEffect(() => {
    let alive = true
    client.backups.list({}).then((found) => alive && setState(found), reportProblem)
    return () => {
      alive = false
    }
  }, [])
  async function make() {
    setMaking(true)
    const made = await backUp()
    if (made !== null) setState(made)
    setMaking(false)
  }
  function restore(name: string | null) {
    client.backups.restoreAtStart({ name }).then(setState, reportProblem)
  }
  return (
    <Section id="backups" title={t('settings.backups')} text={t('settings.backupsText')}>
      {state !== null && state.restoreNext !== null && (
        <div
          role="status"
          className="mb-3 flex flex-wrap items-center gap-3 rounded-[10px] border border-line bg-warn-wash px-4 py-3 text-ui"
        >
          <p className="min-w-0 flex-1 basis-64">{t(terminal ? 'settings.restoreWaitsTerminal' : 'settings.restoreWaits')}</p>
          <button type="button" className="button button-small" onClick={() => restore(null)}>
            {t('settings.restoreCancel')}
          </button>
        </div>
      )}
      <button type="button" className="button" disabled={making || state === null} onClick={() => void make()}>
        {making && <span className="spinner" aria-hidden="true" />} {t('settings.backupNow')}
      </button>
      {state !== null && (
        <>
          {state.backups.length === 0 ? (
            <p className="mt-3 text-ui text-ink-2">{t('settings.noBackups')}</p>
          ) : (
            <ul className="card mt-3 max-h-72 divide-y divide-line overflow-y-auto text-ui" tabIndex={0} aria-label={t('settings.backups')}>
              {state.backups.map((backup) => (
                <Row key={backup.name} backup={backup} next={backup.name === state.restoreNext} onRestore={() => setAsking(backup)} />
              ))}
            </ul>
          )}
          <p className="mt-2 text-small break-all text-ink-2">{t('settings.backupsLie', { directory: state.directory })}</p>
        </>
      )}
      {asking !== null && (
        <ConfirmDialog
          title={t('settings.restoreTitle', { date: format.dateTime(asking.madeAt) })}
          action={t('settings.restore')}
          onConfirm={() => restore(asking.name)}
          onClose={() => setAsking(null)}
        >
          {t('settings.restoreText')}
        </ConfirmDialog>
      )}
    </Section>
  )
}
