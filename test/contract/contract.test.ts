import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TurnEvent } from '../../src/contract/answer.ts'
import { fromCallError } from '../../src/contract/errors.ts'
import { openTestCore, type TestCore } from '../fakes/core.ts'
import { startOllama, type FakeOllama } from '../fakes/ollama-server.ts'
import { transports, type Connection } from './transports.ts'

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'no error'
  } catch (error) {
    return fromCallError(error).code
  }
}

async function collect(events: AsyncIterable<TurnEvent>): Promise<TurnEvent[]> {
  const collected: TurnEvent[] = []
  for await (const event of events) collected.push(event)
  return collected
}

function textOf(events: TurnEvent[]): string {
  return events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : [])).join('')
}

describe.each(Object.entries(transports))('the contract %s', (_name, connect) => {
  let ollama: FakeOllama
  let home: TestCore
  let connection: Connection
  let second: Connection

  beforeAll(async () => {
    ollama = await startOllama({ models: ['qwen3:4b'], words: { count: 400, delayMs: 5 } })
    home = await openTestCore({ env: { OLLAMA_HOST: ollama.address } })
    connection = await connect(home.core)
    second = await connect(home.core)
    const folder = join(home.dataDir, '..', `siku-contract-${Date.now()}-${Math.random().toString(36).slice(2)}`)
    mkdirSync(folder)
    writeFileSync(join(folder, 'lease.md'), '# Lease\n\nThe rent is 4,200 yuan a month. The lease ends on 31 March 2027.\n')
    await connection.client.folders.add({ paths: [folder] })
    for await (const progress of await connection.client.library.progress()) {
      if (progress.phase === 'idle' && progress.counts.total > 0) break
    }
  })

  afterAll(async () => {
    await connection.leave()
    await second.leave()
    await home.end()
    await ollama.close()
  })

  test('refuses bad input with a code, not with silence or a stack', async () => {
    expect(await codeOf(connection.client.search.query({ query: 'x', k: 0 }))).toBe('bad-input')
    expect(await codeOf(connection.client.folders.add({ paths: [] }))).toBe('bad-input')
  })

  test('says not-found for what is not there', async () => {
    expect(await codeOf(connection.client.documents.get({ documentId: 999_999 }))).toBe('not-found')
    expect(await codeOf(connection.client.chats.get({ chatId: 'none' }))).toBe('not-found')
    expect(await codeOf(collect(await connection.client.turns.watch({ turnId: 'none' })))).toBe('not-found')
  })

  test('answers calls with what the schema says', async () => {
    const { hits } = await connection.client.search.query({ query: 'When does the lease end?' })
    expect(hits.map((hit) => hit.text.includes('31 March 2027'))).toContain(true)
  })

  test('leaving a watch stops nothing: another watcher sees the turn to its end, from any event on', async () => {
    const { turnId } = await connection.client.chats.ask({ question: 'When does the lease end?' })
    for await (const event of await connection.client.turns.watch({ turnId })) {
      if (event.type === 'text-delta') break
    }
    const all = await collect(await second.client.turns.watch({ turnId }))
    const last = all.at(-1)
    expect(last?.type === 'turn-end' ? last.outcome : last).toBe('answered')
    expect(all.map((event) => event.seq)).toEqual(all.map((_, index) => index))
    const rest = await collect(await second.client.turns.watch({ turnId, from: all.length - 2 }))
    expect(rest.map((event) => event.type)).toEqual(all.slice(-2).map((event) => event.type))
  })

  test('turns.stop cancels the work down to the socket and keeps the partial text', async () => {
    const { turnId, chatId } = await connection.client.chats.ask({ question: 'When does the lease end?' })
    const events: TurnEvent[] = []
    for await (const event of await connection.client.turns.watch({ turnId })) {
      events.push(event)
      if (event.type === 'text-delta' && textOf(events).length > 20) await second.client.turns.stop({ turnId })
    }
    const last = events.at(-1)
    expect(last?.type === 'turn-end' ? last.outcome : last).toBe('stopped')
    await expect.poll(() => ollama.abortedRequests).toBeGreaterThan(0)
    const chat = await connection.client.chats.get({ chatId })
    expect(chat.history.at(-1)?.outcome).toBe('stopped')
    expect(chat.history.at(-1)?.answer.length).toBeGreaterThan(10)
  })
})
