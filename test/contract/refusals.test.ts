import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient, openCore } from '../../src/core/core.ts'
import { openTestCore, testDeps, type TestCore } from '../fakes/core.ts'
import { startOllama, type FakeOllama } from '../fakes/ollama-server.ts'

let home: TestCore
let ollama: FakeOllama
beforeAll(async () => {
  ollama = await startOllama({ models: ['m:1b'] })
  home = await openTestCore({ env: { OLLAMA_HOST: ollama.address } })
})
afterAll(async () => {
  await home.end()
  await ollama.close()
})

test('a named agent has a name of its own and tools that there are; what it had before may stay', async () => {
  const { agents } = createClient(home.core)
  const saved = await agents.save({ agent: { name: '  Clerk ', tools: ['calculate', 'calculate'] } })
  expect(saved).toMatchObject({ name: 'Clerk', tools: ['calculate'] })
  for (const [name, code] of [
    ['clerk', 'conflict'],
    ['Clerk ', 'conflict'],
    ['   ', 'bad-input'],
    ['', 'bad-input'],
    ['two\nlines', 'bad-input'],
    ['turned \u202e round', 'bad-input'],
  ] as const)
    await expect(agents.save({ agent: { name } }), JSON.stringify(name)).rejects.toMatchObject({ code })
  await expect(agents.save({ agent: { name: 'Other', tools: ['calculate', 'teleport'] } })).rejects.toMatchObject({
    code: 'bad-input',
    message: 'There is no tool named “teleport”.',
  })
  expect(await agents.list()).toEqual([saved])
  // Its own name is no conflict, nor is a tool of a server that is away just now.
  await home.core.context.store.agents.save({ ...saved, tools: ['notes__find'] })
  expect(await agents.save({ agent: { ...saved, tools: ['notes__find', 'recall'] } })).toMatchObject({ tools: ['notes__find', 'recall'] })
})

test('a chat of a library that is open for reading only is said to be not stored, not to be gone', async () => {
  const reading = await openCore(testDeps(home.dataDir, { readOnly: true, env: { OLLAMA_HOST: ollama.address } }))
  try {
    const client = createClient(reading)
    const { chatId } = await client.chats.ask({ question: 'x', model: null })
    await expect(client.chats.get({ chatId })).rejects.toMatchObject({
      code: 'not-found',
      message: 'This chat is not stored: the library is open for reading only.',
    })
  } finally {
    await reading.close()
  }
  await expect(createClient(home.core).chats.get({ chatId: 'gone' })).rejects.toMatchObject({
    message: 'This chat is no longer in the library.',
  })
})
