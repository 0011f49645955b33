import { cancelled, failure, SikuError, toSikuError, type ErrorValue } from '../../contract/errors.ts'
import type { Settings, SettingsPatch } from '../../contract/settings.ts'
import { mcpServerSchema, type McpServer, type McpServerState } from '../../contract/tools.ts'
import type { CoreDeps } from '../deps.ts'
import type { Net } from '../net/net.ts'
import { connect, type Connection } from './connection.ts'
import type { Listing, OfferedTool } from './listing.ts'
import { createServerStore, isSamePlace, unknownServer } from './server-store.ts'

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
  /** JSON schema of its arguments. */
  schema: McpServerState['tools'][number]['schema']
  /**
   * Rejects with a SikuError; what the tool itself could not do is `failed`. `conflict`: it is no longer the tool that was
   * allowed; `refused`: it was switched off in the meantime.
   */
  call(args: unknown, signal: AbortSignal): Promise<{ text: string; failed: boolean }>
}

export interface WithheldTool {
  /** As the server calls it. */
  name: string
  why: string
}

/**
 * Servers of the Model Context Protocol, as a client. In offline mode only addresses of this machine are contacted, and no
 * program is started: Siku cannot hold a program to the switch.
 */
export interface Mcp {
  /** Connects what is switched on and not connected yet; a server that fails is left out, and its state says why. */
  tools(signal?: AbortSignal): Promise<McpTool[]>
  /** Tools of a server that the user switched on and `tools` left out when it was last asked, each with a sentence that says why. */
  withheld(serverId: string): readonly WithheldTool[]
  states(signal?: AbortSignal): Promise<McpServerState[]>
  /** What was allowed and confided stays with the same program or address only. Pins are set by `setTool` alone. */
  save(server: McpServer, secrets?: Record<string, string>): Promise<McpServerState>
  remove(serverId: string): Promise<void>
  test(server: McpServer, secrets?: Record<string, string>, signal?: AbortSignal): Promise<McpServerState>
  setTool(serverId: string, tool: string, hash: string, enabled: boolean): Promise<McpServerState>
  /** Ends connections that the settings no longer allow. */
  settingsChanged(): void
  close(): Promise<void>
}

/** Of a server that could not be reached: doubled with each failure. */
const firstWaitMs = 1000
const longestWaitMs = 60_000
/** A turn does not wait longer for a slow server: it goes on connecting, for the next one. */
const toolsWaitMs = 9000

interface Live {
  server: McpServer
  connection: Promise<Connection>
  /** Null while it is being made, and when that failed. */
  open: Connection | null
}

interface Failure {
  error: SikuError
  times: number
  /** No attempt before. */
  until: number
}

export function createMcp({ deps, net, settings }: McpDeps): Mcp {
  const store = createServerStore({ secrets: deps.secrets, settings })
  const version = deps.version ?? '0.0.0'
  const live = new Map<string, Live>()
  const failures = new Map<string, Failure>()
  const ending = new Set<Promise<void>>()
  const withheld = new Map<string, WithheldTool[]>()
  let closed = false

  function isOffline(server: McpServer): boolean {
    if (!settings.read().offline) return false
    const { transport } = server
    return transport.kind === 'stdio' || !URL.canParse(transport.address) || !net.isLoopback(transport.address)
  }

  /** The standing connection, or a new one; a server that failed is left alone for a while. */
  async function connectionTo(server: McpServer): Promise<Connection> {
    if (closed) throw failure('closing')
    if (isOffline(server)) throw offlineError(server)
    const known = live.get(server.id)
    if (known !== undefined && isSamePlace(known.server, server) && known.open?.isOpen !== false) return known.connection
    if (known !== undefined) end(server.id)
    const recent = failures.get(server.id)
    if (recent !== undefined && performance.now() < recent.until) throw recent.error
    const connection = open(server)
    const entry: Live = { server, connection, open: null }
    live.set(server.id, entry)
    try {
      entry.open = await connection
      if (live.get(server.id) === entry) failures.delete(server.id)
      return entry.open
    } catch (error) {
      const known = toSikuError(error)
      if (live.get(server.id) === entry) {
        live.delete(server.id)
        noteFailure(server.id, known)
      }
      throw known
    }
  }

  async function open(server: McpServer, given?: Record<string, string>): Promise<Connection> {
    addressOf(server)
    return connect({ server, secrets: await store.secretsOf(server, given), net, version })
  }

  function noteFailure(serverId: string, error: SikuError): void {
    const times = (failures.get(serverId)?.times ?? 0) + 1
    const waitMs = Math.min(firstWaitMs * 2 ** (times - 1), longestWaitMs)
    failures.set(serverId, { error, times, until: performance.now() + waitMs })
    deps.log('warn', 'an MCP server could not be used', { server: serverId, code: error.code })
  }

  function end(serverId: string): void {
    const entry = live.get(serverId)
    live.delete(serverId)
    if (entry !== undefined) finish(entry.connection)
  }

  function finish(connection: Promise<Connection>): void {
    const ended: Promise<void> = connection
      .then((each) => each.close())
      .catch(() => undefined)
      .finally(() => ending.delete(ended))
    ending.add(ended)
  }

  async function listOf(server: McpServer, fresh = false): Promise<{ listing: Listing; version: string | null }> {
    const connection = await connectionTo(server)
    return { listing: await connection.list(fresh), version: connection.version }
  }

  async function stateOf(server: McpServer, signal?: AbortSignal, fresh = false): Promise<McpServerState> {
    const nothing = { server, error: null, problem: null, remarks: [], version: null, tools: [] }
    if (!server.enabled) return { ...nothing, state: 'disabled' }
    if (isOffline(server)) return { ...nothing, state: 'offline' }
    try {
      const { listing, version: said } = await unlessAborted(listOf(server, fresh), signal)
      return connectedState(server, listing, said)
    } catch (error) {
      if (signal?.aborted === true) throw cancelled(error)
      return { ...nothing, state: 'failed', ...told(error) }
    }
  }

  /** Checked again at each call: a server may change a tool, or the user his mind, between two steps. */
  async function call(serverId: string, pinned: OfferedTool, args: unknown, signal: AbortSignal) {
    for (let attempt = 0; ; attempt += 1) {
      const server = store.find(serverId)
      const isAllowed = server?.enabled === true && isPinned(server, pinned)
      if (!isAllowed) throw failure('mcp-tool-off', { tool: pinned.name })
      const { listing } = await unlessAborted(listOf(server), signal)
      if (!listing.tools.some(({ name, hash }) => name === pinned.name && hash === pinned.hash)) {
        throw failure('mcp-tool-changed', { tool: pinned.name })
      }
      const connection = await unlessAborted(connectionTo(server), signal)
      try {
        return await connection.call(pinned.name, args, signal)
      } catch (error) {
        // A server that was started anew does not know the session: nothing was done yet.
        if (attempt > 0 || !(error instanceof SikuError) || error.status !== 404) throw error
      }
    }
  }

  return {
    async tools(signal) {
      const servers = store.list().filter((server) => server.enabled && server.pins.some(({ enabled }) => enabled) && !isOffline(server))
      const offered = await Promise.all(
        servers.map(async (server) => {
          try {
            const patience = AbortSignal.timeout(toolsWaitMs)
            const { listing } = await unlessAborted(listOf(server), signal === undefined ? patience : AbortSignal.any([signal, patience]))
            withheld.set(server.id, changedTools(server, listing))
            return listing.tools.filter((tool) => isPinned(server, tool)).map((tool) => ({ server, tool }))
          } catch (error) {
            withheld.set(server.id, unreachedTools(server, error))
            deps.log('debug', 'the tools of an MCP server are left out', { server: server.id, code: toSikuError(error).code })
            return []
          }
        }),
      )
      if (signal?.aborted === true) throw cancelled(signal.reason)
      return offered.flat().map(({ server, tool }): McpTool => {
        return {
          serverId: server.id,
          serverName: server.name,
          name: tool.name,
          description: tool.description,
          schema: tool.schema,
          call: (args, callSignal) => call(server.id, tool, args, callSignal),
        }
      })
    },
    withheld(serverId) {
      const pins = store.find(serverId)?.pins ?? []
      return (withheld.get(serverId) ?? []).filter(({ name }) => pins.some((pin) => pin.enabled && pin.name === name))
    },
    states: (signal) => Promise.all(store.list().map((server) => stateOf(server, signal))),
    async save(given, secrets) {
      const server = mcpServerSchema.parse(given)
      addressOf(server)
      const saved = await store.save(server, secrets)
      end(saved.id)
      failures.delete(saved.id)
      return stateOf(saved)
    },
    async remove(serverId) {
      end(serverId)
      withheld.delete(serverId)
      failures.delete(serverId)
      await store.remove(serverId)
    },
    async test(given, secrets, signal) {
      const server = mcpServerSchema.parse(given)
      const nothing = { server, error: null, problem: null, remarks: [], version: null, tools: [] }
      if (isOffline(server)) return { ...nothing, state: 'offline' }
      const connection = open(server, secrets)
      try {
        const opened = await unlessAborted(connection, signal)
        const listing = await unlessAborted(opened.list(), signal)
        const before = store.find(server.id)
        const pins = before !== null && isSamePlace(before, server) ? before.pins : []
        return { ...connectedState({ ...server, pins }, listing, opened.version), server }
      } catch (error) {
        if (signal?.aborted === true) throw cancelled(error)
        return { ...nothing, state: 'failed', ...told(error) }
      } finally {
        finish(connection)
        await Promise.all(ending)
      }
    },
    async setTool(serverId, name, hash, enabled) {
      const server = store.find(serverId)
      if (server === null) throw unknownServer()
      const pin = server.pins.find((each) => each.name === name)
      // Switching off needs nobody's consent, and works with a server that is gone.
      if (!enabled && pin?.enabled === true) {
        await store.setPin(serverId, name, pin.hash, false)
        return stateOf(store.find(serverId) ?? server)
      }
      const { listing } = await listOf(server, true)
      const tool = listing.tools.find((each) => each.name === name)
      if (tool === undefined && listing.isEndless) {
        throw failure('mcp-endless', { tool: name })
      }
      if (tool === undefined || tool.hash !== hash) {
        throw failure('mcp-tool-otherwise', { tool: name })
      }
      await store.setPin(serverId, name, hash, enabled)
      return stateOf(store.find(serverId) ?? server)
    },
    settingsChanged() {
      for (const [serverId, entry] of live) {
        const server = store.find(serverId)
        if (server === null || !server.enabled || !isSamePlace(entry.server, server) || isOffline(server)) end(serverId)
      }
    },
    async close() {
      closed = true
      for (const serverId of [...live.keys()]) end(serverId)
      await Promise.all(ending)
    },
  }
}

function connectedState(server: McpServer, { tools, remarks }: Listing, version: string | null): McpServerState {
  const stateOfTool = ({ name, hash }: OfferedTool): McpServerState['tools'][number]['state'] => {
    const pin = server.pins.find((each) => each.name === name)
    if (pin === undefined) return 'new'
    if (pin.hash !== hash) return 'changed'
    return pin.enabled ? 'enabled' : 'off'
  }
  const shown = tools.map((tool) => ({
    name: tool.name,
    description: tool.description,
    schema: tool.schema,
    hash: tool.hash,
    state: stateOfTool(tool),
  }))
  return { server, state: 'connected', error: null, problem: null, remarks, version, tools: shown }
}

function changedTools(server: McpServer, { tools }: Listing): WithheldTool[] {
  return server.pins.flatMap((pin) => {
    const now = tools.find(({ name }) => name === pin.name)
    if (!pin.enabled || now?.hash === pin.hash) return []
    const why =
      now === undefined
        ? `The MCP server “${server.name}” does not offer it any more.`
        : `The MCP server “${server.name}” has changed its description or parameters since it was allowed, so it is off. Read them again in Settings, under MCP servers, and switch it on if they are right.`
    return [{ name: pin.name, why }]
  })
}

function unreachedTools(server: McpServer, error: unknown): WithheldTool[] {
  const why = toSikuError(error).code === 'cancelled' ? `The MCP server “${server.name}” does not answer yet.` : told(error).error
  return server.pins.filter((pin) => pin.enabled).map(({ name }) => ({ name, why }))
}

function isPinned(server: McpServer, { name, hash }: OfferedTool): boolean {
  return server.pins.some((pin) => pin.enabled && pin.name === name && pin.hash === hash)
}

/** Rejects what is no address of a server; a program has none. */
function addressOf({ transport }: McpServer): string {
  if (transport.kind === 'stdio') return ''
  const url = URL.canParse(transport.address) ? new URL(transport.address) : null
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw failure('mcp-address')
  }
  if (url.username !== '' || url.password !== '') {
    throw failure('mcp-key-in-address')
  }
  return transport.address
}

function offlineError({ name }: McpServer): SikuError {
  return failure('mcp-offline', { server: name })
}

function told(error: unknown): { error: string; problem: ErrorValue } {
  const problem = toSikuError(error).toValue()
  return { error: problem.hint === undefined ? problem.message : `${problem.message} ${problem.hint}`, problem }
}

async function unlessAborted<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (signal === undefined) return work
  let onAbort = (): void => undefined
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(cancelled(signal.reason))
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
    work.catch(() => undefined)
  }
}
