import { Copy, Ellipsis, Trash2 } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Model, ModelRef, Provider } from '../../contract/models.ts'
import { client } from '../client.ts'
import { useFormat } from '../format.ts'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { CopyDialog } from './copy-dialog.tsx'
import { canChat, chooseModel, loadModels, sameModel } from '../state/models.ts'
import { reportProblem, showToast } from '../state/toasts.ts'

interface Props {
  model: Model
  provider: Provider
  chosen: ModelRef | null
  effective: ModelRef | null
}

export function ModelRow({ model, provider, chosen, effective }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const [asking, setAsking] = useState<'copy' | 'remove' | null>(null)
  const [unloading, setUnloading] = useState(false)
  const isChosen = sameModel(chosen, model.ref)
  const answers = sameModel(effective, model.ref)
  const facts = [
    model.family,
    model.parameters,
    model.quantisation,
    model.contextLength === null
      ? null
      : t('models.contextLength', { count: model.contextLength, tokens: format.count(model.contextLength) }),
    model.sizeBytes === null ? null : format.bytes(model.sizeBytes),
  ].filter((fact) => fact !== null)
  async function unload() {
    setUnloading(true)
    try {
      await client.models.unload({ providerId: provider.id, name: model.ref.model })
      await loadModels(true)
    } catch (error) {
      reportProblem(error)
    } finally {
      setUnloading(false)
    }
  }
  async function remove() {
    try {
      await client.models.remove({ providerId: provider.id, name: model.ref.model })
      showToast({ text: t('models.removed', { model: model.ref.model }) })
      await loadModels(true)
    } catch (error) {
      reportProblem(error)
    }
  }
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-line px-5 py-2.5 last:border-b-0">
      <div className="min-w-0 flex-1 basis-72">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="text-ui font-semibold break-all">{model.ref.model}</span>
          {answers && <span className="tag border-ok! text-ok!">{t('models.answering')}</span>}
          {model.loaded && (
            <span className="tag">
              {model.loadedBytes === null ? t('models.loaded') : t('models.loadedBytes', { bytes: format.bytes(model.loadedBytes) })}
            </span>
          )}
          {model.remote && <span className="tag border-warn! text-warn-ink!">{t('models.remote')}</span>}
        </p>
        <p className="text-small text-ink-2">{facts.join(' · ')}</p>
      </div>
      <p className="flex flex-wrap gap-1.5">
        {model.capabilities
          .filter((capability) => capability !== 'completion')
          .map((capability) => (
            <span key={capability} className="tag">
              {t(`models.capability.${capability}`)}
            </span>
          ))}
      </p>
      {canChat(model) && (
        <button
          type="button"
          className="button button-small"
          aria-pressed={isChosen}
          disabled={isChosen}
          onClick={() => void chooseModel(model.ref)}
        >
          {t(isChosen ? 'models.isChosen' : 'models.choose')}
        </button>
      )}
      {provider.kind === 'ollama' && model.loaded && (
        <button type="button" className="button button-small" disabled={unloading} onClick={() => void unload()}>
          {unloading && <span className="spinner" aria-hidden="true" />} {t('models.unload')}
        </button>
      )}
      {provider.kind === 'ollama' && (
        <DropdownMenu.Root modal={false}>
          <DropdownMenu.Trigger asChild>
            <button type="button" className="icon-button" aria-label={t('models.more', { model: model.ref.model })}>
              <Ellipsis size={16} strokeWidth={1.6} />
            </button>
          </DropdownMenu.Trigger>
          <DropdownMenu.Portal>
            <DropdownMenu.Content className="menu" align="end" sideOffset={4}>
              <DropdownMenu.Item className="menu-item" onSelect={() => setTimeout(() => setAsking('copy'))}>
                <Copy size={15} strokeWidth={1.6} aria-hidden="true" /> {t('models.copy')}
              </DropdownMenu.Item>
              <DropdownMenu.Item className="menu-item" onSelect={() => setTimeout(() => setAsking('remove'))}>
                <Trash2 size={15} strokeWidth={1.6} aria-hidden="true" /> {t('common.remove')}
              </DropdownMenu.Item>
            </DropdownMenu.Content>
          </DropdownMenu.Portal>
        </DropdownMenu.Root>
      )}
      {asking === 'copy' && <CopyDialog model={model} providerId={provider.id} onClose={() => setAsking(null)} />}
      {asking === 'remove' && (
        <ConfirmDialog
          title={t('models.remove', { model: model.ref.model })}
          action={t('common.remove')}
          onConfirm={() => void remove()}
          onClose={() => setAsking(null)}
        >
          {t('models.removeText', {
            model: model.ref.model,
            bytes: model.sizeBytes === null ? '' : format.bytes(model.sizeBytes),
            provider: provider.name,
          })}
        </ConfirmDialog>
      )}
    </li>
  )
}
