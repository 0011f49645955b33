import { describe, expect, test } from 'vitest'
import { builtInterface, chromiumPath, goTo, section, violations } from './browser.ts'

const english = { language: 'en' as const }

describe.skipIf(chromiumPath === null)('library, models and settings in the interface', { timeout: 120_000 }, () => {
  const { open, finish } = builtInterface()

  test('a part of the picture filters the list, and each filter can be taken off', async () => {
    const one = await open({ scenario: 'own', settings: english })
    const { page } = one
    await goTo(page, 'library')
    const found = page.locator('[role=status]:has-text("documents")').last()
    await page.waitForSelector('[data-row="0"]')
    const all = await found.textContent()
    await page.click('.picture-row:has-text("PDF")')
    await page.waitForSelector('.picture-row[aria-pressed=true]:has-text("PDF")')
    // The list and its number stay until those of the filter are there.
    await expect.poll(() => found.textContent()).not.toBe(all)
    const pdfs = await found.textContent()
    await page.click('[aria-label="By size"] .picture-row >> nth=0')
    await page.waitForSelector('button[aria-label="Under 10 kB: take this filter off"]')
    await expect.poll(() => found.textContent()).not.toBe(pdfs)
    await page.click('.picture-column:enabled >> nth=0')
    await page.waitForSelector('.picture-column[aria-pressed=true]')
    expect(await violations(page)).toEqual([])
    await page.click('.picture-column[aria-pressed=true]')
    await page.click('button[aria-label="Under 10 kB: take this filter off"]')
    await expect.poll(() => found.textContent()).toBe(pdfs)
    await finish(one)
  })

  test('the list is ordered by a column, the other way round, and again as the folders have it', async () => {
    const one = await open({ scenario: 'own', settings: english })
    const { page } = one
    await goTo(page, 'library')
    const order = page.locator('[role=group][aria-label="Order of the list"]')
    const sizes = () =>
      page
        .locator('[data-row]')
        .evaluateAll((rows) => rows.slice(0, 8).map((row) => row.querySelector('[data-bytes]')?.getAttribute('data-bytes')))
    await page.waitForSelector('[data-row="0"]')
    const asFolders = await page.textContent('[data-row="0"]')
    await order.getByRole('button', { name: 'Size' }).click()
    const falling = (list: (string | null | undefined)[]) =>
      list.length === 8 && list.every((each, index) => index === 0 || Number(list[index - 1]) >= Number(each))
    await expect.poll(async () => falling(await sizes())).toBe(true)
    expect(await order.locator('[aria-pressed=true]').getAttribute('aria-label')).toBe('Size: ordered by it, falling')
    await order.getByRole('button', { name: 'Size' }).click()
    await expect.poll(async () => falling((await sizes()).toReversed())).toBe(true)
    expect(await violations(page)).toEqual([])
    await order.getByRole('button', { name: 'Size' }).click()
    await expect.poll(() => page.textContent('[data-row="0"]')).toBe(asFolders)
    await finish(one)
  })

  test('kinds beyond the first are a row that unfolds; the dates are there whatever they are', async () => {
    const one = await open({ scenario: 'own', kinds: true, settings: english })
    const { page } = one
    await goTo(page, 'library')
    await page.waitForSelector('[aria-label="By date of change"] .picture-column')
    const rows = page.locator('[aria-label="By kind"] .picture-row')
    const more = page.locator('[aria-label="By kind"] button[aria-expanded]')
    await more.waitFor()
    const few = await rows.count()
    await more.click()
    await page.waitForSelector('[aria-label="By kind"] button[aria-expanded=true]:has-text("Fewer kinds")')
    expect(await rows.count()).toBeGreaterThan(few)
    await finish(one)
  })

  test('a path that is being written shows where it may lead to', async () => {
    const one = await open({ settings: english })
    const { page } = one
    await goTo(page, 'library')
    await page.click('button:has-text("Add a folder")')
    const list = page.locator('dialog ul[aria-label="Folders here"]')
    const name = await list.locator('button').last().textContent()
    const field = page.locator('dialog input').first()
    const home = await field.inputValue()
    await field.fill(`${home.replace(/\/$/, '')}/${(name ?? '').slice(0, 2)}`)
    await expect.poll(() => list.locator('button').allTextContents()).toContain(name)
    await field.fill(`${home.replace(/\/$/, '')}/zzqq`)
    await list.getByText('No folder here begins with “zzqq”.').waitFor()
    await finish(one)
  })

  test('words find passages, marked; a filter narrows them, and a click opens the place', async () => {
    const one = await open({ settings: english })
    const { page } = one
    await goTo(page, 'library')
    await page.fill('input[aria-label="Find passages"]', 'price')
    await page.waitForSelector('section[aria-label="Passages"] li mark')
    expect(await violations(page)).toEqual([])
    await page.click('section[aria-label="Passages"] li:has-text("Price list 2026.md") button >> nth=0')
    await page.waitForSelector('aside h2:has-text("Price list 2026.md")')
    await page.waitForSelector('.line-row[data-on=true]')
    await page.click('button:has-text("Any kind")')
    await page.click('[role=menuitemcheckbox]:has-text("Slides")')
    await page.keyboard.press('Escape')
    await page.click('button:has-text("Search without filters")')
    await page.waitForSelector('section[aria-label="Passages"] li')
    await page.click('button:has-text("Any date")')
    await page.click('.menu-item:has-text("Last year")')
    await page.waitForSelector('text=No passage found')
    await page.focus('input[aria-label="Find passages"]')
    await page.keyboard.press('Escape')
    await page.waitForSelector('h2:has-text("Documents")')
    await finish(one)
  })

  test('a found passage with long headings and places stays within the window, also beside the reader', async () => {
    const one = await open({ settings: english }, { width: 900, height: 600 })
    const { page } = one
    await goTo(page, 'library')
    await page.fill('input[aria-label="Find passages"]', 'price')
    await page.waitForSelector('section[aria-label="Passages"] li mark')
    const wide = () =>
      page.locator('section[aria-label="Passages"]').evaluate((section) => {
        for (const line of section.querySelectorAll('li button > span:first-child > span')) line.textContent = 'many words '.repeat(60)
        return section.scrollWidth - section.clientWidth
      })
    expect(await wide()).toBe(0)
    await page.setViewportSize({ width: 1280, height: 840 })
    await page.click('section[aria-label="Passages"] li button >> nth=0')
    await page.waitForSelector('.line-row[data-on=true]')
    expect(await wide()).toBe(0)
    await finish(one)
  })

  test('what is left out of one folder is kept for it alone', async () => {
    const one = await open({ scenario: 'own', settings: { ...english, ignoreRules: ['*.tmp'] } })
    const { page } = one
    await goTo(page, 'library')
    await page.click('button[aria-label="Actions for 资料"]')
    await page.click('[role=menuitem]:has-text("Leave out")')
    await page.waitForSelector('dialog >> text=For all folders: *.tmp')
    await page.fill('dialog textarea', '*.bak\n/drafts/')
    await page.click('dialog button:has-text("Save")')
    await page.waitForSelector('dialog', { state: 'detached' })
    await page.reload()
    await page.click('button[aria-label="Actions for 资料"]')
    await page.click('[role=menuitem]:has-text("Leave out")')
    await expect.poll(() => page.inputValue('dialog textarea')).toBe('*.bak\n/drafts/')
    await page.keyboard.press('Escape')
    await page.click('button[aria-label="Actions for Sample library"]')
    await page.click('[role=menuitem]:has-text("Leave out")')
    expect(await page.inputValue('dialog textarea')).toBe('')
    await finish(one)
  })

  test.each([
    ['not-installed', 'Ollama is not installed on this computer', 'a:has-text("Get Ollama")'],
    ['stopped', 'Ollama is installed, but it is not running', 'button:has-text("Start Ollama")'],
    ['no-model', 'Ollama is running, but it has no model yet', 'button:has-text("Get qwen3:8b (5.2 GB)")'],
    ['small', 'A better model fits this computer', 'button:has-text("Get qwen3:8b (5.2 GB)")'],
  ] as const)('an Ollama that is %s is said in one sentence with one button', async (engine, sentence, button) => {
    const one = await open({ engine, settings: english })
    const { page } = one
    await goTo(page, 'models')
    await page.waitForSelector(`text=${sentence}`)
    expect(await page.locator(button).count()).toBe(1)
    expect(await violations(page)).toEqual([])
    await finish(one)
  })

  test('from a stopped Ollama to an answer: start it, get the model that fits', async () => {
    const one = await open({ engine: 'stopped', settings: english })
    const { page } = one
    await goTo(page, 'models')
    await page.click('button:has-text("Start Ollama")')
    await page.click('button:has-text("Get qwen3:8b")')
    await page.waitForSelector('text=qwen3:4b answers')
    expect(await page.locator('text=Ollama is running, but').count()).toBe(0)
    await finish(one)
  })

  test('a backup is made, chosen to be put back, and that is taken back', async () => {
    const one = await open({ scenario: 'own', settings: english })
    const { page } = one
    await section(page, 'backups')
    await page.click('button:has-text("Back up now")')
    await page.waitForSelector('text=The library was backed up.')
    const rows = page.locator('#section-backups li')
    expect(await rows.count()).toBe(2)
    await rows.last().locator('button').click()
    await page.click('dialog button:has-text("Restore")')
    await page.waitForSelector('text=A backup is put back when Siku starts next.')
    await page.waitForSelector('text=At the next start')
    expect(await violations(page)).toEqual([])
    await page.click('button:has-text("Keep the library as it is")')
    await page.waitForSelector('text=At the next start', { state: 'detached' })
    await finish(one)
  })

  test('a finding of the doctor leads to what mends it', async () => {
    const one = await open({ scenario: 'own', settings: english })
    const { page } = one
    await goTo(page, 'settings')
    await page.click('li:has-text("could not be read") button:has-text("Show them")')
    await page.waitForSelector('nav a[href="#/library"][aria-current="page"]')
    await page.waitForSelector('button.pill[aria-pressed=true]:has-text("Failed")')
    await finish(one)
  })
})
