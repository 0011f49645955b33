import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ErrorValue } from '../../contract/errors.ts'
import type { Model } from '../../contract/models.ts'
import { client } from '../client.ts'
import { Dialog } from '../parts/dialog.tsx'
import { ProblemText } from '../parts/problem-text.tsx'
import { problemOf } from '../problem.ts'
import { loadModels, useModels } from '../state/models.ts'
import { showToast } from '../state/toasts.ts'

/** Ollama's names without a tag mean the latest, in any case of letters. */
function withTag(name: string): string {
  return (name.includes(':') ? name : `${name}:latest`).toLowerCase()
}

/** A model under another name as well; its weights are not doubled. */
export function CopyDialog({ model, providerId, onClose }: { model: Model; providerId: string; onClose: () => void }) {
  const { t } = useTranslation()
  const from = model.ref.model
  const [name, setName] = useState(`${from.replace(/:.*$/, '')}-copy`)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<ErrorValue | null>(null)
  const to = name.trim()
  const taken = useModels(({ state }) => {
    const models = state?.providers.find(({ provider }) => provider.id === providerId)?.models ?? []
    return models.some(({ ref }) => withTag(ref.model) === withTag(to))
  })
  async function copy() {
    setBusy(true)
    setProblem(null)
    try {
      await client.models.copy({ providerId, from, to })
      showToast({ text: t('models.copied', { model: from, name: to }) })
      await loadModels(true)
      onClose()
    } catch (error) {
      setProblem(problemOf(error))
      setBusy(false)
    }
  }
  return (
    <Dialog title={t('models.copyTitle', { model: from })} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (to !== '' && !taken && !busy) void copy()
        }}
      >
        <label className="block text-ui">
          <span className="mb-1 block text-small text-ink-2">{t('models.copyName')}</span>
          <input
            className="field font-mono text-small"
            spellCheck={false}
            maxLength={200}
            aria-invalid={taken}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        <p className="mt-1 text-small text-ink-2">{t('models.copyText')}</p>
        <div role="alert" className="pt-2 text-small text-bad">
          {taken && <p>{t('models.copyTaken', { name: to })}</p>}
          {problem !== null && <ProblemText problem={problem} />}
        </div>
        <div className="flex justify-end gap-2 pt-3">
          <button type="button" className="button" onClick={onClose}>
            {t('common.cancel')}
          </button>
          <button type="submit" className="button button-primary" disabled={busy || to === '' || taken}>
            {t('models.copyAction')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
