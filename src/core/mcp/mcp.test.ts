import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { memorySecrets } from '../../../test/fakes/memory-secrets.ts'
import { program, startHttp, type HttpServer } from '../../../test/fixtures/mcp/mcp-servers.ts'
import { settingsSchema, type Settings } from '../../contract/settings.ts'
import type { McpServer, McpServerState } from '../../contract/tools.ts'
import type { Secrets } from '../deps.ts'
import { createNet } from '../net/net.ts'
import { createMcp, type Mcp, type McpTool } from './mcp.ts'

let directory: string
let settings: Settings
let secrets: Secrets
let mcp: Mcp
let contacts: { host: string; purpose: string; refused: boolean }[]
let logged: string[]
const closers: (() => unknown)[] = []

function makeMcp(): Mcp {
  const net = createNet({
    fetch: globalThis.fetch,
    now: Date.now,
    env: {},
    isOffline: () => settings.offline,
    note: ({ host, purpose, refused }) => contacts.push({ host, purpose, refused }),
  })
  closers.push(() => net.close())
  return createMcp({
    deps: { secrets, env: {}, version: '0', log: (level, message, details) => logged.push(JSON.stringify([level, message, details])) },
    net,
    settings: {
      read: () => settings,
      patch: (patch) => Promise.resolve((settings = settingsSchema.parse({ ...settings, ...patch }))),
    },
  })
}

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'siku-mcp-'))
  settings = settingsSchema.parse({})
  secrets = memorySecrets()
  contacts = []
  logged = []
  mcp = makeMcp()
})
afterEach(async () => {
  await mcp.close()
  for (const close of closers.splice(0)) await close()
  rmSync(directory, { recursive: true, force: true })
})

/** Saves the server and says yes to all that it offers. */
async function allow(server: McpServer, given?: Record<string, string>): Promise<McpServerState> {
  let state = await mcp.save(server, given)
  expect(state.state, String(state.error)).toBe('connected')
  for (const { name, hash } of state.tools) state = await mcp.setTool(server.id, name, hash, true)
  return state
}

async function toolNamed(name: string): Promise<McpTool> {
  const tool = (await mcp.tools()).find((each) => each.name === name)
  if (tool === undefined) throw new Error(`no tool ${name} is offered`)
  return tool
}

async function call(name: string, args: unknown = {}, signal = new AbortController().signal) {
  return (await toolNamed(name)).call(args, signal)
}

const stateOf = (state: McpServerState, name: string) => state.tools.find((tool) => tool.name === name)?.state

async function start(...given: Parameters<typeof startHttp>): Promise<HttpServer> {
  const server = await startHttp(...given)
  closers.push(() => server.end())
  return server
}

const http = (id: string, address: string): McpServer => ({
  id,
  name: id,
  enabled: true,
  pins: [],
  transport: { kind: 'http', address, hasKey: false },
})

async function processesOf(file: string): Promise<number[]> {
  await expect.poll(() => existsSync(file)).toBe(true)
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => /^\d+$/.test(line))
    .map(Number)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('a tool is only given once the user allowed it, and its result is text: parts named, structure as JSON, failure marked', async () => {
  const state = await mcp.save(program('good'))
  expect(state).toMatchObject({ state: 'connected', version: 'fixture 1.2.3', error: null })
  expect(new Set(state.tools.map((tool) => tool.state))).toEqual(new Set(['new']))
  expect(await mcp.tools()).toEqual([])
  await allow(program('good'))
  expect((await mcp.tools()).find(({ name }) => name === 'add')).toMatchObject({
    description: 'adds two numbers',
    schema: { type: 'object', required: ['a', 'b'] },
  })
  expect(await call('add', { a: 2, b: 3 })).toEqual({ text: '5', failed: false })
  expect(await call('parts')).toEqual({
    text: 'first\n\n[image: image/png, 3 bytes]\n\n[resource: file:///a.txt]\ninside\n\n[resource: b, file:///b.txt]',
    failed: false,
  })
  expect(await call('structured')).toEqual({ text: '{"degrees":21}', failed: false })
  expect(await call('fail')).toEqual({ text: 'there is no such city', failed: true })
  expect(await call('throw')).toMatchObject({ failed: true, text: expect.stringContaining('broken inside') as string })
  const big = await call('big')
  expect([big.text.length < 600_000, big.text.endsWith('[cut: the result has 2000000 characters]')]).toEqual([true, true])
  // Nothing of the user's models is offered to a server.
  expect((await call('ask')).text).toContain('the client refused')
})

test('a changed description takes the tool away until the user says yes to it, also from a tool that was given before', async () => {
  await allow(program('good'))
  settings = { ...settings, toolGrants: ['good__echo', 'good__add', 'write_note'].map((tool) => ({ tool, site: 'good' })) }
  const echo = await toolNamed('echo')
  const shown = (await mcp.states())[0]?.tools.find(({ name }) => name === 'echo')
  expect(await echo.call({ text: 'a' }, new AbortController().signal)).toEqual({ text: 'a', failed: false })
  await call('change')
  await expect(echo.call({ text: 'b' }, new AbortController().signal)).rejects.toMatchObject({ code: 'conflict' })
  expect((await mcp.tools()).map(({ name }) => name)).not.toContain('echo')
  expect(mcp.withheld('good')).toEqual([
    { name: 'echo', why: expect.stringMatching(/“good” has changed its description .* Read them again in Settings/) as string },
  ])
  const [now] = await mcp.states()
  const changed = now?.tools.find(({ name }) => name === 'echo')
  expect(changed).toMatchObject({ state: 'changed', description: expect.stringContaining('owner of this server') as string })
  await expect(mcp.setTool('good', 'echo', shown?.hash ?? '', true)).rejects.toMatchObject({ code: 'conflict' })
  await mcp.setTool('good', 'echo', changed?.hash ?? '', true)
  // An "always" was meant for the old one.
  expect(settings.toolGrants).toEqual([{ tool: 'write_note', site: 'good' }])
  expect(await call('echo', { text: 'c' })).toEqual({ text: 'c', failed: false })
  expect(mcp.withheld('good')).toEqual([])
})

test('a tool that is switched off, or whose server is, is refused in the middle of a turn too', async () => {
  const state = await allow(program('good'))
  const [add, echo] = [await toolNamed('add'), await toolNamed('echo')]
  const off = await mcp.setTool('good', 'add', 'not looked at', false)
  expect(stateOf(off, 'add')).toBe('off')
  await expect(add.call({ a: 1, b: 1 }, new AbortController().signal)).rejects.toMatchObject({ code: 'refused' })
  expect((await mcp.save({ ...state.server, enabled: false })).state).toBe('disabled')
  await expect(echo.call({}, new AbortController().signal)).rejects.toMatchObject({ code: 'refused' })
  expect(await mcp.tools()).toEqual([])
})

test('a program gets the named secrets and the harmless variables only, and no secret is shown, logged or kept in the settings', async () => {
  vi.stubEnv('SIKU_TEST_PRIVATE', 'of this process')
  closers.push(() => vi.unstubAllEnvs())
  await allow(program('good', { secretNames: ['SERVICE_TOKEN'] }), { SERVICE_TOKEN: 'tok-123456' })
  const names = JSON.parse((await call('environment')).text) as string[]
  expect(names).toContain('SERVICE_TOKEN')
  expect(names).not.toContain('SIKU_TEST_PRIVATE')
  expect((await call('echo', { text: 'it is tok-123456' })).text).toBe('it is •••')
  await expect(call('die')).rejects.toMatchObject({ code: 'network', message: expect.stringContaining('with •••') as string })
  const crashed = await mcp.save(program('crash', { secretNames: ['SERVICE_TOKEN'] }), { SERVICE_TOKEN: 'tok-654321' })
  expect(crashed).toMatchObject({ state: 'failed', error: expect.stringContaining('cannot start: the token ••• is wrong') as string })
  const wrong = mcp.save(program('crash', { id: 'nul', secretNames: ['A'] }), { A: 'sec\0ret' })
  await expect(wrong).rejects.toMatchObject({ code: 'bad-input', message: expect.not.stringContaining('ret') as string })
  const everywhere = JSON.stringify([settings, await mcp.states(), logged])
  expect(everywhere).not.toMatch(/tok-\d|sec\\+u0000ret/)
})

test('what was confided and allowed does not go over to another program or address, and goes when it is taken back', async () => {
  await allow(program('good', { secretNames: ['SERVICE_TOKEN'] }), { SERVICE_TOKEN: 'tok-123456' })
  expect(await secrets.get('mcp:good:SERVICE_TOKEN')).toBe('tok-123456')
  await mcp.save({ ...program('json', { secretNames: ['SERVICE_TOKEN'] }), id: 'good' })
  expect(await secrets.get('mcp:good:SERVICE_TOKEN')).toBeNull()
  expect(settings.mcpServers[0]?.pins).toEqual([])
  expect(await mcp.tools()).toEqual([])
  await mcp.save({ ...program('json'), id: 'good' }, { SERVICE_TOKEN: 'tok-2' })
  expect(settings.mcpServers[0]?.transport).toMatchObject({ secretNames: ['SERVICE_TOKEN'] })
  await mcp.save({ ...program('json'), id: 'good' }, { SERVICE_TOKEN: '' })
  expect(await secrets.get('mcp:good:SERVICE_TOKEN')).toBeNull()
  await mcp.save({ ...program('json'), id: 'good' }, { SERVICE_TOKEN: 'tok-3' })
  await mcp.remove('good')
  expect([settings.mcpServers, await secrets.get('mcp:good:SERVICE_TOKEN')]).toEqual([[], null])
})

test('one server that fails leaves the others, is left alone for a while, and says what it last said', async () => {
  const file = join(directory, 'starts')
  await allow(program('good'))
  await mcp.save(program('crash', { file }))
  settings = {
    ...settings,
    mcpServers: [
      ...settings.mcpServers,
      { ...program('gone'), transport: { kind: 'stdio', command: 'no-such-program', args: [], secretNames: [] } },
    ],
  }
  const [good, crashed, gone] = await mcp.states()
  expect([good?.state, crashed?.state, gone?.state]).toEqual(['connected', 'failed', 'failed'])
  expect(crashed?.error).toContain('cannot start')
  expect(gone?.error).toContain('there is no program “no-such-program”')
  await mcp.states()
  expect(await processesOf(file)).toHaveLength(1)
  expect((await mcp.tools()).length).toBeGreaterThan(5)
})

test('a server that dies in the middle of a call fails that call only: the next one starts it again', async () => {
  const file = join(directory, 'starts')
  await allow(program('good', { file }))
  const died: unknown = await call('die').catch((error: unknown) => error)
  expect(died).toMatchObject({ code: 'network', retryable: true, message: expect.stringContaining('dying, said the server') as string })
  // What a model reads of its error stream is one short line.
  expect(String((died as Error).message)).not.toContain('xxxx')
  expect(String((died as Error).message).length).toBeLessThan(300)
  expect(await call('add', { a: 1, b: 1 })).toEqual({ text: '2', failed: false })
  expect(await processesOf(file)).toHaveLength(2)
})

test('a stopped call reaches the server and ends at once', async () => {
  const file = join(directory, 'starts')
  await allow(program('good', { file }))
  const controller = new AbortController()
  const waiting = call('wait', {}, controller.signal)
  setTimeout(() => controller.abort(), 50)
  await expect(waiting).rejects.toMatchObject({ code: 'cancelled' })
  await expect.poll(() => readFileSync(file, 'utf8')).toContain('aborted')
  expect(await call('add', { a: 1, b: 1 })).toEqual({ text: '2', failed: false })
})

test('garbage on stdout is passed over, and a stream without end ends the program', async () => {
  await allow(program('garbage'))
  expect(await call('add', { a: 1, b: 2 })).toEqual({ text: '3', failed: false })
  const file = join(directory, 'starts')
  expect((await mcp.save(program('endless', { file }))).state).toBe('failed')
  for (const pid of await processesOf(file)) await expect.poll(() => isAlive(pid)).toBe(false)
})

test('a server that says nothing is given up and ended', async () => {
  const file = join(directory, 'starts')
  const state = await mcp.test(program('silent', { file }))
  expect(state).toMatchObject({ state: 'failed', error: expect.stringContaining('did not answer in time') as string })
  for (const pid of await processesOf(file)) await expect.poll(() => isAlive(pid)).toBe(false)
  expect(settings.mcpServers).toEqual([])
}, 120_000)

test('programs end with Siku, those that will not listen too', async () => {
  const file = join(directory, 'starts')
  await mcp.save(program('good', { file }))
  await mcp.save(program('stubborn', { file }))
  const pids = await processesOf(file)
  expect(pids).toHaveLength(2)
  await mcp.close()
  for (const pid of pids) await expect.poll(() => isAlive(pid)).toBe(false)
})

test('odd names are passed on as they are; what is too large, malformed or named twice is left out and counted', async () => {
  const state = await allow(program('odd'))
  expect(state.error).toBeNull()
  expect(state.remarks).toEqual([{ code: 'left-out', count: 6 }])
  const names = (await mcp.tools()).map(({ name }) => name)
  expect(names).toEqual(['read-file', 'read_file', '读文件', 'getWeather', '../../etc/passwd; rm', 'x'.repeat(120)])
})

test('ten thousand tools, and lists that never end, are bounded and said', async () => {
  const states = await Promise.all([mcp.test(program('many')), mcp.test(program('circle')), mcp.test(program('endless-list'))])
  expect(states.map(({ state }) => state)).toEqual(['connected', 'connected', 'connected'])
  expect(states.map(({ tools }) => tools.length)).toEqual([500, 1, 51])
  expect(states.map(({ remarks }) => remarks.map(({ code }) => code))).toEqual([['too-many'], ['left-out', 'endless'], ['endless']])
})

test('a tool of a list without end that is another one each time: the reason is said, not that the tool changed', async () => {
  const { server, tools } = await mcp.save(program('endless-list'))
  const [first] = tools
  if (first === undefined) throw new Error('no tools')
  await expect(mcp.setTool(server.id, first.name, first.hash, true)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('has no end') as string,
  })
})

test('over HTTP: through the ledger, with the key that the secret store holds, streamed or as JSON', async () => {
  for (const mode of ['good', 'json']) {
    const server = await start(mode, { key: 'key-123456' })
    const without = await mcp.save(http(mode, server.address))
    expect(without).toMatchObject({ state: 'failed', error: expect.stringContaining('does not accept the key') as string })
    const wrong = await mcp.test(http(mode, server.address), { key: 'key-wrong-1' })
    expect(wrong.state).toBe('failed')
    await allow(http(mode, server.address), { key: 'key-123456' })
    expect(settings.mcpServers.at(-1)?.transport).toEqual({ kind: 'http', address: server.address, hasKey: true })
    expect(
      await (
        await mcp.tools()
      )
        .find(({ serverId, name }) => serverId === mode && name === 'add')
        ?.call({ a: 1, b: 2 }, new AbortController().signal),
    ).toEqual({
      text: '3',
      failed: false,
    })
    expect(contacts.at(-1)).toEqual({ host: new URL(server.address).host, purpose: `MCP server ${mode}`, refused: false })
  }
  expect(JSON.stringify([settings, await mcp.states(), logged])).not.toContain('key-')
})

test('over HTTP: a forgotten session begins anew, a server that is gone fails and comes back', async () => {
  const server = await start('good')
  await allow(http('good', server.address))
  const add = await toolNamed('add')
  server.forget()
  await expect.poll(() => add.call({ a: 1, b: 2 }, new AbortController().signal)).toEqual({ text: '3', failed: false })
  server.end()
  await expect(add.call({ a: 1, b: 2 }, new AbortController().signal)).rejects.toMatchObject({ code: 'network' })
  expect((await mcp.states())[0]?.state).toBe('failed')
})

test('over HTTP: a redirect elsewhere is not followed, and an address with a key in it is refused', async () => {
  const server = await start('redirect')
  expect((await mcp.test(http('redirect', server.address), { key: 'key-123456' })).state).toBe('failed')
  expect(contacts.map(({ host }) => host)).not.toContain('127.0.0.1:9')
  for (const address of ['http://me:secret@127.0.0.1:1/', 'file:///etc/passwd', 'nonsense'])
    await expect(mcp.save(http('bad', address)), address).rejects.toMatchObject({ code: 'bad-input' })
})

test('offline: no program is started, no host is asked, what stood is ended; this machine still answers', async () => {
  const file = join(directory, 'starts')
  const server = await start('good')
  await allow(http('here', server.address))
  await mcp.save(program('good', { file }))
  const pids = await processesOf(file)
  const tool = await toolNamed('add')
  settings = { ...settings, offline: true, mcpServers: [...settings.mcpServers, http('far', 'http://mcp.example.test/mcp')] }
  mcp.settingsChanged()
  contacts.length = 0
  expect((await mcp.states()).map(({ state }) => state)).toEqual(['connected', 'offline', 'offline'])
  expect((await mcp.test(program('good', { file }))).state).toBe('offline')
  expect(await tool.call({ a: 1, b: 2 }, new AbortController().signal)).toEqual({ text: '3', failed: false })
  expect(contacts.filter(({ host }) => host !== new URL(server.address).host)).toEqual([])
  for (const pid of pids) await expect.poll(() => isAlive(pid)).toBe(false)
  expect(await processesOf(file)).toHaveLength(1)
})
