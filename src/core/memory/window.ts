import type { ContextUse } from '../../contract/answer.ts'
import { SikuError } from '../../contract/errors.ts'
import type { Message } from '../../contract/message.ts'
import type { ToolSpec } from '../models/models.ts'
import { extractSummary } from './extract-summary.ts'
import { blocksOf, type Block } from './window-blocks.ts'
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
  /** By a model; null: by extraction. What it is given fits the window. When it fails, what was said is extracted. */
  summarise: ((messages: Message[]) => Promise<string>) | null
}

export interface FittedWindow {
  messages: Message[]
  promptTokens: number
  /** Room for the answer. */
  maxTokens: number
  use: ContextUse
  /** To be given back in the next round. */
  summary: WindowSummary | null
  /** How many messages the summary stands for. */
  summarised: number
  shortenedResults: number
  /** Messages that are neither sent nor summarised. */
  dropped: number
}

/** What is left out of a plan because an estimate may be wrong by it. */
const margin = 0.08
/** The answer never gets less than this, nor more than this part of the window. */
const leastAnswerTokens = 128
const answerShare = 0.4
/** Where something must go, so much of the room is freed at once: the next rounds then change nothing, and servers keep what they read. */
const freedShare = 0.25
/** Results of the newest round may take this part of the room before they are cut. */
const newestShare = 0.6
const summaryShare = 0.2
const mostSummaryTokens = 800
/** Of older results, first and then. */
const oldLevels = [2000, 400]
const newestLevels = [32_000, 16_000, 8000, 4000, 2000, 1000, 400]
const leastCharacters = 100

const summaryRequest: Message = { role: 'user', content: 'Summarise what was said and done before.' }

/**
 * The messages that fit. System text, tools and the question always; then, when not all fits: older results of tools are
 * shortened, the oldest turns and rounds summarised, and what even so has no room is left out. `promptTokens` may exceed the
 * window only when system text, tools and question alone do.
 */
export async function fitWindow(input: WindowInput): Promise<FittedWindow> {
  const { system, history, current, windowTokens, estimateTokens: estimate } = input
  const count = (message: Message): number => tokensOf(message, estimate)
  const blocks = blocksOf(history, current)
  const pinned = blocks.filter((block) => block.pinned)
  const usable = Math.floor(windowTokens * (1 - margin))
  const systemTokens = count(system) + templateTokens
  const specTokens = toolTokens(input.tools, estimate)
  const fixed = systemTokens + specTokens + sum(pinned.flatMap((block) => block.messages).map(count))
  const wanted = Math.max(leastAnswerTokens, Math.min(input.maxAnswerTokens, Math.floor(windowTokens * answerShare)))
  const maxTokens = Math.max(leastAnswerTokens, Math.min(wanted, usable - fixed))
  const room = Math.max(0, usable - maxTokens - fixed)

  let summary = input.summary !== null && input.summary.upTo <= history.length + current.length ? input.summary : null
  let kept = blocks.filter((block) => !block.pinned && block.to > (summary?.upTo ?? 0))
  const level = new Map<Message, number>()
  const form = (message: Message): Message => {
    const characters = level.get(message)
    return characters === undefined ? message : shortened(message, characters)
  }
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
      level.set(message, characters)
      tokens += count(form(message)) - before
    }
  }

  if (total() > room) {
    const last = newest()
    const own = resultsOf(last === undefined ? [] : [last])
    for (const characters of newestLevels) {
      if (sum(own.map((message) => count(form(message)))) <= room * newestShare) break
      for (const message of own) level.set(message, characters)
    }
    const step = Math.max(1, Math.floor(room * freedShare))
    const goal = total() - Math.ceil((total() - room) / step) * step
    const older = resultsOf(kept.filter((block) => block !== last))
    for (const characters of oldLevels) shorten(older, characters, goal)
  }

  if (total() > room) {
    const most = Math.floor(Math.min(mostSummaryTokens, room * summaryShare))
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

  let dropped = 0
  for (let over = total() - room, last = newest(); over > 0 && kept[0] !== undefined && kept[0] !== last;) {
    over -= size(kept[0])
    dropped += kept[0].messages.length
    kept = kept.slice(1)
  }
  const covered = sum(blocks.map((block) => (!block.pinned && block.to <= (summary?.upTo ?? 0) ? block.messages.length : 0)))
  let summarised = spoken.length === 0 ? 0 : covered
  // The newest round alone has no room: its results go to almost nothing, then the summary, then the round itself.
  if (total() > room) for (const message of resultsOf(kept)) level.set(message, leastCharacters)
  if (total() > room) {
    spoken = []
    summarised = 0
  }
  dropped += covered - summarised
  if (total() > room) {
    dropped += sum(kept.map((block) => block.messages.length))
    kept = []
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
      const said = cutTo((await input.summarise(given)).trim(), fits)
      if (said !== '') return said
    } catch (error) {
      if (error instanceof SikuError && error.code === 'cancelled') throw error
    }
    return extractSummary(before, texts.flat(), fits)
  }

  const sent = [...pinned, ...kept].sort((a, b) => a.from - b.from)
  const past = sent.filter((block) => !block.current).flatMap((block) => block.messages.map(form))
  const now = sent.filter((block) => block.current).flatMap((block) => block.messages.map(form))
  const use: ContextUse = {
    windowTokens,
    system: systemTokens,
    passages: 0,
    history: sum([...spoken, ...past].filter((message) => !isOfTools(message)).map(count)),
    question: sum(now.filter((message) => !isOfTools(message)).map(count)),
    tools: specTokens + sum([...past, ...now].filter(isOfTools).map(count)),
    reserved: maxTokens,
  }
  return {
    messages: [system, ...spoken, ...past, ...now],
    promptTokens: use.system + use.history + use.question + use.tools,
    maxTokens,
    use,
    summary,
    summarised,
    shortenedResults: resultsOf(kept).filter((message) => form(message) !== message).length,
    dropped,
  }
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
