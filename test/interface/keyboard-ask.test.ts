import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { builtInterface, chromiumPath } from './browser.ts'
import { choose, onFocus, press, tabTo } from './keyboard.ts'

const english = { settings: { language: 'en' as const } }
const menuOf = (title: string) => `aside button[aria-label="Actions for “${title}”"]`

async function write(page: Page, question: string, answers: number): Promise<void> {
  await onFocus(page, '#composer')
  await page.keyboard.type(question)
  await page.keyboard.press('Enter')
  await page.waitForFunction((count) => document.querySelectorAll('article footer').length === count, answers)
}

/** No pointer is used here: each flow goes by real keys, and the focus is seen, and led back, at each step. */
describe.skipIf(chromiumPath === null)('Ask by the keyboard alone', { timeout: 180_000 }, () => {
  const { open, finish } = builtInterface()

  test('a question is asked, its citations are read one after the other, and Esc leads back to the first', async () => {
    const one = await open(english)
    const { page } = one
    await press(page, 'button[aria-label="New chat"]')
    await write(page, '押金', 1)
    await tabTo(page, '[data-answer] button.chip', { back: true })
    const chip = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
    await page.keyboard.press('Enter')
    await onFocus(page, 'aside[aria-label=Reader]')
    await press(page, 'aside button[aria-label="Next citation"]')
    await page.waitForSelector('aside >> text=/^2 \\/ /')
    for (let step = 0; step < 8; step += 1) await page.keyboard.press('Enter')
    await onFocus(page, 'aside button[aria-label="Next citation"][aria-disabled=true]')
    await press(page, 'aside button[aria-label="Citation before"]', 'Enter', { back: true })
    // The document of that citation is open: one that comes later takes its search along.
    await page.waitForSelector('aside button[aria-label="Pages as small pictures"]')
    await page.waitForSelector('aside .pdf-page .pdf-quote')
    await press(page, 'aside button[aria-label="Find in this document"]')
    await onFocus(page, '#reader-find')
    await page.keyboard.press('Escape')
    await onFocus(page, 'aside[aria-label=Reader] *')
    await page.keyboard.press('Escape')
    await onFocus(page, '[data-answer] button.chip')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(chip)
    await finish(one)
  })

  test('a question is edited, answered again and branched from, and the focus comes back', async () => {
    const one = await open(english)
    const { page } = one
    await write(page, 'first', 1)
    await press(page, 'article [data-edit]', 'Enter', { back: true })
    await onFocus(page, 'article textarea')
    await page.keyboard.press('Escape')
    await onFocus(page, 'article [data-edit]')
    await page.keyboard.press('Enter')
    await onFocus(page, 'article textarea')
    await page.keyboard.type(', edited')
    await page.keyboard.press('Enter')
    await page.waitForSelector('text=2 of 2')
    await page.waitForSelector('article footer')
    await write(page, 'second', 2)
    await press(page, 'button[aria-label="Answer again"]', 'Enter', { back: true })
    await page.waitForFunction(() => document.querySelectorAll('article footer').length === 2)
    await onFocus(page, '#composer')
    await press(page, 'button[aria-label="Go on from here"]', 'Enter', { back: true })
    await onFocus(page, '#composer')
    await page.waitForSelector('text=Your next question goes on from the answer above')
    await finish(one)
  })

  test('a running answer is stopped, and the focus is on the box', async () => {
    const one = await open({ ...english, fast: false })
    const { page } = one
    await onFocus(page, '#composer')
    // So long that whoever goes there by Tab comes in time.
    await page.keyboard.type('stream')
    await page.keyboard.press('Enter')
    await page.waitForSelector('[data-block="2"]')
    await press(page, 'form button|Stop')
    await page.waitForSelector('text=Stopped. What was written so far is kept.')
    await onFocus(page, '#composer')
    await finish(one)
  })

  test('chats are found, pinned, renamed, exported, deleted and brought back', async () => {
    const one = await open(english)
    const { page } = one
    const title = 'Compare the two insurance offers'
    await tabTo(page, 'aside input[type=search]')
    await page.keyboard.type('insurance')
    await page.waitForFunction(() => document.querySelectorAll('aside [role=listitem] a').length === 1)
    await press(page, menuOf(title))
    await choose(page, 'Pin')
    await page.waitForSelector('aside h3:has-text("Pinned")')
    await onFocus(page, menuOf(title))
    await page.keyboard.press('Enter')
    await choose(page, 'Rename')
    await onFocus(page, 'aside input[aria-label=Rename]')
    await page.keyboard.type('Insurance')
    await page.keyboard.press('Enter')
    await page.waitForSelector('aside a:has-text("Insurance")')
    await onFocus(page, 'aside [role=listitem] a')
    for (const [item, ending] of [
      ['Export as Markdown', '.md'],
      ['Export with everything', '.json'],
    ] as const) {
      const download = page.waitForEvent('download')
      await press(page, menuOf('Insurance'), 'Enter', { most: 3 })
      await choose(page, item)
      expect((await download).suggestedFilename()).toContain(ending)
      await onFocus(page, menuOf('Insurance'))
      await page.keyboard.press('Shift+Tab')
    }
    await press(page, 'aside input[type=search]', 'Control+a', { back: true })
    await page.keyboard.press('Delete')
    await page.waitForFunction(() => document.querySelectorAll('aside [role=listitem] a').length > 1)
    await press(page, menuOf('Insurance'))
    await choose(page, 'Delete')
    await page.waitForSelector('aside a:has-text("Insurance")', { state: 'detached' })
    await onFocus(page, 'aside [role=listitem] button')
    await page.keyboard.press('Control+z')
    await page.waitForSelector('aside a:has-text("Insurance")')
    const chooser = page.waitForEvent('filechooser')
    await press(page, 'aside button[aria-label="Import a chat (JSON)"]')
    await (await chooser).setFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('{}') })
    await page.waitForSelector('section[aria-label=Messages] li')
    // The chat that came in is open.
    await onFocus(page, '#composer')
    await finish(one)
  })

  test('where to look, what to attach, who answers, and an agent of one’s own', async () => {
    const one = await open(english)
    const { page } = one
    await onFocus(page, '#composer')
    await tabTo(page, 'input[name=composer-mode]')
    await page.keyboard.press('ArrowRight')
    await onFocus(page, 'input[name=composer-mode][aria-label=Agent]')
    await press(page, 'button[aria-label^="Where to look"]')
    await onFocus(page, '[role=dialog] input[type=search]')
    await press(page, '[role=dialog] input[type=checkbox]', 'Space')
    await page.keyboard.press('Escape')
    await onFocus(page, 'button[aria-label^="Where to look"]')
    await press(page, 'button[aria-label="Do not look only in Sample library"]', 'Enter', { back: true })
    await page.waitForSelector('button[aria-label="Where to look: Whole library"]')
    await press(page, 'form button[aria-haspopup=menu]')
    await page.waitForSelector('[role=menu]')
    await page.keyboard.press('Escape')
    await onFocus(page, 'form button[aria-haspopup=menu]')
    const chooser = page.waitForEvent('filechooser')
    await press(page, 'button[aria-label="Attach a file or picture"]')
    await (await chooser).setFiles({ name: 'n.txt', mimeType: 'text/plain', buffer: Buffer.from('note') })
    await page.waitForSelector('form li:has-text("n.txt")')
    await press(page, 'form button[aria-label="Take off n.txt"]', 'Enter', { back: true })
    await page.waitForSelector('form li:has-text("n.txt")', { state: 'detached' })
    await onFocus(page, 'form *')
    await finish(one)
  })

  test('the palette, the sheet of keys and the screens give the focus back', async () => {
    const one = await open(english)
    const { page } = one
    await tabTo(page, 'nav a[href="#/models"]')
    await page.keyboard.press('Control+k')
    await onFocus(page, 'dialog input[role=combobox]')
    await page.keyboard.press('Escape')
    await onFocus(page, 'nav a[href="#/models"]')
    await page.keyboard.press('?')
    await page.waitForSelector('dialog h2:has-text("Shortcuts")')
    await onFocus(page, 'dialog *')
    await page.keyboard.press('Escape')
    await onFocus(page, 'nav a[href="#/models"]')
    await page.keyboard.press('Control+Shift+O')
    await onFocus(page, '#composer')
    // The box goes with its screen: the focus is on the next one.
    await page.keyboard.press('Alt+2')
    await page.waitForSelector('h1:has-text("Library")')
    await onFocus(page, 'main')
    await page.keyboard.press('Control+k')
    await onFocus(page, 'dialog input[role=combobox]')
    await page.keyboard.type('Crema One manual')
    await page.waitForSelector('[role=option]:has-text("Crema One manual.pdf")')
    await page.keyboard.press('Enter')
    await onFocus(page, 'aside[aria-label=Reader]')
    await finish(one)
  })
})
