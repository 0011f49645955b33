import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { ToolInfo } from '../../contract/tools.ts'
import { LoadingPanel, ProblemPanel } from '../parts/state-panel.tsx'
import { Toggle } from '../parts/switch.tsx'
import { useSettings } from '../state/settings.ts'
import { loadTools, switchTool, useTools } from '../state/tools.ts'
import { AccessBadge } from './access.tsx'

function ToolRow({ tool }: { tool: ToolInfo }) {
  const { t, i18n } = useTranslation()
  // What models are told is English; the tools that are known here have words for people too.
  const key = `tools.does.${tool.name}`
  const does = i18n.exists(key) ? t(key as 'tools.does.calculate') : tool.description
  return (
    <li className="flex items-start gap-3 border-b border-line px-4 py-2.5 last:border-b-0">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <span className="font-mono text-small break-all">{tool.name}</span>
          <AccessBadge access={tool.access} />
        </p>
        <p className="mt-0.5 text-small text-ink-2 [overflow-wrap:anywhere]">{does}</p>
        {tool.unavailableCode !== null && (
          <p className="text-small text-warn-ink [overflow-wrap:anywhere]">
            {tool.unavailableCode === 'other' ? tool.unavailable : t(`tools.unavailable.${tool.unavailableCode}`)}
          </p>
        )}
      </div>
      <Toggle label={tool.name} checked={tool.enabled} onChange={(enabled) => void switchTool(tool.name, enabled)} />
    </li>
  )
}

/** Siku's own tools with their switches. Those of MCP servers are switched with their server. */
export function ToolList() {
  const { t } = useTranslation()
  const { tools, problem } = useTools()
  const offline = useSettings((state) => state.settings?.offline)
  const noteFolder = useSettings((state) => state.settings?.noteFolder)
  useEffect(() => {
    void loadTools()
  }, [offline, noteFolder])
  if (problem !== null) return <ProblemPanel problem={problem} onRetry={() => void loadTools()} />
  if (tools === null) return <LoadingPanel />
  return (
    <ul className="card" aria-label={t('tools.title')}>
      {tools
        .filter((tool) => tool.source === 'built-in')
        .map((tool) => (
          <ToolRow key={tool.name} tool={tool} />
        ))}
    </ul>
  )
}
