import { WifiOff } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useSettings } from '../state/settings.ts'

/** That the offline switch is on, and the way to it: what needs the network fails until it is off. */
export function OfflineSign() {
  const { t } = useTranslation()
  const offline = useSettings((state) => state.settings?.offline === true)
  if (!offline) return null
  return (
    <a
      href="#/settings/network"
      title={t('settings.offlineText')}
      className="tag flex-none items-center gap-1.5 no-underline hover:text-ink"
    >
      <WifiOff size={13} strokeWidth={1.7} aria-hidden="true" />
      {t('settings.offline')}
    </a>
  )
}
