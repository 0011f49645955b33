import { expect, test } from 'vitest'
import { textPicture } from '../../../../test/fixtures/page-picture.ts'
import { createRecogniser } from './recogniser.ts'

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
