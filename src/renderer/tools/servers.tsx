import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { McpServer, McpServerState } from '../../contract/tools.ts'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { IconButton } from '../parts/icon-button.tsx'
import { LoadingPanel, ProblemPanel } from '../parts/state-panel.tsx'
import { Toggle } from '../parts/switch.tsx'
import { ProblemDetail } from '../parts/problem-text.tsx'
import { Visible } from '../parts/visible.tsx'
import { loadServers, removeServer, switchServer, useServers } from '../state/mcp.ts'
import { useSettings } from '../state/settings.ts'
import { ServerDialog } from './server-dialog.tsx'
import { ServerTools } from './server-tools.tsx'

const tones: Record<McpServerState['state'], string | undefined> = {
  connected: 'ok',
  disconnected: 'warn',
  failed: 'bad',
  disabled: undefined,
  offline: 'warn',
}

export function placeOf({ transport }: McpServer): string {
  return transport.kind === 'http' ? transport.address : [transport.command, ...transport.args].join(' ')
}

function ServerCard({ state, onEdit }: { state: McpServerState; onEdit: () => void }) {
  const { t } = useTranslation()
  const { server, tools } = state
  const [removing, setRemoving] = useState(false)
  const [trying, setTrying] = useState(false)
  const waiting = tools.filter((tool) => tool.state === 'new' || tool.state === 'changed').length
  return (
    <li className="card">
      <header className="flex items-start gap-3 py-2.5 ps-4 pe-3">
        <span className="dot mt-[7px]" data-tone={tones[state.state]} aria-hidden="true" />
        <div className="min-w-0 flex-1">
          <h3 className="text-ui font-semibold">
            {server.name}
            <span className="ms-2.5 text-small font-normal text-ink-2">
              {t(`tools.server.state.${state.state}`)}
              {state.version !== null && state.state === 'connected' && ` · ${state.version}`}
            </span>
          </h3>
          <p className="truncate font-mono text-small text-ink-2" title={placeOf(server)}>
            <Visible text={placeOf(server)} />
          </p>
        </div>
        <IconButton label={t('models.edit', { name: server.name })} onClick={onEdit}>
          <Pencil size={15} strokeWidth={1.6} />
        </IconButton>
        <IconButton label={t('tools.server.remove', { name: server.name })} onClick={() => setRemoving(true)}>
          <Trash2 size={15} strokeWidth={1.6} />
        </IconButton>
        <span className="pt-1.5">
          <Toggle
            label={t('tools.server.switch', { name: server.name })}
            checked={server.enabled}
            onChange={(enabled) => void switchServer(state, enabled)}
          />
        </span>
      </header>
      {state.state === 'offline' && (
        <p className="border-t border-line px-4 py-2.5 text-small text-ink-2">{t('tools.server.offlineText')}</p>
      )}
      {state.error !== null && state.state !== 'offline' && (
        <p className="border-t border-line px-4 py-2.5 text-small [overflow-wrap:anywhere] text-bad">
          {state.problem === null ? <Visible text={state.error} /> : <ProblemDetail problem={state.problem} />}
        </p>
      )}
      {state.remarks.map((remark) => (
        <p key={remark.code} className="border-t border-line px-4 py-2.5 text-small text-ink-2">
          {t(`tools.server.remark.${remark.code}`, { count: remark.count })}
        </p>
      ))}
      {state.state === 'failed' && (
        <p className="px-4 pb-3">
          <button
            type="button"
            className="button button-small"
            disabled={trying}
            onClick={() => {
              setTrying(true)
              void switchServer(state, true).finally(() => setTrying(false))
            }}
          >
            {trying && <span className="spinner" aria-hidden="true" />} {t('common.tryAgain')}
          </button>
        </p>
      )}
      {waiting > 0 && (
        <p className="border-t border-line bg-warn-wash px-4 py-2 text-small text-ink">{t('tools.server.waiting', { count: waiting })}</p>
      )}
      {(tools.length > 0 || state.state === 'connected') && (
        <div className="border-t border-line">
          <ServerTools tools={tools} serverId={server.id} />
        </div>
      )}
      {removing && (
        <ConfirmDialog
          title={t('tools.server.removeTitle', { name: server.name })}
          action={t('common.remove')}
          onConfirm={() => void removeServer(server)}
          onClose={() => setRemoving(false)}
        >
          {t('tools.server.removeText', { name: server.name, count: tools.length })}
        </ConfirmDialog>
      )}
    </li>
  )
}

/** Servers of the Model Context Protocol: what they offer, and what of it is allowed. */
export function Servers() {
  const { t } = useTranslation()
  const { servers, problem } = useServers()
  const [editing, setEditing] = useState<McpServer | 'new' | null>(null)
  const offline = useSettings((state) => state.settings?.offline)
  useEffect(() => {
    void loadServers()
  }, [offline])
  return (
    <>
      {servers === null && problem === null && <LoadingPanel />}
      {servers === null && problem !== null && <ProblemPanel problem={problem} onRetry={() => void loadServers()} />}
      {servers?.length === 0 && <p className="mb-3 text-ui text-ink-2">{t('tools.server.none')}</p>}
      <ul className="mb-3 flex flex-col gap-3 empty:hidden">
        {servers?.map((state) => (
          <ServerCard key={state.server.id} state={state} onEdit={() => setEditing(state.server)} />
        ))}
      </ul>
      <button type="button" className="button" onClick={() => setEditing('new')}>
        <Plus size={15} strokeWidth={1.8} aria-hidden="true" /> {t('tools.server.add')}
      </button>
      {editing !== null && <ServerDialog server={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />}
    </>
  )
}
