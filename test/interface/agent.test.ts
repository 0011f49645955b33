import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { dragIn } from '../fakes/drag-in.ts'
import { ask, builtInterface, chromiumPath, goTo, section, violations } from './browser.ts'

const english = { settings: { language: 'en' as const } }

async function switchTo(page: Page, mode: 'Answer' | 'Agent'): Promise<void> {
  await page.click(`form label:has-text("${mode}")`)
}

async function askAgent(page: Page, task: string): Promise<void> {
  await switchTo(page, 'Agent')
  await ask(page, task)
}

/** A card takes no click and no key in its first moment. */
async function readCard(page: Page): Promise<void> {
  await page.waitForSelector('[data-approval] button:not([aria-disabled=true])')
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '')
const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

describe.skipIf(chromiumPath === null)('the agent in the interface', { timeout: 120_000 }, () => {
  const { directory, open, finish } = builtInterface()

  test('the agent is switched to by keyboard, shows plan and calls, and works on after one word', async () => {
    const one = await open(english)
    const { page } = one
    await page.focus('input[name=composer-mode]:checked')
    await page.keyboard.press('ArrowRight')
    expect(await page.locator('input[name=composer-mode]:checked').getAttribute('aria-label')).toBe('Agent')
    await ask(page, '租约和天气')
    await page.waitForSelector('[data-approval]')
    expect(await page.locator('section[aria-label=Plan] li').allTextContents()).toEqual([
      '查明租约何时到期done',
      '看南京和成都的天气done',
      '把要点写成笔记being done',
    ])
    // A helper's call stands under the one that sent it.
    expect(await page.locator('ul[aria-label="Calls of the helper"]').textContent()).toContain('房屋租赁合同.pdf')
    expect(await page.locator('[data-approval] pre').textContent()).toBe(
      JSON.stringify({ title: '租约与出行', text: '租约 2027-03-31 到期；南京晴，成都小雨。' }, null, 2),
    )
    expect(await page.locator('[data-approval]').textContent()).toContain('/home/lin/Notes')
    await readCard(page)
    expect(await focused(page)).toBe('Refuse')
    expect(await page.locator('[data-approval] button').allTextContents()).toHaveLength(4)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForSelector('footer')
    expect(await page.locator('[data-approval]').count()).toBe(0)
    expect(await page.locator('li:has(> details):has-text("租约与出行")').last().textContent()).toContain('allowed once')
    expect(await page.locator('[data-answer]').textContent()).toContain('要点已写进笔记')
    // What stood before the calls was not the answer.
    expect(await page.locator('[data-answer]').textContent()).not.toContain('我先查租约')
    await finish(one)
  })

  test('a call unfolds to its exact arguments and its result, and says how much was cut', async () => {
    const one = await open(english)
    await askAgent(one.page, '租约和天气')
    await one.page.waitForSelector('[data-approval]')
    await one.page.click('summary:has-text("租约 到期")')
    const detail = one.page.locator('details[open] dl').first()
    expect(await detail.locator('pre').first().textContent()).toBe(JSON.stringify({ query: '租约 到期', limit: 5 }, null, 2))
    expect(await detail.textContent()).toContain('Cut: the whole result has 18,420 characters.')
    await finish(one)
  })

  test('refused is refused: the plan drops it and the answer says so', async () => {
    const one = await open(english)
    await askAgent(one.page, '租约和天气')
    await readCard(one.page)
    await one.page.keyboard.press('Enter')
    await one.page.waitForSelector('footer')
    expect(await one.page.locator('summary:has-text("租约与出行")').textContent()).toContain('refused')
    expect(await one.page.locator('section[aria-label=Plan] li').last().textContent()).toContain('dropped')
    await finish(one)
  })

  test('a word that is not taken is said, and the call goes on waiting', async () => {
    const one = await open(english)
    await askAgent(one.page, 'conflict')
    await one.page.click('[data-approval] button:has-text("Allow once")')
    await one.page.waitForSelector('[data-approval] [role=alert]:has-text("This changed meanwhile")')
    await readCard(one.page)
    await one.page.click('form button:has-text("Stop")')
    await one.page.waitForSelector('[data-approval]', { state: 'detached' })
    await finish(one)
  })

  test('a dangerous call warns, offers once or never, and hides nothing in its arguments', async () => {
    const one = await open(english)
    await askAgent(one.page, 'danger')
    const card = one.page.locator('[data-approval]')
    await card.waitFor()
    expect(await card.locator('button').allTextContents()).toEqual(['Refuse', ' Allow once'])
    expect(await card.textContent()).toContain('The model has read private text, and text that somebody else may have written')
    const exact = (await card.locator('pre').textContent()) ?? ''
    expect([exact.includes('U+202Egpj.elif'), exact.includes('U+E0073U+E0065U+E006EU+E0064'), exact.includes('\u202E')]).toEqual([
      true,
      true,
      false,
    ])
    expect(exact.split('这是租约的正文。').length).toBe(41)
    await readCard(one.page)
    expect(await focused(one.page)).toBe('Refuse')
    await finish(one)
  })

  test('whoever is writing keeps the focus when the agent asks', async () => {
    const one = await open({ ...english, fast: false })
    await askAgent(one.page, '租约和天气')
    await one.page.fill('#composer', 'and then')
    await readCard(one.page)
    expect(await one.page.evaluate(() => document.activeElement?.id)).toBe('composer')
    await finish(one)
  })

  test('an approval in a chat that was left is told, marked, and led to', async () => {
    const one = await open({ ...english, fast: false })
    await askAgent(one.page, '租约和天气')
    await one.page.waitForSelector('summary:has-text("租约 到期")')
    await one.page.click('aside a:has-text("Compare the two")')
    await one.page.waitForSelector('text=The agent in “租约和天气” waits for your word.')
    expect(await one.page.locator('aside [role=listitem]:has-text("租约和天气")').textContent()).toContain('Waits for your word.')
    await one.page.click('section[aria-label=Messages] button:has-text("Open")')
    await one.page.click('[data-approval] button:has-text("Allow once")')
    await one.page.waitForSelector('text=要点已写进笔记')
    expect(await one.page.locator('aside [role=listitem]:has-text("租约和天气")').textContent()).not.toContain('Waits')
    await finish(one)
  })

  test('failed calls, a limit and the tools as text are said in words', async () => {
    const one = await open(english)
    await askAgent(one.page, 'broken')
    await one.page.waitForSelector('footer')
    const text = (await one.page.locator('article').textContent()) ?? ''
    for (const words of [
      'failed',
      'no such tool',
      'wrong arguments',
      'offline',
      'took too long',
      'it gets them as text',
      'came to a limit before it was done',
    ])
      expect(text).toContain(words)
    await finish(one)
  })

  test('stop ends a call that runs long, and nothing runs on', async () => {
    const one = await open(english)
    await askAgent(one.page, 'endless')
    await one.page.waitForSelector('summary:has-text("Run a program")')
    await one.page.click('form button:has-text("Stop")')
    await one.page.waitForSelector('text=Stopped. What was written so far is kept.')
    expect(await one.page.locator('summary:has-text("Run a program")').textContent()).toContain('stopped')
    expect(await one.page.locator('article .spinner').count()).toBe(0)
    await finish(one)
  })

  test('many finished calls are one line', async () => {
    const one = await open(english)
    await askAgent(one.page, 'many')
    await one.page.click('summary:has-text("12 tool calls")')
    expect(await one.page.locator('ul[aria-label="Tool calls"] > li').count()).toBe(12)
    await finish(one)
  })

  test('attachments go with the agent’s next question only; an answer offers to switch', async () => {
    const picture = join(directory, 'picture.png')
    writeFileSync(picture, readFileSync(new URL('../../docs/images/ask-light.png', import.meta.url)))
    writeFileSync(join(directory, 'empty.txt'), '')
    const one = await open(english)
    const { page } = one
    await page.locator('form input[type=file]').setInputFiles([picture, join(directory, 'empty.txt')])
    await page.click('button:has-text("Switch to the agent")')
    await page.waitForSelector('text=“empty.txt” is empty and was not attached.')
    await page.waitForSelector('form img')
    await ask(page, 'many')
    await page.waitForSelector('footer')
    await page.waitForSelector('form img', { state: 'detached' })
    expect(await page.locator('article ul[aria-label=Attachments]').textContent()).toBe('picture.png')
    // Asked again it goes along again, from what is kept of the turn.
    await page.click('button[aria-label="Answer again"]')
    await page.waitForSelector('text=2 of 2')
    await page.waitForSelector('article footer')
    expect(await page.locator('article ul[aria-label=Attachments]').allTextContents()).toEqual(['picture.png'])
    await finish(one)
  })

  test('what falls on the composer goes along with the question, not into the library', async () => {
    const one = await open(english)
    const { page } = one
    await switchTo(page, 'Agent')
    const path = join(directory, 'note.md')
    writeFileSync(path, '# A note')
    const box = await page.locator('#composer').boundingBox()
    const at = { x: (box?.x ?? 0) + 40, y: (box?.y ?? 0) + 10 }
    await dragIn(page, [path], at)
    await page.waitForSelector('form ul[aria-label=Attachments] li:has-text("note.md")')
    expect(one.host.dropped).toEqual([])
    await page.click('button[aria-label="Take off note.md"]')
    expect(await page.locator('form ul[aria-label=Attachments]').count()).toBe(0)
    await finish(one)
  })

  test('an agent is set for a chat, kept under a name, and comes back with Undo', async () => {
    const one = await open(english)
    const { page } = one
    await switchTo(page, 'Agent')
    await page.click('button[aria-label^="Agent:"]')
    await page.click('[role=menuitem]:has-text("Set up")')
    const name = page.locator('dialog label:has-text("Name") input').first()
    // What is too long says so, whole, and cannot be kept.
    await name.fill('n'.repeat(101))
    await page.waitForSelector('dialog [role=alert]:has-text("101 characters: 100 at most.")')
    expect([(await name.inputValue()).length, await page.locator('dialog button:has-text("Save as a named agent")').isDisabled()]).toEqual([
      101,
      true,
    ])
    await name.fill('Checker')
    await page.fill('dialog textarea', 'Be brief.')
    await page.click('dialog label:has-text("All tools that are switched on")')
    await page.click('dialog label:has-text("get_weather")')
    await page.click('dialog button:has-text("Save as a named agent")')
    await page.waitForSelector('button[aria-label="Agent: Checker"]')
    await ask(page, 'many')
    await page.waitForSelector('footer')
    await page.reload()
    await page.click('button[aria-label="Agent: Checker"]')
    await page.click('[role=menuitem]:has-text("Set up")')
    await page.waitForSelector('dialog li')
    expect(await page.locator('dialog label:has-text("get_weather") input').isChecked()).toBe(false)
    await page.keyboard.press('Escape')
    await page.click('button[aria-label="Agent: Checker"]')
    await page.click('[role=menuitem]:has-text("Remove a named agent")')
    await page.click('dialog button[aria-label="Remove “Checker”"]')
    await page.waitForSelector('text=No agent has a name yet.')
    // A message that comes while a dialog is open stands in it, above what lies behind, and its button can be pressed there.
    await page.click('dialog section[aria-label=Messages] button:has-text("Undo")')
    await page.waitForSelector('dialog li:has-text("Checker")')
    await page.click('dialog button[aria-label="Remove “Checker”"]')
    await page.waitForSelector('dialog section[aria-label=Messages] li:has-text("Checker")')
    // It outlives the dialog.
    await page.keyboard.press('Escape')
    await page.click('button:has-text("Undo")')
    await page.click('button[aria-label="Agent: Checker"]')
    await page.waitForSelector('[role=menuitemcheckbox]:has-text("Checker")')
    await page.keyboard.press('Escape')
    await finish(one)
  })

  test.each([
    ['light', 'zh', 1440],
    ['dark', 'en', 1440],
    ['light', 'en', 900],
    ['dark', 'zh', 900],
  ] as const)('no rule of WCAG 2.2 AA is broken and nothing is wider than the window: %s, %s, %i', async (theme, language, width) => {
    const one = await open(
      { settings: { theme, language, toolGrants: [{ tool: 'x', site: 'y' }] } },
      { width, height: width === 900 ? 600 : 900 },
    )
    const { page } = one
    const found: Record<string, unknown> = {}
    const look = async (name: string) => {
      const list = [...(await violations(page)), ...((await overflow(page)) > 0 ? ['too wide'] : [])]
      if (list.length > 0) found[name] = list
    }
    await page.click('form label:has(input[name=composer-mode]) >> nth=1')
    await ask(page, '租约和天气')
    await page.waitForSelector('[data-approval]')
    await readCard(page)
    await look('approval')
    await page.keyboard.press('Enter')
    await page.waitForSelector('footer')
    await page.click('summary:has-text("租约 到期")')
    await look('calls')
    await ask(page, 'danger')
    await page.waitForSelector('[data-approval]')
    await readCard(page)
    await look('dangerous')
    await page.keyboard.press('Enter')
    await page.waitForSelector('article >> nth=1 >> footer')
    await ask(page, 'broken')
    await page.waitForSelector('article >> nth=2 >> footer')
    await look('failed calls')
    await page.click('form button.pill >> nth=1')
    await page.click('[role=menuitem] >> nth=0')
    await page.waitForSelector('dialog')
    await page.click('dialog [role=switch] >> nth=0')
    await look('agent dialog')
    await page.keyboard.press('Escape')
    await page.waitForSelector('dialog [role=alert]:not(:empty)')
    await page.keyboard.press('Escape')
    await goTo(page, 'memory')
    await page.waitForSelector('main li')
    await page.click('main li button >> nth=0')
    await look('memory')
    for (const name of ['tools', 'mcp', 'agent']) {
      await section(page, name)
      await look(name)
    }
    await page.click('#section-mcp > div > button')
    await look('server dialog')
    await page.keyboard.press('Escape')
    expect(found).toEqual({})
    await finish(one)
  })
})
