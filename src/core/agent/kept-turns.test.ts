import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { gate, recordedTool } from '../../../test/fakes/agent-tools.ts'
import { openAgent, type TestAgent } from '../../../test/fakes/agent.ts'

const opened: TestAgent[] = []
const made: string[] = []
afterEach(async () => {
  for (const agent of opened.splice(0)) await agent.end()
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true })
})

function newDir(): string {
  const path = mkdtempSync(join(tmpdir(), 'siku-kept-'))
  made.push(path)
  return path
}

const call = (name: string, text: string) => ({ name, arguments: { text } })

test.each([
  ['save it', 'Siku was ended while it ran; it may have happened.'],
  ['保存它', '它正在进行时四库被结束了；它可能已经发生。'],
])('a call that was allowed and ran when everything was killed is told afterwards: %s', async (question, said) => {
  const [dataDir, killed] = [newDir(), newDir()]
  // What lies on the disk while it runs is what a kill leaves.
  const write = recordedTool(
    'write',
    () => {
      cpSync(dataDir, killed, { recursive: true, filter: (path) => !path.endsWith('.lock') })
      return 'written'
    },
    { access: 'write' },
  )
  const agent = await openAgent({
    deps: { dataDir },
    tools: [write.tool],
    script: [{ calls: [call('write', 'x')] }, { text: 'It is written.' }],
  })
  opened.push(agent)
  const { chatId, turn } = await agent.run(question, {}, () => 'once')
  expect(turn.calls).toMatchObject([{ status: 'ok' }])

  const after = await openAgent({ deps: { dataDir: killed } })
  opened.push(after)
  const { history } = await after.client.chats.get({ chatId })
  expect(history).toMatchObject([
    { question, outcome: 'stopped', calls: [{ tool: 'write', status: 'cancelled', decision: 'once', result: said }] },
  ])
})

test('the next turn knows what was done of a round that a kill ended, and what may have been', async () => {
  const [dataDir, killed] = [newDir(), newDir()]
  const write = recordedTool('write', () => 'written as a.md', { access: 'write' })
  const last = recordedTool(
    'last',
    async () => {
      // The call before is stored as done a moment later.
      const stored = () => JSON.stringify(agent.core.context.store.reader.prepare('SELECT data FROM turns').all())
      await expect.poll(stored, { timeout: 60_000 }).toContain('written as a.md')
      cpSync(dataDir, killed, { recursive: true, filter: (path) => !path.endsWith('.lock') })
      return 'late'
    },
    { access: 'write' },
  )
  const agent = await openAgent({
    deps: { dataDir },
    tools: [write.tool, last.tool],
    script: [{ calls: [call('write', 'x'), call('last', 'y')] }, { text: 'Both are done.' }],
  })
  opened.push(agent)
  const { chatId } = await agent.run('write both', {}, () => 'once')

  const after = await openAgent({ deps: { dataDir: killed }, script: [{ text: 'I go on.' }], tools: [write.tool, last.tool] })
  opened.push(after)
  await after.run('go on', { chatId })
  const told = after.model.requests[0]?.messages.map(({ role, content }) => `${role}: ${JSON.stringify(content)}`).join('\n') ?? ''
  expect(told).toContain('write both')
  expect(told).toContain('written as a.md')
  expect(told).toContain('it may have happened')
  expect(told).toContain('I was stopped here')
})

test('a question that was stopped before anything was said is still what the next one follows', async () => {
  const agent = await openAgent({
    script: ({ messages }) => (JSON.stringify(messages.at(-1)).includes('go on') ? { text: 'I go on.' } : { hangs: true }),
  })
  opened.push(agent)
  const { chatId, turnId } = await agent.ask('find the rent')
  await agent.client.turns.stop({ turnId })
  await agent.run('go on', { chatId })
  expect(JSON.stringify(agent.model.requests.at(-1)?.messages)).toContain('find the rent')
})

test('a chat that is deleted does nothing further', async () => {
  const started = gate()
  const sleeper = recordedTool('sleeper', () => {
    started.open()
    return new Promise<string>(() => undefined)
  })
  const agent = await openAgent({ tools: [sleeper.tool], script: [{ calls: [call('sleeper', 'x')] }] })
  opened.push(agent)
  const { chatId, turnId } = await agent.ask('sleep')
  await started.passed
  await agent.client.chats.remove({ chatId })
  await agent.client.chats.restore({ chatId })
  const { history } = await agent.client.chats.get({ chatId })
  expect(history).toMatchObject([{ id: turnId, outcome: 'stopped', calls: [{ status: 'cancelled' }] }])
})
