import { expect, test } from 'vitest'
import { planBatches } from './batches.ts'

test('similar lengths share a batch, padding counts, nothing is lost: waste and overruns would show here', () => {
  expect(planBatches([10, 500, 20, 500, 10, 600], 1024)).toEqual([[5], [1, 3], [2, 0, 4]])
  expect(planBatches([], 1024)).toEqual([])
  expect(planBatches([2000, 5], 1024)).toEqual([[0], [1]])
})

test('no batch is larger than its bound with padding, and each text is in exactly one', () => {
  const lengths = Array.from({ length: 500 }, (_, index) => 3 + ((index * 7919) % 510))
  const batches = planBatches(lengths, 1024)
  for (const batch of batches) expect(Math.max(...batch.map((index) => lengths[index]!)) * batch.length).toBeLessThanOrEqual(1024)
  expect(batches.flat().sort((a, b) => a - b)).toEqual(lengths.map((_, index) => index))
})
