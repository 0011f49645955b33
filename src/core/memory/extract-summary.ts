import { messageText, type Message } from '../../contract/message.ts'
import { shortText } from './window-tokens.ts'

/** Of a long text only head and tail are looked through. */
const readCharacters = 6000
const sentenceEnd = /(?<=[。！？；])|(?<=[.!?;])\s+|\n+/u

interface Line {
  text: string
  score: number
  order: number
}

/**
 * A summary without a model: the sentences that carry names, numbers and dates, and what the user said, in their order, as
 * many as fit. Deterministic. `before` is the summary of what came earlier.
 */
export function extractSummary(before: string, messages: Message[], fits: (text: string) => boolean): string {
  const lines: Line[] = []
  const seen = new Set<string>()
  const add = (text: string, score: number): void => {
    if (seen.has(text)) return
    seen.add(text)
    lines.push({ text, score, order: lines.length })
  }
  // What was worth keeping once keeps its place for a while.
  for (const line of before.split('\n')) if (line.trim() !== '') add(line.trim(), weight(line) + 1)
  for (const message of messages) {
    const who = speaker(message)
    for (const call of message.toolCalls ?? []) add(`${who} called ${call.name}(${shortText(JSON.stringify(call.arguments), 120)})`, 1)
    for (const sentence of shortText(messageText(message), readCharacters).split(sentenceEnd)) {
      const text = sentence.replace(/\s+/g, ' ').trim()
      if (/[\p{L}\p{N}]/u.test(text)) add(`${who}: ${shortText(text, 300)}`, weight(text) + (message.role === 'user' ? 2.5 : 0))
    }
  }
  const best = [...lines].sort((a, b) => b.score - a.score || b.order - a.order)
  let low = 0
  let high = best.length
  const textOf = (count: number): string =>
    best
      .slice(0, count)
      .sort((a, b) => a.order - b.order)
      .map((line) => line.text)
      .join('\n')
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(textOf(middle))) low = middle
    else high = middle - 1
  }
  return textOf(low)
}

function speaker(message: Message): string {
  if (message.role === 'tool') return message.name ?? 'tool'
  return message.role === 'user' ? 'User' : message.role === 'assistant' ? 'Assistant' : 'System'
}

/** How much a sentence says that cannot be guessed: numbers and dates, names, quoted titles. */
function weight(text: string): number {
  const numbers = Math.min(3, text.match(/\p{Nd}+(?:[.,:/-]\p{Nd}+)*|[一二三四五六七八九十百千万亿]+[年月日号个元%]/gu)?.length ?? 0)
  const names = Math.min(3, text.match(/(?<=[^.!?\n]\s)\p{Lu}[\p{L}\p{N}]+|《[^》]+》|“[^”]+”|"[^"]+"/gu)?.length ?? 0)
  const long = text.length > 240 ? 0.5 : 0
  return numbers + names - long
}
