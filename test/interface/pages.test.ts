import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { builtInterface, chromiumPath, goTo, section } from './browser.ts'

const english = { settings: { language: 'en' as const } }

describe.skipIf(chromiumPath === null)('memory, tools, servers and models in the interface', { timeout: 120_000 }, () => {
  const { directory, open, finish } = builtInterface()

  test('a memory is added, changed in its place, deleted, brought back, found, and all are cleared by number', async () => {
    const one = await open(english)
    const { page } = one
    await goTo(page, 'memory')
    const row = (text: string) => page.locator('main li', { hasText: text })
    await page.fill('input[aria-label="Add a memory"]', 'long '.repeat(300))
    await page.waitForSelector('text=1,499 characters are too many for one memory')
    expect((await page.inputValue('input[aria-label="Add a memory"]')).length).toBe(1500)
    await page.fill('input[aria-label="Add a memory"]', 'The key hangs in the hall')
    await page.press('input[aria-label="Add a memory"]', 'Enter')
    await row('The key hangs in the hall').waitFor()
    await row('The key hangs').locator('button[title=Change]').click()
    await page.fill('main textarea', 'The key hangs in the kitchen')
    await page.press('main textarea', 'Enter')
    await row('The key hangs in the kitchen').waitFor()
    await row('The key hangs').locator('button[title=Delete]').click()
    await row('The key hangs').waitFor({ state: 'detached' })
    expect(await page.evaluate(() => document.activeElement?.getAttribute('title'))).toBe('Delete')
    await page.click('button:has-text("Undo")')
    await row('The key hangs in the kitchen').waitFor()
    await page.fill('input[type=search]', 'chengdu')
    await row('The key hangs').waitFor({ state: 'detached' })
    await page.fill('input[type=search]', '')
    await row('The key hangs').waitFor()
    const download = page.waitForEvent('download')
    await page.click('button:has-text("Export")')
    const path = join(directory, 'memories.json')
    await (await download).saveAs(path)
    await page.click('button:has-text("Delete all")')
    await page.click('dialog button:has-text("Delete 5 memories")')
    await page.waitForSelector('text=Nothing is remembered yet')
    await page.locator('main input[type=file]').setInputFiles(path)
    await row('The key hangs').waitFor()
    await page.click('label:has-text("Remember between chats")')
    await page.waitForSelector('text=Nothing is remembered now')
    await finish(one)
  })

  test('tools are switched, an “always” is taken back, and a limit outside its range is not kept', async () => {
    const one = await open({ settings: { language: 'en', toolGrants: [{ tool: 'get_weather', site: 'api.open-meteo.com' }] } })
    const { page } = one
    await section(page, 'tools')
    await page.waitForSelector('text=No folder for notes has been chosen: choose one below.')
    await page.uncheck('input[role=switch][aria-label=search_web]')
    await page.click('button[aria-label^="Take back"]')
    await page.waitForSelector('text=Nothing: every call that is not reading asks first.')
    await section(page, 'agent')
    const steps = page.locator('label:has-text("Steps") input')
    await steps.fill('1001')
    await page.waitForSelector('text=A whole number, 1 to 1,000.')
    await steps.press('Escape')
    await steps.fill('2.5')
    await page.waitForSelector('text=A whole number, 1 to 1,000.')
    await steps.fill('20')
    await steps.press('Enter')
    await page.reload()
    await page.waitForSelector('input[role=switch][aria-label=search_web]')
    expect([await page.isChecked('input[aria-label=search_web]'), await steps.inputValue()]).toEqual([false, '20'])
    await finish(one)
  })

  test('a server is tried before it is added; a new or changed tool is read before it is allowed', async () => {
    const one = await open(english)
    const { page } = one
    await section(page, 'mcp')
    await page.click('button:has-text("Add a server")')
    await page.click('dialog button:has-text("Save")')
    await page.waitForSelector('text=Give it a name.')
    await page.fill('dialog label:has-text("Name") input', 'Echo server')
    await page.fill('dialog label:has-text("Program") input >> nth=-1', 'bad-program')
    await page.click('dialog button:has-text("Test")')
    await page.waitForSelector('text=spawn bad-program ENOENT')
    await page.fill('dialog label:has-text("Its name or path alone") input', 'echo-mcp')
    await page.click('dialog button:has-text("Test")')
    await page.waitForSelector('text=It answers and offers 1 tool.')
    await page.click('dialog button:has-text("Save")')
    await page.waitForSelector('h3:has-text("Echo server")')
    await page.waitForSelector('text=changed: asks again')
    await page.click('button[aria-label="Allow again: create_event"]')
    await page.waitForSelector('input[role=switch][aria-label=create_event]')
    expect(await page.locator('button[aria-label="Allow delete_event"]').count()).toBe(0)
    await page.click('button[aria-label="Read what delete_event does"]')
    await page.click('button[aria-label="Allow delete_event"]')
    expect(await page.isChecked('input[role=switch][aria-label=delete_event]')).toBe(true)
    await page.click('button[aria-label="Remove Echo server"]')
    await page.click('dialog button:has-text("Remove")')
    await page.waitForSelector('h3:has-text("Echo server")', { state: 'detached' })
    await finish(one)
  })

  test('a provider’s entry fills in the form; a model is unloaded and copied', async () => {
    const one = await open(english)
    const { page } = one
    await goTo(page, 'models')
    await page.waitForSelector('text=loaded · 2.6 GB')
    await page.click('button:has-text("Unload")')
    await page.waitForSelector('text=loaded · 2.6 GB', { state: 'detached' })
    await page.click('button[aria-label="Actions for llama3.2:3b"]')
    await page.click('[role=menuitem]:has-text("Copy")')
    await page.fill('dialog input', 'qwen3:4b')
    await page.waitForSelector('dialog [role=alert]:has-text("already")')
    expect(await page.locator('dialog button[type=submit]').isDisabled()).toBe(true)
    await page.fill('dialog input', 'small')
    await page.click('dialog button:has-text("Copy")')
    await page.waitForSelector('main li:has-text("small")')
    await page.click('button:has-text("Add a provider")')
    await page.click('dialog .pill:has-text("Zhipu")')
    expect(await page.locator('dialog input[maxlength="2000"]').inputValue()).toBe('https://open.bigmodel.cn/api/paas/v4')
    await page.waitForSelector('text=Keys are made at')
    await page.click('dialog button:has-text("Save")')
    await page.selectOption('select[aria-label="Who transcribes"]', { label: '智谱 Zhipu (GLM)' })
    await page.fill('input[aria-label="Transcription model"]', 'whisper-1')
    await page.click('section[aria-label="Sound into text"] button:has-text("Use it")')
    await page.reload()
    await page.waitForSelector('input[aria-label="Transcription model"]')
    expect(await page.locator('input[aria-label="Transcription model"]').inputValue()).toBe('whisper-1')
    await finish(one)
  })

  test('the palette leads to the new pages', async () => {
    const one = await open(english)
    const { page } = one
    for (const [text, selector] of [
      ['memory', 'h1:has-text("Memory")'],
      ['mcp', '#section-mcp'],
      ['limits', '#section-agent'],
      ['give the agent', 'input[aria-label=Agent]:checked'],
    ] as const) {
      await page.keyboard.press('Control+k')
      await page.fill('input[role=combobox]', text)
      await page.keyboard.press('Enter')
      await page.waitForSelector(selector, { state: 'attached' })
    }
    await finish(one)
  })
})
