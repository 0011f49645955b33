import { ORPCError } from '@orpc/client'
import { expect, test } from 'vitest'
import { follow } from './follow.ts'

async function* numbers(from: number, breakAt: number): AsyncGenerator<number> {
  for (let at = from; at < 6; at += 1) {
    if (at === breakAt) throw new Error('socket closed')
    yield at
  }
}

test('a broken connection is joined again where it broke, and the stream comes to its end', async () => {
  const seen: number[] = []
  let opened = 0
  await follow(
    () => Promise.resolve(numbers(seen.length, opened++ === 0 ? 3 : -1)),
    (event) => seen.push(event),
    new AbortController().signal,
  )
  expect([seen, opened]).toEqual([[0, 1, 2, 3, 4, 5], 2])
})

test('an error of the core is not tried again for ever', async () => {
  const watching = follow(
    () => Promise.reject(new ORPCError('not-found')),
    () => undefined,
    new AbortController().signal,
  )
  await expect(watching).rejects.toThrow(ORPCError)
})
