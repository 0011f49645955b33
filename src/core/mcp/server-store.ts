import type { SikuError } from '../../contract/errors.ts'
import { failure } from '../../contract/errors.ts'
import type { Settings, SettingsPatch } from '../../contract/settings.ts'
import type { McpServer } from '../../contract/tools.ts'
import type { Secrets } from '../deps.ts'

export interface ServerStoreDeps {
  secrets: Secrets
  settings: { read(): Settings; patch(patch: SettingsPatch): Promise<Settings> }
}

export const keyName = 'key'

/** The servers in the settings, and what belongs to them in the secret store under `mcp:<serverId>:<name>`. */
export function createServerStore({ secrets, settings }: ServerStoreDeps) {
  /** Changes read and write the whole list: one after the other. */
  let last: Promise<unknown> = Promise.resolve()

  function inOrder<T>(change: () => Promise<T>): Promise<T> {
    const next = last.then(change, change)
    last = next.catch(() => undefined)
    return next
  }

  const secretKey = (serverId: string, name: string): string => `mcp:${serverId}:${name}`

  function find(serverId: string): McpServer | null {
    return settings.read().mcpServers.find(({ id }) => id === serverId) ?? null
  }

  /** Models call a server's tools `server__tool`, with _ for -. */
  function grantsWithout(serverId: string): Settings['toolGrants'] {
    const prefix = `${serverId.replaceAll('-', '_')}__`
    return settings.read().toolGrants.filter(({ tool }) => !tool.startsWith(prefix))
  }

  async function write(server: McpServer): Promise<void> {
    const others = settings.read().mcpServers
    const at = others.findIndex(({ id }) => id === server.id)
    await settings.patch({ mcpServers: at === -1 ? [...others, server] : others.with(at, server) })
  }

  return {
    list: (): McpServer[] => settings.read().mcpServers,
    find,

    /** The values that go with a server; with `given` over them as they would be saved. */
    async secretsOf(server: McpServer, given: Record<string, string> = {}): Promise<Record<string, string>> {
      const before = find(server.id)
      const usable = before !== null && isSamePlace(before, server)
      const values: Record<string, string> = {}
      for (const name of namesOf(server, given)) {
        const value = given[name] ?? (usable ? await secrets.get(secretKey(server.id, name)) : null)
        if (value !== null && value !== '') values[name] = checked(name, value)
      }
      return values
    },

    /**
     * What was allowed, and what was confided, belongs to one program or one address: of another one, it is asked anew.
     */
    save: (server: McpServer, given: Record<string, string> = {}): Promise<McpServer> =>
      inOrder(async () => {
        const before = find(server.id)
        const isSame = before !== null && isSamePlace(before, server)
        const wanted = namesOf(server, given)
        for (const name of wanted) checked(name, given[name] ?? '')
        const stale = new Set(before === null ? [] : namesOf(before, {}))
        const held: string[] = []
        for (const name of wanted) {
          const value = given[name]
          if (value !== undefined && value !== '') await secrets.set(secretKey(server.id, name), value)
          const isHeld = value === undefined ? isSame && (await secrets.get(secretKey(server.id, name))) !== null : value !== ''
          if (isHeld) held.push(name)
          if (isHeld) stale.delete(name)
          else stale.add(name)
        }
        for (const name of stale) await secrets.remove(secretKey(server.id, name))
        const transport: McpServer['transport'] =
          server.transport.kind === 'http'
            ? { ...server.transport, hasKey: held.includes(keyName) }
            : { ...server.transport, secretNames: wanted.filter((name) => given[name] !== '') }
        const saved: McpServer = { ...server, transport, pins: isSame ? before.pins : [] }
        await write(saved)
        // An "always" was given for what stood at the place before.
        if (before !== null && !isSame) await settings.patch({ toolGrants: grantsWithout(server.id) })
        return saved
      }),

    remove: (serverId: string): Promise<void> =>
      inOrder(async () => {
        const server = find(serverId)
        if (server === null) return
        const { mcpServers } = settings.read()
        await settings.patch({ mcpServers: mcpServers.filter(({ id }) => id !== serverId), toolGrants: grantsWithout(serverId) })
        for (const name of [...namesOf(server, {}), keyName]) await secrets.remove(secretKey(serverId, name))
      }),

    setPin: (serverId: string, name: string, hash: string, enabled: boolean): Promise<void> =>
      inOrder(async () => {
        const server = find(serverId)
        if (server === null) throw unknownServer()
        const before = server.pins.find((pin) => pin.name === name)
        await write({ ...server, pins: [...server.pins.filter((pin) => pin.name !== name), { name, hash, enabled }] })
        // An "always" was given for what the server's tools were then.
        if (before !== undefined && before.hash !== hash) await settings.patch({ toolGrants: grantsWithout(serverId) })
      }),
  }
}
export function unknownServer(): SikuError {
  return failure('mcp-gone')
}

function namesOf({ transport }: McpServer, given: Record<string, string>): string[] {
  return transport.kind === 'http' ? [keyName] : [...new Set([...transport.secretNames, ...Object.keys(given)])]
}

/** The same program with the same arguments, or the same address. */
export function isSamePlace({ transport: a }: McpServer, { transport: b }: McpServer): boolean {
  if (a.kind === 'http' && b.kind === 'http') return a.address === b.address
  if (a.kind === 'stdio' && b.kind === 'stdio') return a.command === b.command && JSON.stringify(a.args) === JSON.stringify(b.args)
  return false
}

/** What could not be sent is refused here: the errors of those who would send it repeat the value. */
function checked(name: string, value: string): string {
  const isRight = name === keyName ? /^[\x21-\x7e]*$/.test(value) : !value.includes('\0')
  if (!isRight) throw failure('mcp-value', { name })
  return value
}
