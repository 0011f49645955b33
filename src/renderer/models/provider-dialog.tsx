import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Provider, ProviderState } from '../../contract/models.ts'
import { providerEntries } from '../../contract/provider-entries.ts'
import { client } from '../client.ts'
import { isAddress } from './address.ts'
import { Link } from '../markdown/link.tsx'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Labelled } from '../parts/labelled.tsx'
import { ProblemText } from '../parts/problem-text.tsx'
import { Segments } from '../parts/segments.tsx'
import { problemOf } from '../problem.ts'
import { loadModels } from '../state/models.ts'
import { loadSettings, useSettings } from '../state/settings.ts'
import { reportProblem, showToast } from '../state/toasts.ts'

function TestResult({ result }: { result: ProviderState }) {
  const { t } = useTranslation()
  if (result.reachable) {
    return (
      <p className="flex items-center gap-2 text-ui">
        <span className="dot" data-tone="ok" aria-hidden="true" />
        {t('models.testFine', { count: result.models.length })}
      </p>
    )
  }
  return (
    <div className="flex items-start gap-2 text-ui">
      <span className="dot mt-[7px]" data-tone="bad" aria-hidden="true" />
      <span>{result.error === null ? t('models.unreachable') : <ProblemText problem={result.error} />}</span>
    </div>
  )
}

/** Adding or changing a provider. Its key goes to the secret store and is never shown again. */
export function ProviderDialog({ provider, onClose }: { provider: Provider | null; onClose: () => void }) {
  const { t } = useTranslation()
  const secrets = useSettings((state) => state.info?.secrets)
  const taken = useSettings((state) => state.settings?.providers.map((each) => each.id).join(' ') ?? '').split(' ')
  const [kind, setKind] = useState<Provider['kind']>(provider?.kind ?? 'openai')
  const [name, setName] = useState(provider?.name ?? '')
  const [address, setAddress] = useState(provider?.address ?? '')
  const [key, setKey] = useState('')
  const [busy, setBusy] = useState(false)
  const [result, setResult] = useState<ProviderState | null>(null)
  const [told, setTold] = useState(false)
  const [removing, setRemoving] = useState(false)
  const [id] = useState(() => provider?.id ?? crypto.randomUUID().slice(0, 8))
  const entry = kind === 'openai' ? providerEntries.find((each) => each.address === address.trim()) : undefined
  /** The new one, to be shown in the list. */
  const saved = useRef('')
  const wrong = address.trim() !== '' && !isAddress(address.trim(), kind)
  const complete = name.trim() !== '' && (kind === 'ollama' || address.trim() !== '')
  // An entry's own id says what it is; a second one of the same kind takes another.
  const free = entry !== undefined && !taken.includes(entry.id)
  const draft: Provider = {
    id: provider === null && free ? entry.id : id,
    kind,
    name: name.trim(),
    address: address.trim(),
    hasKey: provider?.hasKey ?? false,
  }
  const input = { provider: draft, ...(key === '' ? {} : { key }) }

  async function test() {
    setBusy(true)
    try {
      setResult(await client.providers.test(input))
    } catch (error) {
      setResult({ provider: draft, reachable: false, version: null, advice: null, error: problemOf(error), models: [] })
    } finally {
      setBusy(false)
    }
  }
  async function save() {
    const { id } = await client.providers.save(input)
    if (provider !== null) return
    showToast({ text: t('models.saved', { name: input.provider.name }) })
    saved.current = id
  }
  async function change(run: () => Promise<unknown>) {
    setBusy(true)
    try {
      await run()
      await Promise.all([loadModels(true), loadSettings()])
      onClose()
      const card = `provider-${saved.current}`
      requestAnimationFrame(() => document.getElementById(card)?.scrollIntoView({ block: 'nearest' }))
    } catch (error) {
      reportProblem(error)
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog title={t(provider === null ? 'models.addProvider' : 'models.editProvider')} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (complete && wrong) setTold(true)
          else if (complete && !busy) void change(save)
        }}
      >
        {provider === null && (
          <Segments
            label={t('models.kind')}
            value={kind}
            choices={[
              { value: 'openai', label: t('models.kindOpenai') },
              { value: 'ollama', label: t('models.kindOllama') },
            ]}
            onChange={setKind}
          />
        )}
        {provider === null && kind === 'openai' && (
          <p className="mt-3 flex flex-wrap gap-1.5">
            {providerEntries.map((each) => (
              <button
                key={each.id}
                type="button"
                className="pill"
                aria-pressed={entry === each}
                onClick={() => {
                  setName(each.name)
                  setAddress(each.address)
                  setResult(null)
                }}
              >
                {each.name}
                {each.free !== undefined && <span className="tag">{t('models.entryFree')}</span>}
              </button>
            ))}
          </p>
        )}
        <Labelled label={t('models.name')}>
          <input className="field" required maxLength={100} value={name} onChange={(event) => setName(event.target.value)} />
        </Labelled>
        <Labelled label={t('models.address')} detail={t(kind === 'ollama' ? 'models.addressOllama' : 'models.addressOpenai')}>
          <input
            className="field font-mono text-small"
            spellCheck={false}
            maxLength={2000}
            aria-invalid={told && wrong}
            aria-describedby="provider-address-problem"
            onBlur={() => setTold(true)}
            placeholder={kind === 'ollama' ? 'http://127.0.0.1:11434' : 'https://api.example.com/v1'}
            value={address}
            onChange={(event) => {
              setAddress(event.target.value)
              setResult(null)
            }}
          />
        </Labelled>
        <p id="provider-address-problem" role="alert" className="text-small text-bad">
          {told && wrong ? t(kind === 'ollama' ? 'models.addressWrongOllama' : 'models.addressWrong') : ''}
        </p>
        {kind === 'openai' && (
          <Labelled
            label={t('models.key')}
            detail={t(secrets === 'plain-file' ? 'models.keyPlain' : secrets === 'keyring' ? 'models.keyKeyring' : 'models.keyFile')}
          >
            <input
              type="password"
              className="field"
              autoComplete="off"
              placeholder={provider?.hasKey === true ? t('models.keyKept') : ''}
              value={key}
              onChange={(event) => {
                setKey(event.target.value)
                setResult(null)
              }}
            />
          </Labelled>
        )}
        {entry !== undefined && (
          <p className="mt-2 text-small text-ink-2">
            {entry.keysAt === null ? (
              t('models.entryLocal')
            ) : (
              <>
                {t('models.entryKeys')} <Link href={entry.keysAt}>{URL.parse(entry.keysAt)?.host ?? entry.keysAt}</Link>
              </>
            )}
            {entry.free !== undefined && <span className="block">{t('models.entryFreeText', { models: entry.free.models })}</span>}
          </p>
        )}
        <div role="status" className="mt-3 min-h-6">
          {result !== null && <TestResult result={result} />}
        </div>
        <div className="flex items-center gap-2 pt-2">
          {provider !== null && provider.id !== 'ollama' && (
            <button type="button" className="button button-quiet -ms-2 text-bad!" onClick={() => setRemoving(true)}>
              {t('common.remove')}
            </button>
          )}
          <span className="flex-1" />
          <button type="button" className="button" disabled={busy || !complete} onClick={() => (wrong ? setTold(true) : void test())}>
            {busy && <span className="spinner" aria-hidden="true" />} {t('models.test')}
          </button>
          <button type="submit" className="button button-primary" disabled={busy || !complete}>
            {t('common.save')}
          </button>
        </div>
      </form>
      {removing && provider !== null && (
        <ConfirmDialog
          title={t('models.removeProvider', { name: provider.name })}
          action={t('common.remove')}
          onConfirm={() => void change(() => client.providers.remove({ providerId: provider.id }))}
          onClose={() => setRemoving(false)}
        >
          {t('models.removeProviderText', { name: provider.name })}
        </ConfirmDialog>
      )}
    </Dialog>
  )
}
