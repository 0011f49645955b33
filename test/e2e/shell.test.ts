import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { refusedAddress } from '../fakes/ollama-server.ts'
import { openChromium, type Chromium } from './chromium.ts'
import { openHost, type Host } from './hosts.ts'

let chromium: Chromium
let directory: string
let host: Host | null = null

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'siku-shell-'))
  chromium = await openChromium()
})
afterEach(async () => {
  await host?.close()
  host = null
})
afterAll(async () => {
  await chromium.close()
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
})

async function open(name: string, env: Record<string, string> = {}): Promise<Host> {
  host = await openHost('stand-in', chromium, { home: join(directory, name), ollama: await refusedAddress(), env })
  return host
}

async function saveKey({ page }: Host, key: string): Promise<void> {
  await page.getByRole('link', { name: 'Models' }).first().click()
  await page.getByRole('button', { name: 'Add a provider' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Elsewhere')
  await dialog.getByLabel('Address').fill('http://127.0.0.1:1/v1')
  await dialog.getByLabel('Key').fill(key)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Elsewhere').first().waitFor()
}

test('the shell refuses what a page may not: devices, other hosts, a page that is not ours', async () => {
  const { page, said } = await open('refusals')
  expect(said).toEqual(
    expect.arrayContaining([
      { what: 'permission', media: 'video', granted: false },
      { what: 'permission', media: 'audio+video', granted: false },
      // A spoken question.
      { what: 'permission', media: 'audio', granted: true },
      { what: 'permission', media: '', granted: false },
      { what: 'permission', place: false },
      { what: 'outside', cancel: true },
    ]),
  )
  const port = () =>
    page.evaluate(
      () =>
        new Promise<boolean>((done) => {
          const shell = (window as unknown as { siku: { connect(): void } }).siku
          window.addEventListener('message', (event: MessageEvent<{ type?: string }>) => event.data.type === 'siku-port' && done(true))
          setTimeout(() => done(false), 1500)
          shell.connect()
        }),
    )
  expect(await port()).toBe(true)
  await page.goto('about:blank')
  expect(await port()).toBe(false)
})

test('a document of the library has an address, in ranges; nothing else on the disk has', async () => {
  const { page } = await open('documents')
  await page.getByText('sample documents are here').waitFor()
  const statuses = await page.evaluate(async () => {
    const paths = ['/document/1', '/document/99999', '/document/..%2fsiku.db', '/../../package.json', '/assets/../../main/main.js']
    return Promise.all(paths.map(async (path) => (await fetch(path, { headers: { range: 'bytes=0-3' } })).status))
  })
  expect(statuses).toEqual([206, 404, 404, 404, 404])
})

test('a key is sealed by the keyring, and never lies on the disk in the open', async () => {
  const opened = await open('keyring')
  await saveKey(opened, 'sk-very-secret')
  const sealed = readFileSync(join(directory, 'keyring', 'secrets.sealed.json'), 'utf8')
  expect(sealed).toMatch(/^\{"[^"]+":"[A-Za-z0-9+/=]+"\}$/)
  expect(sealed).not.toContain('sk-very-secret')
})

test('without a keyring the key lies in its owner’s file', async () => {
  const opened = await open('no-keyring', { SIKU_STAND_IN_KEYRING: 'none' })
  await saveKey(opened, 'sk-very-secret')
  expect(readFileSync(join(directory, 'no-keyring', 'secrets.json'), 'utf8')).toContain('sk-very-secret')
})
