export type JsonEvent = { line: number; depth: number; key: string | null; path: readonly string[] } &
  /** `isCut`: a text for people that is longer than is told. */
  (
    | { kind: 'value'; text: string; first: boolean; isCut: boolean }
    | { kind: 'begin'; first: boolean }
    /** No JSON: a stretch of the file as it stands. */
    | { kind: 'broken'; text: string }
  )

const deepest = 200
/** Longer strings are told in part: nobody reads a megabyte of base64. */
const longestString = 100_000
/** Bytes written as letters, a picture mostly. */
const packed = /^(?:data:[\w/+.;=-]+,)?[\w+/=\s-]{100}[\w+/=-]{900}/

/**
 * The values of a JSON text in order, with names, depth and line; several texts may follow each other (JSON lines). Comments
 * and trailing commas are passed over. What is no JSON comes as it stands, so that nothing is lost. `findings.open`: it ended within
 * a list, an object or a string.
 */
export function* jsonEvents(parts: Iterable<string>, findings: { open: boolean } = { open: false }): Generator<JsonEvent> {
  const stack: { array: boolean; index: number; key: string | null; fresh: boolean }[] = []
  const path: string[] = []
  let line = 1
  let pendingKey: string | null = null
  let token = ''
  let tokenLine = 1
  let mode: 'plain' | 'string' | 'line-comment' | 'block-comment' = 'plain'
  let escaped = false
  let before = ''
  let quote = '"'
  let waiting: { text: string; line: number } | null = null

  function place(): { line: number; depth: number; key: string | null; path: readonly string[]; first: boolean } {
    const top = stack.at(-1)
    const first = top?.fresh ?? true
    if (top !== undefined) {
      if (top.array && pendingKey === null) path[stack.length - 1] = `${top.index++}`
      else path[stack.length - 1] = pendingKey ?? ''
      top.fresh = false
    }
    path.length = stack.length
    const key = pendingKey
    pendingKey = null
    return { line, depth: stack.length, key, path: [...path], first }
  }

  function* value(text: string, at: number): Generator<JsonEvent> {
    const isCut = text.length > longestString && !packed.test(text)
    yield { ...place(), kind: 'value', text: text.slice(0, longestString), line: at, isCut }
  }

  function* endToken(): Generator<JsonEvent> {
    const text = token.trim()
    token = ''
    if (text !== '') yield* value(text, tokenLine)
  }

  function* endWaiting(): Generator<JsonEvent> {
    if (waiting !== null) {
      const { text, line: at } = waiting
      waiting = null
      yield* value(text, at)
    }
  }

  for (const part of parts) {
    for (let at = 0; at < part.length; at += 1) {
      const character = part[at]!
      if (mode === 'string') {
        if (escaped) {
          token += `\\${character}`
          escaped = false
        } else if (character === '\\') escaped = true
        else if (character === quote) {
          mode = 'plain'
          waiting = { text: unescape(token), line: tokenLine }
          token = ''
        } else if (token.length < 2 * longestString) token += character
        if (character === '\n') line += 1
        continue
      }
      if (character === '\n') {
        line += 1
        if (mode === 'line-comment') mode = 'plain'
        // A bare word ends with its line: what is no JSON comes line by line.
        if (mode === 'plain' && stack.length === 0) {
          yield* endWaiting()
          yield* endToken()
        }
        before = ''
        continue
      }
      if (mode === 'line-comment') continue
      if (mode === 'block-comment') {
        if (before === '*' && character === '/') mode = 'plain'
        before = character
        continue
      }
      if (character === '"' || (character === "'" && token.trim() === '' && stack.length > 0)) {
        if (token.trim() !== '') yield* endToken()
        yield* endWaiting()
        mode = 'string'
        quote = character
        token = ''
        tokenLine = line
      } else if (before === '/' && (character === '/' || character === '*')) {
        mode = character === '/' ? 'line-comment' : 'block-comment'
        token = token.slice(0, -1)
      } else if (character === ':' && stack.length > 0 && stack.at(-1)?.array === false && pendingKey === null) {
        pendingKey = waiting?.text ?? token.trim()
        waiting = null
        token = ''
      } else if (character === ',' && stack.length > 0) {
        yield* endWaiting()
        yield* endToken()
      } else if ((character === '{' || character === '[') && token.trim() === '') {
        yield* endWaiting()
        if (stack.length < deepest) {
          yield { ...place(), kind: 'begin' }
          stack.push({ array: character === '[', index: 0, key: null, fresh: true })
        }
      } else if ((character === '}' || character === ']') && stack.length > 0) {
        yield* endWaiting()
        yield* endToken()
        pendingKey = null
        stack.pop()
      } else {
        if (token === '') tokenLine = line
        if (token.length < longestString) token += character
      }
      before = character
    }
  }
  findings.open = stack.length > 0 || mode === 'string'
  yield* endWaiting()
  yield* endToken()
}

function unescape(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g, (_all, code: string | undefined, sign: string | undefined) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
    const known: Record<string, string> = { n: '\n', t: '\t', r: '', b: '', f: '' }
    return known[sign ?? ''] ?? sign ?? ''
  })
}
