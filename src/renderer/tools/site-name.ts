import type { TFunction } from 'i18next'
import type { McpServerState } from '../../contract/tools.ts'

/** How the tools of memories name what they touch: a word counts for one text. */
const memorySite = /^memory [0-9a-f]{16}$/

/** What a tool touches, in words a person knows: their memories, a server by its name, else the host or folder itself. */
export function siteName({ tool, site }: { tool: string; site: string }, servers: readonly McpServerState[] | null, t: TFunction): string {
  if (memorySite.test(site)) return t('agent.approval.memories')
  // The tools of a server are named after its id.
  const isServers = tool.startsWith(`${site.replaceAll('-', '_')}__`)
  const name = isServers ? servers?.find(({ server }) => server.id === site)?.server.name : undefined
  if (name !== undefined) return t('tools.siteServer', { name })
  return tool === 'write_note' && site !== '' ? t('tools.siteNotes', { folder: site }) : site
}
