import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isAway, useModels } from '../state/models.ts'
import { patchSettings, useSettings } from '../state/settings.ts'
import { isEnter } from '../parts/keys.ts'
import { Switch } from '../parts/switch.tsx'

function hostOf(address: string): string {
  return URL.parse(address.includes('://') ? address : `https://${address}`)?.host ?? address
}

/** Which model turns sound into text: one of an OpenAI-compatible provider. */
export function TranscriptionLine() {
  const { t } = useTranslation()
  const settings = useSettings((state) => state.settings)
  const states = useModels((models) => models.state?.providers)
  const kept = settings?.transcription ?? null
  const [place, setPlace] = useState<string | null>(null)
  const [typed, setTyped] = useState<string | null>(null)
  const providers = settings?.providers.filter((each) => each.kind === 'openai') ?? []
  const providerId = place ?? kept?.providerId ?? ''
  const model = typed ?? (providerId === kept?.providerId ? kept.model : '')
  const offered = states?.find((each) => each.provider.id === providerId)?.models ?? []
  const changed = providerId !== '' && model.trim() !== '' && (providerId !== kept?.providerId || model.trim() !== kept.model)
  const keeper = kept === null ? undefined : providers.find((each) => each.id === kept.providerId)
  function choose(next: string) {
    setPlace(next)
    setTyped(null)
    if (next === '' && kept !== null) void patchSettings({ transcription: null })
  }
  function keep() {
    if (changed) void patchSettings({ transcription: { providerId, model: model.trim() } })
    setTyped(null)
    setPlace(null)
  }
  return (
    <section aria-label={t('models.hearing')} className="card mt-4 flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-4 text-ui">
      <div className="min-w-0 flex-1 basis-64">
        <h2 className="font-semibold">{t('models.hearing')}</h2>
        <p className="text-small text-ink-2">{t(providers.length === 0 ? 'models.hearingNone' : 'models.hearingText')}</p>
      </div>
      {providers.length > 0 && (
        <div className="flex flex-wrap items-center gap-2">
          <select
            className="field w-auto!"
            aria-label={t('models.hearingProvider')}
            value={providerId}
            onChange={(event) => choose(event.target.value)}
          >
            <option value="">{t('models.hearingOff')}</option>
            {providers.map((each) => (
              <option key={each.id} value={each.id}>
                {each.name}
              </option>
            ))}
          </select>
          {providerId !== '' && (
            <>
              <input
                className="field w-52!"
                list="hearing-models"
                spellCheck={false}
                aria-label={t('models.hearingModel')}
                placeholder="whisper-1"
                value={model}
                onChange={(event) => setTyped(event.target.value)}
                onKeyDown={(event) => {
                  if (isEnter(event)) keep()
                }}
              />
              <datalist id="hearing-models">
                {offered.map((each) => (
                  <option key={each.ref.model} value={each.ref.model} />
                ))}
              </datalist>
              {changed && (
                <button type="button" className="button" onClick={keep}>
                  {t('settings.use')}
                </button>
              )}
            </>
          )}
        </div>
      )}
      {keeper !== undefined && (
        <div className="basis-full border-t border-line">
          <Switch
            label={t('models.hearingFolders')}
            detail={t(isAway(keeper.address) ? 'models.hearingFoldersAway' : 'models.hearingFoldersLocal', {
              host: hostOf(keeper.address),
            })}
            checked={settings?.transcribeFoldersAt === keeper.address}
            onChange={(on) => void patchSettings({ transcribeFoldersAt: on ? keeper.address : null })}
          />
        </div>
      )}
    </section>
  )
}
