import i18next from 'i18next'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { startWords } from '../../../src/renderer/words/words.ts'
import { violations, type BuiltInterface } from '../browser.ts'
import { unreachable, viewFaults } from './faults.ts'
import { fontsOf, outlineChanges, outlineOf, writeOutline } from './outline.ts'
import { beside, packPicture, pictureDifference, visibleDifference } from './pictures.ts'
import type { GalleryLanguage, GalleryState, Stage } from './stage.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
export const galleryDir = join(root, 'docs/gallery')
/** What the last comparison found, with both pictures beside each other. */
const reportDir = join(root, 'out/gallery')

/** When every picture is taken. */
export const galleryTime = Date.UTC(2026, 10, 30, 2, 30)
export const themes = ['light', 'dark'] as const
type Theme = (typeof themes)[number]

const wide = { width: 1280, height: 800 }
const narrow = { width: 900, height: 600 }
/** 1280 × 800 and 900 × 600 at 200 %. */
const zoomed = [
  { width: 640, height: 400 },
  { width: 450, height: 300 },
]

async function settle(page: Page): Promise<void> {
  await page.evaluate(() => document.fonts.ready)
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  await page.waitForTimeout(250)
}

async function paint(page: Page, theme: Theme): Promise<void> {
  const changed = await page.evaluate((to) => {
    const before = document.documentElement.dataset['theme']
    document.documentElement.dataset['theme'] = to
    return before !== to
  }, theme)
  await settle(page)
  // Pages of a PDF are drawn anew on the ground of the theme.
  if (changed && (await page.locator('.pdf-page canvas').count()) > 0) await page.waitForTimeout(1500)
}

/** Opens the interface and brings the state about. */
export async function onStage(built: BuiltInterface, wanted: GalleryState, language: GalleryLanguage): Promise<Stage> {
  startWords(language)
  const options = {
    sampleAt: '/home/lin/.local/share/siku/sample-library',
    ...wanted.options,
    settings: { theme: 'light' as const, ...wanted.options?.settings, language },
  }
  const one = await built.open(options, wide, {
    context: { locale: language === 'en' ? 'en-GB' : 'zh-CN', timezoneId: 'Asia/Shanghai', reducedMotion: 'reduce', colorScheme: 'light' },
    before: (page) => page.clock.setFixedTime(galleryTime),
  })
  const stage: Stage = {
    page: one.page,
    one,
    language,
    say: i18next.getFixedT(language),
    pick: (english, chinese) => (language === 'en' ? english : chinese),
  }
  await one.page.waitForSelector('main')
  await wanted.reach?.(stage)
  await settle(one.page)
  return stage
}

export interface Taken {
  /** By the name of a picture without its ending. */
  pictures: Map<string, Buffer>
  /** By the name of an outline. */
  outlines: Map<string, string>
  /** What is wrong, whatever it was before. */
  faults: Record<string, string[]>
}

/** `pictures`: taken too, in both themes. `faults`: looked for too. */
export async function take(
  stage: Stage,
  wanted: GalleryState,
  { pictures, faults }: { pictures: boolean; faults: boolean },
): Promise<Taken> {
  const { page, language } = stage
  const taken: Taken = { pictures: new Map(), outlines: new Map(), faults: {} }
  const note = (what: string, found: string[]) => {
    if (found.length > 0) taken.faults[`${wanted.name} ${language} ${what}`] = found
  }
  const shoot = async (name: string) => {
    if (pictures) taken.pictures.set(name, await page.screenshot({ animations: 'disabled', caret: 'hide', timeout: 60_000 }))
  }
  const look = async (size: string) => {
    const { cut, wide: tooWide } = await viewFaults(page)
    note(`${size}, cut off`, cut)
    note(`${size}, too wide`, tooWide)
  }
  const drawn = !pictures ? [language === 'en' ? ('light' as const) : ('dark' as const)] : themes
  for (const theme of drawn) {
    await paint(page, theme)
    // One theme in one language, the other in the other: words and colours are each kept once; of the chief states all four are.
    const crossed = (theme === 'light') === (language === 'en')
    if (crossed || wanted.sample === true) await shoot(`${wanted.name}-${language}-${theme}`)
    if (crossed) taken.outlines.set(`${wanted.name}-${language}`, writeOutline(await fontsOf(page), await outlineOf(page)))
    if (faults && (crossed || wanted.sample === true)) note(`${theme}, WCAG`, await violations(page))
  }
  if (faults) await look('1280 × 800')
  await page.setViewportSize(narrow)
  await settle(page)
  if (faults) await look('900 × 600')
  if (wanted.narrow === true) {
    for (const theme of language === 'en' ? (['dark'] as const) : (['light'] as const)) {
      await paint(page, theme)
      await shoot(`${wanted.name}-narrow-${language}-${theme}`)
    }
  }
  for (const size of faults ? zoomed : []) {
    await page.setViewportSize(size)
    await settle(page)
    const name = `${size.width} × ${size.height}`
    note(`${name}, too wide`, (await viewFaults(page)).wide)
    note(`${name}, out of reach`, await unreachable(page))
  }
  return taken
}

function keep(path: string, content: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

const outlinePath = (name: string) => join(galleryDir, 'outlines', `${name}.txt`)
const picturePath = (name: string) => join(galleryDir, `${name}.webp`)

/** What differs from the gallery that is kept. Pictures are compared only where the same fonts draw them. */
export async function changesOf(taken: Taken): Promise<string[]> {
  const changes: string[] = []
  let sameFonts = true
  for (const [name, now] of taken.outlines) {
    const kept = existsSync(outlinePath(name)) ? readFileSync(outlinePath(name), 'utf8') : ''
    sameFonts &&= kept.split('\n')[0] === now.split('\n')[0]
    const found = kept === '' ? ['it is not in the gallery: take it with "npm run gallery"'] : outlineChanges(kept, now)
    changes.push(...found.map((change) => `${name}: ${change}`))
  }
  for (const [name, png] of taken.pictures) {
    if (!sameFonts || !existsSync(picturePath(name))) continue
    const kept = readFileSync(picturePath(name))
    const difference = await pictureDifference(kept, await packPicture(png))
    if (difference < visibleDifference) continue
    keep(join(reportDir, `${name}.webp`), await beside(kept, png))
    changes.push(`${name}: looks different by ${difference.toFixed(1)} (out/gallery/${name}.webp shows both)`)
  }
  return changes
}

/** Takes it into the gallery. A picture that looks as before is left as it is, so that the repository grows by what changed. */
export async function keepTaken(taken: Taken): Promise<void> {
  for (const [name, text] of taken.outlines) keep(outlinePath(name), text)
  for (const [name, png] of taken.pictures) {
    const path = picturePath(name)
    const packed = await packPicture(png)
    if (existsSync(path) && (await pictureDifference(readFileSync(path), packed)) < visibleDifference) continue
    keep(path, packed)
  }
}
