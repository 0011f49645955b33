import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Folder } from '../../contract/library.ts'
import { Dialog } from '../parts/dialog.tsx'
import { folderName } from '../parts/folder-name.ts'
import { patchSettings, useSettings } from '../state/settings.ts'

/** What is left out of one folder, besides what is left out of all. The rules are those of a .gitignore, one a line. */
export function RulesDialog({ folder, onClose }: { folder: Folder; onClose: () => void }) {
  const { t } = useTranslation()
  const settings = useSettings((state) => state.settings)
  const kept = settings?.folderRules[folder.id] ?? []
  const [text, setText] = useState(kept.join('\n'))
  function save() {
    const rules = text
      .split('\n')
      .map((line) => line.trimEnd())
      .filter((line) => line !== '')
    const { [folder.id]: _before, ...others } = settings?.folderRules ?? {}
    if (JSON.stringify(rules) !== JSON.stringify(kept))
      void patchSettings({ folderRules: rules.length === 0 ? others : { ...others, [folder.id]: rules } })
    onClose()
  }
  return (
    <Dialog title={t('library.folderRulesOf', { name: folderName(folder, t) })} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <label className="block">
          <span className="mb-1.5 block text-ui">{t('library.folderRulesText')}</span>
          <textarea
            className="field min-h-32 font-mono text-small"
            spellCheck={false}
            placeholder={'*.bak\n/drafts/'}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        {settings !== null && settings.ignoreRules.length > 0 && (
          <p className="mt-1.5 text-small text-ink-2">{t('library.rulesForAll', { rules: settings.ignoreRules.join('  ') })}</p>
        )}
        <div className="flex justify-end gap-2 pt-3">
          <button type="button" className="button" onClick={onClose}>
            {t('common.cancel')}
          </button>
          <button type="submit" className="button button-primary">
            {t('common.save')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
