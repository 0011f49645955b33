import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startOllama, type OllamaServer } from '../../../test/fakes/ollama-server.ts'
import { modelSchema, modelsStateSchema } from '../../contract/models.ts'

const root = join(import.meta.dirname, '..', '..', '..')
let directory: string
let server: OllamaServer
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'siku-models-'))
  server = await startOllama({ models: [{ name: 'a:1b', loadedContext: 4096, capabilities: ['completion', 'tools', 'thinking'] }, 'b:1b'] })
})
afterAll(async () => {
  await server.close()
  rmSync(directory, { recursive: true, force: true })
})

function siku(args: string[], env: Record<string, string> = {}): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [join(root, 'bin', 'siku.js'), ...args], {
    cwd: directory,
    env: { ...process.env, SIKU_HOME: join(directory, 'home'), OLLAMA_HOST: server.url, LANG: 'en_US.UTF-8', LC_ALL: '', ...env },
  })
  return new Promise((done) => {
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (part: Buffer) => (stdout += part.toString()))
    child.stderr.on('data', (part: Buffer) => (stderr += part.toString()))
    child.once('close', (code) => done({ code, stdout, stderr }))
  })
}

test('a model is shown in full, copied, and taken out of memory', async () => {
  const shown = await siku(['show', 'a:1b', '--json'])
  expect(modelSchema.parse(JSON.parse(shown.stdout))).toMatchObject({
    ref: { model: 'a:1b' },
    capabilities: ['completion', 'tools', 'thinking'],
    loaded: true,
    loadedBytes: 3_000_000_000,
  })
  expect(await siku(['models', 'copy', 'a:1b', 'mine:1b', '--json'])).toEqual({
    code: 0,
    stdout: '{"provider":"ollama","from":"a:1b","to":"mine:1b"}\n',
    stderr: '',
  })
  const unloaded = await siku(['models', 'unload', 'a:1b', '--json'])
  expect(JSON.parse(unloaded.stdout)).toEqual({ provider: 'ollama', name: 'a:1b', unloaded: true, freedBytes: 3_000_000_000 })
  const listed = modelsStateSchema.parse(JSON.parse((await siku(['models', '--json'])).stdout))
  expect(listed.providers[0]?.models.map((model) => [model.ref.model, model.loaded])).toEqual([
    ['a:1b', false],
    ['b:1b', false],
    ['mine:1b', false],
  ])
}, 120_000)

test('a copy of a model that is not there is refused on stderr, with exit code 1', async () => {
  const { code, stdout, stderr } = await siku(['models', 'copy', 'gone', 'x'])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('gone')
}, 120_000)

test('a key in the .env of the working directory makes its provider appear, and is in nothing that is printed', async () => {
  writeFileSync(join(directory, '.env'), 'DEEPSEEK_API_KEY=VERYSECRET\n')
  const { stdout, stderr } = await siku(['models', '--json', '--debug'])
  const { providers } = modelsStateSchema.parse(JSON.parse(stdout))
  expect(providers.map(({ provider }) => [provider.id, provider.hasKey])).toContainEqual(['deepseek-environment', true])
  expect(stdout + stderr).not.toContain('VERYSECRET')
}, 120_000)
