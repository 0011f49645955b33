import { expect, test } from 'vitest'
import { textPicture } from '../../../../test/fixtures/page-picture.ts'
import type { Pixels } from './pixels.ts'
import { createRecogniser } from './recogniser.ts'
import { quarterTurned } from './tall.ts'

test('a small page is read letter by letter, each line with the box where it stands', async () => {
  const picture = await textPicture(['The kettle was bought in 2019', 'Warranty: 24 months'], [300, 100])
  const recogniser = await createRecogniser(1)
  const lines = (await recogniser.read(picture, 3)).sort((one, other) => one.box.y - other.box.y)
  expect(lines.map((line) => line.text)).toEqual(['The kettle was bought in 2019', 'Warranty: 24 months'])
  const [first] = lines
  expect(first!.box.page).toBe(3)
  // Set at 30 of 300 points, with its baseline 40 of 100 points from the top.
  expect(Math.abs(first!.box.x - 0.1)).toBeLessThan(0.02)
  expect(first!.box.y).toBeLessThan(0.3)
  expect(first!.box.y + first!.box.height).toBeGreaterThan(0.4)
  expect(Math.min(...lines.map((line) => line.confidence))).toBeGreaterThan(0.9)
}, 120_000)

test('blanks between words that stand close together are kept, and a line on its side is read as words', async () => {
  const lines = [
    'The harbour master of Penarth is Dulcie Marsh',
    'while forcing three fumbles with his own team',
    'and returning two of them for a touchdown',
  ]
  const picture = await textPicture(lines, [400, 140], 0.55)
  const recogniser = await createRecogniser(1)
  const read = async (image: Pixels, along: 'x' | 'y'): Promise<string[]> =>
    (await recogniser.read(image, 1))
      .sort((one, other) => (one.box[along] - other.box[along]) * (along === 'x' ? -1 : 1))
      .map(({ text }) => text)
  expect(await read(picture, 'y')).toEqual(lines)
  const whole = { x: 0, y: 0, width: picture.width, height: picture.height }
  expect(await read(quarterTurned(picture, whole, 'up'), 'x')).toEqual(lines)
}, 240_000)
