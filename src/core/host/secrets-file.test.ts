import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fileSecrets } from './secrets-file.ts'

let directory: string
beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'siku-secrets-'))))
afterEach(() => rmSync(directory, { recursive: true }))

test('keys set at the same moment are all kept, and are there for the next start', async () => {
  const secrets = fileSecrets(directory)
  await Promise.all(Array.from({ length: 20 }, (_, index) => secrets.set(`provider-${index}`, `key-${index}`)))
  await secrets.remove('provider-3')
  const again = fileSecrets(directory)
  expect(await again.get('provider-19')).toBe('key-19')
  expect(await again.get('provider-3')).toBeNull()
  expect(readdirSync(directory)).toEqual(['secrets.json'])
})

test.skipIf(process.platform === 'win32')('nobody but the owner may read the file', async () => {
  await fileSecrets(directory).set('name', 'value')
  expect(statSync(join(directory, 'secrets.json')).mode & 0o777).toBe(0o600)
})

test('a damaged file is set aside, not overwritten', async () => {
  writeFileSync(join(directory, 'secrets.json'), '{"half":')
  const secrets = fileSecrets(directory)
  await secrets.set('name', 'value')
  const aside = readdirSync(directory).find((name) => name.startsWith('secrets.json.damaged'))
  expect(readFileSync(join(directory, aside ?? ''), 'utf8')).toBe('{"half":')
  expect(await secrets.get('name')).toBe('value')
})
