import { expect, test } from 'vitest'
import { askedStatuses, shownState } from './documents.ts'

const scan = { status: 'failed', folderId: 1, pagesToRecognise: 3 } as const

test.each([
  ['on', 'waiting'],
  ['paused', 'waiting'],
  // Nothing will come of it by itself.
  ['off', 'failed'],
] as const)('while text recognition is %s a scan is %s', (state, status) => {
  expect(shownState(scan, () => state)).toEqual({ status, recognition: state })
})

test('what was partly read, and what waits for nothing, stays as it is', () => {
  expect(shownState({ ...scan, status: 'partial' }, () => 'on')).toEqual({ status: 'partial', recognition: 'on' })
  expect(shownState({ ...scan, pagesToRecognise: 0 }, () => 'on')).toEqual({ status: 'failed', recognition: null })
})

test('who asks for what waits is told of scans too', () => {
  expect([askedStatuses(['waiting']), askedStatuses(['failed']), askedStatuses(['ready'])]).toEqual([
    ['waiting', 'failed'],
    ['failed'],
    ['ready'],
  ])
})
