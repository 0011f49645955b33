import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { builtInterface } from '../browser.ts'
import { galleryReadme } from './readme.ts'
import type { GalleryLanguage } from './stage.ts'
import { galleryStates } from './states.ts'
import { changesOf, galleryDir, galleryTime, keepTaken, onStage, take } from './take.ts'

const only = new RegExp(process.env['SIKU_GALLERY_ONLY'] ?? '')

/** Every state in one language: compared with what is kept (SIKU_GALLERY=check), or taken anew. */
export function wholeGallery(language: GalleryLanguage): void {
  const checking = process.env['SIKU_GALLERY'] === 'check'
  beforeAll(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: galleryTime })
  })
  afterAll(() => {
    vi.useRealTimers()
    if (!checking && language === 'en') writeFileSync(join(galleryDir, 'README.md'), galleryReadme())
  })
  describe(`the gallery, ${language}`, { timeout: 240_000 }, () => {
    const built = builtInterface()
    test.each(galleryStates.filter(({ name }) => only.test(name)))('$name', async (wanted) => {
      const stage = await onStage(built, wanted, language)
      const taken = await take(stage, wanted, { pictures: true, faults: checking })
      const changes = checking ? await changesOf(taken) : []
      if (!checking) await keepTaken(taken)
      expect(changes).toEqual([])
      expect(taken.faults).toEqual({})
      await built.finish(stage.one, wanted.complaints)
    })
  })
}
