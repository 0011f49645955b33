import { Plus, RefreshCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Provider } from '../../contract/models.ts'
import { LoadingPanel, ProblemPanel } from '../parts/state-panel.tsx'
import { chooseModel, loadModels, useModels } from '../state/models.ts'
import { EmbeddingLine } from './embedding-line.tsx'
import { ProviderCard } from './provider-card.tsx'
import { ProviderDialog } from './provider-dialog.tsx'
import { TranscriptionLine } from './transcription-line.tsx'

function Answering() {
  const { t } = useTranslation()
  const state = useModels((models) => models.state)
  if (state === null) return null
  const { effective, chosen } = state
  return (
    <section
      aria-label={t('ask.engine')}
      className="mb-5 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-[10px] bg-sunk px-4 py-3 text-ui"
    >
      <span className="dot" data-tone={effective === null ? 'warn' : 'ok'} aria-hidden="true" />
      <p className="min-w-0 flex-1 basis-64">
        {effective === null ? t('ask.stripNone') : t('models.answers', { model: effective.model })}
        <span className="block text-small text-ink-2">
          {t(effective === null ? 'ask.stripNoneHow' : chosen === null ? 'models.automaticText' : 'models.chosenText')}
        </span>
      </p>
      {chosen !== null && (
        <button type="button" className="button button-small" onClick={() => void chooseModel(null)}>
          {t('models.backToAutomatic')}
        </button>
      )}
    </section>
  )
}

/** Who can answer, whether they do, and what each model can do. */
export function Models() {
  const { t } = useTranslation()
  const { state, loading, problem } = useModels()
  const [editing, setEditing] = useState<Provider | 'new' | null>(null)
  useEffect(() => {
    void loadModels(true)
  }, [])
  return (
    <main className="flex min-w-0 flex-1 flex-col" aria-label={t('common.models')}>
      <header className="flex h-13 flex-none items-center gap-2 border-b border-line px-8 max-[1000px]:px-5">
        <h1 className="flex-1 text-[14.5px] font-semibold">{t('common.models')}</h1>
        <button type="button" className="button button-quiet" disabled={loading} onClick={() => void loadModels(true)}>
          <RefreshCw size={14} strokeWidth={1.7} className={loading ? 'animate-spin' : ''} aria-hidden="true" /> {t('models.refresh')}
        </button>
        <button type="button" className="button" onClick={() => setEditing('new')}>
          <Plus size={15} strokeWidth={1.8} aria-hidden="true" /> {t('models.addProvider')}
        </button>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto max-w-[980px] px-8 py-6 max-[1000px]:px-5">
          {state === null && problem === null && <LoadingPanel />}
          {state === null && problem !== null && <ProblemPanel problem={problem} onRetry={() => void loadModels(true)} />}
          {state !== null && (
            <>
              <Answering />
              <div className="flex flex-col gap-4">
                {state.providers.map((provider) => (
                  <ProviderCard
                    key={provider.provider.id}
                    state={provider}
                    chosen={state.chosen}
                    effective={state.effective}
                    onEdit={() => setEditing(provider.provider)}
                  />
                ))}
              </div>
              <EmbeddingLine embedding={state.embedding} />
              <TranscriptionLine />
            </>
          )}
        </div>
      </div>
      {editing !== null && <ProviderDialog provider={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />}
    </main>
  )
}
