import type { AgentProfile } from '../../contract/agent.ts'
import { SikuError, toSikuError } from '../../contract/errors.ts'
import type { Settings, SettingsPatch } from '../../contract/settings.ts'
import type { ToolInfo } from '../../contract/tools.ts'
import type { Log } from '../deps.ts'
import type { Mcp } from '../mcp/mcp.ts'
import { isToolOf, mcpTool, serverToolName } from './mcp-tool.ts'
import { createDelegate } from './tools/delegate.ts'
import { createMoreTools } from './tools/more-tools.ts'
import { createReadResult } from './tools/read-result.ts'
import { createUpdatePlan } from './tools/update-plan.ts'
import { createResults } from './results.ts'
import { findTool, toolSpec, type Tool, type Unavailable } from './tool.ts'
import { wholeTool } from './whole-tool.ts'

export interface ToolSet {
  add(tool: Tool): void
  /** What a turn may use, MCP servers' tools included: what is switched off or cannot be used now is left out. */
  forTurn(profile: AgentProfile | null, signal: AbortSignal): Promise<Tool[]>
  list(): Promise<ToolInfo[]>
  setEnabled(name: string, enabled: boolean): Promise<void>
  /** Why a tool that there is cannot be called; null when there is none of this name, or it can. */
  whyNot(name: string): { status: 'error' | 'offline'; text: string } | null
  /** What a tool's results bring into the context, by its name. */
  gives(name: string): Tool['gives'] | 'unknown'
}

interface ToolSetDeps {
  tools: Tool[]
  mcp: Mcp
  settings: { read(): Settings; patch(patch: SettingsPatch): Promise<Settings> }
  log: Log
}

const memoryTools = new Set(['remember', 'recall', 'forget'])
/** Made anew for each turn; here for the list and its switches. */
const turnTools: Tool[] = [
  createUpdatePlan(() => undefined),
  createDelegate(() => Promise.reject(new SikuError('internal', 'no turn'))),
  createReadResult(createResults()),
  createMoreTools([], 0, () => undefined),
].map(wholeTool)
/** So long a turn waits for servers that do not answer. */
const mcpWaitMs = 10_000

export function createToolSet({ tools: given, mcp, settings, log }: ToolSetDeps): ToolSet {
  const tools: Tool[] = []
  /** What tools of servers were last seen to bring. */
  const seen = new Map<string, Tool['gives']>()
  for (const tool of given) add(tool)

  function add(tool: Tool): void {
    const whole = wholeTool(tool)
    const all = [...tools, ...turnTools]
    const names = all.map(({ name }) => name.toLowerCase())
    const taken = [...names, ...all.flatMap(({ aliases = [] }) => aliases.map((alias) => alias.toLowerCase()))]
    // A tool may have as its name what another has as an alias: a name goes before aliases. Two aliases would mean neither.
    const isTaken = names.includes(whole.name.toLowerCase())
    const clash = isTaken ? whole.name : whole.aliases?.find((alias) => taken.includes(alias.toLowerCase()))
    if (clash !== undefined) throw new SikuError('conflict', `There is a tool “${clash}” already.`)
    tools.push(whole)
  }

  async function ofServers(signal?: AbortSignal): Promise<Tool[]> {
    const { mcpServers } = settings.read()
    if (!mcpServers.some((server) => server.enabled)) return []
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), mcpWaitMs)
    const stop = (): void => late.abort()
    signal?.addEventListener('abort', stop, { once: true })
    try {
      const found = await mcp.tools(late.signal)
      const names = new Set<string>()
      return found.map((tool) => {
        const server = mcpServers.find((each) => each.id === tool.serverId)
        const made = mcpTool(tool, server, names)
        names.add(made.name)
        seen.set(made.name, made.gives)
        return made
      })
    } catch (error) {
      log('warn', 'tools of servers could not be listed', { code: toSikuError(error).code })
      return []
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    }
  }

  return {
    add,
    async forTurn(profile, signal) {
      const { disabledTools, memory } = settings.read()
      const all = [...tools, ...(await ofServers(signal))]
      return all.filter((tool) => {
        if (disabledTools.includes(tool.name) || whyNot(tool) !== null) return false
        if (memoryTools.has(tool.name) && !(memory && (profile?.memory ?? true))) return false
        const wanted = profile?.tools ?? null
        return wanted === null || wanted.includes(tool.name)
      })
    },
    async list() {
      const { disabledTools, offline } = settings.read()
      return [...tools, ...turnTools, ...(await ofServers())].map((tool): ToolInfo => {
        const { name, description, access } = tool
        const isOff: Unavailable | null = offline && access === 'network' ? { code: 'offline', text: 'The offline switch is on.' } : null
        const why = whyNot(tool) ?? isOff
        return {
          name,
          description,
          access,
          source: tool.source ?? 'built-in',
          schema: toolSpec(tool).parameters as ToolInfo['schema'],
          enabled: !disabledTools.includes(name),
          unavailable: why?.text ?? null,
          unavailableCode: why?.code ?? null,
        }
      })
    },
    async setEnabled(name, enabled) {
      const { disabledTools } = settings.read()
      const others = disabledTools.filter((each) => each !== name)
      await settings.patch({ disabledTools: enabled ? others : [...others, name] })
    },
    whyNot(name) {
      const tool = findTool(tools, name)
      if (tool === null) {
        const { offline, mcpServers } = settings.read()
        const server = mcpServers.find((each) => each.enabled && isToolOf(each, name))
        if (server === undefined) return null
        if (offline) return { status: 'offline', text: `The offline switch is on, so the MCP server “${server.name}” is not used.` }
        const withheld = mcp.withheld(server.id).find((tool) => serverToolName(server.id, tool.name) === name)
        return withheld === undefined ? null : { status: 'error', text: withheld.why }
      }
      const text = whyNot(tool)?.text ?? (settings.read().disabledTools.includes(tool.name) ? 'It is switched off in the settings.' : null)
      return text === null ? null : { status: 'error', text }
    },
    gives(name) {
      const known = [...tools, ...turnTools].find((tool) => tool.name === name)
      if (known !== undefined) return known.gives
      return seen.has(name) ? seen.get(name) : 'unknown'
    },
  }
}

/** A tool that cannot even say it is one that cannot be used. */
function whyNot(tool: Tool): Unavailable | null {
  try {
    const why = tool.unavailable?.() ?? null
    return typeof why === 'string' ? { code: 'other', text: why } : why
  } catch (error) {
    return { code: 'other', text: toSikuError(error).message }
  }
}
