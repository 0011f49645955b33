import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startOllama, type ChatBody, type ChatScript, type OllamaServer } from '../fakes/ollama-server.ts'
import { openChromium, type Chromium } from './chromium.ts'
import { hostKinds, openHost, type Host, type HostKind } from './hosts.ts'

const words = Array.from({ length: 150 }, (_, index) => `word${index + 1}`)
const code = [
  'export async function retry(task: Task): Promise<void> {',
  '  // A fence inside: ``, and <script>alert(1)</script>',
  '  const line = `${task.name}: $5 to $6, \\(x\\)`',
  '  if (line === "**not bold**") return',
  '}',
].join('\n')

function answerFrom(body: ChatBody): ChatScript {
  const question = (body.messages.at(-1)?.content ?? '').split('Question: ').at(-1) ?? ''
  if (question.includes('program')) return { text: [...`Here it is:\n\n\`\`\`ts\n${code}\n\`\`\`\n\nThat was it.`], delayMs: 12 }
  return { text: words.map((word) => `${word} `), delayMs: 40 }
}

let chromium: Chromium
let ollama: OllamaServer
let directory: string

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'siku-any-moment-'))
  chromium = await openChromium()
  ollama = await startOllama({ chat: answerFrom })
})
afterAll(async () => {
  await chromium.close()
  await ollama.close().catch(() => undefined)
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
})

/** The questions are about the sample library. */
async function samplesRead(page: Page): Promise<void> {
  await page.evaluate(() => {
    location.hash = '#/library'
  })
  await page.locator('[data-row]', { hasText: 'Crema One manual.pdf' }).getByText('Ready').waitFor()
  await page.waitForFunction(() => document.querySelector('[role=progressbar]') === null, undefined, { timeout: 90_000 })
}

async function ask(page: Page, question: string): Promise<void> {
  await page.evaluate(() => {
    location.hash = '#/ask'
  })
  await page.locator('#composer').fill(question)
  await page.locator('#composer').press('Enter')
  await turnOf(page, question).waitFor()
}

const turnOf = (page: Page, question: string) => page.getByRole('article', { name: question, exact: true })
const answerOf = (page: Page, question: string) => turnOf(page, question).locator('[data-answer]')

async function ended(page: Page, question: string): Promise<void> {
  await turnOf(page, question).and(page.locator('[aria-busy="false"]')).locator('footer').waitFor({ timeout: 90_000 })
}

async function said(page: Page, question: string): Promise<string[]> {
  return (await answerOf(page, question).innerText()).match(/word\d+/g) ?? []
}

/** What happens in the page alone, or in the core alone, is the same in each host. */
const once: HostKind = 'browser'

describe.each(hostKinds)('at any moment, in the %s host', (kind) => {
  let host: Host
  beforeAll(async () => {
    host = await openHost(kind, chromium, { home: join(directory, `home-${kind}`), ollama: ollama.address })
    await samplesRead(host.page)
  })
  afterAll(() => host?.close())

  test('a reload loses nothing of a running answer, whenever it comes, and asks no second time', async () => {
    const { page } = host
    const question = `How often should the coffee machine be descaled? Whole, ${kind}`
    const before = ollama.chats().length
    await ask(page, question)
    for (const at of [1, 9, 40, 77, 130]) {
      await answerOf(page, question)
        .getByText(new RegExp(`\\bword${at}\\b`))
        .waitFor()
      await page.reload()
      await answerOf(page, question).waitFor()
    }
    await ended(page, question)
    expect(await said(page, question)).toEqual(words)
    expect(ollama.chats().length).toBe(before + 1)
  })

  test.runIf(kind === once)('theme and language change in the middle of an answer, and it goes on', async () => {
    const { page } = host
    const question = `How often should the coffee machine be descaled? Again, ${kind}`
    await ask(page, question)
    await page.waitForURL(/#\/ask\/.+/)
    const chat = page.url()
    await answerOf(page, question)
      .getByText(/\bword5\b/)
      .waitFor()
    await page.goto(`${new URL(chat).origin}/#/settings`)
    const radio = (name: string) => page.getByRole('radio', { name, exact: true }).locator('xpath=..')
    await radio('Dark').click()
    await page.locator('html[data-theme=dark]').waitFor()
    await radio('中文').click()
    await page.locator('html[lang^=zh]').waitFor()
    await page.goto(chat)
    await turnOf(page, question).waitFor()
    await ended(page, question)
    expect(await said(page, question)).toEqual(words)
    await page.getByRole('link', { name: '文库' }).waitFor()
    await page.goto(`${new URL(chat).origin}/#/settings`)
    await radio('English').click()
    await page.locator('html[lang=en]').waitFor()
    await radio('浅色').or(radio('Light')).click()
    await page.locator('html[data-theme=light]').waitFor()
  })

  test.runIf(kind === once)('two windows over one core: what one asks the other sees and can stop, and settings reach both', async () => {
    const { page } = host
    const second = await page.context().newPage()
    second.setDefaultTimeout(60_000)
    await second.goto(new URL(page.url()).origin)
    await second.locator('#composer').waitFor()
    const question = 'How often is it descaled? Two windows'
    await ask(page, question)
    await second.getByRole('link', { name: question }).first().click()
    await answerOf(second, question)
      .getByText(/\bword9\b/)
      .waitFor()
    await second.getByRole('button', { name: 'Stop' }).click()
    await ended(second, question)
    await ended(page, question)
    expect(await said(second, question)).toEqual(await said(page, question))
    await second.evaluate(() => {
      location.hash = '#/settings'
    })
    await second.getByRole('radio', { name: 'Dark', exact: true }).locator('xpath=..').click()
    // A window that is not seen looks seldom.
    await page.bringToFront()
    await page.locator('html[data-theme=dark]').waitFor()
    await second.close()
    await page.evaluate(() => {
      location.hash = '#/settings'
    })
    await page.getByRole('radio', { name: 'Light', exact: true }).locator('xpath=..').click()
  })

  test.runIf(kind === once)(
    'a block of code that comes letter by letter is code from its first letter on, and never flickers',
    async () => {
      const { page } = host
      const question = `How often should the coffee machine be descaled? As a program, ${kind}`
      await page.evaluate(() => {
        const seen: string[] = []
        const prose: string[] = []
        Object.assign(window, { seen, prose })
        new MutationObserver(() => {
          const answer = [...document.querySelectorAll('[data-answer]')].at(-1)
          if (!answer) return
          const block = answer.querySelector('.code-frame pre')?.textContent ?? null
          if (block !== null && block !== seen.at(-1)) seen.push(block)
          const around = answer.cloneNode(true) as HTMLElement
          around.querySelectorAll('.code-frame').forEach((each) => each.remove())
          prose.push(around.textContent)
        }).observe(document.body, { subtree: true, childList: true, characterData: true })
      })
      await ask(page, question)
      await ended(page, question)
      const { seen, prose } = await page.evaluate(() => {
        const { seen: blocks, prose: others } = window as unknown as { seen: string[]; prose: string[] }
        return { seen: blocks, prose: others }
      })
      expect(seen.at(-1)?.trimEnd()).toBe(code)
      // Each state is the beginning of the code; nothing of it was ever shown as prose.
      expect(seen.filter((each) => !code.startsWith(each.trimEnd()))).toEqual([])
      expect(seen.length).toBeGreaterThan(10)
      expect(prose.filter((each) => /retry|script|not bold|```/.test(each))).toEqual([])
    },
  )

  test('an input method composes: Enter takes its word, and only the next one sends', async () => {
    const { page } = host
    await page.evaluate(() => {
      location.hash = '#/ask'
    })
    const composer = page.locator('#composer')
    await composer.click()
    const session = await page.context().newCDPSession(page)
    await session.send('Input.imeSetComposition', { text: 'ni hao', selectionStart: 6, selectionEnd: 6 })
    const key = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 229 }
    await session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key })
    await session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key })
    expect(await page.getByRole('article').count()).toBe(0)
    await session.send('Input.insertText', { text: `你好，${kind}` })
    expect(await composer.inputValue()).toBe(`你好，${kind}`)
    await session.detach()
    await composer.press('Enter')
    await turnOf(page, `你好，${kind}`).waitFor()
    await ended(page, `你好，${kind}`)
  })

  test.runIf(kind === once)(
    '1,800 files in nested folders are dropped at once, counted, read and found',
    async () => {
      const { page } = host
      const folder = join(directory, `many ${kind}`)
      for (let index = 0; index < 1800; index += 1) {
        const inner = join(folder, `part ${index % 9}`, `第${index % 7}部分`)
        mkdirSync(inner, { recursive: true })
        writeFileSync(join(inner, `note ${index}.md`), `Note number ${index} speaks of the marker qx${index}z.`)
      }
      await host.drop([folder])
      await page.evaluate(() => {
        location.hash = '#/library'
      })
      await page.getByRole('heading', { name: `many ${kind}` }).waitFor({ timeout: 120_000 })
      const card = page.locator('li.card', { hasText: `many ${kind}` })
      await card.getByText(/^1,800 documents/).waitFor({ timeout: 240_000 })
      await page.getByRole('searchbox', { name: 'Find passages' }).fill('qx1799z')
      await page.getByRole('region', { name: 'Passages' }).getByText('note 1799.md').waitFor({ timeout: 120_000 })
    },
    600_000,
  )
})
