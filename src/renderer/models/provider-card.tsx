import { Pencil } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ModelRef, ProviderState } from '../../contract/models.ts'
import { IconButton } from '../parts/icon-button.tsx'
import { ProblemDetail, ProblemText } from '../parts/problem-text.tsx'
import { FirstStep } from './first-step.tsx'
import { ModelRow } from './model-row.tsx'
import { PullPanel } from './pull-panel.tsx'

interface Props {
  state: ProviderState
  chosen: ModelRef | null
  effective: ModelRef | null
  onEdit: () => void
}

/** What to do when a provider does not answer, by what it is and what went wrong. */
function remedyOf(state: ProviderState): 'ollama' | 'address' | 'key' | 'offline' | 'other' {
  if (state.error?.code === 'offline') return 'offline'
  if (state.error?.code === 'model-config') return 'key'
  if (state.error !== null && !['model-unreachable', 'network', 'timeout', 'model-call'].includes(state.error.code)) return 'other'
  return state.provider.kind === 'ollama' ? 'ollama' : 'address'
}

export function ProviderCard({ state, chosen, effective, onEdit }: Props) {
  const { t } = useTranslation()
  const { provider, reachable, error, models, version } = state
  const remedy = remedyOf(state)
  const problem = reachable ? null : (
    <div className="border-t border-line px-5 py-3.5 text-ui">
      <p>
        {remedy === 'other' && error !== null ? (
          <ProblemText problem={error} detail={false} />
        ) : (
          t(`models.remedy.${remedy === 'other' ? 'address' : remedy}`)
        )}
      </p>
      {error !== null && <ProblemDetail problem={error} hint={false} />}
    </div>
  )
  return (
    <section id={`provider-${provider.id}`} aria-label={provider.name} className="card scroll-mb-4">
      <header className="flex items-center gap-3 px-5 py-3.5">
        <span className="dot" data-tone={reachable ? 'ok' : 'bad'} aria-hidden="true" />
        <div className="min-w-0 flex-1">
          <h2 className="font-semibold">
            {provider.name}
            <span className="ms-3 text-small font-normal text-ink-2">
              {reachable ? t('models.reachable', { version: version ?? '' }) : t('models.unreachable')}
            </span>
          </h2>
          <p className="truncate text-small text-ink-2">{provider.address === '' ? t('models.defaultAddress') : provider.address}</p>
        </div>
        <IconButton label={t('models.edit', { name: provider.name })} onClick={onEdit}>
          <Pencil size={15} strokeWidth={1.6} />
        </IconButton>
      </header>
      {provider.kind === 'ollama' ? <FirstStep state={state} otherwise={problem} /> : problem}
      {state.advice !== null && (
        <p className="border-t border-line bg-warn-wash px-5 py-3 text-ui">
          <b className="font-semibold">{t('models.tooOld')}</b> <span className="block text-small text-ink-2">{state.advice}</span>
        </p>
      )}
      {reachable && models.length === 0 && provider.kind !== 'ollama' && (
        <p className="border-t border-line px-5 py-3.5 text-ui text-ink-2">{t('models.noneListed')}</p>
      )}
      {models.length > 0 && (
        <ul className="border-t border-line">
          {models.map((model) => (
            <ModelRow key={model.ref.model} model={model} provider={provider} chosen={chosen} effective={effective} />
          ))}
        </ul>
      )}
      {reachable && provider.kind === 'ollama' && <PullPanel providerId={provider.id} installed={models.map((model) => model.ref.model)} />}
    </section>
  )
}
