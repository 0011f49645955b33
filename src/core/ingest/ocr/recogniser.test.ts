import { expect, test } from 'vitest'
import { textPicture } from '../../../../test/fixtures/page-picture.ts'
import type { Pixels } from './pixels.ts'
import { createRecogniser } from './recogniser.ts'
import { partUpright } from './page-turn.ts'
import { composeRecognised } from '../read/recognised-lines.ts'
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

test.each(['down', 'left', 'up'] as const)(
  'a page whose lines run %s is read in their order, with boxes of the page as it lies',
  async (turn) => {
    const lines = ['The kettle was bought in 2019', 'Warranty: 24 months', 'Serial number A-1934', 'Returned in a box']
    const straight = await textPicture(lines, [300, 160])
    const whole = { x: 0, y: 0, width: straight.width, height: straight.height }
    // What makes lines that run up run to the right makes lines that run to the right run down.
    const laid = partUpright(straight, whole, ({ down: 'up', left: 'left', up: 'down' } as const)[turn])
    const recogniser = await createRecogniser(1)
    const found = await recogniser.read(laid, 1)
    expect(new Set(found.map((line) => line.turn))).toEqual(new Set([turn]))
    const page = composeRecognised(found, { number: 1, width: laid.width, height: laid.height })
    const bare = (text: string): string => text.replace(/\s/g, '')
    expect(bare(page.text)).toBe(bare(lines.join('')))
    // The first line stands at the right, at the bottom or at the left of the page.
    const { box } = page.lines[0]!
    const edge = { down: 1 - box.x - box.width, left: 1 - box.y - box.height, up: box.x }[turn]
    expect(edge).toBeLessThan(0.25)
    expect(turn === 'left' ? box.width > box.height : box.height > box.width).toBe(true)
  },
  240_000,
)
