import { expect, test, vi } from 'vitest'
import { placeOfToast, removeWithUndo, undoLast, useToasts } from './toasts.ts'

test.each([
  ['what the page said stays with the page, whatever opens over it', null, ['a'], null],
  ['what a dialog said stays in it', 'a', ['a'], 'a'],
  ['also below another one', 'a', ['a', 'b'], 'a'],
  ['of a dialog that closed it is said by the one that is left', 'b', ['a'], 'a'],
  ['and by the page where none is', 'b', [], null],
])('%s', (_name, within, dialogs, place) => {
  expect(placeOfToast({ within }, dialogs)).toBe(place)
})

test('what is undone while it is still being removed comes back once it is', async () => {
  const done: string[] = []
  let release = () => {}
  const promise = new Promise<void>((resolve) => (release = resolve))
  const removal = removeWithUndo(
    () => promise.then(() => done.push('removed')),
    'Removed',
    () => done.push('back'),
  )
  const undone = undoLast()
  expect(done).toEqual([])
  release()
  await Promise.all([removal, undone])
  expect(done).toEqual(['removed', 'back'])
  await undoLast()
  expect(done).toEqual(['removed', 'back'])
})

test('what could not be removed offers nothing to bring back', async () => {
  const bringBack = vi.fn()
  await expect(removeWithUndo(() => Promise.reject(new Error('no')), 'Removed', bringBack)).rejects.toThrow('no')
  await undoLast()
  expect(bringBack).not.toHaveBeenCalled()
  expect(useToasts.getState().toasts.some(({ text }) => text === 'Removed')).toBe(false)
})
