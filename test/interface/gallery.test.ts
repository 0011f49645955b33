import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { builtInterface, chromiumPath } from './browser.ts'
import { outlineChanges, readOutline, writeOutline } from './gallery/outline.ts'
import { galleryReadme } from './gallery/readme.ts'
import { galleryStates } from './gallery/states.ts'
import { changesOf, galleryDir, galleryTime, onStage, take } from './gallery/take.ts'

test('the index lists every state of the gallery, and no name twice', () => {
  expect(readFileSync(join(galleryDir, 'README.md'), 'utf8')).toBe(galleryReadme())
  expect(new Set(galleryStates.map(({ name }) => name)).size).toBe(galleryStates.length)
})

test('an outline tells what is gone, new, elsewhere and drawn otherwise, and forgives other fonts their wraps', () => {
  const kept = readFileSync(join(galleryDir, 'outlines', 'ask-answered-en.txt'), 'utf8')
  const { fonts, marks } = readOutline(kept)
  const send = marks.findIndex(({ name }) => name === 'Send')
  const changed = (change: (mark: (typeof marks)[number]) => (typeof marks)[number] | null, machine = fonts) =>
    outlineChanges(
      kept,
      writeOutline(
        machine,
        marks.flatMap((mark, index) => (index === send ? (change(mark) ?? []) : mark)),
      ),
    )
  const moved = (by: number) => (mark: (typeof marks)[number]) => ({
    ...mark,
    box: [mark.box[0], mark.box[1] - by, mark.box[2], mark.box[3]] as typeof mark.box,
  })
  expect(changed((mark) => mark)).toEqual([])
  expect(changed(() => null)).toEqual(['gone: button “Send”'])
  expect(changed((mark) => ({ ...mark, name: 'Go' }))).toEqual(['gone: button “Send”', 'new: button “Go”'])
  expect(changed((mark) => ({ ...mark, drawn: '13px 400 rgb(0, 0, 0) rgb(255, 255, 255) 0px' }))).toHaveLength(1)
  expect([changed(moved(12)).length, changed(moved(12), 'other').length, changed(moved(600), 'other').length]).toEqual([1, 0, 1])
})

describe.skipIf(chromiumPath === null)('the chief states of the gallery', { timeout: 240_000 }, () => {
  const built = builtInterface()
  beforeAll(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: galleryTime })
  })
  afterAll(() => {
    vi.useRealTimers()
  })

  test.each(
    galleryStates.filter(({ sample }) => sample === true).map((each, index) => [each.name, index % 2 === 0 ? 'en' : 'zh', each] as const),
  )('%s (%s): as it is kept, nothing cut off, too wide or out of reach, no rule of WCAG broken', async (_name, language, wanted) => {
    const stage = await onStage(built, wanted, language)
    const taken = await take(stage, wanted, { pictures: false, faults: true })
    expect(taken.faults).toEqual({})
    expect(await changesOf(taken)).toEqual([])
    await built.finish(stage.one, wanted.complaints)
  })
})
