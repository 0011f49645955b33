import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Settings } from '../../contract/settings.ts'
import { Switch } from '../parts/switch.tsx'
import { patchSettings } from '../state/settings.ts'
import { Section } from './section.tsx'

/** What a scan leaves out. The rules are those of a .gitignore, one a line. */
export function IgnoreRules({ settings }: { settings: Settings }) {
  const { t } = useTranslation()
  const kept = settings.ignoreRules.join('\n')
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? kept
  function keep() {
    if (typed === null || typed === kept) return
    void patchSettings({
      ignoreRules: typed
        .split('\n')
        .map((line) => line.trimEnd())
        .filter((line) => line !== ''),
    })
    setTyped(null)
  }
  return (
    <Section id="ignore" title={t('settings.ignore')} text={t('settings.ignoreText')}>
      <Switch
        label={t('settings.skipHidden')}
        detail={t('settings.skipHiddenText')}
        checked={settings.skipHidden}
        onChange={(skipHidden) => void patchSettings({ skipHidden })}
      />
      <Switch
        label={t('settings.skipDependencies')}
        detail={t('settings.skipDependenciesText')}
        checked={settings.skipDependencies}
        onChange={(skipDependencies) => void patchSettings({ skipDependencies })}
      />
      <Switch
        label={t('settings.ocr')}
        detail={t('settings.ocrText')}
        checked={settings.ocr}
        onChange={(ocr) => void patchSettings({ ocr })}
      />
      <label className="mt-2 block">
        <span className="mb-1 block text-ui">{t('settings.rules')}</span>
        <textarea
          className="field min-h-22 font-mono text-small"
          spellCheck={false}
          placeholder={'*.bak\n/drafts/'}
          value={text}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={keep}
        />
      </label>
    </Section>
  )
}
