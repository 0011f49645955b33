import { jsonEvents, type JsonEvent } from './json-events.ts'
import { linesOf } from './lines.ts'

/** Longer lines are told as far as they go, without being tested before. */
const longestTested = 8 << 20
const longestBroken = 100_000

/** The values of JSON lines, each line for itself: one that is no JSON comes as it stands, and `onBroken` is told its number. */
export function* jsonLineEvents(parts: Iterable<string>, onBroken: (line: number) => void): Generator<JsonEvent> {
  for (const { texts, number } of wholeLines(parts)) {
    const begin = texts.next().value ?? ''
    if (begin.trim() === '') continue
    if (begin.length > longestTested || isJson(begin))
      for (const event of jsonEvents(before(begin, texts))) yield { ...event, line: number }
    else {
      onBroken(number)
      yield { kind: 'broken', line: number, depth: 0, key: null, path: [], text: begin.trim().slice(0, longestBroken) }
    }
  }
}

function* before(first: string, rest: Iterable<string>): Generator<string> {
  yield first
  yield* rest
}

interface WholeLine {
  number: number
  /** The line; one that is longer than is tested comes in parts, which must be taken before the next line. */
  texts: Generator<string, void>
}

function* wholeLines(parts: Iterable<string>): Generator<WholeLine> {
  const pieces = linesOf(parts)
  let next = pieces.next()
  while (next.done !== true) {
    const { number } = next.value
    const texts = (function* () {
      let text = ''
      for (; next.done !== true && next.value.number === number; next = pieces.next()) {
        text += next.value.text
        if (text.length <= longestTested) continue
        yield text
        text = ''
      }
      if (text !== '') yield text
    })()
    yield { number, texts }
    while (texts.next().done !== true);
  }
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
