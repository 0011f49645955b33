import { implement, ORPCError } from '@orpc/server'
import { contract } from '../../src/contract/contract.ts'

const done = { done: true as const }

function gone(message: string): ORPCError<string, unknown> {
  return new ORPCError('not-found', { message, data: { retryable: false } })
}

/** The calls of agents, tools, MCP servers and memories, answered from memory. */
export function createAgentCalls() {
  const os = implement(contract)
  return {
    agents: {
      list: os.agents.list.handler(() => []),
      save: os.agents.save.handler(({ input }) => ({ ...input.agent, id: input.agent.id ?? 'agent' })),
      remove: os.agents.remove.handler(() => done),
    },
    tools: {
      list: os.tools.list.handler(() => []),
      setEnabled: os.tools.setEnabled.handler(() => done),
      revoke: os.tools.revoke.handler(() => done),
    },
    mcp: {
      list: os.mcp.list.handler(() => []),
      save: os.mcp.save.handler(() => {
        throw gone('server')
      }),
      remove: os.mcp.remove.handler(() => done),
      test: os.mcp.test.handler(() => {
        throw gone('server')
      }),
      setTool: os.mcp.setTool.handler(() => {
        throw gone('server')
      }),
    },
    memory: {
      list: os.memory.list.handler(() => ({ total: 0, memories: [] })),
      add: os.memory.add.handler(() => {
        throw gone('memory')
      }),
      update: os.memory.update.handler(() => {
        throw gone('memory')
      }),
      remove: os.memory.remove.handler(() => done),
      restore: os.memory.restore.handler(() => {
        throw gone('memory')
      }),
      clear: os.memory.clear.handler(() => ({ removed: 0 })),
      exportJson: os.memory.exportJson.handler(() => ({ fileName: 'memories.json', json: '{}' })),
      importJson: os.memory.importJson.handler(() => ({ added: 0 })),
    },
  }
}
