import type { ApprovalDecision } from '../../contract/agent.ts'
import { SikuError } from '../../contract/errors.ts'
import type { ToolInfo } from '../../contract/tools.ts'
import type { CoreDeps } from '../deps.ts'
import type { Embedder } from '../embed/embed.ts'
import type { Mcp } from '../mcp/mcp.ts'
import type { Memories } from '../memory/memory.ts'
import type { Models } from '../models/models.ts'
import type { Store } from '../store/store.ts'
import type { TurnRunner } from '../turns/turns.ts'
import type { Tool } from './tool.ts'

export { defineTool, type Tool, type ToolContext, type ToolOutput } from './tool.ts'
export { createTools } from './tools/tools.ts'

export interface AgentDeps {
  deps: Pick<CoreDeps, 'now' | 'newId' | 'log'>
  store: Store
  models: Models
  memories: Memories
  mcp: Mcp
  embedder: () => Embedder
  /** Built-in tools and the host's own. */
  tools: Tool[]
}

export interface Agent {
  runTurn: TurnRunner
  /** All tools there are, those of MCP servers included. */
  listTools(): Promise<ToolInfo[]>
  setToolEnabled(name: string, enabled: boolean): Promise<void>
  revoke(tool: string, site: string): Promise<void>
  /** Rejects with `not-found` when nothing waits under this id, with `conflict` when something else was shown. */
  approve(turnId: string, approvalId: string, digest: string, decision: ApprovalDecision): Promise<void>
  /** One more tool, for this core. */
  addTool(tool: Tool): void
}

export function createAgent(parts: AgentDeps): Agent {
  void parts
  const refuse = (): never => {
    throw new SikuError('unsupported', 'the agent is not there yet')
  }
  return {
    runTurn: (recorder) => {
      recorder.start(null)
      recorder.finish('failed', new SikuError('unsupported', 'the agent is not there yet').toValue())
      return Promise.resolve()
    },
    listTools: () => Promise.resolve([]),
    setToolEnabled: refuse,
    revoke: refuse,
    approve: refuse,
    addTool: refuse,
  }
}
