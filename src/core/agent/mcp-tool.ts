import { createHash } from 'node:crypto'
import type { McpServer } from '../../contract/tools.ts'
import type { McpTool } from '../mcp/mcp.ts'
import { canonicalJson } from './canonical.ts'
import { serverSchema } from './server-schema.ts'
import type { Tool } from './tool.ts'

const longestName = 64

/**
 * A server's tool as the agent's own. It counts as `network` wherever it runs, for nobody knows where it sends what it gets.
 * Anybody may have written what it gives; from a program on this machine, or a server with the user's key, it is private too.
 */
export function mcpTool(tool: McpTool, server: McpServer | undefined, taken: ReadonlySet<string>): Tool {
  const { transport } = server ?? {}
  const isOwn = transport === undefined || transport.kind === 'stdio' || transport.hasKey
  return {
    name: uniqueName(tool.serverId, tool.name, taken),
    description: tool.description,
    schema: serverSchema(tool.schema),
    parameters: tool.schema,
    access: 'network',
    source: tool.serverId,
    version: versionOf(tool, server),
    gives: { private: isOwn, untrusted: true },
    site: () => tool.serverId,
    async run(args, { signal }) {
      return await tool.call(args, signal)
    },
  }
}

/** Whether a tool of this server would have such a name, also while the server cannot be asked. */
export function isToolOf({ id }: Pick<McpServer, 'id'>, name: string): boolean {
  return name.startsWith(prefixOf(id))
}

/** What such a tool of a server is called by models, where no other of it takes the name. */
export function serverToolName(serverId: string, tool: string): string {
  return uniqueName(serverId, tool, new Set())
}

function prefixOf(serverId: string): string {
  return `${serverId.replaceAll('-', '_')}__`
}

/** Another place, description or schema is another tool. */
function versionOf({ description, schema }: McpTool, server: McpServer | undefined): string {
  return createHash('sha256')
    .update(canonicalJson([server?.transport, description, schema]))
    .digest('hex')
}

/** The same each time, so that an "always" stays with its tool: where letters had to be changed, a hash tells names apart. */
function uniqueName(serverId: string, tool: string, taken: ReadonlySet<string>): string {
  const plain = `${prefixOf(serverId)}${tool.replace(/[^A-Za-z0-9_]/g, '_')}`
  if (/^[A-Za-z0-9_]+$/.test(tool) && plain.length <= longestName && !taken.has(plain)) return plain
  const hash = createHash('sha256').update(`${serverId} ${tool}`).digest('hex').slice(0, 8)
  return `${plain.slice(0, longestName - 9)}_${hash}`
}
