import { afterEach, describe, expect, test } from 'vitest'
import { recordedTool } from '../../../test/fakes/agent-tools.ts'
import { openAgent, type OpenAgentOptions, type TestAgent } from '../../../test/fakes/agent.ts'

const opened: { end(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of opened.splice(0)) await each.end()
})

async function open(options: OpenAgentOptions): Promise<TestAgent> {
  const agent = await openAgent(options)
  opened.push(agent)
  return agent
}

const passage = (id: number, text: string) => ({
  documentId: id,
  passageId: id,
  path: `/library/${id}.md`,
  place: { kind: 'lines' as const, from: 1, to: 2 },
  heading: [],
  text,
  contentHash: 'h',
  score: 1,
})
const call = (name: string, args: unknown) => ({ name, arguments: args })

describe('reflection', () => {
  const rent = recordedTool('rent', () => 'The rent is 1,234.50 euros, from 1 March 2024, owed to Anna Bergmann.')

  test('a number and a name that stand in no result are repaired, once', async () => {
    const agent = await open({
      tools: [rent.tool],
      script: [
        { calls: [call('rent', { text: 'x' })] },
        { text: 'The rent is 1334.50 euros, owed to Anna Bergstrom.' },
        { text: 'The rent is 1,234.50 euros, owed to Anna Bergmann.' },
      ],
    })
    const { turn, events, messages } = await agent.run('What is the rent, and to whom?')
    expect(turn).toMatchObject({
      outcome: 'answered',
      answer: 'The rent is 1,234.50 euros, owed to Anna Bergmann.',
      notes: [{ code: 'repaired', count: 2 }],
    })
    expect(turn.sentences).toMatchObject([{ supported: true }])
    expect(turn.steps.map(({ kind }) => kind)).toEqual(['round', 'round', 'reflect', 'check'])
    expect(agent.model.requests[2]?.messages.at(-1)?.content).toMatch(/“1334.5”.*“Bergstrom”/)
    expect(agent.model.requests[2]?.tools).toBeUndefined()
    expect(events.filter(({ type }) => type === 'text-reset')).toHaveLength(1)
    expect(messages.at(-1)?.content).toBe(turn.answer)
  })

  test('what the repair does not mend is marked, and there is no second repair', async () => {
    const agent = await open({
      tools: [rent.tool],
      script: [{ calls: [call('rent', { text: 'x' })] }, { text: 'It is 9876 euros.' }, { text: 'It really is 9876 euros.' }],
    })
    const { turn } = await agent.run('What is the rent?')
    expect(turn.answer).toBe('It really is 9876 euros.')
    expect(turn.sentences).toMatchObject([{ supported: false, problem: '9876' }])
    expect(agent.model.requests).toHaveLength(3)
  })

  test('a repair that says nothing leaves the answer as it was', async () => {
    const agent = await open({ tools: [rent.tool], script: [{ calls: [call('rent', { text: 'x' })] }, { text: 'It is 9876 euros.' }, {}] })
    expect((await agent.run('What is the rent?')).turn).toMatchObject({ answer: 'It is 9876 euros.', outcome: 'answered' })
  })

  test.each([
    ['rounded', 'It is about 1,235 euros from March 2024.'],
    ['of the question', 'You asked for 5,000; it is 1,234.50.'],
    ['small counts', 'There are 3 facts here: rent, date and person.'],
    ['in Chinese', '租金是 1234.5 欧元，自2024年3月起。'],
  ])('an answer whose numbers are %s costs no further request', async (_name, answer) => {
    const agent = await open({ tools: [rent.tool], script: [{ calls: [call('rent', { text: 'x' })] }, { text: answer }] })
    const { turn } = await agent.run('Is the rent 5000?')
    expect(turn.answer).toBe(answer)
    expect(turn.notes).toEqual([])
    expect(agent.model.requests).toHaveLength(2)
  })
})

test('passages that tools cite are numbered, checked and quoted; a marker to nothing is dropped', async () => {
  const lease = passage(1, 'The lease ends on 31 May 2027. The flat has three rooms.')
  const pets = passage(2, 'Pets are allowed in the garden only.')
  const find = recordedTool('find', (text, { cite }) => {
    const [first, second] = cite(text === 'pets' ? [pets, lease] : [lease])
    return second === undefined ? `[${first}] ${lease.text}` : `[${first}] ${pets.text}\n[${second}] ${lease.text}`
  })
  const agent = await open({
    tools: [find.tool],
    script: [
      { calls: [call('find', { text: 'lease' })] },
      { calls: [call('find', { text: 'pets' })] },
      { text: ['The lease ends on 31 May 2027 【1', '】. Pets are allowed in the garden only [2][7].'] },
    ],
  })
  const { turn, events } = await agent.run('When does the lease end, are pets allowed?')
  expect(turn.answer).toBe('The lease ends on 31 May 2027 [1]. Pets are allowed in the garden only [2].')
  expect(turn.sources.map(({ marker, path }) => [marker, path])).toEqual([
    [1, '/library/1.md'],
    [2, '/library/2.md'],
  ])
  expect(turn.citations.map(({ marker, quote }) => [marker, quote])).toEqual([
    [1, 'The lease ends on 31 May 2027.'],
    [2, 'Pets are allowed in the garden only.'],
  ])
  expect(turn.sentences.map(({ supported }) => supported)).toEqual([true, true])
  expect(events.find((event) => event.type === 'answer-checked')).toMatchObject({ droppedMarkers: 1 })
  expect(turn.notes).toMatchObject([{ code: 'markers-dropped', count: 1 }])
})

test('what a calculation gave stands beside what a passage says', async () => {
  const rent = recordedTool(
    'rent',
    (_text, { cite }) => `[${cite([passage(1, 'The monthly rent is 3,250 yuan.')])[0]}] The monthly rent is 3,250 yuan.`,
  )
  const sum = recordedTool('sum', () => '3250 * 12 = 39000')
  const script = (year: string) => [
    { calls: [call('rent', { text: 'x' }), call('sum', { text: 'x' })] },
    { text: `The monthly rent is 3,250 yuan [1], so it is ${year} yuan a year [1].` },
    { text: `The monthly rent is 3,250 yuan [1], so it is ${year} yuan a year [1].` },
  ]
  const right = await open({ tools: [rent.tool, sum.tool], script: script('39,000') })
  expect((await right.run('What is the rent of a year?')).turn).toMatchObject({ notes: [], sentences: [{ supported: true }] })
  const wrong = await open({ tools: [rent.tool, sum.tool], script: script('38,000') })
  expect((await wrong.run('What is the rent of a year?')).turn.sentences).toMatchObject([{ supported: false, problem: '38000' }])
})

test('a deed that nothing was called for is said, and costs no further round', async () => {
  const agent = await open({ tools: [recordedTool('find', undefined).tool], script: [{ text: '笔记已经保存到文件夹，邮件已发送。' }] })
  const { turn } = await agent.run('把它记下来')
  expect(turn.notes).toMatchObject([{ code: 'not-done', count: 2 }])
  expect(agent.model.requests).toHaveLength(1)
})

test('a sum that the answer writes out wrongly is mended once, also where no tool was called; what is still wrong is said', async () => {
  const tools = [recordedTool('find', undefined).tool]
  const mended = await open({ tools, script: [{ text: '12.5 * 8 = 108.' }, { text: '12.5 * 8 = 100.' }] })
  const { turn } = await mended.run('What is 12.5 * 8?')
  expect(turn).toMatchObject({ answer: '12.5 * 8 = 100.', notes: [{ code: 'repaired', count: 1 }] })
  expect(mended.model.requests.at(-1)?.messages.at(-1)?.content).toContain('“12.5 * 8 = 108” is not so: it is 100')
  const left = await open({ tools, script: [{ text: '所以 9.11 比 9.9 大。' }, { text: '9.11 比 9.9 大。' }] })
  expect((await left.run('哪个大？')).turn.notes).toMatchObject([
    { code: 'repaired' },
    { code: 'wrong-sum', count: 1, sums: [{ said: '9.11 比 9.9 大', value: '9.11 < 9.9' }] },
  ])
  const told = await open({ tools, script: [{ text: 'You wrote 2 + 2 = 5.' }] })
  expect((await told.run('I wrote 2 + 2 = 5. What did I write')).turn.notes).toEqual([])
})

test('parts of the plan that were never begun are said; the last that was begun is not', async () => {
  const plan = (...items: [string, string][]) => call('update_plan', { items: items.map(([text, state]) => ({ text, state })) })
  const find = recordedTool('find', () => 'The rent is 3,250 yuan.')
  const notes = async (script: OpenAgentOptions['script']) => {
    const agent = await open({ tools: [find.tool], script })
    return (await agent.run('First find the rent, then find the deposit.')).turn.notes
  }
  const both = plan(['Find rent', 'doing'], ['Find deposit', 'open'])
  expect(await notes([{ calls: [both] }, { text: 'The rent is known.' }])).toMatchObject([{ code: 'plan-open', count: 2 }])
  const looked = [{ calls: [both] }, { calls: [call('find', { text: 'x' })] }]
  expect(await notes([...looked, { text: 'The rent is 3,250 yuan.' }])).toMatchObject([{ code: 'plan-open', count: 1 }])
  const done = plan(['Find rent', 'done'], ['Find deposit', 'doing'])
  expect(await notes([...looked, { calls: [done] }, { text: 'The rent is 3,250 yuan.' }])).toEqual([])
})

describe('after calls that all went wrong', () => {
  const write = () => recordedTool('write', undefined, { access: 'write' })
  const look = () =>
    recordedTool('look', () => {
      throw new Error('no connection')
    })

  test('an invented deed is repaired once; the model hears which call was refused', async () => {
    const agent = await open({
      tools: [write().tool],
      script: [
        { calls: [call('write', { text: 'x' })] },
        { text: 'I have saved the note.' },
        { text: 'The note was not saved: you did not allow it.' },
      ],
    })
    const { turn } = await agent.run('Save a note')
    expect(turn).toMatchObject({ answer: 'The note was not saved: you did not allow it.', notes: [{ code: 'repaired' }] })
    expect(agent.model.requests[2]?.messages.at(-1)?.content).toMatch(/write \(not allowed by the user\).*“saved”/)
    expect(turn.sentences.every(({ supported }) => supported)).toBe(true)
  })

  test('what is still claimed after the repair is marked and said, and there is no second repair', async () => {
    const agent = await open({
      tools: [look().tool],
      script: [{ calls: [call('look', { text: 'x' })] }, { text: '南京今天 37.5 度。' }, { text: '南京今天 38.5 度。查询结果是晴天。' }],
    })
    const { turn } = await agent.run('南京多少度？')
    expect(turn.answer).toBe('南京今天 38.5 度。查询结果是晴天。')
    expect(turn.sentences.map(({ supported }) => supported)).toEqual([false, false])
    expect(turn.notes.map(({ code }) => code)).toEqual(['repaired', 'calls-failed'])
    expect(agent.model.requests).toHaveLength(3)
  })

  test.each(['The weather could not be looked up.', '天气查询失败，没有结果。', 'Hello! How can I help?'])(
    'an honest answer costs no further request: %s',
    async (answer) => {
      const agent = await open({ tools: [look().tool], script: [{ calls: [call('look', { text: 'x' })] }, { text: answer }] })
      const { turn } = await agent.run('Weather?')
      expect(turn).toMatchObject({ answer, notes: [] })
      expect(agent.model.requests).toHaveLength(2)
    },
  )

  test.each(['It is sunny.', '今天晴，没有下雨。', 'You will not need an umbrella.'])(
    'an answer that hides that nothing worked is noted, whatever it says: %s',
    async (answer) => {
      const agent = await open({
        tools: [look().tool],
        script: [{ calls: [call('look', { text: 'x' })] }, { text: answer }],
      })
      const { turn } = await agent.run('Weather?')
      expect(turn.answer).toBe(answer)
      expect(turn.notes.map(({ code }) => code)).toEqual(['calls-failed'])
      expect(turn.notes.at(-1)?.message).toContain('look (failed)')
    },
  )

  test('one tool that never worked is noted beside one that did, unless the answer says so', async () => {
    const clock = recordedTool('clock', () => 'Monday')
    const calls = [call('clock', { text: 'x' }), call('look', { text: 'x' })]
    const hides = await open({ tools: [look().tool, clock.tool], script: [{ calls }, { text: 'It is Monday, and sunny.' }] })
    expect((await hides.run('Day and weather?')).turn.notes).toMatchObject([{ code: 'calls-failed' }])
    const says = await open({
      tools: [look().tool, clock.tool],
      script: [{ calls }, { text: 'It is Monday. The weather could not be looked up.' }],
    })
    expect((await says.run('Day and weather?')).turn.notes).toEqual([])
  })

  test('a refused write beside a look that worked is still no deed', async () => {
    const agent = await open({
      tools: [write().tool, recordedTool('clock', () => 'Monday').tool],
      script: [
        { calls: [call('clock', { text: 'x' }), call('write', { text: 'x' })] },
        { text: 'Monday. I saved it.' },
        { text: 'It was not saved.' },
      ],
    })
    expect((await agent.run('Save the day')).turn).toMatchObject({ answer: 'It was not saved.', notes: [{ code: 'repaired' }] })
  })

  test('a helper whose calls all failed gives no facts to the answer', async () => {
    const agent = await open({
      tools: [look().tool],
      script: [
        { calls: [call('delegate', { task: 'look at the sea' })] },
        { calls: [call('look', { text: 'x' })] },
        { text: 'The sea has 37.5 degrees.' },
        { text: 'The sea has 37.5 degrees.' },
        { text: 'It could not be looked up.' },
      ],
    })
    const { turn } = await agent.run('How warm is the sea?')
    expect(turn.calls.map(({ tool, status }) => [tool, status])).toEqual([
      ['delegate', 'error'],
      ['look', 'error'],
    ])
    expect(turn).toMatchObject({ answer: 'It could not be looked up.', notes: [{ code: 'repaired' }] })
  })
})
