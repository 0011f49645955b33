import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { PassageEvent } from './embedding-api.ts'
import { createPassageWork } from './passage-work.ts'
import type { EmbeddingSession } from './session.ts'
import { loadTokenizer, type Tokenizer } from './tokenizer.ts'

let tokenizer: Tokenizer
beforeAll(async () => {
  tokenizer = await loadTokenizer(join(import.meta.dirname, '..', '..', '..', 'resources'))
})

/** A session whose vectors say which sequence they belong to, and that fails on those with `poison` as their first id. */
function scriptedSession(poison: number | null = null, how: 'throws' | 'NaN' | 'long' = 'NaN') {
  const runs: number[][] = []
  const session: EmbeddingSession = {
    dimensions: 2,
    async run(sequences) {
      const firsts = sequences.map((sequence) => sequence[1 + tokenizer.passagePrefixIds.length]!)
      runs.push(firsts)
      const poisoned = poison !== null && firsts.includes(poison)
      if (poisoned && how === 'throws') throw new Error('the model refused it')
      const values = poisoned && how === 'NaN' ? [NaN, 0] : poisoned ? [2, 0] : [0.6, 0.8]
      return Promise.resolve(Float32Array.from(sequences.flatMap(() => values)))
    },
  }
  return { session, runs }
}

function collect(signal = new AbortController().signal) {
  const events: PassageEvent[] = []
  return { events, context: { signal, emit: (event: PassageEvent) => (events.push(event), Promise.resolve()) } }
}

test.each(['throws', 'NaN', 'long'] as const)(
  'one passage that spoils its batch (%s) is found by halving; the others keep their vectors',
  async (how) => {
    const { session } = scriptedSession(5, how)
    const { events, context } = collect()
    await createPassageWork(session, tokenizer).passages(
      [1, 2, 3, 4, 5, 6, 7].map((id) => Int32Array.of(id)),
      context,
    )
    const bad = events.filter((event) => event.type === 'passage-bad')
    const good = events.flatMap((event) => (event.type === 'batch-end' ? event.indices : []))
    expect(bad.map((event) => event.index)).toEqual([4])
    expect(good.sort()).toEqual([0, 1, 2, 3, 5, 6])
  },
)

test('each batch is announced before it runs, so that a death can be laid at its door', async () => {
  const { session } = scriptedSession()
  const { events, context } = collect()
  await createPassageWork(session, tokenizer).passages(
    Array.from({ length: 5 }, () => new Int32Array(300).fill(9)),
    context,
  )
  expect(events.map((event) => [event.type, 'indices' in event ? event.indices : []])).toEqual(
    [
      [0, 1, 2],
      [3, 4],
    ].flatMap((indices) => [
      ['batch-start', indices],
      ['batch-end', indices],
    ]),
  )
})

/** Calls `act` while its second batch runs. */
function actDuringSecondRun(session: EmbeddingSession, act: () => void): EmbeddingSession {
  let runs = 0
  return {
    dimensions: session.dimensions,
    run(sequences) {
      if (++runs === 2) act()
      return session.run(sequences)
    },
  }
}
const long = (count: number, id: number): Int32Array[] => Array.from({ length: count }, () => new Int32Array(500).fill(id))

test('a question goes before waiting passages; another list waits for the first', async () => {
  const { session, runs } = scriptedSession()
  let asked: Promise<Float32Array> | undefined
  const work = createPassageWork(
    actDuringSecondRun(session, () => (asked = work.question('who?'))),
    tokenizer,
  )
  const first = work.passages(long(9, 101), collect().context)
  const second = work.passages(long(9, 102), collect().context)
  await Promise.all([first, second])
  await asked
  const passages = runs.flat().filter((id) => id === 101 || id === 102)
  expect(passages).toEqual([...new Array<number>(9).fill(101), ...new Array<number>(9).fill(102)])
  const place = runs.findIndex((run) => run[0] !== 101)
  expect(place).toBeLessThan(4)
})

test('a cancelled list stops at the next batch and frees the session', async () => {
  const { session, runs } = scriptedSession()
  const stop = new AbortController()
  const work = createPassageWork(
    actDuringSecondRun(session, () => stop.abort()),
    tokenizer,
  )
  await expect(work.passages(long(50, 7), collect(stop.signal).context)).rejects.toMatchObject({ code: 'cancelled' })
  expect(runs.length).toBe(2)
  await work.passages([Int32Array.of(8)], collect().context)
  expect(runs.at(-1)).toEqual([8])
})

test('what was tokenised before is not tokenised again, and a text gives the same sequence', async () => {
  const seen: Int32Array[] = []
  const session: EmbeddingSession = {
    dimensions: 2,
    run: (sequences) => {
      seen.push(...sequences)
      return Promise.resolve(Float32Array.from(sequences.flatMap(() => [1, 0])))
    },
  }
  const work = createPassageWork(session, tokenizer)
  await work.passages(['一句 text', tokenizer.encode('一句 text')], collect().context)
  expect(seen[0]).toEqual(seen[1])
  expect([seen[0]!.at(0), seen[0]!.at(-1)]).toEqual([0, 2])
})

test('a question beyond the window is refused, never cut', async () => {
  const { session } = scriptedSession()
  await expect(createPassageWork(session, tokenizer).question('why '.repeat(600))).rejects.toMatchObject({ code: 'embedding' })
})
