import type { AgentScript } from './fake-agent-turns.ts'
import type { ApprovalDecision, Attachment } from '../../src/contract/agent.ts'
import type { Citation, Sentence, Source, Turn, TurnEvent } from '../../src/contract/answer.ts'
import { foldTurnEvent, newTurnView } from '../../src/renderer/ask/turn-view.ts'
import { oddAnswer } from './odd-answers.ts'
import { countedEvents } from './fake-overview.ts'
import { sampleFiles } from './fake-library.ts'
import { join } from 'node:path'

const model = { providerId: 'ollama', model: 'qwen3:4b' }

const depositPassage =
  '租赁期满或者合同解除后，乙方结清水、电、燃气等费用，双方验收房屋无误的，甲方应当在七个工作日内将押金无息退还乙方。房屋或者物品有损坏的，甲方可以从押金中扣除实际维修费用，但应当出示维修单据。'
const depositQuote = '甲方应当在七个工作日内将押金无息退还乙方'
const descalePassage =
  'Descale the machine every two months, or after 200 cups, whichever comes first. In areas with water above 14 °dH, descale once a month.'

/** The sources of every scripted answer. */
function scriptedSources(sampleDir: string): Source[] {
  const path = (id: number) => join(sampleDir, sampleFiles[id - 1] ?? '')
  const source = (marker: number, documentId: number, text: string, place: Source['place'], heading: string[] = []): Source => ({
    marker,
    documentId,
    passageId: documentId * 100 + marker,
    path: path(documentId),
    place,
    heading,
    text,
    contentHash: 'a'.repeat(64),
    score: 0.9 - marker / 10,
  })
  const box = (page: number, x: number, y: number, width: number, height: number) => ({
    page,
    x: x / 595,
    y: y / 842,
    width: width / 595,
    height: height / 842,
  })
  return [
    source(1, 1, depositPassage, {
      kind: 'page',
      page: 2,
      boxes: [box(2, 68, 158, 459, 17), box(2, 68, 178, 459, 17), box(2, 68, 198, 437, 17)],
    }),
    source(2, 4, '图书角每人一次最多借三本，借期三十天，可以续借一次。', { kind: 'lines', from: 9, to: 12 }, ['会议纪要', '借阅规则']),
    source(3, 2, descalePassage, {
      kind: 'page',
      page: 4,
      boxes: [{ page: 4, x: 45 / 420, y: 252 / 595, width: 310 / 420, height: 42 / 595 }],
    }),
    source(4, 7, 'export async function retry(task: Task, attempts: number): Promise<void> {', { kind: 'lines', from: 12, to: 18 }),
    source(5, 6, '一线城市（北京、上海、广州、深圳）住宿标准为每晚不超过 650 元。', {
      kind: 'section',
      heading: ['差旅报销制度', '住宿标准'],
      from: 8,
      to: 9,
    }),
    source(6, 3, 'A set of six of the same piece is 10 per cent cheaper.', { kind: 'lines', from: 20, to: 20 }),
  ]
}

const shortAnswer = `押金会在 **七个工作日** 内无息退还，前提是费用已经结清、双方验收房屋无误。[1] 房屋或物品有损坏时，房东可以从押金中扣除实际维修费用，但要出示维修单据。[1]

押金的利息按活期利率计算。[2]`

const englishAnswer = `The deposit is paid back **within seven working days**, without interest, once the bills are settled and both sides have looked over the flat.[1] Where something is damaged, the landlord may keep what the repair costs, and has to show the receipt.[1]

Up to three books may be borrowed at a time, for thirty days.[2] Interest on the deposit is that of a current account.`

const longAnswer = `## 结论

退租后押金在 **七个工作日** 内退还[1]，图书角一次最多借三本[2]。咖啡机应当 *每两个月* 除垢一次，价格是 $4 到 $6，不算公式。

1. 先把水箱装满，加入除垢剂。[3]

2. 打开蒸汽旋钮，放出一半的水，等 15 分钟。[3]

3. 再冲洗两遍。

| 项目 | 数额 | 出处 |
|---|---:|---|
| 押金 | 4200 元 | [1] |
| 上海住宿 | 650 元 | [5] |

重试的间隔按指数增长：\\(t_n = t_0 \\cdot 2^n\\)，总时间是

\\[ T = \\sum_{n=0}^{N} t_0 2^n = t_0 (2^{N+1} - 1) \\]

\`\`\`ts
export async function retry(task: Task, attempts: number): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (await task.run()) return // done
    await sleep(100 * 2 ** attempt)
  }
}
\`\`\`

<script>alert('raw HTML is text')</script>

![remote](https://example.org/pixel.png) 图片只显示为文字；[链接](https://example.org/page?q=1) 要先看一眼地址。

> 引文：住宿标准为每晚不超过 650 元。[5]

`

/** Without formulas: their library is another thing to measure. */
const streamedAnswer = longAnswer
  .replace(/重试的间隔[\s\S]*?\\]\n/, '')
  .repeat(40)
  .slice(0, 20_000)

function sentencesOf(answer: string): Sentence[] {
  return answer
    .split(/(?<=。)(?!\[)|(?<=[。.]\[\d\])|\n/)
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text) => {
      const citations = [...text.matchAll(/\[(\d)\]/g)].map((match) => Number(match[1]))
      const supported = !/^(押金的利息|Interest on)/.test(text) && !text.startsWith('再冲洗')
      return { text, citations, supported, ...(supported ? {} : { problem: 'meaning' }) }
    })
}

function citationsOf(answer: string, sources: Source[]): Citation[] {
  return sources
    .filter((source) => answer.includes(`[${source.marker}]`))
    .map(({ marker, path, place, documentId, passageId, contentHash, text }) => ({
      marker,
      path,
      place,
      documentId,
      passageId,
      contentHash,
      quote: marker === 1 ? depositQuote : text,
    }))
}

/** What kind of answer a question gets is said in the question itself. */
function kindOf(question: string, hasModel: boolean): 'short' | 'long' | 'stream' | 'nothing' | 'failed' | 'extract' | 'counted' {
  if (/数一数|counted/i.test(question)) return 'counted'
  if (/^stream/.test(question)) return 'stream'
  if (/长|long/i.test(question)) return 'long'
  if (/没有的|nothing/i.test(question)) return 'nothing'
  if (/失败|fail/i.test(question)) return 'failed'
  return hasModel ? 'short' : 'extract'
}

type WithoutSeq<Event> = Event extends { seq: number } ? Omit<Event, 'seq'> : never
export type ScriptedEvent = WithoutSeq<TurnEvent> & { waitMs?: number }

export function scriptTurn(
  turnId: string,
  chatId: string,
  question: string,
  sampleDir: string,
  hasModel: boolean,
  at: number,
): ScriptedEvent[] {
  const kind = kindOf(question, hasModel)
  const sources = scriptedSources(sampleDir)
  const events: ScriptedEvent[] = [
    { type: 'turn-start', turnId, chatId, question, model: hasModel ? model : null, mode: 'answer', at },
    { type: 'step-start', stepId: 's', kind: 'search' },
    { type: 'step-end', stepId: 's', kind: 'search', elapsedMs: 31, count: sources.length, detail: 'hybrid', waitMs: 60 },
    { type: 'sources', sources },
  ]
  const end = (outcome: Turn['outcome'] & string, error: Turn['error'] = null): ScriptedEvent => ({
    type: 'turn-end',
    outcome,
    error,
    usage: hasModel
      ? { promptTokens: 2840, completionTokens: 210, totalTokens: 3050, loadMs: 10, promptMs: 700, completionMs: 4200 }
      : null,
    timings: { searchMs: 31, firstTextMs: outcome === 'failed' ? null : 810, totalMs: 5200 },
  })
  if (kind === 'nothing') {
    const answer = '文库里没有找到对这个问题的回答。'
    return [
      ...events,
      { type: 'note', note: { code: 'not-in-library', message: 'weak' } },
      { type: 'text-start' },
      { type: 'text-delta', text: answer },
      { type: 'text-end' },
      { type: 'answer-checked', answer, sentences: [], citations: [], droppedMarkers: 0 },
      end('not-found'),
    ]
  }
  if (kind === 'failed') {
    return [
      ...events,
      { type: 'step-start', stepId: 'g', kind: 'generate' },
      end('failed', { code: 'model-unreachable', message: 'connect ECONNREFUSED 127.0.0.1:11434', retryable: true }),
    ]
  }
  if (kind === 'counted') return [...events.slice(0, 1), ...countedEvents(question), end('answered')]
  const odd = oddAnswer(question)
  const short = /deposit/i.test(question) ? englishAnswer : shortAnswer
  const answer =
    odd !== null
      ? odd.answer
      : kind === 'stream'
        ? streamedAnswer
        : kind === 'long'
          ? longAnswer.repeat(3)
          : kind === 'extract'
            ? short.replaceAll('**', '')
            : short
  const generate = odd?.step ?? (kind === 'extract' ? 'extract' : 'generate')
  if (odd?.note !== undefined) events.push({ type: 'note', note: odd.note })
  if (kind === 'extract') events.push({ type: 'note', note: { code: 'no-model', message: 'no model' } })
  events.push({ type: 'step-start', stepId: 'g', kind: generate }, { type: 'text-start' })
  // Streamed are 200 words of five characters a second.
  const pieces = answer.match(kind === 'stream' ? /[\s\S]{1,25}/g : /[\s\S]{1,6}/g) ?? []
  const waitMs = kind === 'stream' ? 25 : kind === 'long' ? 8 : 14
  events.push(...pieces.map((text): ScriptedEvent => ({ type: 'text-delta', text, waitMs })))
  events.push(
    { type: 'text-end' },
    { type: 'step-end', stepId: 'g', kind: generate, elapsedMs: 4390 },
    { type: 'step-start', stepId: 'c', kind: 'check' },
    { type: 'step-end', stepId: 'c', kind: 'check', elapsedMs: 18, count: 3 },
  )
  if (hasModel)
    events.push({
      type: 'context-use',
      use: { windowTokens: 8192, system: 310, passages: 2210, history: 0, question: 40, reserved: 560, tools: 0 },
    })
  events.push(
    { type: 'answer-checked', answer, sentences: sentencesOf(answer), citations: citationsOf(answer, sources), droppedMarkers: 0 },
    end(odd?.outcome ?? (hasModel ? 'answered' : 'extractive')),
  )
  return events
}

export interface FakeTurn {
  id: string
  chatId: string
  question: string
  parentId: string | null
  events: TurnEvent[]
  stopped: boolean
  changed: (() => void)[]
  mode: Turn['mode']
  attachments: Attachment[]
  /** Its answer stands still half-way until it is stopped. */
  held: boolean
  /** Cut off by a crash: stored as stopped, and nothing more comes. */
  lost: boolean
  /** An approval that waits, and what gives the script its answer. */
  asking: { approvalId: string; digest: string; answer: (word: ApprovalDecision | null) => void } | null
}

export function turnOf(turn: FakeTurn, ordinal: number): Turn {
  const asked = { mode: turn.mode, attachments: turn.attachments.map(({ name, mediaType }) => ({ name, mediaType })) }
  const folded = turn.events.reduce(foldTurnEvent, newTurnView(turn.id, turn.chatId, turn.question, 0, null, asked))
  const {
    next: _next,
    running: _running,
    activeStep: _step,
    thinkingOpen: _open,
    withoutModel: _model,
    approvals: _approvals,
    before: _before,
    ...stored
  } = folded
  return { ...stored, ordinal, parentId: turn.parentId, ...(turn.lost ? { outcome: 'stopped' as const } : {}) }
}

export async function play(turn: FakeTurn, script: ScriptedEvent[], fast: boolean): Promise<void> {
  const half = turn.held ? script.findLastIndex((event) => event.type === 'text-delta') / 2 : Infinity
  for (const [index, { waitMs, ...event }] of script.entries()) {
    while (index > half && !turn.stopped) await new Promise((resolve) => setTimeout(resolve, 200))
    if (waitMs !== undefined && !fast) await new Promise((resolve) => setTimeout(resolve, waitMs))
    if (turn.stopped && event.type !== 'turn-end') continue
    const last = turn.stopped && event.type === 'turn-end' ? { ...event, outcome: 'stopped' as const } : event
    push(turn, last)
  }
}

/** Plays an agent's script: it stands still while it asks, and a stop ends it with what there is. */
export async function playAgent(turn: FakeTurn, script: AgentScript, fast: boolean): Promise<void> {
  let word: ApprovalDecision | null = null
  for (let step = script.next(); step.done !== true; step = script.next(word)) {
    const { waitMs, ...event } = step.value
    if (waitMs !== undefined && (!fast || waitMs >= 1000)) await new Promise((resolve) => setTimeout(resolve, waitMs))
    if (turn.stopped) break
    push(turn, event)
    word = null
    if (event.type !== 'approval-request') continue
    const { approvalId, digest } = event.approval
    word = await new Promise((answer) => (turn.asking = { approvalId, digest, answer }))
    turn.asking = null
    if (turn.stopped) {
      push(turn, { type: 'approval-end', approvalId, callId: event.approval.callId, decision: null })
      break
    }
  }
  if (turn.events.at(-1)?.type === 'turn-end') return
  const timings = { searchMs: null, firstTextMs: null, totalMs: 900 }
  push(turn, { type: 'turn-end', outcome: 'stopped', error: null, usage: null, timings })
}

function push(turn: FakeTurn, event: object): void {
  turn.events.push({ ...event, seq: turn.events.length } as TurnEvent)
  for (const wake of turn.changed.splice(0)) wake()
}

export async function* watch(turn: FakeTurn, from: number, signal: AbortSignal | undefined): AsyncGenerator<TurnEvent, void> {
  for (let at = from; ; at += 1) {
    // Wakes now and then to see whether anybody still listens.
    while (turn.events[at] === undefined) {
      if (signal?.aborted === true || turn.lost) return
      await new Promise<void>((resolve) => {
        turn.changed.push(resolve)
        setTimeout(resolve, 2000)
      })
    }
    const event = turn.events[at]
    if (event === undefined) return
    yield event
    if (event.type === 'turn-end') return
  }
}
