import type { ContextUse } from '../../contract/answer.ts'
import { SikuError } from '../../contract/errors.ts'
import type { Message } from '../../contract/message.ts'
import type { ToolSpec } from '../models/models.ts'
import { extractSummary } from './extract-summary.ts'
import { blocksOf, type Block } from './window-blocks.ts'
import { shortQuestion } from './window-question.ts'
import { shortened, shortText, templateTokens, tokensOf, toolTokens, type EstimateTokens } from './window-tokens.ts'

/** Stands for the first `upTo` of the history and, after it, the current messages; the question is sent all the same. */
export interface WindowSummary {
  text: string
  upTo: number
}

export interface WindowInput {
  system: Message
  /** Of earlier turns, oldest first. */
  history: Message[]
  /** The question, then what this turn's rounds added. Messages that stay must stay the same objects: their tokens are counted once. */
  current: Message[]
  tools: ToolSpec[]
  windowTokens: number
  maxAnswerTokens: number
  /** The same function each round. */
  estimateTokens: EstimateTokens
  /** As the last round gave it. */
  summary: WindowSummary | null
  /** By a model, in so many tokens; null: by extraction. What it is given fits the window. When it fails, what was said is extracted. */
  summarise: ((messages: Message[], mostTokens: number) => Promise<string>) | null
}

export interface FittedWindow {
  messages: Message[]
  promptTokens: number
  /** Room for the answer: all that is left of the window, as far as it may be that long. */
  maxTokens: number
  /** What of it is not taken by what comes later. */
  reservedTokens: number
  use: ContextUse
  /** To be given back in the next round. */
  summary: WindowSummary | null
  /** How many messages the summary stands for, and how many of them are this turn's. */
  summarised: number
  summarisedSteps: number
  shortenedResults: number
  /** Messages that are neither sent nor summarised, and how many of them are this turn's. */
  dropped: number
  droppedSteps: number
  /** The question, or what was given along, is not whole. */
  shortenedQuestion: boolean
}

/** What is left out of a plan because an estimate may be wrong by it. */
const margin = 0.08
/** The answer never gets less than this. This part of the window is kept for it, and it gets what is left over. */
const leastAnswerTokens = 128
const answerShare = 0.25
/** Of the window, kept for what was said before, however long the question is. */
const pastShare = 0.15
/** Where something must go, so much of the room is freed at once: the next rounds then change nothing, and servers keep what they read. */
const freedShare = 0.25
/** Results of the newest round may take this part of the room before they are cut. */
const newestShare = 0.6
const summaryShare = 0.2
const mostSummaryTokens = 800
/** Of older results, first and then. */
const oldLevels = [2000, 400]
const newestLevels = [32_000, 16_000, 8000, 4000, 2000, 1000, 400, 200]
const leastLevels = [100, 30] as const
/** However little room there is, a summary says something. */
const leastSummaryTokens = 150

const summaryRequest: Message = { role: 'user', content: 'Summarise what was said and done before.' }

/**
 * The messages that fit. System text, tools and the question always; then, when not all fits: older thoughts go, older results
 * of tools are shortened, the oldest turns and rounds summarised, and what even so has no room is left out. A question that
 * leaves no room is shortened itself. `promptTokens` may exceed the window only when system text and tools alone do.
 */
export async function fitWindow(input: WindowInput): Promise<FittedWindow> {
  const { system, history, current, windowTokens, estimateTokens: estimate } = input
  const count = (message: Message): number => tokensOf(message, estimate)
  let summary = input.summary !== null && input.summary.upTo <= history.length + current.length ? input.summary : null
  const blocks = blocksOf(history, current, summary?.upTo)
  const pinned = blocks.filter((block) => block.pinned)
  const forms = new Map<Message, Message>()
  const form = (message: Message): Message => forms.get(message) ?? message
  const usable = usableTokens(windowTokens)
  const systemTokens = count(system) + templateTokens
  const specTokens = toolTokens(input.tools, estimate)
  const wanted = Math.max(leastAnswerTokens, Math.min(input.maxAnswerTokens, Math.floor(windowTokens * answerShare)))
  const mostPast = Math.floor(windowTokens * pastShare)
  // What has a summary had no room.
  const past = summary === null ? pastTokens(blocks, count, mostPast) : mostPast
  const asked = pinned.flatMap((block) => block.messages)
  const askedMost =
    usable - systemTokens - specTokens - past - Math.min(wanted, Math.max(leastAnswerTokens, Math.floor(windowTokens * pastShare)))
  const shortenedQuestion = sum(asked.map(count)) > askedMost
  if (shortenedQuestion) {
    // Each keeps its share; what needs less leaves the rest to the others.
    let left = Math.max(0, askedMost)
    for (const [index, message] of [...asked].sort((a, b) => count(a) - count(b)).entries()) {
      const short = shortQuestion(message, Math.floor(left / (asked.length - index)), count)
      if (short !== message) forms.set(message, short)
      left -= count(short)
    }
  }
  const fixed = systemTokens + specTokens + sum(asked.map((message) => count(form(message))))
  const reservedTokens = Math.max(leastAnswerTokens, Math.min(wanted, usable - fixed - past))
  const room = Math.max(0, usable - reservedTokens - fixed)

  let kept = blocks.filter((block) => !block.pinned && block.to > (summary?.upTo ?? 0))
  const cut = (message: Message, characters: number): void => void forms.set(message, shortened(message, characters))
  const size = (block: Block): number => block.messages.reduce((total, message) => total + count(form(message)), 0)
  let spoken = spokenSummary(summary)
  const total = (): number => kept.reduce((tokens, block) => tokens + size(block), sum(spoken.map(count)))
  const newest = (): Block | undefined => kept.findLast((block) => block.current)

  /** Each result in turn, until so many tokens are taken. */
  function shorten(results: Message[], characters: number, goal: number): void {
    let tokens = total()
    for (const message of results) {
      if (tokens <= goal) return
      const before = count(form(message))
      cut(message, characters)
      tokens += count(form(message)) - before
    }
  }

  if (total() > room)
    for (const message of kept.flatMap((block) => block.messages))
      if (message.thinking !== undefined) forms.set(message, withoutThoughts(message))
  if (total() > room) {
    const last = newest()
    const own = resultsOf(last === undefined ? [] : [last])
    for (const characters of newestLevels) {
      if (sum(own.map((message) => count(form(message)))) <= room * newestShare) break
      for (const message of own) cut(message, characters)
    }
    const step = Math.max(1, Math.floor(room * freedShare))
    const goal = total() - Math.ceil((total() - room) / step) * step
    const older = resultsOf(kept.filter((block) => block !== last))
    for (const characters of oldLevels) shorten(older, characters, goal)
  }

  if (total() > room) {
    const most = Math.floor(Math.min(mostSummaryTokens, Math.max(room * summaryShare, Math.min(leastSummaryTokens, room / 2))))
    const goal = Math.max(0, room * (1 - freedShare) - most)
    const leaving: Block[] = []
    let left = kept.reduce((tokens, block) => tokens + size(block), 0)
    const last = newest()
    for (const block of kept) {
      if (left <= goal || block === last) break
      leaving.push(block)
      left -= size(block)
    }
    if (leaving.length > 0 && most > 0) {
      const text = await summaryOf(leaving, summary?.text ?? '', most)
      if (text !== '') {
        kept = kept.filter((block) => !leaving.includes(block))
        summary = { text, upTo: leaving.at(-1)!.to }
        spoken = spokenSummary(summary)
      }
    }
  }

  const dropped: Block[] = []
  for (let over = total() - room, last = newest(); over > 0 && kept[0] !== undefined && kept[0] !== last;) {
    over -= size(kept[0])
    dropped.push(kept[0])
    kept = kept.slice(1)
  }
  // The newest round alone has no room: its results go to almost nothing, then its calls, then the summary, then the round itself.
  for (const characters of leastLevels) if (total() > room) for (const message of resultsOf(kept)) cut(message, characters)
  if (total() > room)
    for (const message of kept.flatMap((block) => block.messages)) if (message.role !== 'tool') cut(message, leastLevels[0])
  if (total() > room && spoken.length > 0 && summary !== null)
    spoken = spokenSummary({ ...summary, text: extractSummary(summary.text, [], fitsBeside) })
  if (total() > room) spoken = []
  if (total() > room) {
    dropped.push(...kept)
    kept = []
  }
  const covered = coveredMessages(summary, history.length, pinned)
  const none = { all: 0, steps: 0 }
  const [summarised, forgotten] = spoken.length === 0 ? [none, covered] : [covered, none]

  function fitsBeside(text: string): boolean {
    return sum([...spokenSummary({ text, upTo: 0 }).map(count), ...kept.map(size)]) <= room
  }

  async function summaryOf(leaving: Block[], before: string, most: number): Promise<string> {
    const fits = (text: string): boolean => estimate(text) <= most
    const texts = leaving.map((block) => block.messages.map((message) => shortened(message, 2000)))
    if (input.summarise === null) return extractSummary(before, texts.flat(), fits)
    // What the model can read beside its answer; what is older is extracted for it.
    let from = texts.length
    for (let tokens = usable / 2; from > 0; from--) {
      tokens -= sum(texts[from - 1]!.map(count))
      if (tokens < 0) break
    }
    const early = from === 0 ? before : extractSummary(before, texts.slice(0, from).flat(), fits)
    const given = [...spokenSummary({ text: early, upTo: 0 }), ...texts.slice(from).flat()]
    try {
      const said = cutTo((await input.summarise(given, most)).trim(), fits)
      if (said !== '') return said
    } catch (error) {
      if (error instanceof SikuError && error.code === 'cancelled') throw error
    }
    return extractSummary(before, texts.flat(), fits)
  }

  const sent = [...pinned, ...kept].sort((a, b) => a.from - b.from)
  const earlier = sent.filter((block) => !block.current).flatMap((block) => block.messages.map(form))
  const now = sent.filter((block) => block.current).flatMap((block) => block.messages.map(form))
  const use = {
    windowTokens,
    system: systemTokens,
    passages: 0,
    history: sum([...spoken, ...earlier].filter((message) => !isOfTools(message)).map(count)),
    question: sum(now.filter((message) => !isOfTools(message)).map(count)),
    tools: specTokens + sum([...earlier, ...now].filter(isOfTools).map(count)),
  }
  const promptTokens = use.system + use.history + use.question + use.tools
  const maxTokens = answerTokens(promptTokens, reservedTokens, input)
  return {
    messages: [system, ...spoken, ...earlier, ...now],
    promptTokens,
    maxTokens,
    reservedTokens,
    use: { ...use, reserved: maxTokens },
    summary,
    summarised: summarised.all,
    summarisedSteps: summarised.steps,
    shortenedResults: resultsOf(kept).filter((message) => form(message) !== message).length,
    dropped: forgotten.all + messagesIn(dropped),
    droppedSteps: forgotten.steps + messagesIn(dropped.filter((block) => block.current)),
    shortenedQuestion,
  }
}

/** What of a window is planned with. */
export function usableTokens(windowTokens: number): number {
  return Math.floor(windowTokens * (1 - margin))
}

/** Room for the answer beside a prompt: what was reserved, and what is left over. */
export function answerTokens(
  promptTokens: number,
  reservedTokens: number,
  { windowTokens, maxAnswerTokens }: Pick<WindowInput, 'windowTokens' | 'maxAnswerTokens'>,
): number {
  return Math.max(reservedTokens, Math.min(maxAnswerTokens, usableTokens(windowTokens) - promptTokens))
}

/** What was said before takes, at most so much. */
function pastTokens(blocks: Block[], count: (message: Message) => number, most: number): number {
  let tokens = 0
  for (const { pinned, messages } of blocks) {
    if (tokens >= most) return most
    if (!pinned) tokens += sum(messages.map(count))
  }
  return Math.min(tokens, most)
}

/** What a summary stands for: of all messages, and of this turn's. */
function coveredMessages(summary: WindowSummary | null, past: number, pinned: Block[]): { all: number; steps: number } {
  const upTo = summary?.upTo ?? 0
  const sent = messagesIn(pinned.filter((block) => block.to <= upTo))
  return { all: upTo - sent, steps: Math.max(0, upTo - past - sent) }
}

function messagesIn(blocks: Block[]): number {
  return sum(blocks.map((block) => block.messages.length))
}

const thoughtless = new WeakMap<Message, Message>()

function withoutThoughts(message: Message): Message {
  const { thinking: _thoughts, ...rest } = message
  const known = thoughtless.get(message) ?? rest
  thoughtless.set(message, known)
  return known
}

/** As the model's own words: it may hold what others wrote, and gives no instructions. */
function spokenSummary(summary: WindowSummary | null): Message[] {
  return summary === null || summary.text === '' ? [] : [summaryRequest, { role: 'assistant', content: summary.text }]
}

function isOfTools(message: Message): boolean {
  return message.role === 'tool' || (message.toolCalls ?? []).length > 0
}

function resultsOf(blocks: Block[]): Message[] {
  return blocks.flatMap((block) => block.messages.filter((message) => message.role === 'tool'))
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function cutTo(text: string, fits: (text: string) => boolean): string {
  let cut = text
  for (let characters = text.length; !fits(cut) && characters > 40; characters = Math.floor(characters * 0.8))
    cut = shortText(text, characters)
  return fits(cut) ? cut : ''
}
