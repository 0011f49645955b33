import type { ChildProcess } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { builtCli, finished, type Ran } from '../../test/fakes/built-cli.ts'
import { startHttpFake } from '../../test/fakes/http-fake.ts'
import { startOllama } from '../../test/fakes/ollama-server.ts'
import { askReportSchema } from '../contract/answer.ts'
import { documentSchema, extractResultSchema, indexReportSchema, splitPieceSchema } from '../contract/library.ts'
import { modelsStateSchema } from '../contract/models.ts'
import { hitSchema, searchResultSchema } from '../contract/search.ts'
import { doctorReportSchema, statusSchema } from '../contract/settings.ts'
import { openReader } from '../core/store/store.ts'

const root = join(import.meta.dirname, '..', '..')

interface Options {
  at?: string
  env?: Record<string, string>
  user?: { uid?: number; gid?: number }
}

let directory: string
let home: string
let papers: string
const cli = builtCli()

function start(args: string[], { at = home, env = {}, user = {} }: Options = {}): ChildProcess {
  return cli.start(args, { home: at, env, user })
}

function siku(args: string[], { stdin, at = home, env = {}, user = {} }: Options & { stdin?: string } = {}): Promise<Ran> {
  return cli.run(args, { home: at, env, user, ...(stdin === undefined ? {} : { stdin }) })
}

/** Exactly one JSON document, in its promised shape and no other. */
async function json<T>(schema: z.ZodType<T>, args: string[]): Promise<T> {
  const { code, stdout, stderr } = await siku([...args, '--json'])
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.trimEnd().split('\n')).toHaveLength(1)
  return schema.parse(JSON.parse(stdout))
}

function until(child: ChildProcess, stream: 'stdout' | 'stderr', wanted: RegExp): Promise<string> {
  return new Promise((done, fail) => {
    let said = ''
    child[stream]?.on('data', (part: Buffer) => {
      said += part.toString()
      const match = wanted.exec(said)
      if (match !== null) done(match[0])
    })
    child.once('exit', () => fail(new Error(`ended before ${String(wanted)}: ${said}`)))
  })
}

beforeAll(async () => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'siku-cli-')))
  home = join(directory, 'home')
  papers = join(directory, 'papers')
  mkdirSync(join(papers, 'flat'), { recursive: true })
  writeFileSync(join(papers, 'flat', 'lease.md'), '# Lease\n\nThe tenant gives ninety days of notice.\n')
  writeFileSync(join(papers, '图书馆.txt'), '图书馆每天上午八点开门，晚上九点半关门。\n')
  writeFileSync(join(papers, 'broken.pdf'), '%PDF-1.7\nthis is no pdf')
  writeFileSync(join(papers, 'photo.bin'), Buffer.from([0, 1, 2, 3, 255, 254, 0, 7]))
  const ran = await siku(['index', papers, '--json'])
  expect(ran).toMatchObject({ code: 0 })
  const { elapsedMs: _elapsed, ...report } = indexReportSchema.strict().parse(JSON.parse(ran.stdout))
  expect(report).toEqual({ folders: 1, documents: { ready: 2, partial: 0, recognising: 0, failed: 1, skipped: 1 }, passages: 2 })
})
afterAll(() => {
  cli.killAll()
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
})

test('indexing again does nothing twice, and --strict tells of what failed', async () => {
  expect(await siku(['index', papers, '--strict', '--json'])).toMatchObject({ code: 3 })
})

test('documents, status, models and doctor print one document of their promised shape', async () => {
  const row = documentSchema.pick({
    path: true,
    kind: true,
    status: true,
    reason: true,
    pages: true,
    passages: true,
    sizeBytes: true,
    language: true,
    unreachableSince: true,
    pagesToRecognise: true,
  })
  const shown = row.extend({ recognition: z.enum(['off', 'paused', 'on']).nullable() })
  const documents = await json(z.array(shown.strict()), ['documents'])
  expect(documents.map(({ status, language }) => [status, language])).toEqual(
    expect.arrayContaining([
      ['ready', 'en'],
      ['ready', 'zh'],
      ['failed', null],
      ['skipped', null],
    ]),
  )
  const sizes = (await json(z.array(shown), ['documents', '--sort', 'size', '--descending'])).map(({ sizeBytes }) => sizeBytes)
  expect(sizes).toEqual(documents.map(({ sizeBytes }) => sizeBytes).sort((one, other) => other - one))
  expect(documents.find(({ status }) => status === 'skipped')?.reason?.code).toBe('unsupported-kind')
  expect(await json(statusSchema.strict(), ['status'])).toMatchObject({ mode: 'writer', folders: 1, passages: 2, embedded: 2 })
  expect((await json(modelsStateSchema, ['models'])).effective).toBeNull()
  expect((await json(doctorReportSchema.strict(), ['doctor'])).findings.length).toBeGreaterThan(0)
})

test('extract and split read a file without indexing it', async () => {
  const file = join(directory, 'apart.md')
  writeFileSync(file, '# One\n\nFirst.\n\n# Two\n\nSecond.\n')
  const read = await json(extractResultSchema.strict(), ['extract', file])
  expect(read).toMatchObject({ path: file, kind: 'markdown', status: 'ready', reason: null })
  expect(await json(z.array(splitPieceSchema.strict()), ['split', file, '--strategy', 'lines'])).toHaveLength(1)
  expect(await json(z.array(z.unknown()), ['documents', '--name', 'apart'])).toEqual([])
})

const hits = searchResultSchema
  .pick({ query: true, mode: true, elapsedMs: true, notes: true })
  .extend({ hits: z.array(hitSchema.pick({ rank: true, score: true, path: true, place: true, text: true, passageId: true }).strict()) })
  .strict()

test('search answers in each mode and within a folder', async () => {
  const modes = ['hybrid', 'keyword', 'vector']
  const found = await Promise.all(modes.map((mode) => json(hits, ['search', 'notice', 'days', '-k', '1', '--mode', mode])))
  expect(found.map((result) => [result.mode, result.hits[0]?.path])).toEqual(modes.map((mode) => [mode, join(papers, 'flat', 'lease.md')]))
  const within = await json(hits, ['search', '关门', '--folder', join(papers, 'flat'), '--mode', 'keyword'])
  expect(within.hits).toEqual([])
})

test('--folder is what the path leads to, and a path that leads nowhere is an error instead of an empty result', async () => {
  mkdirSync(join(papers, 'empty'), { recursive: true })
  mkdirSync(join(directory, 'outside'), { recursive: true })
  symlinkSync(papers, join(directory, 'link'))
  const flat = join(papers, 'flat')
  const search = (folder: string) => siku(['search', 'notice', '--mode', 'keyword', '--json', '--folder', folder])
  for (const folder of [
    flat,
    join(flat, 'lease.md'),
    relative(root, flat),
    join(directory, 'link'),
    join(directory, 'link', 'flat'),
    `${flat}/`,
    directory,
  ])
    expect(hits.parse(JSON.parse((await search(folder)).stdout)).hits, folder).toHaveLength(1)
  expect(hits.parse(JSON.parse((await search(join(papers, 'empty'))).stdout)).hits).toEqual([])
  for (const folder of [
    join(papers, 'nowhere'),
    join(directory, 'outside'),
    join(directory, 'nowhere'),
    join(directory, 'link', 'nowhere'),
  ]) {
    const { code, stdout, stderr } = await search(folder)
    expect([code, stdout], folder).toEqual([1, ''])
    expect(stderr).toContain('is not in the library')
  }
  expect(await json(z.array(z.unknown()), ['documents', '--folder', directory])).toHaveLength(4)
}, 120_000)

test('--stdin takes a query a line, blank ones too, and answers each with a line in order', async () => {
  const { code, stdout, stderr } = await siku(['search', '--stdin', '-k', '1'], { stdin: '\uFEFF关门\r\n\n  \r\nninety days' })
  const lines = stdout.trimEnd().split('\n')
  expect([code, stderr]).toEqual([0, ''])
  const results = lines.map((line) => hits.parse(JSON.parse(line)))
  expect(results.map(({ query, hits: found }) => [query, found.length])).toEqual([
    ['关门', 1],
    ['', 0],
    ['  ', 0],
    ['ninety days', 1],
  ])
}, 120_000)

test('what could not be searched is in the result and said once, in whole sentences', async () => {
  const long = 'ninety days '.repeat(1500)
  const { code, stdout, stderr } = await siku(['search', '--stdin', '--mode', 'vector'], { stdin: `${long}\n${long}\nninety\n` })
  const results = stdout
    .trimEnd()
    .split('\n')
    .map((line) => hits.parse(JSON.parse(line)))
  expect(code).toBe(0)
  expect(results.map(({ notes }) => notes.map((note) => note.code))).toEqual([['no-vectors'], ['no-vectors'], []])
  expect(stderr.trimEnd().split('\n')).toEqual([results[0]?.notes[0]?.message])
  expect(stderr).not.toContain('..')
}, 120_000)

test('ask without a model quotes the document and says so', async () => {
  const report = await json(askReportSchema.strict(), ['ask', '--no-model', 'How many days of notice does the tenant give?'])
  expect(report).toMatchObject({ outcome: 'extractive', model: null })
  expect(report.citations[0]).toMatchObject({ marker: 1, path: join(papers, 'flat', 'lease.md') })
  expect(report.answer).toContain('ninety days')
  expect(await siku(['ask', '--model', 'nobody-has-this', 'x'])).toMatchObject({ code: 1, stdout: '' })
})

test('wrong use is 2, what cannot be done is 1, and neither says a word on stdout', async () => {
  const wrong = [
    ['bogus'],
    ['search'],
    ['search', ''],
    ['search', '--json', ' ', '  '],
    ['ask', ' '],
    ['index', ''],
    ['index', papers, ''],
    ['extract', ' '],
    ['show', ''],
    ['search', 'x', '--folder='],
    ['ask', 'x', '--folder', ''],
    ['documents', '--folder', ''],
    ['documents', '--sort', 'beauty'],
    ['search', 'x', '--home', ''],
    ['search', 'x', '-k', '0'],
    ['search', 'x', '--mode', 'magic'],
    ['extract'],
    ['status', '--nonsense'],
    ['split', 'f', '--max-tokens', 'many'],
  ]
  const impossible = [
    ['index', join(directory, 'nowhere')],
    ['extract', join(directory, 'nowhere.pdf')],
    ['index', join(directory, 'nowhere'), join(directory, 'nowhere-else'), '--json'],
    ['show', 'nothing'],
  ]
  const codes = await Promise.all([...wrong, ...impossible].map(async (args) => siku(args)))
  expect(codes.map(({ code, stdout }) => [code, stdout])).toEqual([...wrong.map(() => [2, '']), ...impossible.map(() => [1, ''])])
  for (const { stderr } of codes) expect(stderr).not.toMatch(/^\s+at /m)
}, 120_000)

test('what can be added is, also beside a path that cannot, which is said and counts as not done', async () => {
  const at = join(directory, 'mixed-home')
  const { code, stdout, stderr } = await siku(['index', join(directory, 'nowhere'), join(papers, 'flat'), '--json'], { at })
  expect(code).toBe(1)
  expect(indexReportSchema.parse(JSON.parse(stdout))).toMatchObject({ folders: 1, documents: { ready: 1 } })
  expect(stderr).toContain(join(directory, 'nowhere'))
  const within = await siku(['index', at, join(papers, 'flat'), '--json', '--strict'], { at })
  expect(within).toMatchObject({ code: 1, stderr: expect.stringContaining(at) as string })
  expect(indexReportSchema.parse(JSON.parse(within.stdout))).toMatchObject({ folders: 1 })
})

test.each(['<html>Welcome</html>', '', '{"status":"pulling manifest"}\n', '{"error":"no such model"}\n'])(
  'a model is not there because a server answered the pull with status 200 and %j',
  async (body) => {
    const server = await startHttpFake('stranger', {}, (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' })
      response.end(body)
      return true
    })
    try {
      const ran = await siku(['pull', 'foo', '--json'], { env: { OLLAMA_HOST: server.url } })
      expect(ran).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^siku: \S/m) as string })
    } finally {
      await server.close()
    }
  },
)

test('Ctrl-C stops an answer that is being written: its beginning is kept as stopped, and the model is let go', async () => {
  const at = join(directory, 'asking-home')
  await siku(['index', join(papers, 'flat')], { at })
  const server = await startOllama({ words: { count: 10_000, delayMs: 20 } })
  try {
    const child = start(['ask', '--json', '--anyway', 'How many days of notice does the tenant give?'], {
      at,
      env: { OLLAMA_HOST: server.address },
    })
    child.stdin?.end()
    const ended = finished(child)
    await server.waitForRequests(1, '/api/chat')
    const reader = openReader(join(at, 'siku.db'))
    const stored = () =>
      reader.prepare("SELECT outcome, data ->> '$.answer' AS answer FROM turns").get() as
        { outcome: string | null; answer: string } | undefined
    try {
      await expect.poll(() => stored()?.answer ?? '', { timeout: 30_000 }).toContain('word1')
      child.kill('SIGINT')
      const { code, stdout } = await ended
      expect(code).toBe(130)
      expect(askReportSchema.parse(JSON.parse(stdout))).toMatchObject({
        outcome: 'stopped',
        answer: expect.stringMatching(/^word1 /) as string,
      })
      expect(stored()).toMatchObject({ outcome: 'stopped', answer: expect.stringMatching(/^word1 /) as string })
      await server.waitForAborts(1)
    } finally {
      reader.close()
    }
  } finally {
    await server.close()
  }
}, 120_000)

test('help shows examples, and the version is the package’s', async () => {
  expect(await siku(['search', '--help'])).toMatchObject({ code: 0, stdout: expect.stringContaining('Examples:') as string })
  expect((await siku(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})

test('the terminal speaks Chinese where the locale is Chinese', async () => {
  const { stderr } = await siku(['index', join(directory, 'nowhere')], { env: { LANG: 'zh_CN.UTF-8' } })
  expect(stderr).toContain('没有这个文件或文件夹')
})

test('beside an open host the commands go there; after its death by kill -9 they work by themselves', async () => {
  const host = start(['serve', '--json'])
  const ended = finished(host)
  await until(host, 'stdout', /"address":"http:\/\/127\.0\.0\.1:\d+\/\?token=/)
  const beside = await siku(['search', 'ninety', '--json', '-k', '1'])
  expect(beside.stderr).toContain(`process ${host.pid}`)
  expect(hits.parse(JSON.parse(beside.stdout)).hits).toHaveLength(1)
  host.kill('SIGKILL')
  await ended
  const after = await siku(['search', 'ninety', '--json', '-k', '1'])
  expect(after).toMatchObject({ code: 0, stderr: '' })
})

test('nothing is left outside the data directory, such as the mark of a library that reports home', async () => {
  const user = join(directory, 'user')
  mkdirSync(user)
  const env = { HOME: user, USERPROFILE: user, XDG_CACHE_HOME: '', XDG_DATA_HOME: '', XDG_CONFIG_HOME: '' }
  expect(await siku(['search', 'ninety', '--mode', 'vector', '--json'], { env })).toMatchObject({ code: 0, stderr: '' })
  expect(readdirSync(user)).toEqual([])
})

const asRoot = process.platform !== 'win32' && process.getuid?.() === 0
test.skipIf(!asRoot)('who may only read the data directory can search and ask, is told so, and changes nothing', async () => {
  const copy = join(directory, 'read-only')
  cpSync(home, copy, { recursive: true })
  chmodSync(directory, 0o755)
  chmodSync(copy, 0o755)
  for (const name of readdirSync(copy, { recursive: true, encoding: 'utf8' })) chmodSync(join(copy, name), 0o755)
  const nobody = { uid: 65_534, gid: 65_534 }
  const found = await siku(['search', 'ninety', '--json', '-k', '1'], { at: copy, user: nobody })
  expect(found.stderr).toContain('opened for reading only')
  expect(hits.parse(JSON.parse(found.stdout)).hits).toHaveLength(1)
  expect(await siku(['ask', '--no-model', 'How many days of notice?'], { at: copy, user: nobody })).toMatchObject({ code: 0 })
  mkdirSync(join(directory, 'fresh'))
  expect(await siku(['index', join(directory, 'fresh')], { at: copy, user: nobody })).toMatchObject({ code: 1, stdout: '' })
})

test('Ctrl-C ends a host cleanly', async () => {
  const host = start(['serve'])
  const ended = finished(host)
  await until(host, 'stdout', /http:\S+/)
  host.kill('SIGINT')
  expect((await ended).code).toBe(130)
})

test('Ctrl-C stops the indexing, and the next start goes on from there', async () => {
  const at = join(directory, 'second-home')
  const many = join(directory, 'many')
  mkdirSync(many)
  for (let index = 0; index < 60; index += 1)
    writeFileSync(join(many, `${index}.md`), `# Note ${index}\n\nThe ${index}th thing is here. ${'More words follow. '.repeat(40)}\n`)
  const child = start(['index', many, '--json'], { at })
  const ended = finished(child)
  await until(child, 'stderr', /Reading|Understanding/)
  child.kill('SIGINT')
  const { code, stdout } = await ended
  expect([code, stdout]).toEqual([130, ''])
  const again = await siku(['index', many, '--json'], { at })
  expect(indexReportSchema.parse(JSON.parse(again.stdout)).documents).toEqual({
    ready: 60,
    partial: 0,
    recognising: 0,
    failed: 0,
    skipped: 0,
  })
}, 120_000)

test('two commands at once, started together, both work', async () => {
  const both = await Promise.all([siku(['search', 'ninety', '--json']), siku(['status', '--json']), siku(['search', '关门', '--json'])])
  expect(both.map(({ code }) => code)).toEqual([0, 0, 0])
})
