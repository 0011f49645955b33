import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TurnEvent } from '../../src/contract/answer.ts'
import { fromCallError } from '../../src/contract/errors.ts'
import { openTestCore, type TestCore } from '../fakes/core.ts'
import { transports, type Connection } from './transports.ts'

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'no error'
  } catch (error) {
    return fromCallError(error).code
  }
}

async function lastOf(events: AsyncIterable<TurnEvent>): Promise<TurnEvent | undefined> {
  let last: TurnEvent | undefined
  for await (const event of events) last = event
  return last
}

describe.each(Object.entries(transports))('memories and chat files %s', (_name, connect) => {
  let home: TestCore
  let connection: Connection

  beforeAll(async () => {
    home = await openTestCore()
    connection = await connect(home.core)
  })

  afterAll(async () => {
    await connection.leave()
    await home.end()
  })

  test('a memory is added, found, changed, removed, restored and cleared', async () => {
    const { memory } = connection.client
    const added = await memory.add({ text: '  The landlord is Ms Chen. ' })
    expect(added).toMatchObject({
      text: 'The landlord is Ms Chen.',
      kind: 'fact',
      uses: 0,
      source: { from: 'user', chatId: null, turnId: null },
    })
    expect(await memory.add({ text: 'the landlord is Ms Chen', kind: 'preference' })).toMatchObject({ id: added.id })
    expect(await memory.update({ id: added.id, text: 'The landlord is Mr Lin.' })).toMatchObject({ text: 'The landlord is Mr Lin.' })
    expect(await memory.list({ text: 'lin' })).toMatchObject({ total: 1 })
    expect((await memory.find({ text: 'mr lin' })).memories).toMatchObject([{ id: added.id }])
    expect(await codeOf(memory.find({ text: ' ' }))).toBe('bad-input')
    await memory.remove({ id: added.id })
    expect(await memory.list({})).toEqual({ total: 0, memories: [] })
    expect(await codeOf(memory.update({ id: added.id, text: 'x' }))).toBe('not-found')
    expect(await memory.restore({ id: added.id })).toMatchObject({ id: added.id })
    expect(await memory.clear({})).toEqual({ removed: 1 })
    expect(await codeOf(memory.add({ text: ' ' }))).toBe('bad-input')
    expect(await codeOf(memory.add({ text: 'x'.repeat(1001) }))).toBe('bad-input')
    expect(await codeOf(memory.restore({ id: 'none' }))).toBe('not-found')
  })

  test('memories leave and come back as a file; a damaged one changes nothing', async () => {
    const { memory } = connection.client
    await memory.add({ text: 'The landlord is Mr Lin.' })
    await memory.add({ text: '喜欢绿茶', kind: 'preference' })
    const { json } = await memory.exportJson({})
    expect(await memory.importJson({ json })).toEqual({ added: 0 })
    await memory.clear({})
    expect(await codeOf(memory.importJson({ json: json.slice(0, -9) }))).toBe('bad-input')
    expect(await codeOf(memory.importJson({ json: json.replace('"preference"', '"order"') }))).toBe('bad-input')
    expect((await memory.list({})).total).toBe(0)
    expect(await memory.importJson({ json })).toEqual({ added: 2 })
    expect((await memory.list({})).memories.map((each) => each.text).sort()).toEqual(['The landlord is Mr Lin.', '喜欢绿茶'])
  })

  test('a chat leaves and comes back as another one with the same turns; a damaged file changes nothing', async () => {
    const { chats, turns } = connection.client
    const { chatId, turnId } = await chats.ask({ question: 'When does the lease end?', model: null })
    expect(await lastOf(await turns.watch({ turnId }))).toMatchObject({ type: 'turn-end' })
    const { json, fileName } = await chats.exportJson({ chatId })
    expect(fileName).toMatch(/\.json$/)
    const brought = await chats.importJson({ json })
    expect(brought.chatId).not.toBe(chatId)
    const [original, copy] = await Promise.all([chats.get({ chatId }), chats.get({ chatId: brought.chatId })])
    const told = (chat: typeof original): unknown => chat.history.map(({ id: _id, chatId: _chat, imported: _mark, ...turn }) => turn)
    expect(told(copy)).toEqual(told(original))
    expect(copy.history[0]?.id).not.toBe(turnId)
    expect([original, copy].map((chat) => chat.history[0]?.imported)).toEqual([false, true])
    expect((await lastOf(await turns.watch({ turnId: copy.history[0]!.id })))?.type).toBe('turn-end')
    const before = await chats.list({})
    expect(await codeOf(chats.importJson({ json: json.slice(0, -4) }))).toBe('bad-input')
    expect(await codeOf(chats.importJson({ json: '{"format":"siku-memories"}' }))).toBe('bad-input')
    expect(await codeOf(chats.exportJson({ chatId: 'none' }))).toBe('not-found')
    expect(await chats.list({})).toEqual(before)
  })
})
