import { SikuError } from '../../contract/errors.ts'
import type { Settings, SettingsPatch } from '../../contract/settings.ts'
import type { McpServer, McpServerState } from '../../contract/tools.ts'
import type { CoreDeps } from '../deps.ts'
import type { JsonSchema } from '../models/models.ts'
import type { Net } from '../net/net.ts'

export interface McpDeps {
  deps: Pick<CoreDeps, 'log' | 'secrets' | 'env' | 'version'>
  net: Net
  settings: { read(): Settings; patch(patch: SettingsPatch): Promise<Settings> }
}

/** A tool of a connected server that the user switched on, with the description and schema that were allowed. */
export interface McpTool {
  serverId: string
  serverName: string
  /** As the server calls it. */
  name: string
  description: string
  schema: JsonSchema
  /** Rejects with a SikuError; what the tool itself could not do is `failed`. */
  call(args: unknown, signal: AbortSignal): Promise<{ text: string; failed: boolean }>
}

/** Servers of the Model Context Protocol, as a client. */
export interface Mcp {
  /** Connects what is switched on and not connected yet; a server that fails is left out, and its state says why. */
  tools(signal?: AbortSignal): Promise<McpTool[]>
  states(signal?: AbortSignal): Promise<McpServerState[]>
  save(server: McpServer, secrets?: Record<string, string>): Promise<McpServerState>
  remove(serverId: string): Promise<void>
  test(server: McpServer, secrets?: Record<string, string>, signal?: AbortSignal): Promise<McpServerState>
  setTool(serverId: string, tool: string, hash: string, enabled: boolean): Promise<McpServerState>
  close(): Promise<void>
}

export function createMcp(parts: McpDeps): Mcp {
  void parts
  const refuse = (): never => {
    throw new SikuError('unsupported', 'MCP servers are not there yet')
  }
  return {
    tools: () => Promise.resolve([]),
    states: () => Promise.resolve([]),
    save: refuse,
    remove: refuse,
    test: refuse,
    setTool: refuse,
    close: () => Promise.resolve(),
  }
}
