import { homedir } from 'node:os'
import { kill as killProcess } from 'node:process'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { z } from 'zod'
import { cancelled, failure, SikuError } from '../../contract/errors.ts'
import type { McpServer } from '../../contract/tools.ts'
import type { Net } from '../net/net.ts'
import { callResultSchema, resultText } from './call-result.ts'
import { httpFetch } from './http-fetch.ts'
import { maximalTools, readListing, type Listing } from './listing.ts'
import { createCleaner, createTail, lastLine, shortened } from './secret-text.ts'

export const connectTimeoutMs = 10_000
const listTimeoutMs = 10_000
/** After that the process is ended without asking. */
const endTimeoutMs = 1000
/** A list older than that is asked for again, also from a server that never says that it changed. */
const listAgeMs = 30_000
const maximalPages = 50
const longestTimerMs = 2 ** 31 - 1

export interface ConnectionParts {
  server: Pick<McpServer, 'name' | 'transport'>
  /** By name: for the environment of a program; `key` for a bearer token. */
  secrets: Record<string, string>
  net: Net
  version: string
}

/** One connection to one server. It is never mended: when it is no longer open, another one is made. */
export interface Connection {
  readonly isOpen: boolean
  /** What the server says of itself. */
  readonly version: string | null
  /** The same list until it is old, the server said that it changed, or `fresh` is wanted. Rejects with a SikuError. */
  list(fresh?: boolean): Promise<Listing>
  /** Rejects with a SikuError when there was no result. */
  call(tool: string, args: unknown, signal: AbortSignal): Promise<{ text: string; failed: boolean }>
  close(): Promise<void>
}

/** The way to one server. */
interface Link {
  transport: Transport
  /** Called right after the SDK has begun to connect. */
  started(): void
  /** At once, without a word. */
  kill(): void
  /** As the protocol wants it, and in a second at most. */
  end(): Promise<void>
}

const pageSchema = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().max(10_000).optional() })

/** Rejects with a SikuError after ten seconds at the latest; nothing is left running then. */
export async function connect({ server, secrets, net, version }: ConnectionParts): Promise<Connection> {
  const [{ Client: SdkClient }, protocol] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/index.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ])
  const clean = createCleaner(Object.values(secrets))
  const said = createTail()
  let isOpen = true
  /** Its transport has closed: of a program, that it has ended. */
  let isGone = false
  let listed: { listing: Listing; at: number; changes: number } | null = null
  let listing: Promise<Listing> | null = null
  let changes = 0

  const link = await openTransport()
  // Nothing is offered: no sampling, no elicitation, no roots.
  const client: Client = new SdkClient({ name: 'siku', version }, { capabilities: {} })
  const gone = new Promise<void>((resolve) => {
    client.onclose = () => {
      isOpen = false
      isGone = true
      resolve()
    }
  })
  client.setNotificationHandler(protocol.ToolListChangedNotificationSchema, () => void (changes += 1))
  try {
    const connecting = client.connect(link.transport, { timeout: connectTimeoutMs, maxTotalTimeout: connectTimeoutMs })
    link.started()
    await connecting
  } catch (error) {
    isOpen = false
    const failure = describe(error, 'connect')
    link.kill()
    throw failure
  }

  async function openTransport(): Promise<Link> {
    const { transport: how, name } = server
    if (how.kind === 'http') {
      const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js')
      const { key } = secrets
      const transport = new StreamableHTTPClientTransport(new URL(how.address), {
        fetch: httpFetch(net, `MCP server ${name}`, connectTimeoutMs),
        ...(key === undefined ? {} : { requestInit: { headers: { authorization: `Bearer ${key}` } } }),
      })
      return {
        // Its optional members are declared without `undefined`.
        transport: transport as Transport,
        started: () => undefined,
        kill: () => void transport.close().catch(() => undefined),
        async end() {
          if (isOpen) await within(endTimeoutMs, transport.terminateSession())
          await transport.close().catch(() => undefined)
        },
      }
    }
    const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js')
    // The SDK adds its list of harmless variables and nothing else of this process's own.
    const transport = new StdioClientTransport({ command: how.command, args: how.args, env: secrets, stderr: 'pipe', cwd: homedir() })
    transport.stderr?.on('data', (chunk: Buffer) => said.add(chunk.toString()))
    let pid: number | null = null
    const kill = (): void => {
      try {
        if (pid !== null && !isGone) killProcess(pid, 'SIGKILL')
      } catch {
        // It has ended in the meantime.
      }
    }
    return {
      transport,
      started: () => (pid = transport.pid),
      kill,
      async end() {
        void transport.close().catch(() => undefined)
        await within(endTimeoutMs, gone)
        kill()
      },
    }
  }

  function describe(error: unknown, doing: 'connect' | 'list' | 'call'): SikuError {
    if (error instanceof SikuError) return error
    const last = clean(said.text())
    // The error of a call goes to a model: no more than a line of what nobody asked for.
    const spoke = { server: server.name, said: doing === 'call' ? lastLine(last) : last }
    const errno = error instanceof Error && 'code' in error ? error.code : undefined
    if (errno === 'ENOENT' && server.transport.kind === 'stdio') {
      return failure('mcp-no-program', { server: server.name, program: server.transport.command })
    }
    if (errno === protocol.ErrorCode.RequestTimeout) {
      return failure('mcp-slow', spoke, { retryable: true })
    }
    if (errno === protocol.ErrorCode.ConnectionClosed || (!isOpen && doing !== 'connect')) {
      return failure('mcp-ended', spoke, { retryable: true })
    }
    if (errno === 401 || errno === 403) return failure('mcp-key', { server: server.name, status: errno })
    if (errno === 404 && doing !== 'connect') {
      return failure('mcp-session', { server: server.name }, { status: 404, retryable: true })
    }
    if (error instanceof z.core.$ZodError) return failure('mcp-protocol', spoke, { retryable: true })
    return failure('mcp-failed', { ...spoke, detail: shortened(clean(String((error as Error).message))) }, { retryable: true })
  }

  /** An error of the way to the server, not an answer of it: over HTTP there is no sign but this that the session is gone. */
  function noteLoss(error: unknown): void {
    if (server.transport.kind === 'http' && !(error instanceof protocol.McpError) && !(error instanceof z.core.$ZodError)) isOpen = false
  }

  async function readList(): Promise<Listing> {
    const raw: unknown[] = []
    const seen = new Set<string>()
    let cursor: string | undefined
    let more = false
    const before = changes
    const until = performance.now() + listTimeoutMs
    try {
      if (client.getServerCapabilities()?.tools === undefined) return { tools: [], remarks: [], isEndless: false }
      do {
        const params = cursor === undefined ? {} : { cursor }
        const page = await client.request({ method: 'tools/list', params }, pageSchema, { timeout: Math.max(1, until - performance.now()) })
        raw.push(...page.tools.slice(0, maximalTools + 1))
        cursor = page.nextCursor
        more = cursor !== undefined && (raw.length > maximalTools || seen.size >= maximalPages || seen.has(cursor))
        if (cursor !== undefined) seen.add(cursor)
      } while (cursor !== undefined && !more)
    } catch (error) {
      noteLoss(error)
      throw describe(error, 'list')
    }
    const read = readListing(raw, more && raw.length <= maximalTools, clean)
    listed = { listing: read, at: performance.now(), changes: before }
    return read
  }

  const connection: Connection = {
    get isOpen() {
      return isOpen
    },
    version: versionOf(client, clean),
    list(fresh = false) {
      if (listed !== null && !fresh && performance.now() - listed.at < listAgeMs && listed.changes === changes) {
        return Promise.resolve(listed.listing)
      }
      listing ??= readList().finally(() => (listing = null))
      return listing
    },
    async call(tool, args, signal) {
      if (signal.aborted) throw cancelled(signal.reason)
      // The SDK never takes its listener off a signal: this one ends with the call.
      const own = new AbortController()
      const onAbort = (): void => own.abort(signal.reason)
      signal.addEventListener('abort', onAbort, { once: true })
      try {
        const params = { name: tool, arguments: args as Record<string, unknown> }
        const options = { signal: own.signal, timeout: longestTimerMs }
        const result = await client.request({ method: 'tools/call', params }, callResultSchema, options)
        return { text: clean(resultText(result)), failed: result.isError }
      } catch (error) {
        if (signal.aborted) throw cancelled(error)
        if (
          error instanceof protocol.McpError &&
          ![protocol.ErrorCode.RequestTimeout, protocol.ErrorCode.ConnectionClosed].includes(error.code)
        ) {
          return { text: shortened(clean(error.message)), failed: true }
        }
        noteLoss(error)
        throw describe(error, 'call')
      } finally {
        signal.removeEventListener('abort', onAbort)
      }
    },
    async close() {
      await link.end()
      isOpen = false
    },
  }
  return connection
}

function versionOf(client: Client, clean: (text: string) => string): string | null {
  const said = client.getServerVersion()
  return said === undefined ? null : clean(`${said.name} ${said.version}`).slice(0, 200)
}

/** True when it ended in time, however it ended. */
async function within(timeoutMs: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((done) => (timer = setTimeout(() => done(false), timeoutMs)))
  const settled = work.then(
    () => true as const,
    () => true as const,
  )
  return Promise.race([settled, late]).finally(() => clearTimeout(timer))
}
