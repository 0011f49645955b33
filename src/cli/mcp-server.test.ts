import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDeps } from '../../test/fakes/core.ts'
import { openShared, type SharedCore } from '../core/host/shared-core.ts'
import { page } from './mcp-server.ts'

const root = join(import.meta.dirname, '..', '..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
let directory: string
let home: string
let lease: string
const env = (): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  SIKU_HOME: home,
  OLLAMA_HOST: '127.0.0.1:1',
  LANG: 'zh_CN.UTF-8',
})

/** What another program sees of `siku mcp`. */
async function withClient(work: (client: Client, said: () => string) => Promise<void>): Promise<void> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['bin/siku.js', 'mcp'],
    cwd: root,
    env: env(),
    stderr: 'pipe',
  })
  let stderr = ''
  transport.stderr?.on('data', (part: Buffer) => (stderr += part.toString()))
  const client = new Client({ name: 'test', version: '1' })
  const broken: Error[] = []
  client.onerror = (error) => broken.push(error)
  await client.connect(transport, { timeout: 30_000 })
  try {
    await work(client, () => stderr)
  } finally {
    await client.close()
  }
  // A line on stdout that is not the protocol would be one.
  expect(broken).toEqual([])
}

async function hold(heldVersion: string, work: () => Promise<void>): Promise<void> {
  const shared: SharedCore = await openShared({ ...testDeps(home), version: heldVersion })
  try {
    await work()
  } finally {
    await shared.close()
  }
}

const called = (client: Client, name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args })

beforeAll(async () => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'siku-mcp-')))
  home = join(directory, 'home')
  lease = join(directory, 'papers', 'lease.md')
  mkdirSync(join(directory, 'papers'), { recursive: true })
  writeFileSync(lease, '# Lease\n\nThe tenant gives ninety days of notice.\n\n# Rent\n\nThe rent is 900 euro.\n')
  writeFileSync(join(directory, 'papers', '图书馆.txt'), '图书馆每天上午八点开门。\n')
  const child = spawn(process.execPath, ['bin/siku.js', 'index', join(directory, 'papers'), '--quiet'], {
    cwd: root,
    env: env(),
    stdio: 'ignore',
  })
  expect(await once(child, 'exit')).toEqual([0, null])
}, 120_000)
afterAll(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }))

test('another program searches, reads, lists and looks, with paths and places, as text and as structure', async () => {
  await withClient(async (client, said) => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['search_library', 'read_document', 'list_documents', 'library_status'])
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true)
    const found = await called(client, 'search_library', { query: 'How long is the notice?', k: 1 })
    expect(found.structuredContent).toMatchObject({ hits: [{ path: lease, placeText: expect.stringContaining('line') as string }] })
    expect(JSON.stringify(found.content)).toContain('ninety days')
    const read = await called(client, 'read_document', { path: 'lease', section: 1 })
    expect(read.structuredContent).toMatchObject({ path: lease, status: 'ready', next: null })
    expect(JSON.stringify(read.content)).toContain('900 euro')
    expect((await called(client, 'list_documents', { kind: 'markdown' })).structuredContent).toMatchObject({
      total: 1,
      documents: [{ path: lease }],
    })
    expect((await called(client, 'library_status', {})).structuredContent).toMatchObject({ documents: { ready: 2 }, mode: 'writer' })
    expect(said()).toContain('MCP')
  })
}, 120_000)

test('what cannot be done is a result that says why, and the next call still works', async () => {
  await withClient(async (client) => {
    const wrong = [
      await called(client, 'read_document', { path: 'nowhere.pdf' }),
      await called(client, 'read_document', {}),
      await called(client, 'read_document', { path: 'papers' }),
      await called(client, 'read_document', { documentId: 999 }),
      await called(client, 'search_library', { query: 'x', folder: '/no/such/folder' }),
      await called(client, 'search_library', { query: 'x', k: 100_000 }),
    ]
    expect(wrong.map(({ isError }) => isError)).toEqual([true, true, true, true, true, true])
    expect(JSON.stringify(wrong[2]?.content)).toContain('2 documents have')
    expect((await called(client, 'search_library', { query: '图书馆' })).isError ?? false).toBe(false)
  })
}, 120_000)

test('it works while another host has the library open: through it, or for reading only when that is another version', async () => {
  for (const [held, mode] of [
    [version, 'writer'],
    ['0.0.0-other', 'read-only'],
  ] as const) {
    await hold(held, () =>
      withClient(async (client) => {
        expect((await called(client, 'library_status', {})).structuredContent, held).toMatchObject({ mode })
        expect((await called(client, 'search_library', { query: 'notice', k: 1 })).structuredContent).toMatchObject({
          hits: [{ path: lease }],
        })
      }),
    )
  }
}, 120_000)

test('it ends with its input, and what was asked before that is still answered', async () => {
  const child = spawn(process.execPath, ['bin/siku.js', 'mcp'], { cwd: root, env: env(), stdio: ['pipe', 'pipe', 'ignore'] })
  let stdout = ''
  child.stdout.on('data', (part: Buffer) => (stdout += part.toString()))
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  send({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
  })
  send({ method: 'notifications/initialized' })
  send({ id: 2, method: 'tools/call', params: { name: 'search_library', arguments: { query: 'notice' } } })
  child.stdin.end()
  expect(await once(child, 'close')).toEqual([0, null])
  const answers = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: number; result?: unknown })
  expect(answers.map(({ id, result }) => [id, result !== undefined])).toEqual([
    [1, true],
    [2, true],
  ])
}, 120_000)

test('a page of a document ends between sections, and inside of one that is longer than a page', () => {
  const section = (text: string) => ({ place: { kind: 'page' as const, page: 1 }, text })
  const sections = [section('a'.repeat(6)), section('b'.repeat(25)), section('c')]
  const texts = ({ taken }: ReturnType<typeof page>) => taken.map(({ text }) => text)
  const first = page(sections, { section: 1, character: 0 }, 10)
  expect([texts(first), first.next]).toEqual([['aaaaaa'], { section: 2, character: 0 }])
  const second = page(sections.slice(1), { section: 2, character: 0 }, 10)
  expect([texts(second), second.next]).toEqual([['b'.repeat(10)], { section: 2, character: 10 }])
  const last = page(sections.slice(1), { section: 2, character: 20 }, 10)
  expect([texts(last), last.next]).toEqual([['bbbbb', 'c'], null])
})
