import { jsonEvents, type JsonEvent } from './json-events.ts'
import { linesOf } from './lines.ts'

/** Longer lines are told as far as they go, without being tested before. */
const longestTested = 8 << 20
const longestBroken = 100_000

/** The values of JSON lines, each line for itself: one that is no JSON comes as it stands, and `onBroken` is told its number. */
export function* jsonLineEvents(parts: Iterable<string>, onBroken: (line: number) => void): Generator<JsonEvent> {
  for (const { text, number } of wholeLines(parts)) {
    if (text.trim() === '') continue
    if (text.length > longestTested || isJson(text)) for (const event of jsonEvents([text])) yield { ...event, line: number }
    else {
      onBroken(number)
      yield { kind: 'broken', line: number, depth: 0, key: null, path: [], text: text.trim().slice(0, longestBroken) }
    }
  }
}

/** Lines come in parts when they are long. */
function* wholeLines(parts: Iterable<string>): Generator<{ text: string; number: number }> {
  let open: { text: string; number: number } | null = null
  for (const line of linesOf(parts)) {
    if (open?.number === line.number) open.text += line.text
    else {
      if (open !== null) yield open
      open = { ...line }
    }
  }
  if (open !== null) yield open
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    try {
      // Some programs write numbers that JSON has not.
      JSON.parse(text.replace(/(?<=[[:,\s])(?:NaN|-?Infinity)(?=[\],}\s])/g, 'null'))
      return true
    } catch {
      return false
    }
  }
}
