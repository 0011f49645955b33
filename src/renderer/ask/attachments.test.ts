import { expect, test } from 'vitest'
import { attachmentLimits, isPicture, sortFiles } from './attachments.ts'

const file = (name: string, size: number) => ({ name, size })

test('a file over the limit is refused by name, and the others are still taken', () => {
  const files = [file('a.png', 10), file('big.mp4', attachmentLimits.fileBytes + 1), file('none.txt', 0), file('b.md', 20)]
  expect(sortFiles([], files)).toEqual({
    taken: [file('a.png', 10), file('b.md', 20)],
    refused: [
      { name: 'big.mp4', why: 'tooLarge' },
      { name: 'none.txt', why: 'empty' },
    ],
  })
})

test('what is attached already counts towards the number and the sum', () => {
  const kept = Array.from({ length: attachmentLimits.files - 1 }, () => ({ sizeBytes: 1 }))
  expect(sortFiles(kept, [file('one', 1), file('two', 1)]).refused).toEqual([{ name: 'two', why: 'tooMany' }])
  const full = [{ sizeBytes: attachmentLimits.totalBytes - 5 }]
  expect(sortFiles(full, [file('one', 6), file('two', 5)])).toEqual({
    taken: [file('two', 5)],
    refused: [{ name: 'one', why: 'tooMuch' }],
  })
})

test('a drawing that could run scripts is never shown as a picture', () => {
  expect(['image/png', 'image/svg+xml', 'text/html'].map(isPicture)).toEqual([true, false, false])
})
