import type { Page } from 'playwright-core'
import { expect } from 'vitest'

interface Focus {
  fits: boolean
  name: string
  /** What is wrong with how the focus shows; '' for nothing. */
  wrong: string
}

/** What has the focus: whether it is wanted (`selector` or `selector|words in it`), and whether it can be seen that it has it. */
function look(page: Page, wanted: string): Promise<Focus> {
  return page.evaluate(([selector = '', inner = '']) => {
    const active = document.activeElement
    if (!(active instanceof HTMLElement) || active === document.body)
      return { fits: false, name: 'nothing', wrong: 'nothing has the focus' }
    const label = active.closest('label')
    const faces = [active, label, ...(active.parentElement?.querySelectorAll<HTMLElement>(':scope > span') ?? [])].filter(
      (each) => each !== null,
    )
    const words = active.getAttribute('aria-label') ?? active.getAttribute('title') ?? (label ?? active).textContent.trim()
    const name = `${active.tagName.toLowerCase()} “${words.slice(0, 60)}”`
    const outlined = faces.some((face) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(face)
      return outlineStyle !== 'none' && parseFloat(outlineWidth) > 0
    })
    const writing = active.matches('textarea, input:not([type=checkbox], [type=radio])')
    const { x, y, width, height } = (
      active.matches('input[type=radio], input[type=checkbox]') && label ? label : active
    ).getBoundingClientRect()
    const [left, top] = [Math.max(0, x), Math.max(0, y)]
    const [right, bottom] = [Math.min(innerWidth, x + width), Math.min(innerHeight, y + height)]
    const inSight = right > left && bottom > top
    const over = inSight ? document.elementFromPoint((left + right) / 2, (top + bottom) / 2) : null
    const covered = over !== null && !faces.some((face) => face.contains(over) || over.contains(face)) && !over.contains(active)
    const wrong =
      !outlined && !writing
        ? 'no outline'
        : !inSight
          ? `out of sight at ${Math.round(x)}, ${Math.round(y)}`
          : covered
            ? `covered by ${over.outerHTML.slice(0, 120)}`
            : ''
    return { fits: active.matches(selector) && active.textContent.includes(inner), name, wrong }
  }, wanted.split('|'))
}

/** The focus is on this, and it shows. */
export async function onFocus(page: Page, wanted: string): Promise<void> {
  await expect.poll(async () => (await look(page, wanted)).fits || (await look(page, wanted)).name, { message: wanted }).toBe(true)
  expect(await look(page, wanted)).toMatchObject({ fits: true, wrong: '' })
}

/** Tab, or Shift+Tab, until this has the focus. Wherever it comes by it can be seen; it is trapped nowhere. */
export async function tabTo(page: Page, wanted: string, { back = false, most = 120 } = {}): Promise<void> {
  const passed: string[] = []
  for (let step = 0; step < most; step += 1) {
    await page.keyboard.press(back ? 'Shift+Tab' : 'Tab')
    const { fits, name, wrong } = await look(page, wanted)
    passed.push(name)
    // From the last to the first the focus goes by way of the window.
    if (wrong !== '' && wrong !== 'nothing has the focus') throw new Error(`${name}: ${wrong}; before it ${passed.slice(-4).join(', ')}`)
    if (fits) return
  }
  throw new Error(`Tab did not come to ${wanted}; it passed ${passed.join(', ')}`)
}

/** Goes there by Tab and presses a key on it. */
export async function press(page: Page, wanted: string, key = 'Enter', options: { back?: boolean; most?: number } = {}): Promise<void> {
  await tabTo(page, wanted, options)
  await page.keyboard.press(key)
}

/** In an open menu, by its arrow keys. */
export async function choose(page: Page, words: string): Promise<void> {
  const item = `[role^=menuitem]:has-text("${words}")`
  await page.waitForSelector(item)
  // A menu takes the focus a moment after it shows.
  await page.waitForFunction(() => (document.activeElement?.closest('[role=menu]') ?? null) !== null)
  const passed: string[] = []
  for (let step = 0; step < 20; step += 1) {
    if (await page.locator(item).evaluate((element) => element === document.activeElement)) {
      await page.keyboard.press('Enter')
      await page.waitForSelector('[role=menu]', { state: 'detached' })
      // The button of a menu that went is given the focus in a later task: a menu that opens before that would be closed by it.
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
      return
    }
    passed.push((await look(page, '*')).name)
    const before = await page.evaluateHandle(() => document.activeElement)
    await page.keyboard.press('ArrowDown')
    // The focus follows in a later task: a look that comes before it, and a key after it, would pass over an item unseen.
    await page.waitForFunction((element) => document.activeElement !== element, before)
  }
  throw new Error(`the arrow keys did not come to ${words}; they passed ${passed.join(', ')}`)
}
