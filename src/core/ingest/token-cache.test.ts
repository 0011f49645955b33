import { expect, test } from 'vitest'
import { createTokenCache } from './token-cache.ts'

test('ids that are a view of a message do not keep the message', () => {
  const message = new ArrayBuffer(1 << 20)
  const cache = createTokenCache()
  cache.put('a', new Int32Array(message, 8, 3).fill(7))
  const taken = cache.take('a')!
  expect([...taken]).toEqual([7, 7, 7])
  expect(taken.buffer.byteLength).toBe(12)
})
