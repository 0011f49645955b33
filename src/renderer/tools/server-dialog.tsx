import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ErrorValue } from '../../contract/errors.ts'
import type { McpServer, McpServerState } from '../../contract/tools.ts'
import { client } from '../client.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Labelled } from '../parts/labelled.tsx'
import { ProblemDetail, ProblemText } from '../parts/problem-text.tsx'
import { Segments } from '../parts/segments.tsx'
import { Visible } from '../parts/visible.tsx'
import { problemOf } from '../problem.ts'
import { saveServer, useServers } from '../state/mcp.ts'
import { useSettings } from '../state/settings.ts'
import { blankForm, formOf, idFrom, problemIn, serverOf, type ServerForm } from './server-form.ts'
import { ServerTools } from './server-tools.tsx'

interface FieldsProps {
  form: ServerForm
  set: (change: Partial<ServerForm>) => void
}

/** How secrets are kept here. */
function useKept() {
  const secrets = useSettings((state) => state.info?.secrets)
  return secrets === 'plain-file' ? 'models.keyPlain' : secrets === 'keyring' ? 'models.keyKeyring' : 'models.keyFile'
}

function Variables({ form, set }: FieldsProps) {
  const { t } = useTranslation()
  const kept = useKept()
  function change(index: number, part: Partial<ServerForm['variables'][number]>) {
    set({ variables: form.variables.map((each, at) => (at === index ? { ...each, ...part } : each)) })
  }
  return (
    <fieldset className="mt-3">
      <legend className="mb-1 text-small text-ink-2">{t('tools.server.variables')}</legend>
      {form.variables.map((variable, index) => (
        <div key={index} className="mb-1.5 flex gap-2">
          <input
            className="field flex-1 font-mono text-small"
            spellCheck={false}
            placeholder="API_TOKEN"
            aria-label={t('tools.server.variableName')}
            readOnly={variable.kept}
            value={variable.name}
            onChange={(event) => change(index, { name: event.target.value })}
          />
          <input
            type="password"
            className="field flex-1"
            autoComplete="off"
            placeholder={variable.kept ? t('models.keyKept') : t('tools.server.variableValue')}
            aria-label={t('tools.server.variableValueOf', { name: variable.name })}
            value={variable.value}
            onChange={(event) => change(index, { value: event.target.value })}
          />
          <button
            type="button"
            className="icon-button mt-0.5"
            aria-label={t('tools.server.removeVariable', { name: variable.name })}
            onClick={() => set({ variables: form.variables.filter((_, at) => at !== index) })}
          >
            <X size={15} strokeWidth={1.6} />
          </button>
        </div>
      ))}
      <button
        type="button"
        className="button button-small"
        onClick={() => set({ variables: [...form.variables, { name: '', value: '', kept: false }] })}
      >
        <Plus size={13} strokeWidth={1.8} aria-hidden="true" /> {t('tools.server.addVariable')}
      </button>
      <p className="mt-1 text-small text-ink-2">{t(form.variables.length === 0 ? 'tools.server.variablesText' : kept)}</p>
    </fieldset>
  )
}

function StdioFields({ form, set }: FieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <Labelled label={t('tools.server.command')} detail={t('tools.server.commandText')}>
        <input
          className="field font-mono text-small"
          spellCheck={false}
          maxLength={4000}
          placeholder="npx"
          value={form.command}
          onChange={(event) => set({ command: event.target.value })}
        />
      </Labelled>
      <Labelled label={t('tools.server.args')}>
        <textarea
          className="field min-h-18 font-mono text-small"
          spellCheck={false}
          placeholder={'-y\n@modelcontextprotocol/server-everything'}
          value={form.args}
          onChange={(event) => set({ args: event.target.value })}
        />
      </Labelled>
      <Variables form={form} set={set} />
    </>
  )
}

function HttpFields({ form, set, hasKey }: FieldsProps & { hasKey: boolean }) {
  const { t } = useTranslation()
  const kept = useKept()
  return (
    <>
      <Labelled label={t('models.address')}>
        <input
          className="field font-mono text-small"
          spellCheck={false}
          maxLength={2000}
          placeholder="https://mcp.example.com/mcp"
          value={form.address}
          onChange={(event) => set({ address: event.target.value })}
        />
      </Labelled>
      <Labelled label={t('tools.server.key')} detail={t(kept)}>
        <input
          type="password"
          className="field"
          autoComplete="off"
          placeholder={hasKey ? t('models.keyKept') : ''}
          value={form.key}
          onChange={(event) => set({ key: event.target.value })}
        />
      </Labelled>
    </>
  )
}

function Tried({ result }: { result: McpServerState }) {
  const { t } = useTranslation()
  const fine = result.state === 'connected'
  return (
    <>
      <p className="flex items-start gap-2 text-ui">
        <span className="dot mt-[7px]" data-tone={fine ? 'ok' : 'bad'} aria-hidden="true" />
        <span className="min-w-0 [overflow-wrap:anywhere]">
          {fine ? t('tools.server.testFine', { count: result.tools.length }) : t(`tools.server.state.${result.state}`)}
          {result.remarks.map((remark) => (
            <span key={remark.code} className="block text-small text-ink-2">
              {t(`tools.server.remark.${remark.code}`, { count: remark.count })}
            </span>
          ))}
          {result.error !== null && (
            <span className="block text-small text-ink-2">
              {result.problem === null ? <Visible text={result.error} /> : <ProblemDetail problem={result.problem} />}
            </span>
          )}
        </span>
      </p>
      {fine && result.tools.length > 0 && (
        <div className="card mt-2">
          <ServerTools tools={result.tools} serverId={null} />
        </div>
      )}
    </>
  )
}

/** Adding or changing a server. Its secrets go to the secret store and are never shown again. */
export function ServerDialog({ server, onClose }: { server: McpServer | null; onClose: () => void }) {
  const { t } = useTranslation()
  const [form, setForm] = useState(() => (server === null ? blankForm : formOf(server)))
  const [busy, setBusy] = useState<'test' | 'save' | null>(null)
  const [result, setResult] = useState<McpServerState | null>(null)
  const [failed, setFailed] = useState<ErrorValue | null>(null)
  const [told, setTold] = useState(false)
  const [random] = useState(() => crypto.randomUUID().slice(0, 6))
  const hasKey = server?.transport.kind === 'http' && server.transport.hasKey
  const problem = problemIn(form, hasKey)
  function set(change: Partial<ServerForm>) {
    setForm((before) => ({ ...before, ...change }))
    setResult(null)
    setFailed(null)
  }
  async function run(what: 'test' | 'save') {
    setTold(true)
    if (problem !== null || busy !== null) return
    const taken = (useServers.getState().servers ?? []).map((each) => each.server.id)
    const { server: next, secrets } = serverOf(form, server, server?.id ?? idFrom(form.name, taken, random))
    setBusy(what)
    setFailed(null)
    if (what === 'save') {
      const refused = await saveServer(next, secrets)
      if (refused === null) onClose()
      else setFailed(refused)
    } else {
      try {
        setResult(await client.mcp.test({ server: next, ...(secrets === undefined ? {} : { secrets }) }))
      } catch (error) {
        setFailed(problemOf(error))
      }
    }
    setBusy(null)
  }
  return (
    <Dialog title={t(server === null ? 'tools.server.add' : 'tools.server.change')} onClose={onClose} wide>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void run('save')
        }}
      >
        <Segments
          label={t('tools.server.kind')}
          value={form.kind}
          choices={[
            { value: 'stdio', label: t('tools.server.stdio') },
            { value: 'http', label: t('tools.server.http') },
          ]}
          onChange={(kind) => set({ kind })}
        />
        <Labelled label={t('models.name')}>
          <input className="field" maxLength={100} value={form.name} onChange={(event) => set({ name: event.target.value })} />
        </Labelled>
        {form.kind === 'stdio' ? <StdioFields form={form} set={set} /> : <HttpFields form={form} set={set} hasKey={hasKey} />}
        <p className="mt-3 text-small text-ink-2">{t(form.kind === 'stdio' ? 'tools.server.stdioText' : 'tools.server.httpText')}</p>
        <div role="alert" className="text-small text-bad">
          {told && problem !== null && <p className="pt-2">{t(`tools.server.problem.${problem}`)}</p>}
          {failed !== null && (
            <p className="pt-2">
              <ProblemText problem={failed} />
            </p>
          )}
        </div>
        <div role="status" className="mt-3">
          {result !== null && <Tried result={result} />}
        </div>
        <div className="sticky -bottom-5 -mb-5 flex items-center gap-2 bg-paper pt-3 pb-5">
          <button type="button" className="button me-auto" disabled={busy !== null} onClick={() => void run('test')}>
            {busy === 'test' && <span className="spinner" aria-hidden="true" />} {t('models.test')}
          </button>
          <button type="button" className="button" onClick={onClose}>
            {t('common.cancel')}
          </button>
          <button type="submit" className="button button-primary" disabled={busy !== null}>
            {busy === 'save' && <span className="spinner" aria-hidden="true" />} {t('common.save')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
