import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Status } from '../../contract/settings.ts'
import { client } from '../client.ts'
import { useFormat } from '../format.ts'
import { FoldMark } from '../parts/fold-mark.tsx'
import { useSettings } from '../state/settings.ts'
import { Section } from './section.tsx'

interface Licence {
  name: string
  version: string
  licence: string
}

function useLicences(wanted: boolean): Licence[] | null {
  const [licences, setLicences] = useState<Licence[] | null>(null)
  useEffect(() => {
    if (!wanted) return
    fetch('licences.json')
      .then((response) => response.json() as Promise<Licence[]>)
      .then(setLicences, () => setLicences([]))
  }, [wanted])
  return licences
}

function Licences() {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const licences = useLicences(open)
  return (
    <details className="group mt-3 text-small text-ink-2" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="flex w-fit cursor-pointer list-none items-center gap-1.5 rounded-sm text-ui text-ink">
        <FoldMark />
        {t('settings.licences')}
      </summary>
      <p className="my-2">{t('settings.licencesText')}</p>
      {licences !== null && (
        <ul className="card max-h-64 overflow-y-auto px-4 py-2" tabIndex={0} aria-label={t('settings.licences')}>
          {licences.map((each) => (
            <li key={each.name} className="flex gap-3 py-0.5">
              <span className="min-w-0 flex-1 truncate">{`${each.name} ${each.version}`}</span>
              <span>{each.licence}</span>
            </li>
          ))}
        </ul>
      )}
    </details>
  )
}

/** Where the data lies, how much it is, and which Siku this is. */
export function About() {
  const { t } = useTranslation()
  const format = useFormat()
  const info = useSettings((state) => state.info)
  const [status, setStatus] = useState<Status | null>(null)
  useEffect(() => {
    let alive = true
    client.library.status({}).then(
      (found) => alive && setStatus(found),
      () => undefined,
    )
    return () => {
      alive = false
    }
  }, [])
  return (
    <>
      <Section id="data" title={t('settings.data')} text={t('settings.dataText')}>
        {status !== null && (
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-1 text-ui">
            <dt className="text-ink-2">{t('settings.place')}</dt>
            <dd className="font-mono text-small leading-6 break-all">{status.dataDir}</dd>
            <dt className="text-ink-2">{t('settings.size')}</dt>
            <dd>{format.bytes(status.sizeBytes)}</dd>
            <dt className="text-ink-2">{t('settings.index')}</dt>
            <dd>{t(`settings.vectorIndex.${status.vectorIndex}`)}</dd>
          </dl>
        )}
        {status?.mode === 'read-only' && <p className="mt-2 text-ui text-warn-ink">{t('errors.read-only')}</p>}
        {info?.secrets === 'plain-file' && <p className="mt-2 text-ui text-warn-ink">{t('models.keyPlain')}</p>}
      </Section>
      <Section id="about" title={t('settings.about')}>
        <p className="text-ui">{t('settings.version', { version: info?.version ?? '' })}</p>
        <p className="text-small text-ink-2">{t('settings.promise')}</p>
        <Licences />
      </Section>
    </>
  )
}
