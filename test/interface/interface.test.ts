import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { dragIn } from '../fakes/drag-in.ts'
import { ask, builtInterface, chromiumPath, goTo, violations } from './browser.ts'

if (chromiumPath === null)
  console.warn('SKIPPED: there is no Chromium here (SIKU_CHROMIUM says where it is), so the interface is not tried.')

describe.skipIf(chromiumPath === null)('the built interface in Chromium', { timeout: 120_000 }, () => {
  const { directory, webDir, open, finish } = builtInterface()

  test.each([
    ['light', 'zh', 'normal'],
    ['dark', 'en', 'normal'],
    ['light', 'en', 'own'],
    ['dark', 'zh', 'busy'],
    ['light', 'en', 'empty'],
    ['dark', 'en', 'broken'],
  ] as const)('no machine-testable rule of WCAG 2.2 AA is broken: %s, %s, %s', async (theme, language, scenario) => {
    const size = scenario === 'own' ? { width: 900, height: 600 } : { width: 1440, height: 900 }
    const one = await open({ scenario, settings: { theme, language } }, size)
    const found: Record<string, string[]> = {}
    const look = async (name: string) => {
      const list = await violations(one.page)
      if (list.length > 0) found[name] = list
    }
    await look('welcome')
    if (scenario === 'normal') {
      await ask(one.page, 'a long one')
      await one.page.waitForSelector('footer')
      await look('answer')
      await one.page.click('button.chip')
      await one.page.waitForSelector('.pdf-mark')
      await look('reader')
      await one.page.click('#reader-tab-read')
      await look('as read')
      await one.page.keyboard.press('Escape')
      await one.page.keyboard.press('Control+k')
      await look('palette')
      await one.page.keyboard.press('Escape')
      await ask(one.page, 'nothing')
      await one.page.waitForSelector('text=/模型|Ask the model/')
      await look('not in the library')
    }
    for (const screen of ['library', 'models', 'evaluate', 'memory', 'settings']) {
      await goTo(one.page, screen)
      await look(screen)
    }
    expect(found).toEqual({})
    await finish(one)
  })

  test('the first screen asks with one click, and its citation opens the page with the passage marked', async () => {
    const one = await open()
    await one.page.click('text=How often should the coffee machine be descaled?')
    await one.page.click('[data-answer] button.chip')
    await one.page.waitForSelector('.pdf-page[data-page="2"] .pdf-mark')
    await one.page.waitForSelector('.pdf-page[data-page="2"] .pdf-text span:has-text("押金")', { state: 'attached' })
    expect(await one.page.locator('aside input[inputmode="numeric"]').inputValue()).toBe('2')
    await one.page.keyboard.press('Escape')
    await one.page.waitForSelector('.pdf-page', { state: 'detached' })
    await finish(one)
  })

  test('chips of one source in two sentences mark each its own sentence', async () => {
    const one = await open()
    await ask(one.page, '押金')
    await one.page.waitForSelector('footer')
    const places: string[][] = []
    for (const index of [0, 1]) {
      await one.page.locator('[data-answer] button.chip').nth(index).click()
      await one.page.waitForSelector('.pdf-quote')
      await one.page.waitForTimeout(800)
      places.push(await one.page.locator('.pdf-quote').evaluateAll((all) => all.map((each) => each.getAttribute('style') ?? '')))
    }
    expect(places[0]?.length).toBeGreaterThan(0)
    expect(places[1]).not.toEqual(places[0])
    await finish(one)
  })

  test('a document that changed or is gone shows the quote as it was kept', async () => {
    const one = await open({ settings: { language: 'en' } })
    await ask(one.page, 'nothing')
    await one.page.click('.card:has-text("retry-queue.ts")')
    await one.page.waitForSelector('text=This document has changed since')
    expect(await one.page.locator('aside blockquote').textContent()).toContain('export async function retry')
    await one.page.click('text=2 more passages were read')
    await one.page.click('.card:has-text("Price list 2026.md")')
    await one.page.waitForSelector('text=This document is gone')
    expect(await one.page.locator('aside blockquote').textContent()).toContain('10 per cent cheaper')
    await finish(one)
  })

  test('finished blocks keep their nodes while the answer streams, and a reader who left the end is not moved', async () => {
    const one = await open({ fast: false })
    await ask(one.page, 'a long one')
    await one.page.waitForSelector('[data-block="3"]')
    await one.page.evaluate(() => {
      for (const block of document.querySelectorAll('[data-block="0"] *, [data-block="1"] *, [data-block="2"] *'))
        (block as { kept?: boolean }).kept = true
    })
    await one.page.waitForFunction(() => document.querySelectorAll('[data-block]').length > 8)
    await one.page.mouse.move(800, 400)
    await one.page.mouse.wheel(0, -5000)
    await one.page.waitForTimeout(300)
    const top = () => one.page.evaluate(() => document.querySelector('main .overflow-y-auto')?.scrollTop)
    const before = await top()
    await one.page.waitForSelector('footer', { timeout: 60_000 })
    expect(await top()).toBe(before)
    const lost = await one.page.evaluate(
      () =>
        [...document.querySelectorAll('[data-block="0"] *, [data-block="2"] *')].filter(
          (node) => (node as { kept?: boolean }).kept !== true,
        ).length,
    )
    expect(lost).toBe(0)
    await finish(one)
  })

  test('raw HTML and remote images in an answer are text; formulas are set and prices are not', async () => {
    const one = await open()
    await ask(one.page, 'a long one')
    await one.page.waitForSelector('.katex-display')
    const answer = one.page.locator('[data-answer]')
    expect(await answer.locator('script, img').count()).toBe(0)
    const text = (await answer.textContent()) ?? ''
    expect([
      text.includes("<script>alert('raw HTML is text')</script>"),
      text.includes('![remote](https://example.org/pixel.png)'),
      text.includes('$4 到 $6'),
    ]).toEqual([true, true, true])
    await finish(one)
  })

  test('Enter while an input method composes does not send', async () => {
    const one = await open()
    await one.page.fill('#composer', 'zu')
    for (const init of [
      { key: 'Enter', isComposing: true },
      { key: 'Enter', keyCode: 229 },
    ]) {
      await one.page.evaluate(
        (given) =>
          document.querySelector('#composer')?.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...given })),
        init,
      )
    }
    await one.page.press('#composer', 'Shift+Enter')
    await one.page.waitForTimeout(200)
    expect([await one.page.inputValue('#composer'), await one.page.locator('article').count()]).toEqual(['zu\n', 0])
    await finish(one)
  })

  test('stop keeps what was written and says so', async () => {
    const one = await open({ fast: false, settings: { language: 'en' } })
    await ask(one.page, 'a long one')
    await one.page.waitForSelector('[data-block="2"]')
    await one.page.click('form button:has-text("Stop")')
    await one.page.waitForSelector('text=Stopped. What was written so far is kept.')
    expect(await one.page.locator('[data-block]').count()).toBeGreaterThan(2)
    await finish(one)
  })

  test('a broken connection is said, tried again, and the answer goes on without a gap', async () => {
    const one = await open({ fast: false, settings: { language: 'en' } })
    await ask(one.page, 'a long one')
    await one.page.waitForSelector('[data-block="2"]')
    one.host.drop()
    await one.page.waitForSelector('text=The connection to Siku is lost')
    await one.page.waitForSelector('text=The connection to Siku is lost', { state: 'detached' })
    await one.page.waitForSelector('footer', { timeout: 60_000 })
    expect(((await one.page.locator('[data-answer]').textContent()) ?? '').split('结论').length).toBe(4)
    await finish(one, /WebSocket/)
  })

  test('20,000 documents: only the rows in sight exist, the last one is reached, and filters count', async () => {
    const one = await open({ scenario: 'own', settings: { language: 'en' } })
    await goTo(one.page, 'library')
    await one.page.waitForSelector('[data-row="0"]')
    await one.page.evaluate(() => {
      const list = document.querySelector('main > .overflow-y-auto')
      list?.scrollTo(0, list.scrollHeight)
    })
    await one.page.waitForSelector('[data-row="20009"]')
    expect(await one.page.locator('[data-row]').count()).toBeLessThan(80)
    await one.page.fill('input[placeholder="Filter by name"]', '12345')
    await one.page.waitForSelector('text=/^1 document$/')
    await finish(one)
  })

  test('what is dropped is copied in with its paths, hidden and dependency folders left out, and added as a copy', async () => {
    const drop = join(directory, 'Dropped folder')
    mkdirSync(join(drop, 'inner'), { recursive: true })
    mkdirSync(join(drop, 'node_modules'), { recursive: true })
    mkdirSync(join(drop, '.git'), { recursive: true })
    for (const path of ['one.md', 'inner/二.txt', 'node_modules/x.js', '.git/config']) writeFileSync(join(drop, path), 'text')
    const one = await open({ settings: { language: 'en' } })
    const shown = one.page.waitForSelector('text=Drop to add to your library')
    const added = one.page.waitForSelector('text=A copy of “Dropped folder” was added')
    await dragIn(one.page, [drop], { x: 500, y: 400 })
    await Promise.all([shown, added])
    expect(one.host.dropped.map((each) => each.path).sort()).toEqual(['Dropped folder/inner/二.txt', 'Dropped folder/one.md'])
    await finish(one)
  })

  test('a deleted chat comes back with Undo, and the language changes without a restart', async () => {
    const one = await open({ settings: { language: 'en' } })
    const row = one.page.locator('aside [role=listitem]', { hasText: 'Compare the two insurance offers' })
    await row.hover()
    await row.locator('button').click()
    await one.page.click('[role=menuitem]:has-text("Delete")')
    await row.waitFor({ state: 'detached' })
    await one.page.click('button:has-text("Undo")')
    await row.waitFor()
    await goTo(one.page, 'settings')
    await one.page.click('label:has-text("中文")')
    await one.page.waitForSelector('h1:has-text("设置")')
    expect(await one.page.evaluate(() => document.documentElement.lang)).toBe('zh-CN')
    await finish(one)
  })

  test('the reader is widened by the arrow keys and keeps its width', async () => {
    const one = await open()
    const width = async () => Math.round((await one.page.locator('aside:has([role=separator])').boundingBox())?.width ?? 0)
    await ask(one.page, '押金')
    await one.page.click('[data-answer] button.chip')
    await one.page.waitForSelector('.pdf-mark')
    const before = await width()
    await one.page.focus('[role=separator]')
    await one.page.keyboard.press('ArrowLeft')
    const after = await width()
    await one.page.keyboard.press('Escape')
    await one.page.click('[data-answer] button.chip')
    await one.page.waitForSelector('.pdf-mark')
    expect([after - before, await width()]).toEqual([32, after])
    await finish(one)
  })

  test('the first screen loads no more than 600 kB compressed', async () => {
    const html = readFileSync(join(webDir, 'index.html'), 'utf8')
    const files = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map((match) => match[1] ?? '')
    const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(join(webDir, file))).length, 0)
    expect(files.length).toBeGreaterThan(1)
    expect(bytes).toBeLessThan(600_000)
    expect(readdirSync(join(webDir, 'pdfjs')).sort()).toEqual(['cmaps', 'iccs', 'standard_fonts', 'wasm'])
  })
})
