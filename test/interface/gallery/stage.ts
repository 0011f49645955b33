import type { TFunction } from 'i18next'
import type { Page } from 'playwright-core'
import type { FakeOptions } from '../../fakes/fake-core.ts'
import { goTo, section, type Opened } from '../browser.ts'

export const languages = ['en', 'zh'] as const
export type GalleryLanguage = (typeof languages)[number]

/** An opened interface on which a state is brought about, in either language. */
export interface Stage {
  page: Page
  one: Opened
  language: GalleryLanguage
  say: TFunction
  /** The one of two texts that is in the language. */
  pick(english: string, chinese: string): string
}

export const screens = ['ask', 'agent', 'chats', 'reader', 'library', 'models', 'memory', 'evaluate', 'settings', 'frame'] as const

export interface GalleryState {
  name: string
  screen: (typeof screens)[number]
  condition: 'empty' | 'busy' | 'full' | 'broken'
  title: Record<GalleryLanguage, string>
  options?: Partial<FakeOptions>
  /** Also taken at 900 × 600. */
  narrow?: true
  /** One of those that every run of the tests looks at. */
  sample?: true
  /** What the page may complain about. */
  complaints?: RegExp
  reach?: (stage: Stage) => Promise<void>
}

/** Whatever of a state's options depends on no state. */
export function state(
  name: `${GalleryState['screen']}-${string}`,
  condition: GalleryState['condition'],
  title: [english: string, chinese: string],
  reach?: GalleryState['reach'],
  more: Partial<GalleryState> = {},
): GalleryState {
  const screen = screens.find((each) => name.startsWith(`${each}-`))
  if (screen === undefined) throw new Error(`The state ${name} is of no screen.`)
  return { name, screen, condition, title: { en: title[0], zh: title[1] }, ...(reach === undefined ? {} : { reach }), ...more }
}

export async function send({ page }: Stage, question: string): Promise<void> {
  await page.fill('#composer', question)
  await page.press('#composer', 'Enter')
}

export async function askWhole(stage: Stage, question: string, answers = 1): Promise<void> {
  await send(stage, question)
  await stage.page.waitForFunction((count) => document.querySelectorAll('article footer').length === count, answers)
}

export async function toAgent({ page }: Stage): Promise<void> {
  await page.click('form label:has(input[name=composer-mode]) >> nth=1')
}

export async function askAgent(stage: Stage, task: string): Promise<void> {
  await toAgent(stage)
  await send(stage, task)
}

export async function cardToRead({ page }: Stage): Promise<void> {
  await page.waitForSelector('[data-approval] button:not([aria-disabled=true])')
}

export async function openFromLibrary({ page }: Stage, name: string): Promise<void> {
  await goTo(page, 'library')
  await page.waitForSelector('[data-row="0"]')
  await page.fill('main input[type=search] >> nth=1', name)
  await page.click(`[data-row]:has-text("${name}")`)
  await page.waitForSelector(`aside h2:has-text("${name}")`)
}

export const screen =
  (name: string): GalleryState['reach'] =>
  async ({ page }) => {
    await goTo(page, name)
  }

export const part =
  (name: string): GalleryState['reach'] =>
  async ({ page }) => {
    await section(page, name)
    await page.waitForTimeout(600)
  }
