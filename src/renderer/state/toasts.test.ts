import { expect, test } from 'vitest'
import { placeOfToast } from './toasts.ts'

test.each([
  ['what the page said stays with the page, whatever opens over it', null, ['a'], null],
  ['what a dialog said stays in it', 'a', ['a'], 'a'],
  ['also below another one', 'a', ['a', 'b'], 'a'],
  ['of a dialog that closed it is said by the one that is left', 'b', ['a'], 'a'],
  ['and by the page where none is', 'b', [], null],
])('%s', (_name, within, dialogs, place) => {
  expect(placeOfToast({ within }, dialogs)).toBe(place)
})
