import { describe, expect, test } from 'vitest'
import { ask, builtInterface, chromiumPath } from './browser.ts'

const english = { settings: { language: 'en' as const } }

describe.skipIf(chromiumPath === null)('answers as they come seldom', { timeout: 120_000 }, () => {
  const { open, finish } = builtInterface()

  test('a table that is too wide keeps its words and numbers whole and is scrolled in its frame', async () => {
    const one = await open(english)
    await ask(one.page, 'a wide table')
    await one.page.waitForSelector('footer')
    const seen = await one.page.locator('.table-frame').evaluate((frame) => {
      const cells = [...frame.querySelectorAll('td')]
      const lines = (cell: Element | undefined) => {
        const range = document.createRange()
        range.selectNodeContents(cell ?? frame)
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
      }
      const page = document.querySelector('main [data-scroller]')
      return {
        numbers: Math.max(...cells.filter((cell) => /^\d+$/.test(cell.textContent)).map(lines)),
        chinese: lines(cells.find((cell) => cell.textContent.startsWith('七个'))),
        scrolls: frame.scrollWidth > frame.clientWidth,
        pageScrolls: page === null || page.scrollWidth > page.clientWidth,
      }
    })
    expect(seen).toEqual({ numbers: 1, chinese: 2, scrolls: true, pageScrolls: false })
    await finish(one)
  })

  test('formulas: an index is small, nothing is cut off, no letter is parted from its index, no underline lies in one', async () => {
    const one = await open(english)
    await ask(one.page, 'formulas')
    await one.page.waitForSelector('footer')
    await one.page.waitForSelector('.katex-display')
    await one.page.evaluate(() => document.fonts.ready)
    const seen = await one.page.locator('[data-answer]').evaluate((answer) => {
      const size = (element: Element | null) => (element === null ? 0 : parseFloat(getComputedStyle(element).fontSize))
      const display = answer.querySelector('.katex-display')
      const box = display?.getBoundingClientRect()
      const tops = [...(display?.querySelectorAll('.mfrac .vlist') ?? [])].map((each) => each.getBoundingClientRect().top)
      const inline = [...answer.querySelectorAll('p .katex .msupsub')]
      return {
        index: size(answer.querySelector('p .msupsub .mtight')) / size(answer.querySelector('p .mathnormal')),
        cut: Math.min(...tops) < (box?.top ?? Infinity),
        parted: inline.filter((each) => {
          const letter = each.previousElementSibling?.getBoundingClientRect()
          return letter !== undefined && Math.abs(letter.top - each.getBoundingClientRect().top) > 20
        }).length,
        underlined: answer.querySelectorAll('.katex [data-weak]').length,
        around: [...answer.querySelectorAll('[data-weak]')].map((each) => each.textContent),
        displays: answer.querySelectorAll('.katex-display').length,
      }
    })
    expect(seen).toEqual({
      index: expect.closeTo(0.7, 1) as number,
      cut: false,
      parted: 0,
      underlined: 0,
      around: ['Interest on ', ' is paid.'],
      displays: 2,
    })
    await finish(one)
  })

  test('a long address flows with its sentence and is followed by the keyboard too', async () => {
    const one = await open(english)
    const { page } = one
    await ask(page, 'an address')
    const link = page.locator('[data-answer] [role=link]')
    await link.waitFor()
    const { first, left, lines } = await link.evaluate((element) => {
      const rects = [...element.getClientRects()]
      const paragraph = element.closest('p')?.getBoundingClientRect()
      return {
        first: Math.round((rects[0]?.top ?? 0) - (paragraph?.top ?? 0)) < 12,
        left: rects.slice(1).every((rect) => Math.round(rect.left) === Math.round(paragraph?.left ?? 0)),
        lines: rects.length,
      }
    })
    expect([first, left, lines > 2]).toEqual([true, true, true])
    await link.focus()
    await page.keyboard.press('Enter')
    await page.waitForSelector('dialog b:has-text("example.org")')
    await finish(one)
  })

  test('that an answer broke off stands where it ends', async () => {
    const one = await open(english)
    await ask(one.page, 'it goes round')
    await one.page.waitForSelector('footer')
    const note = one.page.locator('text=The model said the same again and again')
    const end = await one.page.locator('[data-answer]').boundingBox()
    const said = await note.boundingBox()
    expect((said?.y ?? 0) >= (end?.y ?? Infinity) + (end?.height ?? 0) - 1).toBe(true)
    await finish(one)
  })

  test('what is quoted from documents is shown word for word', async () => {
    const one = await open(english)
    await ask(one.page, 'word for word')
    await one.page.waitForSelector('footer')
    const answer = one.page.locator('[data-answer]')
    expect(await answer.locator('em, strong, code, [role=link], .katex').count()).toBe(0)
    const text = await answer.textContent()
    expect(text).toContain('…<1@>E?2.*A-#3%(4%56#* and __so__ on, see https://example.org/a_b_c')
    expect(text).toContain('`x` and $$y$$')
    expect(await answer.locator('button.chip').count()).toBe(2)
    await finish(one)
  })
})
