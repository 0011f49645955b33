import { describe, expect, test } from 'vitest'
import { ask, builtInterface, chromiumPath, goTo } from './browser.ts'

const english = { settings: { language: 'en' as const } }

describe.skipIf(chromiumPath === null)('where the system sets the colours', { timeout: 120_000 }, () => {
  const { open, finish } = builtInterface()

  test('what is chosen, on, or drawn by its ground is seen', async () => {
    const one = await open(english)
    const { page } = one
    await page.emulateMedia({ forcedColors: 'active' })
    const framed = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => getComputedStyle(element).outlineStyle === 'solid')
    expect([await framed('nav a[aria-current=page]'), await framed('nav a:not([aria-current])')]).toEqual([true, false])
    expect([await framed('form label:has(input:checked)'), await framed('form label:has(input:not(:checked))')]).toEqual([true, false])
    await ask(page, '押金')
    await page.locator('[data-answer] button.chip').first().click()
    await page.waitForSelector('.pdf-page')
    await page.focus('#composer')
    expect(await framed('[data-answer] button.chip[data-on=true]')).toBe(true)
    expect([await framed('[role=tab][aria-selected=true]'), await framed('[role=tab][aria-selected=false]')]).toEqual([true, false])
    const drawn = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => {
          const seen = getComputedStyle(element)
          return seen.forcedColorAdjust === 'none' && seen.backgroundColor !== getComputedStyle(document.body).backgroundColor
        })
    expect(await drawn('article footer .bar > i')).toBe(true)
    await page.keyboard.press('Escape')
    await goTo(page, 'library')
    await page.waitForSelector('.picture-row')
    for (const selector of ['[data-row] .dot', '.picture-row > i > i', '.picture-column > i'])
      expect([selector, await drawn(selector)]).toEqual([selector, true])
    await goTo(page, 'memory')
    const knob = () =>
      page.locator('[role=switch]').evaluate((element) => {
        const [track, dot] = [...(element.parentElement?.querySelectorAll('span') ?? [])].map(
          (each) => getComputedStyle(each).backgroundColor,
        )
        return [track, dot]
      })
    await page.waitForSelector('[role=switch]:checked')
    const [onTrack, onKnob] = await knob()
    await page.click('[role=switch]')
    await page.waitForSelector('[role=switch]:not(:checked)')
    await page.waitForTimeout(400)
    const [offTrack, offKnob] = await knob()
    expect(onTrack).not.toBe(offTrack)
    expect([onKnob === onTrack, offKnob === offTrack]).toEqual([false, false])
    await finish(one)
  })
})
