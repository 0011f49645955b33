import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startOllama, type ChatBody, type ChatScript, type OllamaServer } from '../fakes/ollama-server.ts'
import { openChromium, type Chromium } from './chromium.ts'
import { openHost, type Host } from './hosts.ts'

const programs = ['"first " + 6 * 7', '"second " + 11 * 5']

/** Two programs, one round after the other, whatever became of them; then the answer. */
function answerFrom({ messages }: ChatBody): ChatScript {
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  const code = programs[messages.slice(asked).filter(({ role }) => role === 'tool').length]
  return code === undefined ? { text: 'Both were tried.' } : { toolCalls: [{ name: 'run_javascript', arguments: { code } }] }
}

let chromium: Chromium
let ollama: OllamaServer
let directory: string
let host: Host

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'siku-approvals-'))
  chromium = await openChromium()
  ollama = await startOllama({ chat: answerFrom })
  host = await openHost('browser', chromium, { home: join(directory, 'home'), ollama: ollama.address })
})
afterAll(async () => {
  await host?.close()
  await chromium.close()
  await ollama.close().catch(() => undefined)
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
})

const task = 'Run both programs in the sandbox'
const turnOf = (page: Page) => page.getByRole('article', { name: task, exact: true })
const cardOf = (page: Page, program: string) => page.locator('[data-approval]', { hasText: program })

/** Its buttons count once the card has stood still. */
async function word(page: Page, program: string, choice: 'Refuse' | 'Allow once') {
  const button = cardOf(page, JSON.stringify(program).slice(1, -1)).getByRole('button', { name: choice, exact: true })
  await button.and(page.locator('[aria-disabled=false]')).waitFor()
  return button
}

async function endings(page: Page): Promise<string[]> {
  return (await turnOf(page).getByRole('list', { name: 'Tool calls' }).locator('summary').allInnerTexts()).map((line) =>
    /refused/.test(line) ? 'refused' : /allowed once/.test(line) ? 'allowed' : line,
  )
}

test('two windows at one approval: the first word counts, the other window goes on, and both show the same', async () => {
  const first = host.page
  const second = await first.context().newPage()
  second.setDefaultTimeout(60_000)
  await second.goto(new URL(first.url()).origin)
  await second.locator('#composer').waitFor()
  await first.locator('form label:has-text("Agent")').click()
  await first.locator('#composer').fill(task)
  await first.locator('#composer').press('Enter')
  await second.getByRole('link', { name: task }).first().click()
  const [allow, refuse] = [await word(first, programs[0]!, 'Allow once'), await word(second, programs[0]!, 'Refuse')]
  // As two hands would, in one moment: each window has sent its word before the other's can reach it.
  const press = (element: HTMLElement | SVGElement) => element.dispatchEvent(new MouseEvent('click', { bubbles: true }))
  await Promise.all([refuse.evaluate(press), allow.evaluate(press)])
  for (const page of [first, second]) await word(page, programs[1]!, 'Allow once')
  const [ending] = await endings(first)
  expect(['refused', 'allowed']).toContain(ending)
  expect(await endings(second)).toEqual([ending])
  await (await word(second, programs[1]!, 'Allow once')).click()
  for (const page of [first, second]) {
    await turnOf(page).and(page.locator('[aria-busy="false"]')).locator('footer').waitFor()
    await turnOf(page).getByText('Both were tried.').waitFor()
    expect(await endings(page)).toEqual([ending, 'allowed'])
    expect(await page.getByText('The answer failed').count()).toBe(0)
    expect(await page.getByRole('alert').count()).toBe(0)
  }
  const results = ollama
    .chats()
    .flatMap(({ messages }) => messages)
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => content)
  expect(results.some((text) => text.includes('first 42'))).toBe(ending === 'allowed')
  expect(results.some((text) => text.includes('second 55'))).toBe(true)
  await second.close()
})
