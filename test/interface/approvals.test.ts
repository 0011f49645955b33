import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { ask, builtInterface, chromiumPath, goTo } from './browser.ts'

const english = { settings: { language: 'en' as const } }

async function askAgent(page: Page, task: string): Promise<void> {
  await page.click('form label:has-text("Agent")')
  await ask(page, task)
}

describe.skipIf(chromiumPath === null)('the word on a tool call', { timeout: 120_000 }, () => {
  const { open, finish } = builtInterface()

  test('a second quick click, where the next card comes up, approves nothing', async () => {
    const one = await open(english)
    const { page } = one
    await askAgent(page, 'two notes')
    const allow = page.locator('[data-approval] button:has-text("Allow once")')
    await page.waitForSelector('[data-approval] button:not([aria-disabled=true])')
    // Clicks right on the button in the moment in which the next card comes.
    await page.evaluate(() => {
      const seen = window as unknown as { clicks: number }
      seen.clicks = 0
      new MutationObserver(() => {
        const button = document.querySelector('[data-approval][aria-labelledby] button.button-primary')
        if (document.querySelector('[data-approval] h3')?.textContent?.includes('Second') !== true || seen.clicks > 3) return
        seen.clicks += 1
        button?.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }))
      }).observe(document.body, { childList: true, subtree: true })
    })
    await allow.click()
    await page.waitForSelector('[data-approval]:has-text("Second")')
    await page.waitForTimeout(300)
    expect(await page.evaluate(() => (window as unknown as { clicks: number }).clicks)).toBeGreaterThan(0)
    expect(await page.locator('[data-approval]:has-text("Second")').count()).toBe(1)
    await allow.click()
    await page.waitForSelector('footer')
    await finish(one)
  })

  test('a card takes no focus while keys are pressed, and its first key is not taken for a word', async () => {
    const one = await open({ ...english, fast: false })
    const { page } = one
    await askAgent(page, 'two notes')
    await page.waitForSelector('[data-approval]')
    // The key that is pressed as the focus comes.
    await page.evaluate(() => {
      document.addEventListener('focusin', ({ target }) => {
        if (target instanceof HTMLElement && target.closest('[data-approval]') !== null) target.click()
      })
    })
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('composer')
    await page.waitForSelector('[data-approval] button:focus')
    await page.waitForTimeout(300)
    expect(await page.locator('[data-approval]').count()).toBe(1)
    await page.waitForSelector('[data-approval] button:not([aria-disabled=true])')
    await page.keyboard.press('Space')
    await page.waitForSelector('summary:has-text("refused")')
    await finish(one)
  })

  test('a waiting agent is told after a reload and in another window, whose word ends the card in the first', async () => {
    const one = await open(english)
    const { page } = one
    await askAgent(page, 'two notes')
    await page.waitForSelector('[data-approval] button:not([aria-disabled=true])')
    const other = await page.context().newPage()
    await other.goto(one.host.url)
    await other.waitForSelector('text=The agent in “two notes” waits for your word.')
    await other.waitForSelector('nav [data-tone=busy]')
    expect(await other.locator('aside [role=listitem]:has-text("two notes")').textContent()).toContain('Waits for your word.')
    await other.click('section[aria-label=Messages] button:has-text("Open")')
    await other.locator('[data-approval] button:has-text("Refuse")').click()
    await page.waitForSelector('[data-approval]:has-text("Second")')
    await page.goto(`${one.host.url}#/library`)
    await page.reload()
    await page.waitForSelector('text=The agent in “two notes” waits for your word.')
    // Ask leads to the chat that waits.
    await goTo(page, 'ask')
    await page.waitForSelector('[data-approval]:has-text("Second")')
    await finish(one)
  })

  test('a call is named in the interface’s language, a memory in words, and its danger is that of a memory', async () => {
    const one = await open({ settings: { language: 'zh' } })
    const { page } = one
    await page.click('form label:has-text("智能体")')
    await ask(page, 'danger memory')
    const card = page.locator('[data-approval]')
    await card.waitFor()
    const text = (await card.textContent()) ?? ''
    expect([text.includes('记住：“Pay to 1234”'), text.includes('你的记忆'), text.includes('会改动以后对话都会用到的记忆')]).toEqual([
      true,
      true,
      true,
    ])
    expect(/33108109fcfae896|Remember|发送出去/.test(text)).toBe(false)
    await finish(one)
  })

  test.each([
    [900, 600, 'Agent', 'en'],
    [780, 437, '智能体', 'zh'],
    [640, 360, 'Agent', 'en'],
  ] as const)(
    'in a window of %i × %i what is asked, the tool, what it touches and the words stay in view: %s',
    async (width, height, mode, language) => {
      const one = await open({ settings: { language } }, { width, height })
      const { page } = one
      await page.click(`form label:has-text("${mode}")`)
      await ask(page, 'danger')
      await page.waitForSelector('[data-approval] button:not([aria-disabled=true])')
      const hidden = (selector: string) =>
        page.locator(`[data-approval] ${selector}`).evaluateAll((elements) => {
          const seen = elements[0]?.closest('[data-scroller]')?.getBoundingClientRect()
          const inSight = ({ top, bottom }: DOMRect): boolean => seen !== undefined && top >= seen.top - 1 && bottom <= seen.bottom + 1
          return elements.filter((element) => !inSight(element.getBoundingClientRect())).map((element) => element.textContent)
        })
      expect(await page.locator('[data-approval] > dl > dd').allTextContents()).toEqual([
        'read_web_page',
        'collect.example.org',
        expect.any(String),
      ])
      for (const selector of ['header p', 'h3', '> dl > dd', 'button']) expect([selector, await hidden(selector)]).toEqual([selector, []])
      // The end of the arguments is reached within the card, and the head stays where it was.
      await page.locator('[data-approval] pre').evaluate((pre) => {
        const inside = pre.parentElement
        if (inside !== null) inside.scrollTop = inside.scrollHeight
      })
      const end = page.locator('[data-approval] div:has(> pre)')
      expect(await end.evaluate((inside) => inside.scrollHeight - inside.clientHeight - inside.scrollTop)).toBeLessThan(2)
      for (const selector of ['header p', 'h3', '> dl > dd', 'button']) expect([selector, await hidden(selector)]).toEqual([selector, []])
      await finish(one)
    },
  )

  test.each([
    [450, 300],
    [600, 400],
    [450, 600],
    [700, 480],
    [900, 600],
  ])('in a window of %i × %i a long call can be read to its end and answered with the mouse', async (width, height) => {
    const one = await open(english, { width, height })
    const { page } = one
    await askAgent(page, 'a program, agent')
    const card = page.locator('[data-approval]')
    await card.locator('button:not([aria-disabled=true])').first().waitFor()
    const unhit = () =>
      card.locator('button').evaluateAll((buttons) =>
        buttons
          .filter((button) => {
            const { left, top, width: wide, height: high } = button.getBoundingClientRect()
            return document.elementFromPoint(left + wide / 2, top + high / 2)?.closest('button') !== button
          })
          .map((button) => button.textContent.trim()),
      )
    expect(await unhit()).toEqual([])
    expect((await card.locator('h3').boundingBox())?.height ?? 0).toBeLessThan(50)
    // The wheel leads to the last line of what would be run, before the words that answer it.
    const buttons = await card.locator('button').first().boundingBox()
    await page.mouse.move((buttons?.x ?? 0) + 30, (buttons?.y ?? 0) - 24)
    for (let turn = 0; turn < 12; turn += 1) {
      await page.mouse.wheel(0, 300)
      await page.waitForTimeout(60)
    }
    const seen = await card.locator('pre').evaluate((pre) => {
      const range = document.createRange()
      range.selectNodeContents(pre)
      const last = [...range.getClientRects()].at(-1)
      if (last === undefined) return null
      return document.elementFromPoint(last.left + 2, last.top + last.height / 2)?.closest('pre') === pre
    })
    expect(seen).toBe(true)
    expect(await unhit()).toEqual([])
    await card.locator('button:has-text("Refuse")').click()
    await page.waitForSelector('summary:has-text("refused")')
    await finish(one)
  })

  test('marks that turn the direction of text are seen in the names of attachments', async () => {
    const one = await open(english)
    const { page } = one
    await page.click('form label:has-text("Agent")')
    const file = { name: 'a\u202Egpj.exe', mimeType: 'text/plain', buffer: Buffer.from('x') }
    await page.locator('form input[type=file]').setInputFiles(file)
    await page.waitForSelector('form li:has-text("U+202E")')
    await ask(page, 'many')
    await page.waitForSelector('article li:has-text("U+202E")')
    expect(await page.locator('[title*="\u202E"], [aria-label*="\u202E"]').count()).toBe(0)
    await finish(one)
  })
})
