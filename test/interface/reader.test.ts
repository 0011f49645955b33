import { describe, expect, test } from 'vitest'
import { builtInterface, chromiumPath, goTo, violations, type Opened } from './browser.ts'

const english = { settings: { language: 'en' as const } }

describe.skipIf(chromiumPath === null)('the reader in the interface', { timeout: 120_000 }, () => {
  const { open, finish } = builtInterface()

  async function openFromLibrary({ page }: Opened, name: string): Promise<void> {
    await goTo(page, 'library')
    await page.fill('input[aria-label="Filter by name"]', name)
    await page.click(`[data-row]:has-text("${name}")`)
    await page.waitForSelector(`aside h2:has-text("${name}")`)
  }

  test('words are found in a PDF, each place is shown in turn, and Escape closes only the search', async () => {
    const one = await open(english)
    const { page } = one
    await openFromLibrary(one, 'Crema One manual.pdf')
    await page.waitForSelector('.pdf-page')
    await page.keyboard.press('Control+f')
    await page.waitForSelector('#reader-find:focus')
    await page.keyboard.type('WATER')
    await page.waitForSelector('.pdf-now')
    await page.waitForSelector('aside search [role=status]:has-text("1 of ")')
    await page.keyboard.press('Shift+Enter')
    const status = (await page.locator('aside search [role=status]').textContent()) ?? ''
    const [at, total] = status.split(' of ')
    expect([at, Number(total) > 3]).toEqual([total, true])
    await page.waitForSelector('.pdf-now')
    await page.keyboard.press('Enter')
    await page.waitForSelector('aside search [role=status]:has-text("1 of ")')
    expect(await violations(page)).toEqual([])
    await page.fill('#reader-find', 'no such words')
    await page.waitForSelector('aside search [role=status]:has-text("Not found")')
    await page.keyboard.press('Escape')
    await page.waitForSelector('aside search', { state: 'detached' })
    expect(await page.locator('.pdf-page').count()).toBeGreaterThan(0)
    await finish(one)
  })

  test('small pages are shown, lead to their page, and are there again after a reload', async () => {
    const one = await open(english)
    const { page } = one
    await openFromLibrary(one, 'Crema One manual.pdf')
    await page.click('button[aria-label="Pages as small pictures"]')
    await page.click('.thumbnail >> nth=3')
    await page.waitForSelector('.thumbnail[aria-current=page]:has-text("4")')
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>('aside input[inputmode=numeric]')?.value === '4')
    expect(await violations(page)).toEqual([])
    await page.click('button[aria-label="Larger"]')
    await page.waitForSelector('aside >> text=125%')
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>('aside input[inputmode=numeric]')?.value === '4')
    await page.reload()
    await openFromLibrary(one, 'Crema One manual.pdf')
    await page.waitForSelector('.thumbnail')
    await finish(one)
  })

  test('words are found in text and in code, whose colours stay', async () => {
    const one = await open(english)
    const { page } = one
    await openFromLibrary(one, 'retry-queue.ts')
    await page.waitForSelector('.line-row span[style*="--code-keyword"]')
    await page.click('button[aria-label="Find in this document"]')
    await page.fill('#reader-find:focus', 'export')
    await page.waitForSelector('.line-row mark[data-kind=now][style*="--code-keyword"]')
    await page.click('#reader-tab-passages')
    await page.waitForSelector('#reader-body mark[data-kind=now]')
    await finish(one)
  })

  test('what is selected goes into a question about this document', async () => {
    const one = await open(english)
    const { page } = one
    await openFromLibrary(one, 'Price list 2026.md')
    await page.waitForSelector('.line-row')
    await page.locator('.line-row').nth(2).locator('> :last-child').click({ clickCount: 3 })
    await page.click('button:has-text("Ask about this")')
    await page.waitForSelector('#composer:focus')
    expect(await page.inputValue('#composer')).toMatch(/^> .+\n\n$/)
    await page.waitForSelector('ul[aria-label="Where to look"] li[title="Price list 2026.md"]')
    await finish(one)
  })

  test('what is attached to a mail is listed with its state, opens, and leads back to the mail', async () => {
    const one = await open({ ...english, kinds: true })
    const { page } = one
    await openFromLibrary(one, 'Re: the keys.eml')
    const attached = page.locator('aside section[aria-label="Attached"] li')
    await expect.poll(() => attached.allTextContents()).toEqual(['receipt of the locksmith.png', '钥匙登记表.docxDamaged'])
    expect(await violations(page)).toEqual([])
    await attached.first().locator('button').click()
    await page.waitForSelector('aside h2:has-text("receipt of the locksmith.png")')
    await page.waitForSelector('aside img')
    await page.click('aside h2 button:has-text("Re: the keys.eml")')
    await page.waitForSelector('aside section[aria-label="Attached"] li')
    await attached.nth(1).locator('button').click()
    await page.waitForSelector('aside h2:has-text("钥匙登记表.docx")')
    // Of one that could not be read, what is said of it comes first.
    await page.waitForSelector('#reader-tab-read[aria-selected=true]')
    await finish(one)
  })

  test('a recording has its player, and each thing said plays from its time', async () => {
    const one = await open({ ...english, kinds: true })
    const { page } = one
    await openFromLibrary(one, 'Meeting of 9 March.wav')
    await page.waitForFunction(() => (document.querySelector('audio')?.readyState ?? 0) > 0)
    const times = page.locator('aside .section-block button')
    await expect.poll(() => times.allTextContents()).toEqual(['00:00', '00:03', '00:06'])
    expect(await violations(page)).toEqual([])
    await times.nth(1).click()
    await page.waitForFunction(() => (document.querySelector('audio')?.currentTime ?? 0) >= 3)
    await page.waitForSelector(
      'aside .section-block button[aria-current=true]:has-text("00:03"), aside .section-block button[aria-current=true]:has-text("00:06")',
    )
    await finish(one)
  })
})
