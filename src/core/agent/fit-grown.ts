import { answerTokens, messageTokens, usableTokens, type FittedWindow } from '../memory/memory.ts'
import type { FitInput } from './fit.ts'

/** The last round's plan and what it was made of. */
export interface Planned extends FitInput {
  windowTokens: number
  maxAnswerTokens: number
  /** How many of the current messages it holds. */
  counted: number
  fitted: FittedWindow
}

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
  const tokens = added.reduce((sum, message) => sum + messageTokens(message, estimateTokens), 0)
  const promptTokens = fitted.promptTokens + tokens
  if (promptTokens + fitted.reservedTokens > usableTokens(input.windowTokens)) return null
  const maxTokens = answerTokens(promptTokens, fitted.reservedTokens, input)
  return {
    ...fitted,
    messages: [...fitted.messages, ...added],
    promptTokens,
    maxTokens,
    use: { ...fitted.use, tools: fitted.use.tools + tokens, reserved: maxTokens },
  }
}
