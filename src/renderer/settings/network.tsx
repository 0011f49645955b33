import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Contact, Settings } from '../../contract/settings.ts'
import { client } from '../client.ts'
import { useFormat } from '../format.ts'
import { Switch } from '../parts/switch.tsx'
import { useRefreshed } from '../parts/use-refreshed.ts'
import { patchSettings } from '../state/settings.ts'
import { reportProblem } from '../state/toasts.ts'
import { Section } from './section.tsx'

function Ledger({ contacts }: { contacts: Contact[] }) {
  const { t, i18n } = useTranslation()
  const format = useFormat()
  /** What has no words here, such as the name of a server, speaks for itself. */
  function purposeText(purpose: string): string {
    const key = `settings.contactFor.${purpose.replace(/[^A-Za-z]+/g, '-')}`
    return i18n.exists(key) ? t(key as 'settings.contactFor.weather') : purpose
  }
  if (contacts.length === 0) return <p className="text-ui text-ink-2">{t('settings.noContacts')}</p>
  return (
    <div className="card overflow-x-auto" tabIndex={0} role="group" aria-label={t('settings.contacts')}>
      <table className="w-full text-start text-small">
        <thead className="text-ink-2">
          <tr className="border-b border-line">
            <th className="px-3 py-2 text-start font-normal">{t('settings.host')}</th>
            <th className="px-3 py-2 text-start font-normal">{t('settings.purpose')}</th>
            <th className="px-3 py-2 text-end font-normal">{t('settings.times')}</th>
            <th className="px-3 py-2 text-end font-normal">{t('settings.refused')}</th>
            <th className="px-3 py-2 text-end font-normal max-[1500px]:hidden">{t('settings.first')}</th>
            <th className="px-3 py-2 text-end font-normal">{t('settings.last')}</th>
          </tr>
        </thead>
        <tbody>
          {contacts.map((contact) => (
            <tr key={`${contact.host} ${contact.purpose}`} className="border-b border-line last:border-b-0">
              <td className="min-w-44 px-3 py-1.5 font-mono [overflow-wrap:break-word]">{contact.host}</td>
              <td className="px-3 py-1.5">{purposeText(contact.purpose)}</td>
              <td className="px-3 py-1.5 text-end tabular-nums">{format.count(contact.count)}</td>
              <td className={`px-3 py-1.5 text-end tabular-nums ${contact.refused > 0 ? 'text-warn-ink' : ''}`}>
                {format.count(contact.refused)}
              </td>
              <td className="px-3 py-1.5 text-end whitespace-nowrap text-ink-2 max-[1500px]:hidden">{format.dateTime(contact.firstAt)}</td>
              <td className="px-3 py-1.5 text-end whitespace-nowrap text-ink-2">{format.dateTime(contact.lastAt)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Hosts are contacted while the list is looked at. */
const beatMs = 5_000

/** Rises now and then while the window is seen. */
function useBeat(): number {
  const [beat, setBeat] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') setBeat((before) => before + 1)
    }, beatMs)
    return () => clearInterval(timer)
  }, [])
  return beat
}

/** The offline switch, and every host that was ever contacted. */
export function Network({ settings }: { settings: Settings }) {
  const { t } = useTranslation()
  const [contacts, setContacts] = useState<Contact[] | null>(null)
  const beat = useBeat()
  useRefreshed('ledger', `${settings.offline} ${beat}`, async (signal) => {
    try {
      const list = await client.network.ledger({}, { signal })
      if (!signal.aborted) setContacts(list)
    } catch (error) {
      if (!signal.aborted && contacts === null) reportProblem(error)
    }
  })
  return (
    <Section id="network" title={t('settings.network')} text={t('settings.networkText')}>
      <Switch
        label={t('settings.offline')}
        detail={t('settings.offlineText')}
        checked={settings.offline}
        onChange={(offline) => void patchSettings({ offline })}
      />
      <h3 className="mt-3 mb-2 text-ui">{t('settings.contacts')}</h3>
      {contacts !== null && <Ledger contacts={contacts} />}
    </Section>
  )
}
