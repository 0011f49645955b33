import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Settings } from '../../contract/settings.ts'
import { isAddress } from '../models/address.ts'
import { isEnter } from '../parts/keys.ts'
import { patchSettings } from '../state/settings.ts'
import { ChooseNoteFolder } from './choose-note-folder.tsx'

/** The one folder that notes may be written into. */
export function NoteFolder({ settings }: { settings: Settings }) {
  const { t } = useTranslation()
  return (
    <div id="section-notes" tabIndex={-1} className="mt-5 flex scroll-mt-4 outline-none flex-wrap items-center gap-x-3 gap-y-1.5">
      <div className="min-w-0 flex-1 basis-64">
        <h3 className="text-ui">{t('tools.noteFolder')}</h3>
        <p className="text-small [overflow-wrap:anywhere] text-ink-2">{settings.noteFolder ?? t('tools.noNoteFolder')}</p>
      </div>
      {settings.noteFolder !== null && (
        <button type="button" className="button button-small button-quiet" onClick={() => void patchSettings({ noteFolder: null })}>
          {t('tools.forgetFolder')}
        </button>
      )}
      <ChooseNoteFolder label={t('tools.chooseFolder')} />
    </div>
  )
}

/** A SearXNG server of one's own, instead of DuckDuckGo. */
export function SearchAddress({ settings }: { settings: Settings }) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState<string | null>(null)
  const text = (typed ?? settings.searxngAddress).trim()
  const wrong = text !== '' && !isAddress(text, 'openai')
  function keep() {
    if (wrong || typed === null) return
    if (text !== settings.searxngAddress) void patchSettings({ searxngAddress: text })
    setTyped(null)
  }
  return (
    <label className="mt-4 block">
      <span className="mb-1 block text-ui">{t('tools.searxng')}</span>
      <input
        className="field font-mono text-small"
        spellCheck={false}
        maxLength={2000}
        placeholder="https://searx.example.com"
        aria-invalid={wrong}
        aria-describedby="searxng-text"
        value={typed ?? settings.searxngAddress}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={keep}
        onKeyDown={(event) => {
          if (isEnter(event)) keep()
        }}
      />
      <span id="searxng-text" className={`mt-1 block text-small ${wrong ? 'text-bad' : 'text-ink-2'}`}>
        {t(wrong ? 'models.addressWrong' : 'tools.searxngText')}
      </span>
    </label>
  )
}
