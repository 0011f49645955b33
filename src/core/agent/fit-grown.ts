import type { Message } from '../../contract/message.ts'
import type { FittedWindow } from '../memory/memory.ts'
import type { FitInput } from './fit.ts'

/** The last round's plan and what it was made of. */
export interface Planned extends FitInput {
  windowTokens: number
  maxAnswerTokens: number
  /** How many of the current messages it holds. */
  counted: number
  fitted: FittedWindow
}

/** What the window's own margin leaves. */
const usableShare = 0.92
const messageTokens = 8

/**
 * The last plan with what came since, when there is room for it as it is: a round then costs what is new in it, however long
 * the turn is. What was shortened or summarised stays so, and servers keep what they read. Null: plan anew.
 */
export function grown(
  last: Planned,
  input: Omit<Planned, 'counted' | 'fitted'>,
  estimateTokens: (text: string) => number,
): FittedWindow | null {
  const { fitted } = last
  const isSame =
    input.system === last.system &&
    input.history === last.history &&
    input.current === last.current &&
    input.tools === last.tools &&
    input.windowTokens === last.windowTokens &&
    input.maxAnswerTokens === last.maxAnswerTokens
  if (!isSame || fitted.dropped > 0) return null
  const added = input.current.slice(last.counted)
  if (added.some((message) => message.role === 'user' || typeof message.content !== 'string')) return null
  const tokens = added.reduce((sum, message) => sum + tokensOf(message, estimateTokens), 0)
  const promptTokens = fitted.promptTokens + tokens
  if (promptTokens + fitted.maxTokens > input.windowTokens * usableShare) return null
  return {
    ...fitted,
    messages: [...fitted.messages, ...added],
    promptTokens,
    use: { ...fitted.use, tools: fitted.use.tools + tokens },
  }
}

function tokensOf({ content, name, toolCalls }: Message, estimateTokens: (text: string) => number): number {
  let tokens = messageTokens + estimateTokens(name ?? '') + (typeof content === 'string' ? estimateTokens(content) : 0)
  for (const call of toolCalls ?? []) tokens += messageTokens + estimateTokens(call.name) + estimateTokens(JSON.stringify(call.arguments))
  return tokens
}
