import { useTranslation } from 'react-i18next'
import type { ModelsState } from '../../contract/models.ts'
import { ProblemText } from '../parts/problem-text.tsx'

const tones = { ready: 'ok', loading: 'busy', failed: 'bad' } as const

/** The model that makes vectors, which is chosen in the settings. */
export function EmbeddingLine({ embedding }: { embedding: ModelsState['embedding'] }) {
  const { t } = useTranslation()
  return (
    <section aria-label={t('models.embedding')} className="card mt-4 flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-4 text-ui">
      <div className="min-w-0 flex-1 basis-64">
        <h2 className="font-semibold">{t('models.embedding')}</h2>
        <p className="text-small text-ink-2">{t('models.embeddingText')}</p>
        {embedding.error !== null && (
          <p className="text-bad">
            <ProblemText problem={embedding.error} />
          </p>
        )}
      </div>
      <span className="flex items-center gap-2">
        <span className="dot" data-tone={tones[embedding.state]} aria-hidden="true" />
        <span title={embedding.key}>{embedding.key.replace(/^[^/]*\/|@.*$/g, '')}</span>
        <span className="text-small text-ink-2">{t(`models.embeddingState.${embedding.state}`)}</span>
      </span>
      <a href="#/settings" className="button button-small no-underline">
        {t('models.change')}
      </a>
    </section>
  )
}
