import { readFileSync } from 'node:fs'
import { askAgent, askWhole, cardToRead, send, state, toAgent, type GalleryState, type Stage } from './stage.ts'

const deposit = ({ pick }: Stage) => pick('When is the deposit paid back?', '退租以后押金多少天内退还？')
const trip = ({ pick }: Stage) =>
  pick('When does my lease end, and what is the weather? Write it down.', '租约何时到期？再看两地的天气，写成笔记。')
const picture = new URL('../../../docs/images/ask-light.png', import.meta.url)

export const askStates: GalleryState[] = [
  state('ask-welcome', 'full', ['First start, with the sample library', '第一次启动，带示例文库'], undefined, {
    narrow: true,
    sample: true,
  }),
  state('ask-welcome-own', 'full', ['A library of one’s own', '自己的文库'], undefined, { options: { scenario: 'own' } }),
  state('ask-empty', 'empty', ['Nothing in the library, no model', '文库为空，没有模型'], undefined, {
    options: { scenario: 'empty' },
    narrow: true,
    sample: true,
  }),
  state('ask-broken', 'broken', ['The library’s store is damaged', '文库的存储已损坏'], undefined, { options: { scenario: 'broken' } }),
  state(
    'ask-streaming',
    'busy',
    ['An answer is being written', '正在写回答'],
    async (stage) => {
      await send(stage, stage.pick('A long answer, please', '请长一点回答'))
      await stage.page.waitForFunction(() => document.querySelectorAll('[data-block]').length > 8)
      await stage.page.waitForTimeout(500)
    },
    { options: { still: true }, sample: true },
  ),
  state('ask-answered', 'full', ['An answer with its citations', '带引用的回答'], async (stage) => askWhole(stage, deposit(stage)), {
    narrow: true,
    sample: true,
  }),
  state('ask-formatted', 'full', ['Table, formula and code in an answer', '回答中的表格、公式与代码'], async (stage) => {
    await askWhole(stage, stage.pick('A long answer, please', '请长一点回答'))
    await stage.page.waitForSelector('.katex-display')
    await stage.page.waitForTimeout(500)
    await stage.page.locator('[data-scroller]').evaluate((scroller) => scroller.scrollTo(0, 420))
  }),
  state(
    'ask-counted',
    'full',
    ['What a counted answer rests on', '统计类回答的依据'],
    async (stage) => {
      await askWhole(stage, stage.pick('Counted: what did travel cost in 2026?', '数一数：2026 年差旅一共多少钱？'))
      await stage.page.click('[data-testid=basis] summary')
    },
    { narrow: true, sample: true },
  ),
  state('ask-not-found', 'empty', ['The library does not answer this', '文库里没有答案'], async (stage) =>
    askWhole(stage, stage.pick('Something that is in nothing here', '这里没有的东西')),
  ),
  state(
    'ask-failed',
    'broken',
    ['The answer failed', '回答失败'],
    async (stage) => askWhole(stage, stage.pick('This will fail', '这会失败')),
    {
      sample: true,
    },
  ),
  state(
    'ask-extract',
    'broken',
    ['No model: the best sentences', '没有模型：摘出最好的句子'],
    async (stage) => {
      await stage.page.click('aside [role=listitem] a >> nth=0')
      await stage.page.waitForSelector('article footer')
    },
    { options: { scenario: 'broken' } },
  ),
  state('ask-unsent', 'broken', ['A question that was not taken', '没有送到的提问'], async (stage) => {
    await send(stage, stage.pick('unsent, once more', 'unsent，再来一次'))
    await stage.page.waitForSelector('article button')
  }),
  state(
    'ask-stopped',
    'full',
    ['Stopped half-way', '中途停止'],
    async (stage) => {
      await send(stage, deposit(stage))
      await stage.page.waitForSelector('[data-block]')
      await stage.page.click('form button.button >> nth=-1')
      await stage.page.waitForSelector('article footer')
    },
    { options: { still: true } },
  ),
  state('ask-editing', 'full', ['A question is edited', '修改提问'], async (stage) => {
    await askWhole(stage, deposit(stage))
    await stage.page.click(`article button[aria-label="${stage.say('ask.edit')}"]`)
    await stage.page.waitForSelector('article textarea')
  }),
  state('ask-versions', 'full', ['Versions, and going on from an earlier answer', '多个版本，从先前的回答继续'], async (stage) => {
    await askWhole(stage, deposit(stage))
    await stage.page.click(`article button[aria-label="${stage.say('ask.regenerate')}"]`)
    await stage.page.waitForSelector('article [role=group]')
    await stage.page.waitForSelector('article footer')
    await askWhole(stage, stage.pick('And the deposit’s interest?', '押金有利息吗？'), 2)
    await stage.page.click(`article >> nth=0 >> button[aria-label="${stage.say('ask.branch')}"]`)
    await stage.page.waitForFunction(() => document.querySelectorAll('article').length === 1)
  }),
  state('ask-mention', 'full', ['@ chooses where to look', '用 @ 选择范围'], async (stage) => {
    await stage.page.focus('#composer')
    await stage.page.keyboard.type('@m')
    await stage.page.waitForSelector('[role=option]:has-text("manual")')
  }),
  state('ask-scope', 'full', ['Choosing where to look', '选择查找范围'], async (stage) => {
    await stage.page.focus('#composer')
    await stage.page.keyboard.type('@manual')
    await stage.page.waitForSelector('[role=option]:has-text("manual")')
    await stage.page.keyboard.press('Enter')
    await stage.page.click('form button.pill >> nth=0')
    await stage.page.waitForTimeout(500)
  }),
  state('ask-model-choice', 'full', ['Choosing the model', '选择模型'], async (stage) => {
    await stage.page.click('form button.pill >> nth=-1')
    await stage.page.waitForSelector('[role=menu]')
  }),
]

export const agentStates: GalleryState[] = [
  state(
    'agent-approval',
    'busy',
    ['The agent asks before it writes', '写入之前先询问'],
    async (stage) => {
      await askAgent(stage, trip(stage))
      await cardToRead(stage)
    },
    { narrow: true, sample: true },
  ),
  state('agent-done', 'full', ['Plan, calls and answer', '计划、调用与回答'], async (stage) => {
    await askAgent(stage, trip(stage))
    await cardToRead(stage)
    await stage.page.click('[data-approval] button >> nth=1')
    await stage.page.waitForSelector('article footer')
    await stage.page.click('ul summary >> nth=0')
  }),
  state('agent-refused', 'full', ['A call that was refused', '被拒绝的调用'], async (stage) => {
    await askAgent(stage, trip(stage))
    await cardToRead(stage)
    await stage.page.click('[data-approval] button >> nth=0')
    await stage.page.waitForSelector('article footer')
  }),
  state(
    'agent-danger',
    'broken',
    ['A dangerous call', '危险的调用'],
    async (stage) => {
      await askAgent(stage, stage.pick('The danger of an offer', '危险的报价'))
      await cardToRead(stage)
    },
    { sample: true },
  ),
  state('agent-failed', 'broken', ['Calls that failed', '失败的调用'], async (stage) => {
    await askAgent(stage, stage.pick('All of it is broken', '处处出错'))
    await stage.page.waitForSelector('article footer')
  }),
  state('agent-running', 'busy', ['A call that runs long', '运行很久的调用'], async (stage) => {
    await askAgent(stage, stage.pick('An endless program', '停不下的程序'))
    await stage.page.waitForSelector('article summary')
  }),
  state('agent-stopped', 'full', ['Stopped by hand', '手动停止'], async (stage) => {
    await askAgent(stage, stage.pick('An endless program', '停不下的程序'))
    await stage.page.waitForSelector('article summary')
    await stage.page.click('form button.button >> nth=-1')
    await stage.page.waitForSelector('article footer')
  }),
  state('agent-attachments', 'full', ['Attachments for one question', '一次提问的附件'], async (stage) => {
    await toAgent(stage)
    await stage.page.locator('form input[type=file]').setInputFiles([
      { name: 'first page.png', mimeType: 'image/png', buffer: readFileSync(picture) },
      { name: '给房东的一封很长很长的信，关于押金、钥匙和水电费.txt', mimeType: 'text/plain', buffer: Buffer.from('信') },
    ])
    await stage.page.waitForSelector('form li >> nth=1')
  }),
  state('agent-setup', 'full', ['Setting up this chat’s agent', '设置本对话的智能体'], async (stage) => {
    await toAgent(stage)
    await stage.page.click('form button.pill >> nth=1')
    await stage.page.click('[role=menuitem] >> nth=0')
    await stage.page.waitForSelector('dialog li, dialog input')
  }),
  state(
    'agent-elsewhere',
    'busy',
    ['It waits in a chat that was left', '在离开的对话里等待'],
    async (stage) => {
      await askAgent(stage, trip(stage))
      await stage.page.waitForSelector('article summary')
      await stage.page.click('aside [role=listitem] a >> nth=2')
      await stage.page.waitForSelector('section[aria-live] li')
      await stage.page.hover('section[aria-live] li')
    },
    { options: { fast: false } },
  ),
]

export const chatStates: GalleryState[] = [
  state(
    'chats-many',
    'full',
    ['Many chats, one with its menu', '许多对话，其中一个打开菜单'],
    async (stage) => {
      const menu = async (index: number) => {
        const row = stage.page.locator('aside [role=listitem]:has(a)').nth(index)
        await row.hover()
        await row.locator('button').click()
        await stage.page.waitForSelector('[role=menu]')
      }
      await menu(2)
      await stage.page.click('[role=menuitem] >> nth=0')
      await stage.page.waitForSelector(`aside h3:has-text("${stage.say('ask.pinned')}")`)
      await menu(1)
    },
    { options: { moreChats: 60 } },
  ),
  state('chats-none', 'empty', ['No chat holds the words', '没有对话含有这些字词'], async (stage) => {
    await stage.page.fill('aside input[type=search]', 'zzz')
    await stage.page.waitForFunction(() => document.querySelectorAll('aside [role=listitem]').length === 0)
  }),
  state('chats-rename', 'full', ['A chat gets another name', '重命名对话'], async (stage) => {
    const row = stage.page.locator('aside [role=listitem]:has(a)').nth(1)
    await row.hover()
    await row.locator('button').click()
    await stage.page.click('[role=menuitem] >> nth=1')
    await stage.page.waitForSelector('aside input:not([type=search])')
  }),
]
