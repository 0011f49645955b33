import type { ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { builtCli, finished, type Ran } from '../../test/fakes/built-cli.ts'
import { testDeps } from '../../test/fakes/core.ts'
import { refusedAddress, startOllama, type ChatBody, type ChatScript, type OllamaServer } from '../../test/fakes/ollama-server.ts'
import { askReportSchema, turnEventSchema, type TurnEvent } from '../contract/answer.ts'
import { openShared } from '../core/host/shared-core.ts'

const root = join(import.meta.dirname, '..', '..')
const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))

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

async function model(chat: (body: ChatBody) => ChatScript): Promise<OllamaServer> {
  const server = await startOllama({ models: [{ name: 'tools-fake:4b', capabilities: ['completion', 'tools'] }], chat })
  servers.push(server)
  return server
}

function events(stdout: string): TurnEvent[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => turnEventSchema.parse(JSON.parse(line)))
}

/** Another Siku that has the library, until the test kills it. */
async function writer(server: OllamaServer): Promise<ChildProcess> {
  const host = start(['mcp'], server)
  await new Promise((done) => host.stderr?.once('data', done))
  return host
}

beforeAll(async () => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'siku-cli-faults-')))
  home = join(directory, 'home')
  const papers = join(directory, 'papers')
  mkdirSync(papers, { recursive: true })
  writeFileSync(join(papers, 'lease.md'), '# Lease\n\nThe tenant gives ninety days of notice.\n')
  expect(await siku(['index', papers, '--quiet', '--json'])).toMatchObject({ code: 0 })
}, 120_000)
afterEach(async () => {
  cli.killAll()
  await Promise.all(servers.splice(0).map((server) => server.close()))
})
afterAll(() => {
  cli.killAll()
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
})

test('the host that does the turn is killed: whoever asked is told so, in every form, and waits for nothing', async () => {
  const gone = /The Siku that did this work has ended/
  for (const args of [
    ['agent', '--json', 'How long is the notice?'],
    ['agent', 'How long is the notice?'],
    ['ask', '--json', '--anyway', 'How long is the notice?'],
    ['chat', '--json'],
  ]) {
    const server = await model(() => ({ text: 'never ending', ends: 'stall' }))
    const host = await writer(server)
    const child = start(args, server)
    child.stdin?.end(args[0] === 'chat' ? 'How long is the notice?\n' : '')
    const ran = finished(child)
    await expect.poll(() => server.chats().length, { timeout: 30_000 }).toBe(1)
    host.kill('SIGKILL')
    const { code, stdout, stderr } = await ran
    expect([args, code, stderr]).toEqual([args, 1, expect.stringMatching(gone) as string])
    if (args[0] === 'agent' && args[1] === '--json') {
      const told = events(stdout)
      expect(told.map(({ seq }) => seq)).toEqual(told.map((_event, index) => index))
      expect(told.at(-1)).toMatchObject({ type: 'turn-end', outcome: 'failed', error: { code: 'network', message: gone } })
    } else if (args.includes('--json')) {
      expect(askReportSchema.parse(JSON.parse(stdout))).toMatchObject({ outcome: 'failed' })
    }
  }
}, 120_000)

test('a host whose own work is done answers the others to their end before it leaves', async () => {
  const server = await model(() => ({ text: Array.from({ length: 40 }, (_none, count) => `word${count} `), delayMs: 100 }))
  const host = await writer(server)
  let said = ''
  host.stderr?.on('data', (piece: Buffer) => (said += piece.toString()))
  const ended = finished(host)
  const asking = finished(start(['agent', '--quiet', 'How long is the notice?'], server))
  await expect.poll(() => server.chats().length, { timeout: 60_000 }).toBe(1)
  host.stdin?.end()
  const { code, stdout } = await asking
  expect([code, stdout]).toEqual([0, expect.stringContaining('word39')])
  expect((await ended).code).toBe(0)
  expect(said).toContain('Another Siku is still being answered by this one')
}, 120_000)

test('turns.watch over a host that is killed rejects with network', async () => {
  const server = await model(() => ({ text: 'never ending', ends: 'stall' }))
  const host = await writer(server)
  const shared = await openShared({ ...testDeps(home), version })
  expect(shared.access).toBe('remote')
  const { turnId } = await shared.client.chats.ask({ question: 'How long is the notice?', mode: 'agent' })
  await expect(
    (async () => {
      for await (const event of await shared.client.turns.watch({ turnId })) if (event.type === 'text-delta') host.kill('SIGKILL')
    })(),
  ).rejects.toMatchObject({ code: 'network', message: 'The Siku that did this work has ended.' })
  await shared.close()
}, 120_000)

test('a word that is no subcommand is wrong use, with those that there are; a filter is only what stands after list', async () => {
  expect(await siku(['memory', 'add', 'I live in Nanjing'])).toMatchObject({ code: 0 })
  const listing = /list, add, forget, export, import/
  for (const words of [
    ['memory', 'frob'],
    ['memory', 'lsit', 'Nanjing'],
    ['memory', '--json', 'Nanjing'],
  ]) {
    expect(await siku(words)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(listing) as string })
  }
  expect(await siku(['models', 'frob'])).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/copy, unload/) as string })
  expect(await siku(['memory'])).toMatchObject({ code: 0, stdout: expect.stringContaining('Nanjing') as string })
  expect(await siku(['memory', 'list', 'nanjing'])).toMatchObject({ code: 0, stdout: expect.stringContaining('Nanjing') as string })
  expect(await siku(['memory', 'list', 'Chengdu'])).toMatchObject({ code: 0, stdout: '' })
}, 120_000)

test('what the system refuses is said in a sentence with its path, never in the system’s own codes', async () => {
  const missing = join(directory, 'none', 'memories.json')
  writeFileSync(join(directory, 'empty.txt'), '')
  const cases: [args: string[], says: string][] = [
    [['memory', 'import', directory], `This is a folder, and a file is wanted: ${directory}`],
    [['memory', 'import', missing], `There is no such file or folder: ${missing}`],
    [['memory', 'export', missing], `There is no such file or folder: ${missing}`],
    [['memory', 'export', directory], `${directory} is there already.`],
    [['agent', '--attach', directory, 'x'], `This is a folder, and a file is wanted: ${directory}`],
    [['agent', '--attach', '/dev/null', 'x'], 'This is not a regular file: /dev/null'],
    [['agent', '--attach', join(directory, 'empty.txt'), 'x'], `${join(directory, 'empty.txt')} is empty`],
    [['--home', join(directory, 'empty.txt', 'home'), 'status'], join(directory, 'empty.txt')],
  ]
  for (const [args, says] of cases) {
    const { code, stdout, stderr } = await siku(args)
    expect([args, code, stdout, stderr]).toEqual([args, 1, '', expect.stringContaining(says) as string])
    expect(stderr).not.toMatch(/\bE[A-Z]{4,}\b/)
  }
}, 120_000)

test('a model that no provider can be asked for is refused with the reason of the provider, its address and what to do', async () => {
  const server = await model(() => ({ text: '' }))
  const closed = new URL(await refusedAddress()).host
  const ollama = { OLLAMA_HOST: closed }
  const badOllama = { OLLAMA_HOST: 'http://bad host' }
  const openAi = { OPENAI_API_KEY: 'sk-test-not-a-key', OPENAI_BASE_URL: `http://${closed}/v1` }
  const badOpenAi = { ...openAi, OPENAI_BASE_URL: 'http://bad host/v1' }
  const cases: [string[], Record<string, string>, string, string[]][] = [
    [['agent', '--model', 'play:4b', 'hi'], ollama, 'model-unreachable', [closed, 'play:4b', 'ollama serve']],
    [['agent', 'hi'], ollama, 'model-unreachable', ['The agent needs a chat model.', closed, 'ollama serve']],
    [['agent', '--model', 'play:4b', 'hi'], badOllama, 'model-config', ['http://bad host', 'Write a host and a port']],
    [['agent', 'hi'], badOllama, 'model-config', ['http://bad host', 'Write a host and a port']],
    [['show', 'play:4b'], badOllama, 'model-config', ['http://bad host']],
    [['agent', '--model', 'gpt', 'hi'], { OLLAMA_HOST: server.address, ...openAi }, 'model-unreachable', [closed, 'with Ollama']],
    [['agent', '--model', 'gpt', 'hi'], { OLLAMA_HOST: server.address, ...badOpenAi }, 'model-config', ['http://bad host/v1', 'base URL']],
    [['agent', '--model', 'gpt', 'hi'], { OLLAMA_HOST: server.address }, 'not-found', ['No provider offers a model named "gpt"']],
  ]
  for (const [args, env, code, says] of cases) {
    const ran = await cli.run(['--debug', ...args], { home, env })
    expect([args, ran.code]).toEqual([args, 1])
    for (const part of says) expect(ran.stderr).toContain(part)
    const told = await cli.run(['--json', ...args], { home, env })
    if (args[0] === 'agent') expect(events(told.stdout).at(-1)).toMatchObject({ type: 'turn-end', outcome: 'failed', error: { code } })
  }
}, 600_000)

test('a task that cannot be begun ends in --json as every other: with one turn-end that says why', async () => {
  for (const [args, says] of [
    [['--model', 'nobody'], /^Whether there is a model "nobody" cannot be known\. Ollama does not answer at 127\.0\.0\.1:\d+/],
    [['--tools', 'teleport'], /no tool named "teleport"/],
    [['x'.repeat(20_001)], /^The question is too long: 20,000 characters at most\.$/],
  ] as const) {
    const { code, stdout, stderr } = await siku(['agent', '--json', ...args, 'x'])
    const told = events(stdout)
    expect([code, told.length]).toEqual([1, 1])
    expect(told[0]).toMatchObject({
      seq: 0,
      type: 'turn-end',
      outcome: 'failed',
      error: { message: expect.stringMatching(says) as string },
    })
    expect(stderr).toContain('siku: ')
  }
}, 120_000)

test('into a file goes the answer with its sources and nothing else; how it came about is a remark, which --quiet silences', async () => {
  for (const command of [['agent'], ['ask', '--anyway']]) {
    const server = await model(() => ({ text: 'Ninety\u202e days\u001b[2J.' }))
    const { stdout, stderr } = await siku([...command, 'How long is the notice?'], { server })
    expect(stdout).toMatch(/^Ninety days\[2J\./)
    expect(stdout).not.toMatch(/\n\n$|answered|\d s\)/)
    expect(stderr).toMatch(/\(answered · .*\d s\)\n$/)
    const quiet = await siku([...command, '--quiet', 'How long is the notice?'], { server })
    expect([quiet.stdout, quiet.stderr]).toEqual([stdout, expect.not.stringMatching(/answered|already running/) as string])
  }
}, 120_000)

test('JSON is exact and still holds nothing that a terminal obeys', async () => {
  const text = 'turned \u202e round \u009b'
  const server = await model(() => ({ text }))
  const { stdout } = await siku(['agent', '--json', 'x'], { server })
  expect(stdout).not.toMatch(/[\u202e\u009b]/)
  const said = events(stdout).map((event) => (event.type === 'text-delta' ? event.text : ''))
  expect(said.join('')).toBe(text)
}, 120_000)

test.skipIf(process.platform === 'win32')(
  'an interruption is one from the first moment on, before anything is loaded',
  async () => {
    // Interrupts itself as soon as anybody listens.
    const interrupt =
      "const t=setInterval(()=>{if(process.listenerCount('SIGINT')>0){clearInterval(t);process.kill(process.pid,'SIGINT')}},0)"
    const child = start(['--import', `data:text/javascript,${interrupt}`, 'bin/siku.js', 'status'], undefined, process.execPath)
    expect(await finished(child)).toEqual({ code: 130, stdout: '', stderr: 'Interrupted.\n' })
  },
  120_000,
)
