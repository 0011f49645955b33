import type { ApprovalDecision } from '../../contract/agent.ts'
import type { ToolInfo } from '../../contract/tools.ts'
import type { CoreDeps } from '../deps.ts'
import type { Embedder } from '../embed/embed.ts'
import type { Mcp } from '../mcp/mcp.ts'
import type { Memories } from '../memory/memory.ts'
import type { Models } from '../models/models.ts'
import type { Store } from '../store/store.ts'
import type { TurnRunner } from '../turns/turns.ts'
import { createApprovals } from './approvals.ts'
import { runAgentTurn } from './run-turn.ts'
import type { Tool } from './tool.ts'
import { createToolSet } from './tool-set.ts'

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
  /** Whether a turn waits for the user's word. */
  waits(turnId: string): boolean
  /** One more tool, for this core. */
  addTool(tool: Tool): void
}

/** The loop that lets a model act: tools, approvals, plans, helpers, and an answer that is checked. */
export function createAgent({ deps, store, models, memories, mcp, embedder, tools }: AgentDeps): Agent {
  const approvals = createApprovals()
  const toolSet = createToolSet({ tools, mcp, settings: store.settings, log: deps.log })
  const parts = { deps, store, models, memories, embedder, toolSet, approvals, summaries: new Map() }
  return {
    runTurn: (recorder, input, signal) => runAgentTurn(recorder, input, parts, signal),
    listTools: toolSet.list,
    setToolEnabled: toolSet.setEnabled,
    async revoke(tool, site) {
      approvals.revoke({ tool, site })
      const { toolGrants } = store.settings.read()
      await store.settings.patch({ toolGrants: toolGrants.filter((grant) => grant.tool !== tool || grant.site !== site) })
    },
    // Rejects rather than throws, as its type says.
    approve: async (turnId, approvalId, digest, decision) => approvals.decide(turnId, approvalId, digest, decision),
    waits: approvals.waits,
    addTool: toolSet.add,
  }
}
