import { expect, it } from 'vitest'
import type { Place } from '../../contract/place.ts'
import { placeOfQuote, placeWithin } from './place-within.ts'

const box = (page: number) => ({ page, x: 0.1, y: 0.1, width: 0.5, height: 0.2 })
const text = 'The rent is due monthly. It is paid to the owner. Repairs are not included.'
const place: Place = {
  kind: 'page',
  page: 3,
  toPage: 5,
  pageStarts: [
    { page: 4, at: text.indexOf('paid') },
    { page: 5, at: text.indexOf('Repairs') },
  ],
  boxes: [box(3), box(4), box(5)],
}

it('cites the page on which the quoted words stand, and no other', () => {
  expect(placeOfQuote(place, text, 'The rent is due monthly.')).toEqual({ kind: 'page', page: 3, boxes: [box(3)] })
  expect(placeOfQuote(place, text, 'Repairs are not included.')).toEqual({ kind: 'page', page: 5, boxes: [box(5)] })
})

it('cites both pages of a quote that goes over their border, and says where in it the second begins', () => {
  const quote = 'It is paid to the owner.'
  expect(placeOfQuote(place, text, quote)).toEqual({
    kind: 'page',
    page: 3,
    toPage: 4,
    pageStarts: [{ page: 4, at: quote.indexOf('paid') }],
    boxes: [box(3), box(4)],
  })
})

it('leaves the place of the passage to a quote that is not in it, and to what has no pages', () => {
  expect(placeOfQuote(place, text, 'Nobody said so.')).toEqual(place)
  expect(placeWithin({ kind: 'slide', slide: 2 }, 0, 4)).toEqual({ kind: 'slide', slide: 2 })
})
