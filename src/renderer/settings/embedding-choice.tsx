import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EmbeddingChoice as Choice, Settings } from '../../contract/settings.ts'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { useModels } from '../state/models.ts'
import { patchSettings } from '../state/settings.ts'
import { Section } from './section.tsx'

/** The model that makes vectors. Another one means new vectors for the whole library, which is said first. */
export function EmbeddingChoice({ settings }: { settings: Settings }) {
  const { t } = useTranslation()
  const { embedding, providers } = settings
  const states = useModels((models) => models.state?.providers)
  const current = embedding.kind === 'built-in' ? 'built-in' : embedding.providerId
  const [place, setPlace] = useState(current)
  const [model, setModel] = useState(embedding.kind === 'built-in' ? '' : embedding.model)
  const [asking, setAsking] = useState<Choice | null>(null)
  const provider = providers.find((each) => each.id === place)
  const suggested =
    states?.find((each) => each.provider.id === place)?.models.filter((each) => each.capabilities.includes('embedding')) ?? []
  function wanted(): Choice | null {
    if (place === 'built-in') return { kind: 'built-in' }
    if (provider === undefined || model.trim() === '') return null
    return { kind: provider.kind, providerId: provider.id, model: model.trim() }
  }
  const next = wanted()
  const changed = next !== null && JSON.stringify(next) !== JSON.stringify(embedding)
  return (
    <Section id="embedding" title={t('settings.embedding')} text={t('settings.embeddingText')}>
      <div className="flex flex-wrap items-center gap-2">
        <select
          className="field w-auto!"
          aria-label={t('settings.embeddingPlace')}
          value={place}
          onChange={(event) => setPlace(event.target.value)}
        >
          <option value="built-in">{t('settings.builtIn')}</option>
          {providers.map((each) => (
            <option key={each.id} value={each.id}>
              {each.name}
            </option>
          ))}
        </select>
        {place !== 'built-in' && (
          <>
            <input
              className="field w-56!"
              list="embedding-models"
              aria-label={t('settings.embeddingModel')}
              placeholder={t('settings.embeddingModel')}
              value={model}
              onChange={(event) => setModel(event.target.value)}
            />
            <datalist id="embedding-models">
              {suggested.map((each) => (
                <option key={each.ref.model} value={each.ref.model} />
              ))}
            </datalist>
          </>
        )}
        {changed && (
          <button type="button" className="button" onClick={() => setAsking(next)}>
            {t('settings.use')}
          </button>
        )}
      </div>
      {asking !== null && (
        <ConfirmDialog
          title={t('settings.embeddingChange')}
          action={t('settings.use')}
          onConfirm={() => void patchSettings({ embedding: asking })}
          onClose={() => setAsking(null)}
        >
          {t('settings.embeddingChangeText')}
        </ConfirmDialog>
      )}
    </Section>
  )
}
