import { messageText, type Message } from '../../contract/message.ts'
import { shortText } from './window-tokens.ts'

/** Of a long text only head and tail are looked through. */
const readCharacters = 6000
const sentenceEnd = /(?<=[。！？；])|(?<=[.!?;])\s+|\n+/u

/** Fences and notes that stand around results: no one said them. */
const ofOurs = /^<\/?data\b|^Cut: characters \d|^To read on[,:]|^\[… \d+ characters left out/

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
  const add = (text: string, score: () => number): void => {
    if (seen.has(text)) return
    seen.add(text)
    lines.push({ text, score: score(), order: lines.length })
  }
  // What was worth keeping once keeps its place for a while.
  const kept = before.split('\n').filter((line) => line.trim() !== '')
  for (const [index, line] of kept.entries()) add(line.trim(), () => weightKept(line.trim()) + (1.5 * index) / kept.length)
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  for (const [index, message] of messages.entries()) {
    // What was said last is what the next question is about.
    const isLast = asked !== -1 && index >= asked ? 2 : 0
    const who = speaker(message)
    const ofSpeaker = message.role === 'user' ? 2.5 : message.role === 'tool' ? -1 : 0
    for (const call of message.toolCalls ?? [])
      add(`${who} called ${call.name}(${shortText(JSON.stringify(call.arguments), 120)})`, () => 1)
    for (const sentence of shortText(messageText(message), readCharacters).split(sentenceEnd)) {
      const text = sentence.replace(/\s+/g, ' ').trim()
      if (/[\p{L}\p{N}]/u.test(text) && !ofOurs.test(text)) add(`${who}: ${shortText(text, 300)}`, () => weight(text) + ofSpeaker + isLast)
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
  return low === 0 ? beginning(best[0]?.text ?? '', fits) : textOf(low)
}

/** Of a line that does not fit, as much as does. */
function beginning(line: string, fits: (text: string) => boolean): string {
  const characters = [...line]
  for (let length = Math.min(200, characters.length); length >= 10; length = Math.floor(length * 0.7)) {
    const cut = `${characters.slice(0, length).join('')}…`
    if (fits(cut)) return cut
  }
  return ''
}

/** A line of an earlier summary: who said it counts as it did then, calls least. */
function weightKept(line: string): number {
  if (/^\S+ called \w+\(/.test(line)) return 0.5
  return weight(line.replace(/^\w+: /, '')) + 1 + (line.startsWith('User: ') ? 2 : 0)
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
