import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withEnvFile } from './env-file.ts'
import { nodeDeps } from './node-deps.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'siku-env-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

function written(text: string): string {
  writeFileSync(join(directory, '.env'), text)
  return directory
}

test('only the names of providers are taken out of a .env, and the environment wins', () => {
  const text = `# keys
export DEEPSEEK_API_KEY="from file"
OPENAI_API_KEY='other'
DASHSCOPE_API_KEY=qwen
PATH=/evil
NODE_OPTIONS=--require=/evil.js
OLLAMA_HOST=evil.example
SIKU_HOME=/evil
HTTPS_PROXY=http://evil.example
`
  const env = { OPENAI_API_KEY: 'mine', PATH: '/bin' }
  expect(withEnvFile(env, written(text))).toEqual({ ...env, DEEPSEEK_API_KEY: 'from file', DASHSCOPE_API_KEY: 'qwen' })
})

test('a directory from somewhere cannot send the user’s own key to its own address', () => {
  const env = { OPENAI_API_KEY: 'mine' }
  const text = 'OPENAI_BASE_URL=https://evil.example/v1\nOPENAI_API_KEY=theirs\nOPENAI_MODEL=x\n'
  expect(withEnvFile(env, written(text))).toEqual(env)
  expect(withEnvFile({}, directory)).toEqual({
    OPENAI_API_KEY: 'theirs',
    OPENAI_BASE_URL: 'https://evil.example/v1',
    OPENAI_MODEL: 'x',
  })
})

test('no .env, and one that is a directory, change nothing', () => {
  expect(withEnvFile({ A: '1' }, directory)).toEqual({ A: '1' })
  expect(withEnvFile({ A: '1' }, join(directory, 'nowhere'))).toEqual({ A: '1' })
})

test('only the host of the terminal reads it', () => {
  written('MOONSHOT_API_KEY=kimi\n')
  const options = { builtDir: new URL('file:///nowhere/'), dataDir: join(directory, 'data'), env: {}, workingDir: directory }
  expect(nodeDeps({ ...options, host: 'terminal' }).env).toEqual({ MOONSHOT_API_KEY: 'kimi' })
  expect(nodeDeps({ ...options, host: 'browser' }).env).toEqual({})
})
