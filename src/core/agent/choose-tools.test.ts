import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openAgent, type TestAgent } from '../../../test/fakes/agent.ts'
import type { ModelScript } from '../../../test/fakes/scripted-model.ts'
import { toldTools, type ChatRequest } from '../models/models.ts'
import { chooseTools, type ToolChoosing } from './choose-tools.ts'
import { defineTool, toolSpec, type Tool } from './tool.ts'

const tool = (name: string, description = ''): Tool =>
  defineTool({ name, description, schema: z.object({}), access: 'read', run: () => '' })
const tools = ['delegate', 'mine', 'search_library', 'calculate', 'run_javascript'].map((name) => tool(name))
const choosing = (changes: Partial<ToolChoosing>): ToolChoosing => ({
  task: 'Go on.',
  before: [],
  windowTokens: 2048,
  tokensOf: () => 200,
  ...changes,
})
const names = (changes: Partial<ToolChoosing>, among = tools): string[] =>
  chooseTools(among, choosing(changes)).tools.map(({ name }) => name)

describe('choosing', () => {
  test('in a window that is large enough nothing is left out, and all is told whole', () => {
    expect(chooseTools(tools, choosing({ windowTokens: 8192 }))).toEqual({ tools, leftOut: [] })
  })

  test('where the task says nothing the least needed go first, and what was added stays longest', () => {
    expect(names({ windowTokens: 2800 })).toEqual(['mine', 'search_library', 'calculate', 'run_javascript'])
    expect(names({ windowTokens: 2100 })).toEqual(['mine', 'search_library', 'calculate'])
    expect(names({ windowTokens: 1400 })).toEqual(['mine', 'search_library'])
    expect(names({ windowTokens: 100 })).toEqual([])
  })

  test('descriptions are shortened before a tool goes', () => {
    const wordy = [tool('one', 'Does one thing. And much else that is told at length.'), tool('two', 'Does another. As long.')]
    const tokensOf: ToolChoosing['tokensOf'] = (spec) => spec.description.length * 10
    const chosen = chooseTools(wordy, choosing({ windowTokens: 1200, tokensOf }))
    expect(chosen.tools.map((each) => toolSpec(each).description)).toEqual(['Does one thing.', 'Does another.'])
    expect(chosen.leftOut).toEqual([])
  })

  test('a tool that was called in the turn before stays for what follows', () => {
    expect(names({ windowTokens: 1400, before: ['run_javascript'] })).toContain('run_javascript')
  })

  test('tools of servers are chosen by the words that they are described with', () => {
    const servers = [
      tool('git__create_branch', 'Creates a branch in a repository.'),
      tool('mail__send_message', 'Sends an e-mail to somebody.'),
      tool('cal__list_events', 'Lists events of the calendar. 列出日历中的日程。'),
    ]
    expect(names({ windowTokens: 700, task: 'Make a new branch for the fix' }, servers)).toEqual(['git__create_branch'])
    expect(names({ windowTokens: 700, task: 'send an email to Li Na' }, servers)).toEqual(['mail__send_message'])
    expect(names({ windowTokens: 700, task: '我今天的日程是什么？' }, servers)).toEqual(['cal__list_events'])
  })
})

/** What a task needs, by a person's reading of it. */
const tasks: [task: string, needed: string[]][] = [
  ['What does my lease say about the deposit?', ['search_library']],
  ['Which clause covers early termination?', ['search_library']],
  ['合同里关于押金是怎么写的？', ['search_library']],
  ['我的租约什么时候到期？', ['search_library']],
  ['Read pages 3 to 5 of lease.pdf', ['read_document']],
  ['打开《员工手册》，读第三章', ['read_document']],
  ['Which documents are in the library?', ['list_documents']],
  ['列出最新的五份文件', ['list_documents']],
  ['What is the total of my expenses in May by the spreadsheet?', ['query_table']],
  ['表格里三月的销售总额是多少？', ['query_table']],
  ['Which customer has the highest revenue in sales.csv?', ['query_table']],
  ['In how many documents is Ms Chen mentioned?', ['count_in_library']],
  ['“违约金”在文库里出现了多少次？', ['count_in_library']],
  ['Summarise the annual report', ['summarise_document']],
  ['总结一下这份报告的要点', ['summarise_document']],
  ['What day is it today?', ['get_current_datetime']],
  ['现在几点？', ['get_current_datetime']],
  ['What time is it in Berlin?', ['get_current_datetime']],
  ['今天农历几号？', ['get_current_datetime']],
  ['What is 17% of 2,340?', ['calculate']],
  ['Which is larger, 9.11 or 9.9?', ['calculate']],
  ['计算 (19.99 * 3) - 15%', ['calculate']],
  ['9.11 和 9.9 哪个大？', ['calculate']],
  ['How much interest is due on 3000 at 4 percent?', ['calculate']],
  ['Convert 5 miles to km', ['convert_units']],
  ['三斤等于多少克？', ['convert_units']],
  ['What is 98.6 °F in Celsius?', ['convert_units']],
  ['How many letters r are in strawberry?', ['count_letters']],
  ['“四库全书”这句话有几个字？', ['count_letters']],
  ['Save this as a note called Rent', ['write_note']],
  ['把这些要点写成一篇笔记', ['write_note']],
  ['Run a script that lists the first 50 primes', ['run_javascript']],
  ['用代码模拟掷骰子一千次', ['run_javascript']],
  ['Who was Ada Lovelace?', ['search_wikipedia']],
  ['康熙皇帝是谁？', ['search_wikipedia']],
  ['What is the capital of Mongolia?', ['search_wikipedia']],
  ['Search the web for reviews of this camera', ['search_web', 'read_web_page']],
  ['网上搜一下今天的新闻', ['search_web']],
  ['What is the latest release of Node.js?', ['search_web']],
  ['Summarise https://example.org/article', ['read_web_page']],
  ['读一下这个网页 https://example.cn/a', ['read_web_page']],
  ['What is the weather in Nanjing and Chengdu?', ['get_weather']],
  ['明天北京会下雨吗？', ['get_weather']],
  ['Will I need an umbrella tomorrow?', ['get_weather']],
  ['Remember that my daughter Lin is allergic to peanuts', ['remember']],
  ['记住，我喜欢简短的回答', ['remember']],
  ['What do you remember about me?', ['recall']],
  ['你还记得我女儿叫什么吗？', ['recall']],
  ['Forget what I told you about my job', ['forget', 'recall']],
  ['忘掉关于我地址的记忆', ['forget', 'recall']],
  ['First read the lease, then sum the rents, and finally write a note', ['update_plan', 'write_note']],
  ['先查租约，然后计算总租金，最后写一篇笔记', ['update_plan', 'write_note', 'calculate']],
  ['In the contract, find the rent and convert it from dollars to percent of 3000', ['search_library', 'calculate']],
  ['Use run_javascript for this', ['run_javascript']],
]

describe('the built-in tools in a small window', () => {
  let agent: TestAgent
  const plain = (): ModelScript => ({ text: 'So it is.' })
  let answer: (request: ChatRequest) => ModelScript = plain
  beforeAll(async () => {
    agent = await openAgent({ script: (request) => answer(request), settings: { noteFolder: '/tmp' } })
  })
  afterAll(() => agent.end())

  async function told(task: string, windowTokens: number): Promise<{ names: string[]; tokens: number }> {
    agent.model.window = () => Promise.resolve(windowTokens)
    const before = agent.model.requests.length
    await agent.run(task, { agent: { name: '', system: '', tools: null, memory: true } })
    const given = (agent.model.requests[before]?.tools ?? []).filter(({ name }) => name !== 'more_tools')
    const tokens = given.reduce((sum, spec) => sum + agent.model.estimateTokens(JSON.stringify(toldTools([spec]))), 0)
    return { names: given.map(({ name }) => name), tokens }
  }

  test.each(tasks)('2048 tokens: %s', async (task, needed) => {
    const { names: given, tokens } = await told(task, 2048)
    expect(given).toEqual(expect.arrayContaining(needed))
    expect(tokens).toBeLessThanOrEqual(2048 * 0.32)
  })

  test('4096 tokens hold half of them, and 8192 all', async () => {
    const all = (await told('hello', 100_000)).names
    expect((await told('hello', 8192)).names).toEqual(all)
    const small = (await told('hello', 4096)).names
    expect(small.length).toBeGreaterThanOrEqual(all.length / 2 - 1)
  })

  test.each([2048, 4096])('%i tokens: what was left out is named, and told once it is asked for', async (windowTokens) => {
    const all = (await told('hello', 100_000)).names
    agent.model.window = () => Promise.resolve(windowTokens)
    const before = agent.model.requests.length
    const given = (await told('hello', windowTokens)).names
    const more = agent.model.requests[before]?.tools?.find(({ name }) => name === 'more_tools')
    const leftOut = all.filter((name) => !given.includes(name))
    const unnamed = leftOut.filter((name) => more?.description.includes(name) !== true).length
    expect(unnamed === 0 || more?.description.includes(`and ${unnamed} more`) === true).toBe(true)
    const wanted = leftOut.slice(0, 2)
    answer = (request) =>
      request.messages.at(-1)?.role === 'user'
        ? { calls: [{ name: 'more_tools', arguments: { names: [...wanted, 'fly'] } }] }
        : { text: 'So it is.' }
    const { turn } = await agent.run('hello')
    answer = plain
    expect(turn.calls).toMatchObject([{ tool: 'more_tools', status: 'ok' }])
    expect(turn.calls[0]?.result).toMatch(/There is no further tool fly/)
    const then = agent.model.requests.at(-1)!
    expect(then.tools?.map(({ name }) => name)).toEqual(expect.arrayContaining(wanted))
    const tokens = then.tools?.reduce((sum, spec) => sum + agent.model.estimateTokens(JSON.stringify(toldTools([spec]))), 0)
    expect(tokens).toBeLessThanOrEqual(windowTokens * 0.38)
  })
})
