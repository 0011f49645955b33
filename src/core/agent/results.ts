import { fittingCharacters } from './fit-text.ts'

/** Whole results of a turn whose beginning alone was given to the model. */
export interface Results {
  /** The beginning of a text that is too long, kept whole for reading on; the text itself when it is not. `part`: of the room of one result. */
  cut(callId: string, text: string, maxCharacters: number, part?: number): { text: string; note: string | null; cutFrom: number | null }
  /** Keeps a whole text for reading on; what is too long for that is kept as far as it goes. */
  keep(callId: string, text: string): void
  /** A later piece; null when nothing is kept under this id. */
  read(callId: string, from: number): { text: string; to: number; of: number } | null
  readonly hasCut: boolean
  readonly callIds: string[]
}

export const usualCharacters = 8000
/** Of one result no more is kept, and of a turn's results together. */
export const mostKept = 2_000_000
const mostKeptTogether = 20_000_000

/** What a small window can take of one result. */
export interface ResultRoom {
  mostTokens: number
  estimateTokens(text: string): number
}

export function createResults(room: ResultRoom | null = null): Results {
  const kept = new Map<string, { text: string; of: number }>()
  let keptCharacters = 0

  /** A piece that the window can take beside all else; no pair of surrogates is cut in two. */
  function piece(text: string, from: number, most: number, part = 1): string {
    const taken = slice(text, from, most)
    return room === null ? taken : slice(taken, 0, fittingCharacters(taken, room.mostTokens * part, room.estimateTokens))
  }

  function keep(callId: string, text: string): void {
    const whole = text.slice(0, mostKept)
    kept.set(callId, { text: whole, of: whole.length })
    keptCharacters += whole.length
    for (const [oldest, { of }] of kept) {
      if (keptCharacters <= mostKeptTogether || oldest === callId) break
      kept.delete(oldest)
      keptCharacters -= of
    }
  }

  return {
    keep,
    cut(callId, text, maxCharacters, part) {
      const beginning = piece(text, 0, maxCharacters, part)
      if (beginning.length === text.length) return { text, note: null, cutFrom: null }
      keep(callId, text)
      const to = beginning.length
      const note = `Cut: characters 0 to ${to} of ${text.length}. To read on, call read_result with {"call": "${callId}", "from": ${to}}.`
      return { text: beginning, note, cutFrom: text.length }
    },
    read(callId, from) {
      const result = kept.get(callId)
      if (result === undefined) return null
      const text = piece(result.text, from, usualCharacters)
      return { text, to: from + text.length, of: result.of }
    },
    get hasCut() {
      return kept.size > 0
    },
    get callIds() {
      return [...kept.keys()]
    },
  }
}

function slice(text: string, from: number, length: number): string {
  const end = from + length
  const isPair = /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) && end < text.length
  return text.slice(from, isPair ? end - 1 : end)
}
