import { implement, ORPCError } from '@orpc/server'
import { z } from 'zod'
import type { NamedAgent } from '../../src/contract/agent.ts'
import { contract } from '../../src/contract/contract.ts'
import { memoryFileSchema, type Memory } from '../../src/contract/memory.ts'
import type { Settings } from '../../src/contract/settings.ts'
import type { McpServer, McpServerState, ToolAccess, ToolInfo } from '../../src/contract/tools.ts'
import type { Scenario } from './fake-library.ts'

const done = { done: true as const }

function refuse(code: 'not-found' | 'conflict' | 'store-damaged' | 'bad-input', message: string): ORPCError<string, unknown> {
  return new ORPCError(code, { message, data: { retryable: false } })
}

const toolRows: [name: string, access: ToolAccess, description: string, unavailable?: string][] = [
  ['search_library', 'read', 'Finds passages in the library.'],
  ['read_document', 'read', 'Reads a document by place.'],
  ['get_current_datetime', 'read', 'Date and time.'],
  ['calculate', 'read', 'Evaluates an expression.'],
  ['remember', 'write', 'Keeps a memory.'],
  ['search_web', 'network', 'Searches the web.'],
  ['get_weather', 'network', 'Weather of one or several cities.'],
  ['write_note', 'write', 'Writes a new note.', 'No folder for notes is chosen.'],
  ['run_javascript', 'run', 'Runs JavaScript in a sandbox.'],
]

const schema = {
  type: 'object',
  properties: { date: { type: 'string', description: 'The day, as 2026-05-01' }, attendees: { type: 'array', items: { type: 'string' } } },
  required: ['date'],
}

function serverTool(name: string, description: string, state: McpServerState['tools'][number]['state']): McpServerState['tools'][number] {
  return { name, description, schema, hash: `${name}-${description.length}`, state }
}

function servers(scenario: Scenario): McpServerState[] {
  if (scenario === 'empty') return []
  const calendar: McpServer = {
    id: 'calendar',
    name: 'Calendar',
    transport: { kind: 'stdio', command: 'npx', args: ['-y', 'calendar-mcp'], secretNames: ['CALENDAR_TOKEN'] },
    enabled: true,
    pins: [],
  }
  const http: McpServer = {
    id: 'tickets',
    name: 'Tickets',
    transport: { kind: 'http', address: 'https://mcp.example.com/mcp', hasKey: true },
    enabled: true,
    pins: [],
  }
  const failed = {
    state: 'failed' as const,
    error: 'connect ECONNREFUSED 203.0.113.7:443',
    problem: null,
    remarks: [],
    version: null,
    tools: [],
  }
  const tools = [
    serverTool('list_events', 'Lists the events of a day.', 'enabled'),
    serverTool('create_event', 'Makes an event and invites people.\u202E Sends mail.', 'changed'),
    serverTool('delete_event', 'Deletes an event.', 'new'),
    serverTool('find_room', 'Finds a free room.', 'off'),
  ]
  const states: McpServerState[] = [
    { server: calendar, state: 'connected', error: null, problem: null, remarks: [], version: '1.4.0', tools },
  ]
  return scenario === 'broken' ? [...states, { server: http, ...failed }] : states
}

function memories(scenario: Scenario): Memory[] {
  if (scenario === 'empty') return []
  const texts: [string, Memory['kind'], Memory['source']['from'], number][] = [
    ['我希望用中文回答，数字保留两位小数。', 'preference', 'chat', 12],
    ['The lease of the flat in Nanjing ends on 31 March 2027.', 'fact', 'chat', 3],
    ['My sister Mei lives in Chengdu.', 'fact', 'user', 0],
    ['Prefers trains over planes for trips under five hours.', 'preference', 'import', 1],
  ]
  return texts.map(([text, kind, from, uses], index) => ({
    id: `m${index + 1}`,
    text,
    kind,
    source: { from, chatId: from === 'chat' ? `chat-${index + 1}` : null, turnId: null },
    createdAt: Date.now() - (index + 1) * 86_400_000,
    updatedAt: Date.now() - (index + 1) * 86_400_000,
    usedAt: uses === 0 ? null : Date.now() - 3_600_000,
    uses,
  }))
}

/** The calls of agents, tools, MCP servers and memories, answered from memory that changes as the real one would. */
export function createAgentCalls(scenario: Scenario, settings: { read(): Settings; patch(patch: Partial<Settings>): void }) {
  const os = implement(contract)
  let agents: NamedAgent[] = []
  let kept = memories(scenario)
  const removed = new Map<string, Memory>()
  let states = servers(scenario)
  let counter = 0
  const next = (prefix: string) => `${prefix}-${(counter += 1)}`
  function toolInfos(): ToolInfo[] {
    const { disabledTools, offline, noteFolder } = settings.read()
    return toolRows.map(([name, access, description, unavailable]) => {
      const isOff = offline && access === 'network'
      const why = unavailable !== undefined && noteFolder === null ? unavailable : null
      return {
        name,
        description,
        access,
        source: 'built-in',
        schema,
        enabled: !disabledTools.includes(name),
        unavailable: isOff ? 'The offline switch is on.' : why,
        unavailableCode: isOff ? 'offline' : why === null ? null : 'no-note-folder',
      }
    })
  }
  function state(serverId: string): McpServerState {
    const found = states.find((each) => each.server.id === serverId)
    if (found === undefined) throw refuse('not-found', `server ${serverId}`)
    return found
  }
  function put(changed: McpServerState): McpServerState {
    states = states.some((each) => each.server.id === changed.server.id)
      ? states.map((each) => (each.server.id === changed.server.id ? changed : each))
      : [...states, changed]
    return changed
  }
  function tried(server: McpServer): McpServerState {
    const place = server.transport.kind === 'http' ? server.transport.address : server.transport.command
    if (place.includes('bad'))
      return { server, state: 'failed', error: `spawn ${place} ENOENT`, problem: null, remarks: [], version: null, tools: [] }
    const before = states.find((each) => each.server.id === server.id)
    const tools = before?.tools ?? [serverTool('echo', 'Says back what it is given.', 'new')]
    if (settings.read().offline) return { server, state: 'offline', error: null, problem: null, remarks: [], version: null, tools }
    return { server, state: server.enabled ? 'connected' : 'disabled', error: null, problem: null, remarks: [], version: '1.4.0', tools }
  }
  const failing = () => {
    if (scenario === 'broken') throw refuse('store-damaged', 'database disk image is malformed')
  }
  return {
    agents: {
      list: os.agents.list.handler(() => agents),
      save: os.agents.save.handler(({ input }) => {
        const agent = { ...input.agent, id: input.agent.id ?? next('agent') }
        agents = [...agents.filter((each) => each.id !== agent.id), agent]
        return agent
      }),
      remove: os.agents.remove.handler(({ input }) => {
        agents = agents.filter((each) => each.id !== input.agentId)
        return done
      }),
    },
    tools: {
      list: os.tools.list.handler(toolInfos),
      setEnabled: os.tools.setEnabled.handler(({ input }) => {
        const others = settings.read().disabledTools.filter((each) => each !== input.name)
        settings.patch({ disabledTools: input.enabled ? others : [...others, input.name] })
        return done
      }),
      revoke: os.tools.revoke.handler(({ input }) => {
        settings.patch({ toolGrants: settings.read().toolGrants.filter(({ tool, site }) => tool !== input.tool || site !== input.site) })
        return done
      }),
    },
    mcp: {
      list: os.mcp.list.handler(() => states.map((each) => (settings.read().offline ? { ...each, state: 'offline' as const } : each))),
      save: os.mcp.save.handler(({ input }) => put(tried(input.server))),
      remove: os.mcp.remove.handler(({ input }) => {
        states = states.filter((each) => each.server.id !== input.serverId)
        return done
      }),
      test: os.mcp.test.handler(({ input }) => tried(input.server)),
      setTool: os.mcp.setTool.handler(({ input }) => {
        const before = state(input.serverId)
        const tool = before.tools.find((each) => each.name === input.tool)
        if (tool === undefined || tool.hash !== input.hash) throw refuse('conflict', `${input.tool} is not what was shown`)
        const word = input.enabled ? ('enabled' as const) : ('off' as const)
        return put({ ...before, tools: before.tools.map((each) => (each === tool ? { ...each, state: word } : each)) })
      }),
    },
    memory: {
      list: os.memory.list.handler(({ input }) => {
        failing()
        const found = kept.filter((each) => each.text.toLowerCase().includes((input.text ?? '').toLowerCase()))
        return { total: found.length, memories: found.slice(input.offset, input.offset + input.limit) }
      }),
      find: os.memory.find.handler(({ input }) => ({
        memories: kept.filter((each) => each.text.toLowerCase().includes(input.text.toLowerCase())).slice(0, input.limit),
      })),
      add: os.memory.add.handler(({ input }) => {
        const at = Date.now()
        const source = { from: 'user' as const, chatId: null, turnId: null }
        const memory: Memory = { id: next('memory'), ...input, source, createdAt: at, updatedAt: at, usedAt: null, uses: 0 }
        kept = [memory, ...kept]
        return memory
      }),
      update: os.memory.update.handler(({ input }) => {
        const before = kept.find((each) => each.id === input.id)
        if (before === undefined) throw refuse('not-found', 'memory')
        const memory = { ...before, text: input.text, updatedAt: Date.now() }
        kept = kept.map((each) => (each.id === input.id ? memory : each))
        return memory
      }),
      remove: os.memory.remove.handler(({ input }) => {
        const memory = kept.find((each) => each.id === input.id)
        if (memory !== undefined) removed.set(memory.id, memory)
        kept = kept.filter((each) => each.id !== input.id)
        return done
      }),
      restore: os.memory.restore.handler(({ input }) => {
        const memory = removed.get(input.id)
        if (memory === undefined) throw refuse('not-found', 'memory')
        kept = [memory, ...kept]
        return memory
      }),
      clear: os.memory.clear.handler(() => {
        const count = kept.length
        kept = []
        return { removed: count }
      }),
      exportJson: os.memory.exportJson.handler(() => ({
        fileName: 'siku-memories.json',
        json: JSON.stringify({ format: 'siku-memories', version: 1, memories: kept }),
      })),
      importJson: os.memory.importJson.handler(({ input }) => {
        const read = z
          .string()
          .transform((text, context) => {
            try {
              return JSON.parse(text) as unknown
            } catch {
              context.addIssue({ code: 'custom' })
              return z.NEVER
            }
          })
          .pipe(memoryFileSchema)
          .safeParse(input.json)
        if (!read.success) throw refuse('bad-input', 'This is no file of memories.')
        const added = read.data.memories.filter((memory) => !kept.some((each) => each.text === memory.text))
        kept = [...added, ...kept]
        return { added: added.length }
      }),
    },
  }
}
