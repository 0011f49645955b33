import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { refusedAddress, startOllama, type ChatBody, type ChatScript, type OllamaServer } from '../fakes/ollama-server.ts'
import { openChromium, type Chromium } from './chromium.ts'
import { hostKinds, openHost, type Host } from './hosts.ts'
import { makePapers } from './papers.ts'

/** Answers from the passages it was given, as a good model would: cites the one that holds the words. */
function answerFrom(body: ChatBody): ChatScript {
  const asked = body.messages.at(-1)?.content ?? ''
  const question = asked.split('Question: ').at(-1) ?? asked
  const numberOf = (words: string) => {
    const passages = [...asked.matchAll(/<passage number="(\d+)"[^>]*>([^]*?)<\/passage>/g)]
    return passages.find(([, , text]) => text?.includes(words))?.[1] ?? '1'
  }
  if (/long story/i.test(question)) return { text: Array.from({ length: 2000 }, (_, index) => `word${index} `), delayMs: 20 }
  if (/notice/i.test(question)) return { text: `The tenant gives ninety days of notice before moving out [${numberOf('ninety days')}].` }
  if (/关门/.test(question)) return { text: `图书馆晚上九点半关门[${numberOf('九点半')}]。` }
  return { text: `The roses are cut back in late February [${numberOf('late February')}].` }
}

let chromium: Chromium
let ollama: OllamaServer
let directory: string
let papers: string

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'siku-e2e-'))
  papers = await makePapers(directory)
  chromium = await openChromium()
  ollama = await startOllama({ chat: answerFrom })
})
afterAll(async () => {
  await chromium.close()
  await ollama.close().catch(() => undefined)
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
})

const composer = (page: Page) => page.getByRole('textbox', { name: 'Ask about what is in your library' })
const turnOf = (page: Page, question: string) => page.getByRole('article', { name: question })

async function ask(page: Page, question: string): Promise<void> {
  await page.getByRole('link', { name: 'Ask' }).click()
  await composer(page).fill(question)
  await page.getByRole('button', { name: 'Send' }).click()
}

async function ended(page: Page, question: string): Promise<void> {
  await turnOf(page, question).last().and(page.locator('[aria-busy="false"]')).waitFor({ timeout: 60_000 })
}

describe.each(hostKinds)('the main job in the %s host', (kind) => {
  let host: Host
  let home: string
  const open = async (address: string) => {
    host = await openHost(kind, chromium, { home, ollama: address })
  }
  beforeAll(async () => {
    home = join(directory, `home-${kind}`)
    await open(ollama.address)
  })
  afterAll(() => host?.close())

  test('the first screen says who answers and offers questions', async () => {
    await host.page.getByRole('region', { name: 'Who answers' }).getByText('qwen-fake:4b').waitFor()
    expect(await host.page.getByText('退租以后押金多少天内退还？').count()).toBe(1)
  })

  test('a dropped folder becomes ready', async () => {
    await host.drop([papers])
    await host.page.getByRole('heading', { name: 'Papers 文件' }).waitFor()
    await expect.poll(() => host.page.getByRole('progressbar').count(), { timeout: 90_000, interval: 500 }).toBe(0)
    await host.page.getByText('lease.pdf').first().waitFor()
  })

  test('a question in English is answered, and its citation opens the page', async () => {
    const question = 'How many days of notice does the tenant give?'
    await ask(host.page, question)
    await ended(host.page, question)
    const turn = turnOf(host.page, question)
    await turn.getByText('ninety days of notice before moving out').first().waitFor()
    await turn
      .getByRole('button', { name: /lease\.pdf, p\. 3/ })
      .first()
      .click()
    const page = host.page.getByRole('complementary', { name: 'Reader' }).getByRole('group', { name: 'p. 3' })
    await page.waitFor()
    await expect.poll(() => page.locator('.pdf-mark').count(), { timeout: 30_000 }).toBeGreaterThan(0)
  })

  test('a question in Chinese is answered from the Chinese document', async () => {
    const question = '图书馆晚上几点关门？'
    await ask(host.page, question)
    await ended(host.page, question)
    await turnOf(host.page, question).getByText('图书馆晚上九点半关门').first().waitFor()
    await turnOf(host.page, question)
      .getByRole('button', { name: /开放时间\.md/ })
      .first()
      .click()
    await host.page.getByRole('complementary', { name: 'Reader' }).getByText('晚上九点半关门').first().waitFor()
  })

  test('stop ends the answer at once, keeps what was written and closes the model’s socket', async () => {
    const question = 'Tell me a long story about the roses'
    const before = ollama.abortedRequests
    await ask(host.page, question)
    const turn = turnOf(host.page, question)
    await turn.getByText('word12').first().waitFor()
    await host.page.getByRole('button', { name: 'Stop' }).click()
    await ollama.waitForAborts(before + 1)
    await ended(host.page, question)
    await turn.getByText('word12').first().waitFor()
  })

  test('after a restart everything is still there, and the chat goes on', async () => {
    await host.close()
    const chats = ollama.chats().length
    await open(ollama.address)
    await host.page.getByRole('link', { name: 'Library' }).click()
    await host.page.getByRole('heading', { name: 'Papers 文件' }).waitFor()
    await host.page.getByRole('link', { name: 'Ask' }).click()
    await host.page
      .getByRole('link', { name: /days of notice/ })
      .or(host.page.getByRole('button', { name: /days of notice/ }))
      .first()
      .click()
    await host.page.getByText('ninety days of notice before moving out').first().waitFor()
    expect(ollama.chats().length).toBe(chats)
    const question = 'When are the roses cut back?'
    await ask(host.page, question)
    await ended(host.page, question)
    await turnOf(host.page, question).getByText('late February').first().waitFor()
  })

  test('with no model the best sentences answer, and say so', async () => {
    await host.close()
    await open(await refusedAddress())
    const question = 'Where does the spare key hang?'
    await ask(host.page, question)
    await ended(host.page, question)
    const turn = turnOf(host.page, question)
    await turn.getByText('behind the boiler').first().waitFor()
    await turn.getByText('Without a model').waitFor()
  })
})
