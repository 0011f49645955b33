import { spawnSync, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { builtCli, finished, type Ran } from '../../test/fakes/built-cli.ts'
import { testDeps } from '../../test/fakes/core.ts'
import { startOllama, type ChatBody, type ChatScript, type OllamaServer } from '../../test/fakes/ollama-server.ts'
import { program } from '../../test/fixtures/mcp/mcp-servers.ts'
import { askReportSchema, turnEventSchema, type TurnEvent } from '../contract/answer.ts'
import { memoryFileSchema, memorySchema } from '../contract/memory.ts'
import { openShared } from '../core/host/shared-core.ts'

const root = join(import.meta.dirname, '..', '..')
const hasScript = spawnSync('script', ['--version']).status === 0

let directory: string
let home: string
const cli = builtCli()
const servers: OllamaServer[] = []

function start(args: string[], server?: OllamaServer, command?: string): ChildProcess {
  return cli.start(args, { home, ollama: server?.address, ...(command === undefined ? {} : { command }) })
}

function siku(args: string[], { server, stdin }: { server?: OllamaServer; stdin?: string } = {}): Promise<Ran> {
  return cli.run(args, { home, ollama: server?.address, ...(stdin === undefined ? {} : { stdin }) })
}

/** A model with tools whose every answer depends on what it is sent. */
async function model(chat: (body: ChatBody) => ChatScript): Promise<OllamaServer> {
  const server = await startOllama({ models: [{ name: 'tools-fake:4b', capabilities: ['completion', 'tools'] }], chat })
  servers.push(server)
  return server
}

const lastOf = ({ messages }: ChatBody) => messages[messages.length - 1]

/** Calls a tool, and answers once it has a result. */
const callsThenSays =
  (name: string, args: unknown, text: string) =>
  (body: ChatBody): ChatScript =>
    body.messages.some(({ role }) => role === 'tool') ? { text } : { toolCalls: [{ name, arguments: args }] }

const results = (server: OllamaServer): string[] => [
  ...new Set(server.chats().flatMap(({ messages }) => messages.filter(({ role }) => role === 'tool').map(({ content }) => content))),
]

function events(stdout: string): TurnEvent[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => turnEventSchema.parse(JSON.parse(line)))
}

beforeAll(async () => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'siku-agent-cli-')))
  home = join(directory, 'home')
  const papers = join(directory, 'papers')
  mkdirSync(papers, { recursive: true })
  writeFileSync(join(papers, 'lease.md'), '# Lease\n\nThe tenant gives ninety days of notice.\n')
  expect(await siku(['index', papers, '--quiet', '--json'])).toMatchObject({ code: 0 })
  // An MCP server whose tools the user allowed.
  const shared = await openShared({ ...testDeps(home), version: '0' })
  const { server, tools } = await shared.client.mcp.save({ server: program('good') })
  for (const { name, hash } of tools) await shared.client.mcp.setTool({ serverId: server.id, tool: name, hash, enabled: true })
  await shared.close()
}, 120_000)
afterEach(async () => {
  // A test that failed leaves nobody who holds the library.
  cli.killAll()
  await Promise.all(servers.splice(0).map((server) => server.close()))
})
afterAll(() => {
  cli.killAll()
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
})

test('agent: tool calls with their times go to stderr, the answer and its sources to stdout', async () => {
  const server = await model(callsThenSays('search_library', { query: 'notice' }, 'The tenant gives ninety days of notice. [1]'))
  const { code, stdout, stderr } = await siku(['agent', 'How', 'long', 'is', 'the', 'notice?'], { server })
  expect([code, stderr]).toEqual([0, expect.stringMatching(/→ search_library · [^]*✓ search_library · done · \d/) as string])
  expect(stdout).toContain('The tenant gives ninety days of notice. [1]')
  expect(stdout).toContain(`Sources:\n  [1] ${join(directory, 'papers', 'lease.md')} · lines 1–3`)
  expect(stdout).not.toContain('→')
}, 120_000)

test('agent --json: one event a line without gaps, the last one is the end', async () => {
  const server = await model(callsThenSays('search_library', { query: 'notice' }, 'Ninety days. [1]'))
  const { code, stdout } = await siku(['agent', '--json', 'How long is the notice?'], { server })
  const told = events(stdout)
  expect(code).toBe(0)
  expect(told.map(({ seq }) => seq)).toEqual(told.map((_event, index) => index))
  expect(told.at(-1)).toMatchObject({ type: 'turn-end', outcome: 'answered', error: null })
  expect(told.filter(({ type }) => type === 'turn-end')).toHaveLength(1)
}, 120_000)

test('agent: what asks is refused where nobody can be asked; only all lets a tool of a server run', async () => {
  const outcomes: [string, string | undefined][] = []
  for (const approve of [[], ['--approve', 'none'], ['--approve', 'reads'], ['--approve', 'all']]) {
    const server = await model(callsThenSays('good__add', { a: 40, b: 2 }, 'Done.'))
    const { stdout } = await siku(['agent', '--json', ...approve, 'Add 40 and 2'], { server })
    const ended = events(stdout).find((event) => event.type === 'call-end')
    outcomes.push([approve.join(' '), ended?.type === 'call-end' ? ended.status : undefined])
    expect(
      results(server).some((text) => /\b42\b/.test(text)),
      approve.join(' '),
    ).toBe(approve[1] === 'all')
  }
  expect(outcomes).toEqual([
    ['', 'refused'],
    ['--approve none', 'refused'],
    ['--approve reads', 'refused'],
    ['--approve all', 'ok'],
  ])
}, 120_000)

test('agent: Ctrl-C stops the turn, which is told to the end, and the code says so', async () => {
  const server = await model(() => ({ text: 'never ending', ends: 'stall' }))
  const child = start(['agent', '--json', 'Wait'], server)
  const ran = finished(child)
  await expect.poll(() => server.chats().length, { timeout: 30_000 }).toBe(1)
  child.kill('SIGINT')
  const { code, stdout } = await ran
  expect([code, events(stdout).at(-1)]).toEqual([130, expect.objectContaining({ type: 'turn-end', outcome: 'stopped' })])
  await expect.poll(() => server.abortedRequests).toBe(1)
}, 120_000)

test('agent: wrong use is said before anything is opened, and unknown names with those that are known', async () => {
  expect(await siku(['agent', ' '])).toMatchObject({ code: 2, stdout: '' })
  expect(await siku(['agent', '--approve', 'some', 'x'])).toMatchObject({ code: 2, stdout: '' })
  expect(await siku(['agent', '--chat', 'c', '--tools', 'calculate', 'x'])).toMatchObject({ code: 2, stdout: '' })
  const tool = await siku(['agent', '--tools', 'search_library,teleport', 'x'])
  expect(tool).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/no tool named "teleport"[^]*search_library/) as string })
  expect(await siku(['agent', '--agent', 'nobody', 'x'])).toMatchObject({ code: 1, stderr: expect.stringContaining('"nobody"') as string })
  expect(await siku(['agent', '--attach', join(directory, 'gone.pdf'), 'x'])).toMatchObject({ code: 1, stdout: '' })
}, 120_000)

test('agent: only the tools that were named are offered, and a file that is given along reaches the model', async () => {
  const server = await model(() => ({ text: 'The invoice says 70 euro.' }))
  const file = join(directory, 'invoice.txt')
  writeFileSync(file, 'Invoice 7: seventy euro.\n')
  expect(await siku(['agent', '--tools', 'recall', '--attach', file, 'How much?'], { server })).toMatchObject({ code: 0 })
  const [first] = server.chats()
  const offered = first?.tools?.map((tool) => tool.function.name) ?? []
  expect(offered).toContain('recall')
  expect(offered).not.toContain('get_weather')
  expect(JSON.stringify(first?.messages)).toContain('seventy euro')
}, 120_000)

test('chat from a pipe: a question a line in order, nothing but answers on stdout, one conversation, until it is left', async () => {
  const server = await model((body) => ({ text: `You said ${String(lastOf(body)?.content.match(/first|second/)?.[0])}.` }))
  const stdin = 'the first thing\n\n   \n/help\n/nonsense\nthe second thing\n退出\nthe third thing\n'
  const { code, stdout, stderr } = await siku(['chat'], { server, stdin })
  expect(code).toBe(0)
  expect([...stdout.matchAll(/You said (\w+)/g)].map((match) => match[1])).toEqual(['first', 'second'])
  expect(stdout).not.toMatch(/you>|\/agent|nonsense/)
  expect(stderr).toMatch(/\/agent[^]*no command \/nonsense/)
  const asked = server.chats().filter((body) => lastOf(body)?.content.includes('second'))
  expect(asked[0]?.messages.filter(({ role }) => role === 'user').map(({ content }) => /first|second/.exec(content)?.[0])).toEqual([
    'first',
    'second',
  ])
}, 120_000)

test('chat from a pipe: what asks is refused, a failure does not end it but is in the code, and --json is a document a line', async () => {
  const server = await model((body) => {
    if (JSON.stringify(body.messages).includes('break')) return { refuse: { status: 400, error: 'bad request' } }
    return callsThenSays('good__add', { a: 40, b: 2 }, 'I was not allowed to.')(body)
  })
  const { code, stdout } = await siku(['chat', '--json'], {
    server,
    stdin: `add 40 and 2\n/new\nbreak\n${'long '.repeat(4001)}\n/new\nadd again\nexit\n`,
  })
  const reports = stdout
    .trimEnd()
    .split('\n')
    .map((line) => askReportSchema.parse(JSON.parse(line)))
  expect(
    reports.map(({ outcome }) => outcome),
    stdout,
  ).toEqual(['answered', 'failed', 'failed', 'answered'])
  expect(reports[0]?.model).toBe('tools-fake:4b')
  expect(code).toBe(1)
  expect(results(server).some((text) => text.includes('42'))).toBe(false)
}, 120_000)

test('chat --no-agent, and chat without any model, answer from the library', async () => {
  const { code, stdout, stderr } = await siku(['chat'], { stdin: 'How long is the notice?\nquit' })
  expect(code).toBe(0)
  expect(stdout).toContain('The tenant gives ninety days of notice. [1]')
  expect(stderr).toContain('No chat model')
}, 120_000)

/** The command in a terminal of its own; keys are pressed as what it waits for appears. */
async function inTerminal(
  args: string[],
  server: OllamaServer,
  keys: [wanted: RegExp, keys: string][],
): Promise<{ code: number | null; screen: string }> {
  const words = [process.execPath, join(root, 'bin', 'siku.js'), ...args].map((part) => `'${part.replaceAll("'", "'\\''")}'`)
  // In the place of the shell: one that waits beside it would end as interrupted by the same Ctrl-C.
  const line = `exec ${words.join(' ')}`
  const child = start(['-qefc', line, '/dev/null'], server, 'script')
  let screen = ''
  let from = 0
  const left = [...keys]
  child.stdout?.on('data', (part: Buffer) => {
    screen += part.toString()
    const [next] = left
    const match = next === undefined ? null : next[0].exec(screen.slice(from))
    if (next === undefined || match === null) return
    left.shift()
    from = screen.length
    child.stdin?.write(next[1])
  })
  const code = await new Promise<number | null>((done) => child.once('close', done))
  expect(
    left.map(([wanted]) => String(wanted)),
    screen,
  ).toEqual([])
  return { code, screen }
}

test.skipIf(!hasScript)(
  'in a terminal, an approval shows the exact call, and only a yes is one',
  async () => {
    for (const [key, allowed] of [
      ['y', true],
      ['n', false],
      ['\r', false],
      ['yes', false],
    ] as const) {
      const server = await model(callsThenSays('good__add', { a: 40, b: 2 }, 'Done.'))
      const { code, screen } = await inTerminal(['agent', 'Add 40 and 2'], server, [[/Allow\?/, key]])
      expect(code, screen).toBe(0)
      expect(screen).toMatch(/The agent asks to use good__add[^]*"a": 40,[^]*"b": 2/)
      expect(
        results(server).some((text) => /\b42\b/.test(text)),
        key,
      ).toBe(allowed)
    }
  },
  120_000,
)

test.skipIf(!hasScript)(
  'in a terminal, Ctrl-C while an approval waits stops the turn and allows nothing',
  async () => {
    const server = await model(callsThenSays('good__add', { a: 40, b: 2 }, 'Done.'))
    const { code, screen } = await inTerminal(['agent', 'Add 40 and 2'], server, [[/Allow\?/, '\u0003']])
    expect(code, screen).toBe(130)
    expect(server.chats()).toHaveLength(1)
  },
  120_000,
)

test.skipIf(!hasScript)(
  'chat in a terminal: Ctrl-C stops the answer and not the conversation, which ends with 退出',
  async () => {
    let asked = 0
    const server = await model(() => (++asked === 1 ? { text: 'never ending', ends: 'stall' } : { text: 'Still here.' }))
    const { code, screen } = await inTerminal(['chat'], server, [
      [/you> /, 'wait for ever\r'],
      [/never/, '\u0003'],
      [/stopped[^]*you> /, 'are you there?\r'],
      [/Still here\.[^]*you> /, '退出\r'],
    ])
    expect(code, screen).toBe(0)
    expect(screen).toContain('siku chat --chat')
  },
  120_000,
)

test('memories are added, listed, exported to a new file only, forgotten when meant beyond doubt, and imported', async () => {
  expect(await siku(['memory', 'add', 'I', 'live', 'in', 'Nanjing'])).toMatchObject({ code: 0 })
  expect(await siku(['memory', 'add', '--preference', 'Answers in Chinese, please'])).toMatchObject({ code: 0 })
  const listed = z.array(memorySchema).parse(JSON.parse((await siku(['memory', 'list', '--json'])).stdout))
  expect(listed.map(({ kind, text }) => [kind, text]).sort()).toEqual([
    ['fact', 'I live in Nanjing'],
    ['preference', 'Answers in Chinese, please'],
  ])
  const file = join(directory, 'memories.json')
  expect(await siku(['memory', 'export', file])).toMatchObject({ code: 0, stdout: '' })
  expect(await siku(['memory', 'export', file])).toMatchObject({ code: 1 })
  expect(memoryFileSchema.parse(JSON.parse((await siku(['memory', 'export'])).stdout)).memories).toHaveLength(2)
  expect(await siku(['memory', 'forget', 'in'])).toMatchObject({ code: 1, stderr: expect.stringContaining('More than one') as string })
  expect(await siku(['memory', 'forget', 'nanjing'])).toMatchObject({ code: 0 })
  expect(await siku(['memory', 'forget', 'nanjing'])).toMatchObject({ code: 1 })
  expect(JSON.parse((await siku(['memory', 'import', file, '--json'])).stdout)).toEqual({ added: 1 })
}, 120_000)

test('agents are made, changed, used and removed by their names', async () => {
  const server = await model((body) => ({
    text: body.messages
      .map(({ content }) => content)
      .join(' ')
      .includes('Speak like a pirate')
      ? 'Arr!'
      : 'Yes.',
  }))
  expect(await siku(['agents'])).toMatchObject({ code: 0, stdout: '' })
  const saved = await siku([
    'agents',
    'save',
    'Pirate',
    '--system',
    'Speak like a pirate.',
    '--tools',
    'calculate,search_library',
    '--no-memory',
  ])
  expect(saved).toMatchObject({ code: 0 })
  expect((await siku(['agents', 'save', 'pirate', '--max-steps', '3', '--all-tools'])).code).toBe(0)
  expect((await siku(['agents', 'save', ' Pirate '])).code).toBe(0)
  const shown = await siku(['--json', 'agents', 'show', ' PIRATE\t'])
  const pirate = { name: 'Pirate', system: 'Speak like a pirate.', tools: null, memory: false, maxSteps: 3 }
  expect(JSON.parse(shown.stdout)).toMatchObject(pirate)
  expect(JSON.parse((await siku(['--json', 'agents', 'list'])).stdout)).toMatchObject([pirate])
  expect((await siku(['agent', '--quiet', '--agent', 'Pirate', 'Good morning'], { server })).stdout).toContain('Arr!')
  const unknown = await siku(['agents', 'save', 'Other', '--tools', 'nonsense'])
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('There is no tool named "nonsense"')])
  expect((await siku(['agents', 'save', 'Other', '--system', 'a', '--system-file', 'b'])).code).toBe(2)
  expect((await siku(['agents', 'remove', 'Pirate'])).code).toBe(0)
  const gone = await siku(['agents', 'show', 'Pirate'])
  expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining('There is no agent named "Pirate"')])
}, 600_000)

test('a chat whose agent came with a file is gone on with without it, and the terminal says so in its language', async () => {
  const server = await model(({ messages }) => ({ text: messages[0]?.content.includes('Obey') ? 'Obeyed.' : 'Plain.' }))
  const begun = await siku(['--json', 'agent', 'hello', '--max-steps', '3'], { server })
  const shared = await openShared({ ...testDeps(home), version: '0' })
  const chats = await shared.client.chats.list({})
  const { json } = await shared.client.chats.exportJson({ chatId: chats[0]!.id })
  const { chatId } = await shared.client.chats.importJson({ json })
  await shared.close()
  expect(begun.code).toBe(0)
  const goOn = (language: string) =>
    cli.run(['agent', '--chat', chatId, 'hello again'], { home, ollama: server.address, env: { LANG: language } })
  const english = await goOn('en_US.UTF-8')
  expect(english.stderr).toContain('This chat’s agent came with a file and is not used: Siku’s own words and all tools')
  expect((await goOn('zh_CN.UTF-8')).stderr).toContain('这个对话的智能体来自文件，没有使用')
}, 600_000)
