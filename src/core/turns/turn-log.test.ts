import { expect, test } from 'vitest'
import type { TurnEvent } from '../../contract/answer.ts'
import { emptyTurn } from '../../contract/empty-turn.ts'
import { turnEventSchema } from '../../contract/answer.ts'
import { eventsOfTurn } from './stored-turn.ts'
import { createTurnLog } from './turn-log.ts'
import { createTurnRecorder } from './turn-recorder.ts'

async function collect(events: AsyncIterable<TurnEvent>, count = Infinity): Promise<TurnEvent[]> {
  const collected: TurnEvent[] = []
  for await (const event of events) {
    collected.push(event)
    if (collected.length >= count) break
  }
  return collected
}

function start(now: () => number) {
  const log = createTurnLog(now)
  const turn = emptyTurn({ id: 't', chatId: 'c', ordinal: 0, question: 'q', askedAt: 0, model: null })
  return { log, turn, recorder: createTurnRecorder(turn, log, now, () => Promise.resolve()) }
}

test('many watch one turn from anywhere, leaving stops nothing, and the numbers have no gaps', async () => {
  const { log, recorder } = start(Date.now)
  recorder.start(null)
  const early = collect(log.watch(0))
  expect(await collect(log.watch(0), 1)).toHaveLength(1)
  const controller = new AbortController()
  const left = collect(log.watch(0, controller.signal))
  await recorder.step('search', async (end) => void (end.count = 3))
  controller.abort()
  recorder.text('hello ')
  recorder.text('world')
  recorder.finish('answered', null)
  recorder.announce()
  const all = await early
  expect(await collect(log.watch(0))).toEqual(all)
  expect(await collect(log.watch(4))).toEqual(all.slice(4))
  expect((await left).length).toBeLessThan(all.length)
  expect(all.map((event) => event.seq)).toEqual(all.map((_event, index) => index))
  expect(all.map((event) => event.type)).toEqual([
    'turn-start',
    'step-start',
    'step-end',
    'text-start',
    'text-delta',
    'text-delta',
    'text-end',
    'turn-end',
  ])
})

test('the first piece goes at once, pieces close together are gathered, and no other event overtakes text', async () => {
  let time = 0
  const { log, recorder } = start(() => time)
  recorder.text('first')
  for (const piece of ['a', 'b', 'c']) recorder.text(piece)
  recorder.thinking('hm')
  time = 100
  recorder.text('late')
  recorder.finish('answered', null)
  recorder.announce()
  const texts = (await collect(log.watch(0))).flatMap((event) => ('text' in event ? [event.text] : []))
  expect(texts).toEqual(['first', 'abc', 'hm', 'late'])
})

test('a turn that has ended is told again from the store, as valid events', async () => {
  const { log, turn, recorder } = start(Date.now)
  recorder.start(null)
  await recorder.step('search', async () => undefined)
  recorder.sources([
    {
      marker: 1,
      documentId: 1,
      passageId: 1,
      path: '/a',
      place: { kind: 'lines', from: 1, to: 1 },
      heading: [],
      text: 't',
      contentHash: 'h',
      score: 1,
    },
  ])
  recorder.note({ code: 'markers-dropped', message: 'm', count: 2 })
  await recorder.step('generate', async () => {
    recorder.thinking('hm')
    recorder.text('It is so [1].')
  })
  recorder.checked({ answer: turn.answer, sentences: [{ text: 'It is so.', citations: [1], supported: true }], citations: [] }, 2)
  recorder.finish('answered', null)
  recorder.announce()
  const lived = await collect(log.watch(0))
  const told = eventsOfTurn(turn)
  for (const event of [...lived, ...told]) turnEventSchema.parse(event)
  const significant = (events: TurnEvent[]): unknown[] =>
    events.filter((event) => !event.type.startsWith('step')).map(({ seq: _seq, ...event }) => event)
  expect(significant(told)).toEqual(significant(lived))
  expect(told.map((event) => event.seq)).toEqual(told.map((_event, index) => index))
})
