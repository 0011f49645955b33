import type { Message } from '../../contract/message.ts'
import { toldTools, type ToolSpec } from './chat-model.ts'
import { contentText, mediaOf } from './request-text.ts'

/** Tokens of a template around each message, and around the whole. */
const messageTokens = 8
const templateTokens = 24
/** What common models make of a picture; of a recording about a minute. */
const mediaTokens = { image: 1024, audio: 1500 }
/** Before a model is known, on the careful side: no common tokenizer needs more for prose. */
const priorTokensPerUnit = 1.15

export interface TokenRate {
  /** Units, see `textUnits`. */
  characters: number
  tokens: number
}

export interface TokenRates {
  read(model: string): TokenRate | null
  learn(model: string, characters: number, tokens: number): Promise<void>
}

const cjk = /^(?:[\u2E80-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF\uFF00-\uFFEF]|[\u{20000}-\u{3FFFF}])$/u
const other = 0.7
const units: [RegExp, number][] = [
  [cjk, 0.85],
  [/^\p{Script=Latin}$/u, 0.22],
  [/^\p{Nd}$/u, 0.7],
  [/^\s$/u, 0.08],
]

function unitsOf(code: number): number {
  const character = String.fromCodePoint(code)
  return units.find(([pattern]) => pattern.test(character))?.[1] ?? other
}

/** By code unit; those of a pair count with their code point alone. Filled as they are met: most texts need few of them. */
const known = new Float64Array(0x10000).fill(-1)

/** About the tokens of a text with a common tokenizer, whatever mixture of scripts it has: a rate for a model scales it. */
export function textUnits(text: string): number {
  let sum = 0
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit >= 0xd800 && unit < 0xdc00) {
      const code = text.codePointAt(at) ?? unit
      sum += code > 0xffff ? unitsOf(code) : other
      if (code > 0xffff) at += 1
      continue
    }
    let one = known[unit] ?? -1
    if (one < 0) {
      one = unitsOf(unit)
      known[unit] = one
    }
    sum += one
  }
  return sum
}

export function tokensPerUnit(rate: TokenRate | null): number {
  if (rate === null || rate.characters <= 0 || rate.tokens <= 0) return priorTokensPerUnit
  return Math.min(4, Math.max(0.3, rate.tokens / rate.characters))
}

export function estimate(text: string, rate: TokenRate | null): number {
  return Math.ceil(textUnits(text) * tokensPerUnit(rate))
}

/** Tokens of a text when no model is known. */
export function roughTokens(text: string): number {
  return estimate(text, null)
}

/** What of a request is tokens before the model answers. */
export interface Sent {
  messages: Message[]
  tools?: ToolSpec[]
}

/** Units of a whole request, the template's share excluded. */
export function requestUnits({ messages, tools = [] }: Sent): number {
  const said = messages.reduce((sum, message) => sum + textUnits(messageText(message)), 0)
  return said + (tools.length === 0 ? 0 : textUnits(JSON.stringify(toldTools(tools))))
}

/** All of a message that is sent as text; thoughts only go along with calls. */
function messageText(message: Message): string {
  const { toolCalls = [], thinking = '' } = message
  return toolCalls.length === 0 ? contentText(message) : [contentText(message), JSON.stringify(toolCalls), thinking].join('\n')
}

export function overheadTokens({ messages, tools = [] }: Sent): number {
  const media = messages.flatMap(mediaOf).reduce((sum, { type }) => sum + mediaTokens[type], 0)
  return templateTokens + (messages.length + tools.length) * messageTokens + media
}

/** Pictures are counted by a fixed number: a request with some teaches nothing about the rate. */
export function isTelling({ messages }: Sent): boolean {
  return messages.every((message) => mediaOf(message).length === 0)
}

export function estimateRequest(sent: Sent, rate: TokenRate | null): number {
  return Math.ceil(requestUnits(sent) * tokensPerUnit(rate)) + overheadTokens(sent)
}

/** A count that no tokenizer can come to says something else, such as what was left to read of a kept prompt. */
export function isPlausible(units: number, tokens: number): boolean {
  return units >= 50 && tokens >= 20 && tokens / units > 0.4 && tokens / units < 4
}

/** Whether a server that said how many tokens it read can have read all of the prompt. Short prompts say too little. */
export function wasCut(counted: number, estimated: number, learned: boolean): boolean {
  return estimated > 600 && counted > 0 && counted < estimated * (learned ? 0.7 : 0.4)
}
