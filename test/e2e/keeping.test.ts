import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startOllama, type OllamaServer } from '../fakes/ollama-server.ts'
import { openChromium, type Chromium } from './chromium.ts'
import { openHost, type Host } from './hosts.ts'

let chromium: Chromium
let ollama: OllamaServer
let directory: string
let host: Host

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'siku-keeping-'))
  chromium = await openChromium()
  let answers = 0
  ollama = await startOllama({
    chat: () => ({ thinking: 'a secret train of thought', text: `Answer number ${(answers += 1)} to what was asked.` }),
  })
  await open()
})
afterAll(async () => {
  await host.close()
  await chromium.close()
  await ollama.close().catch(() => undefined)
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
})

async function open(): Promise<void> {
  host = await openHost('browser', chromium, { home: join(directory, 'home'), ollama: ollama.address })
}

async function ended(page: Page, question: string): Promise<void> {
  await page
    .getByRole('article', { name: question, exact: true })
    .and(page.locator('[aria-busy="false"]'))
    .locator('footer')
    .waitFor({ timeout: 90_000 })
}

async function menu(page: Page, title: string, item: string): Promise<void> {
  const wanted = page.getByRole('menuitem', { name: item, exact: true })
  const button = page.getByRole('button', { name: `Actions for “${title}”` }).first()
  // A row that is just moving in the list takes its menu along.
  await expect
    .poll(
      async () => {
        if (!(await wanted.isVisible())) await button.press('Enter')
        return wanted.isVisible()
      },
      { timeout: 60_000, interval: 500 },
    )
    .toBe(true)
  await wanted.press('Enter')
}

async function saved(page: Page, title: string, item: string): Promise<string> {
  const download = page.waitForEvent('download')
  await menu(page, title, item)
  const path = join(directory, 'saved')
  await (await download).saveAs(path)
  return readFileSync(path, 'utf8')
}

const fileSchema = z.object({
  chat: z.object({
    title: z.string(),
    pinned: z.boolean(),
    history: z.array(z.looseObject({ id: z.string(), parentId: z.string().nullish(), question: z.string(), answer: z.string() })),
  }),
  messages: z.record(z.string(), z.array(z.unknown())),
})

/** What a file says, whatever ids its turns have and whenever it was brought in. */
function said(json: string) {
  const { chat, messages } = fileSchema.parse(JSON.parse(json))
  const at = new Map(chat.history.map(({ id }, index) => [id, index]))
  return {
    title: chat.title,
    pinned: chat.pinned,
    history: chat.history.map(({ id: _id, chatId: _chatId, imported: _imported, parentId, ...turn }) => ({
      ...turn,
      after: typeof parentId === 'string' ? at.get(parentId) : null,
    })),
    messages: chat.history.map(({ id }) => messages[id] ?? []),
  }
}

test('a chat leaves as Markdown without what the model thought, and as JSON comes back with branches, pin and attachments', async () => {
  const { page } = host
  const title = 'What is in the note?'
  await page.locator('form label', { hasText: 'Agent' }).click()
  await page
    .locator('form input[type=file]')
    .setInputFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('a small note') })
  await page.locator('form li', { hasText: 'note.txt' }).waitFor()
  await page.locator('#composer').fill(title)
  await page.locator('#composer').press('Enter')
  await ended(page, title)
  await page.getByRole('button', { name: 'Edit the question' }).click()
  await page.getByRole('textbox', { name: 'Edit the question' }).fill('What else is in it?')
  await page.getByRole('textbox', { name: 'Edit the question' }).press('Enter')
  await ended(page, 'What else is in it?')
  await menu(page, title, 'Pin')
  await page.locator('aside h3', { hasText: 'Pinned' }).waitFor()

  const markdown = await saved(page, title, 'Export as Markdown')
  expect(markdown).toContain('to what was asked.')
  expect(markdown).not.toContain('secret train of thought')

  const json = await saved(page, title, 'Export with everything (JSON)')
  const before = said(json)
  expect([before.pinned, before.history.map(({ after }) => after), before.history.map(({ question }) => question)]).toEqual([
    true,
    [null, null],
    [title, 'What else is in it?'],
  ])
  expect(json).toContain('a small note')
  await menu(page, title, 'Delete')
  await page.locator('aside h3', { hasText: 'Pinned' }).waitFor({ state: 'detached' })
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Import a chat (JSON)' }).click()
  writeFileSync(join(directory, 'chat.json'), json)
  await (await chooser).setFiles(join(directory, 'chat.json'))
  await page.getByRole('group', { name: 'Versions of this question' }).waitFor()
  expect(said(await saved(page, title, 'Export with everything (JSON)'))).toEqual(before)
}, 300_000)

test('a backup that is chosen by hand stands again after the next start, and so does what it replaced', async () => {
  const { page } = host
  const chat = page.locator('aside a', { hasText: 'What is in the note?' })
  await page.goto(new URL('#/settings/backups', page.url()).href)
  await page.getByRole('button', { name: 'Back up now' }).click()
  await page.getByText('The library was backed up.').waitFor()
  await page.getByRole('link', { name: 'Ask' }).first().click()
  await menu(page, 'What is in the note?', 'Delete')
  await chat.waitFor({ state: 'detached' })
  await page.goto(new URL('#/settings/backups', page.url()).href)
  await page.locator('#section-backups li button').first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
  await page.getByText('At the next start').waitFor()
  await host.close()
  await open()
  await host.page.locator('aside a', { hasText: 'What is in the note?' }).waitFor()
  await host.page.goto(new URL('#/settings/backups', host.page.url()).href)
  await expect.poll(() => host.page.locator('#section-backups li').count()).toBe(2)
  expect(await host.page.getByText('At the next start').count()).toBe(0)
}, 300_000)
