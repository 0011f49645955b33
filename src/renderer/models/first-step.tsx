import { ArrowDownToLine, Copy, Download, Play } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ErrorValue } from '../../contract/errors.ts'
import type { ProviderState } from '../../contract/models.ts'
import { client } from '../client.ts'
import { useFormat } from '../format.ts'
import { copyText } from '../parts/copy.ts'
import { ProblemText } from '../parts/problem-text.tsx'
import { problemOf } from '../problem.ts'
import { loadModels, useModels } from '../state/models.ts'
import { pullModel, usePulls } from '../state/pulls.ts'
import { useSettings } from '../state/settings.ts'
import { showToast } from '../state/toasts.ts'
import { nextStep, type NextStep } from './next-step.ts'

const installCommand = 'curl -fsSL https://ollama.com/install.sh | sh'

/** Whether its program is on this computer; undefined until it is known. */
function useInstalled({ provider, reachable }: ProviderState): boolean | null | undefined {
  const [installed, setInstalled] = useState<boolean | null | undefined>(undefined)
  useEffect(() => {
    if (provider.kind !== 'ollama' || reachable) return
    let alive = true
    client.models.local({ providerId: provider.id }).then(
      (answer) => alive && setInstalled(answer.installed),
      () => alive && setInstalled(null),
    )
    return () => {
      alive = false
    }
  }, [provider, reachable])
  return installed
}

function Install() {
  const { t } = useTranslation()
  const platform = useSettings((state) => state.info?.platform)
  return (
    <div className="flex flex-wrap items-center gap-2">
      <a className="button button-primary no-underline" href="https://ollama.com/download" target="_blank" rel="noreferrer">
        <Download size={14} strokeWidth={1.7} aria-hidden="true" /> {t('models.getOllama')}
      </a>
      {platform === 'linux' && (
        <button
          type="button"
          className="button"
          onClick={() => void copyText(installCommand).then(() => showToast({ text: t('models.commandCopied') }))}
        >
          <Copy size={14} strokeWidth={1.7} aria-hidden="true" /> <code className="max-w-72 truncate text-small">{installCommand}</code>
        </button>
      )}
      <button type="button" className="button" onClick={() => void loadModels(true)}>
        {t('models.lookAgain')}
      </button>
    </div>
  )
}

function Start({ providerId }: { providerId: string }) {
  const { t } = useTranslation()
  const [starting, setStarting] = useState(false)
  const [problem, setProblem] = useState<ErrorValue | null>(null)
  async function start() {
    setStarting(true)
    setProblem(null)
    try {
      useModels.setState({ state: await client.models.start({ providerId }), problem: null })
    } catch (error) {
      setProblem(problemOf(error))
      setStarting(false)
    }
  }
  return (
    <>
      <button type="button" className="button button-primary" disabled={starting} onClick={() => void start()}>
        {starting ? <span className="spinner" aria-hidden="true" /> : <Play size={14} strokeWidth={1.7} aria-hidden="true" />}
        {t(starting ? 'models.starting' : 'models.startOllama')}
      </button>
      {problem !== null && (
        <p role="alert" className="mt-2 text-ui text-bad">
          <ProblemText problem={problem} />
        </p>
      )}
    </>
  )
}

function Pull({ step, providerId }: { step: Extract<NextStep, { kind: 'pull' | 'larger' }>; providerId: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const offline = useSettings((state) => state.settings?.offline === true)
  const { name, sizeBytes } = step.model
  return (
    <div className="flex flex-wrap items-center gap-3">
      <button
        type="button"
        className={`button ${step.kind === 'pull' ? 'button-primary' : ''}`}
        disabled={offline}
        onClick={() => void pullModel(providerId, name)}
      >
        <ArrowDownToLine size={14} strokeWidth={1.7} aria-hidden="true" />{' '}
        {t('models.getModel', { model: name, bytes: format.bytes(sizeBytes) })}
      </button>
      {offline && <span className="text-small text-ink-2">{t('models.remedy.offline')}</span>}
    </div>
  )
}

/** What stands between this Ollama and a good answer: one sentence and one button; `otherwise` where it is something else, or nothing. */
export function FirstStep({ state, otherwise }: { state: ProviderState; otherwise: ReactNode }) {
  const { t } = useTranslation()
  const format = useFormat()
  const installed = useInstalled(state)
  const memoryBytes = useSettings((settings) => settings.info?.memoryBytes)
  const effective = useModels((models) => models.state?.effective ?? null)
  const pulls = usePulls((each) => each.pulls)
  const step = nextStep(state, { installed, memoryBytes, effective })
  if (step === null) return !state.reachable && installed === undefined ? null : otherwise
  // While it is fetched its progress says enough.
  if ('model' in step && pulls.some((pull) => pull.name === step.model.name && pull.problem === null)) return null
  const providerId = state.provider.id
  const values =
    'model' in step
      ? { model: step.model.name, memory: format.bytes(memoryBytes ?? 0), small: effective?.model ?? '' }
      : { model: '', memory: '', small: '' }
  return (
    <div className={`border-t border-line px-5 py-4 text-ui ${step.kind === 'larger' ? '' : 'bg-warn-wash'}`}>
      <p className="font-semibold">{t(`models.step.${step.kind}`, values)}</p>
      <p className="mb-3 text-small text-ink-2">{t(`models.stepText.${step.kind}`, values)}</p>
      {step.kind === 'install' && <Install />}
      {step.kind === 'start' && <Start providerId={providerId} />}
      {(step.kind === 'pull' || step.kind === 'larger') && <Pull step={step} providerId={providerId} />}
    </div>
  )
}
