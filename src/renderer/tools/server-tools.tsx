import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { McpServerState } from '../../contract/tools.ts'
import { FoldMark } from '../parts/fold-mark.tsx'
import { Toggle } from '../parts/switch.tsx'
import { Visible } from '../parts/visible.tsx'
import { setServerTool } from '../state/mcp.ts'

type ServerTool = McpServerState['tools'][number]

function ToolItem({ tool, serverId }: { tool: ServerTool; serverId: string | null }) {
  const { t } = useTranslation()
  const asks = tool.state === 'new' || tool.state === 'changed' ? tool.state : null
  const [open, setOpen] = useState(asks === 'changed')
  function set(enabled: boolean) {
    if (serverId !== null) void setServerTool(serverId, tool.name, tool.hash, enabled)
  }
  return (
    <li className="flex items-start gap-3 px-4 py-2">
      <details className="group min-w-0 flex-1" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="flex cursor-pointer list-none items-start gap-2 rounded-sm">
          <FoldMark className="mt-1 flex-none" />
          <span className="min-w-0">
            <span className="font-mono text-small break-all">
              <Visible text={tool.name} />
            </span>
            {asks !== null && serverId !== null && (
              <span className="tag ms-2 border-warn! text-warn-ink!">{t(`tools.server.toolState.${asks}`)}</span>
            )}
            <span className="line-clamp-2 text-small text-ink-2 [overflow-wrap:anywhere] group-open:hidden">
              <Visible text={tool.description} />
            </span>
          </span>
        </summary>
        <div className="ps-5 pt-1">
          {tool.state === 'changed' && <p className="mb-1.5 text-small text-warn-ink">{t('tools.server.changedText')}</p>}
          <p className="text-small text-ink-2 [overflow-wrap:anywhere] whitespace-pre-wrap">
            <Visible text={tool.description} />
          </p>
          <p className="mt-1.5 mb-1 text-small text-ink-3">{t('tools.server.schema')}</p>
          <pre className="exact" tabIndex={0}>
            <Visible text={JSON.stringify(tool.schema, null, 2)} />
          </pre>
        </div>
      </details>
      {serverId !== null &&
        (asks === null ? (
          <Toggle label={tool.name} checked={tool.state === 'enabled'} onChange={set} />
        ) : open ? (
          <button
            type="button"
            className="button button-small"
            aria-label={t(asks === 'changed' ? 'tools.server.allowAgainThis' : 'tools.server.allowThis', { name: tool.name })}
            onClick={() => set(true)}
          >
            {t(asks === 'changed' ? 'tools.server.allowAgain' : 'tools.server.allow')}
          </button>
        ) : (
          <button
            type="button"
            className="button button-small"
            aria-label={t('tools.server.readThis', { name: tool.name })}
            onClick={() => setOpen(true)}
          >
            {t('tools.server.read')}
          </button>
        ))}
    </li>
  )
}

/** What a server offers, to be read before it is switched on. `serverId` null: it is only tried, and nothing can be switched. */
export function ServerTools({ tools, serverId }: { tools: ServerTool[]; serverId: string | null }) {
  const { t } = useTranslation()
  if (tools.length === 0) return <p className="px-4 py-2.5 text-small text-ink-2">{t('tools.server.noTools')}</p>
  return (
    <ul aria-label={t('tools.server.tools')} className="divide-y divide-line">
      {tools.map((tool) => (
        <ToolItem key={`${tool.name} ${tool.hash}`} tool={tool} serverId={serverId} />
      ))}
    </ul>
  )
}
