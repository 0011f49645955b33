import { useTranslation } from 'react-i18next'
import type { Finding } from '../../contract/settings.ts'
import { setFilter } from '../library/filter-state.ts'
import { go } from '../state/route.ts'
import { patchSettings } from '../state/settings.ts'

type Cure = 'backups' | 'builtIn' | 'online' | 'models' | 'folders' | 'failed'

/** What mends a finding, by its code; a finding that only its own remedy mends has none. */
const cures: Partial<Record<string, Cure>> = {
  'store-damaged': 'backups',
  'store-set-aside': 'backups',
  'embedding-failed': 'builtIn',
  offline: 'online',
  'provider-empty': 'models',
  'provider-unreachable': 'models',
  'folder-unreachable': 'folders',
  'documents-failed': 'failed',
}

async function mend(cure: Cure): Promise<void> {
  switch (cure) {
    case 'backups':
      go('settings', 'backups')
      return
    case 'builtIn':
      await patchSettings({ embedding: { kind: 'built-in' } })
      return
    case 'online':
      await patchSettings({ offline: false })
      return
    case 'models':
      go('models')
      return
    case 'folders':
      go('library')
      return
    case 'failed':
      setFilter({ statuses: ['failed'], kinds: [], name: '', folderId: null, band: null, words: '' })
      go('library')
  }
}

/** The button that mends a finding, or leads to where it is mended. */
export function MendButton({ finding, embedding, onMended }: { finding: Finding; embedding: string; onMended: () => void }) {
  const { t } = useTranslation()
  const cure = finding.level === 'ok' ? undefined : cures[finding.code]
  // The built-in model is no cure for itself.
  if (cure === undefined || (cure === 'builtIn' && embedding === 'built-in')) return null
  return (
    <button type="button" className="button button-small flex-none" onClick={() => void mend(cure).then(onMended)}>
      {t(`settings.mend.${cure}`)}
    </button>
  )
}
