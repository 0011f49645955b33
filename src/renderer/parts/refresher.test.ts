import { expect, test } from 'vitest'
import { Refresher, Requests } from './refresher.ts'

/** A read that ends when it is told to. */
function heldReads() {
  const ends: (() => void)[] = []
  return { ends, read: () => new Promise<void>((end) => ends.push(end)) }
}
const settle = () => new Promise((done) => setTimeout(done))

test('changes that come faster than answers end no read, and lead to one more when it has ended', async () => {
  const { ends, read } = heldReads()
  const refresher = new Refresher(read)
  for (let change = 0; change < 50; change += 1) refresher.changed()
  expect(ends.length).toBe(1)
  ends[0]?.()
  await settle()
  expect(ends.length).toBe(2)
  ends[1]?.()
  await settle()
  expect(ends.length).toBe(2)
  refresher.changed()
  expect(ends.length).toBe(3)
})

test('once stopped it reads no more, whatever changed before', async () => {
  const { ends, read } = heldReads()
  const refresher = new Refresher(read)
  refresher.changed()
  refresher.changed()
  refresher.stop()
  ends[0]?.()
  await settle()
  expect(ends.length).toBe(1)
})

test('an answer that a later one overtook is let go, one that comes in turn is shown though others are under way', () => {
  const requests = new Requests()
  const [first, second, third] = [requests.begin(), requests.begin(), requests.begin()]
  expect(first()).toBe(true)
  expect(third()).toBe(true)
  expect(second()).toBe(false)
})
