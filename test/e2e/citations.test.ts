import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refusedAddress } from '../fakes/ollama-server.ts'
import { openChromium, type Chromium } from './chromium.ts'
import { openHost, type Host } from './hosts.ts'
import { makeKinds, type KindOfDocument } from './kinds.ts'

let chromium: Chromium
let directory: string
let host: Host
let documents: KindOfDocument[]
let folder: string

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'siku-kinds-'))
  const made = await makeKinds(directory)
  documents = made.documents
  folder = made.folder
  chromium = await openChromium()
  host = await openHost('browser', chromium, { home: join(directory, 'home'), ollama: await refusedAddress() })
}, 60_000)
afterAll(async () => {
  await host.close()
  await chromium.close()
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
})

/** Whether what is marked can be seen: not only that it is there. */
async function inSight(reader: Locator, mark: Locator): Promise<boolean> {
  const [frame, box] = await Promise.all([reader.boundingBox(), mark.boundingBox()])
  return frame !== null && box !== null && box.y >= frame.y && box.y + Math.min(box.height, 20) <= frame.y + frame.height
}

async function openCitation(page: Page, { name, question }: KindOfDocument): Promise<void> {
  await page.getByRole('link', { name: 'Ask' }).first().click()
  await page.getByRole('textbox', { name: 'Ask about what is in your library' }).fill(question)
  await page.getByRole('button', { name: 'Send' }).click()
  const turn = page.getByRole('article', { name: question }).last()
  await turn.and(page.locator('[aria-busy="false"]')).waitFor({ timeout: 60_000 })
  await turn
    .locator('button.chip')
    .and(page.getByRole('button', { name: new RegExp(`(?<!in )${name.replace('.', '\\.')}`) }))
    .first()
    .click()
}

test('a document of every kind becomes ready', async () => {
  const { page } = host
  await host.drop([folder])
  await page.getByRole('link', { name: 'Library' }).first().click()
  await page.getByRole('button', { name: 'Every kind', exact: true }).click({ timeout: 60_000 })
  await page.getByRole('button', { name: 'Any status' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Ready' }).click()
  await page.keyboard.press('Escape')
  await expect
    .poll(() => page.getByRole('status').allInnerTexts(), { timeout: 500_000, interval: 1000 })
    .toContain(`${documents.length} documents`)
}, 560_000)

test('a citation into a document of every kind opens the place, marked and in sight', async () => {
  const wrong: string[] = []
  for (const each of documents) {
    const { page } = host
    try {
      await openCitation(page, each)
      const reader = page.locator('#reader-body')
      await page.getByRole('heading', { level: 2, name: each.name }).waitFor()
      const marks = page.locator(each.mark)
      await marks.first().waitFor()
      if (each.boxed === undefined) {
        await expect.poll(async () => (await marks.allInnerTexts()).join(' '), { timeout: 15_000 }).toContain(each.answer.split(' ')[1])
      }
      await expect.poll(() => inSight(reader, marks.first()), { timeout: 15_000 }).toBe(true)
    } catch (error) {
      wrong.push(`${each.name}: ${error instanceof Error ? error.message.split('\n').slice(0, 6).join(' ') : String(error)}`)
    }
    const shots = process.env['SIKU_SHOTS']
    if (shots !== undefined) await page.screenshot({ path: join(shots, `${each.name}.png`) })
  }
  expect(wrong).toEqual([])
}, 600_000)
