import { expect, test } from 'vitest'
import { fittingModel } from './suggested-models.ts'

test.each([
  [1e9, 'qwen3:0.6b'],
  [4e9, 'qwen3:1.7b'],
  [8e9, 'qwen3:4b'],
  [16e9, 'qwen3:8b'],
  [64e9, 'qwen3:14b'],
])('a machine with %d bytes of memory is offered %s', (memoryBytes, name) => {
  expect(fittingModel(memoryBytes).name).toBe(name)
})
