import type { ToolCall } from '../../../contract/message.ts'

export type Json = ToolCall['arguments']

export type Parsed = { kind: 'ok'; value: Json; end: number } | { kind: 'broken'; problem: string }

/**
 * `strict` is JSON. `loose` takes what has one reading only: other quotes, bare keys, Python's words, comments, commas too
 * many, brackets missing at the end. `repair` also takes quotes inside a string that nobody escaped.
 */
type Mode = 'strict' | 'loose' | 'repair'

const deepest = 100
const words: Record<string, Json> = { true: true, false: false, null: null, True: true, False: false, None: null }
const wide: Record<string, string> = { '｛': '{', '｝': '}', '［': '[', '］': ']', '：': ':', '，': ',' }
const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '"': '"', '\\': '\\', '/': '/' }
/** What stands behind the comma after a string, where that comma is really one. */
const nextKey = /[,，]\s*(?:["'“][^"'“”\n]{0,100}["'”]\s*[:：]|[A-Za-z_]\w{0,60}\s*[:：]|[}｝]|$)/y
const nextItem = /[,，]\s*(?:["'“{[｛［\-\d\]］]|true|false|null|True|False|None|$)/y
const quotedKey = /["'“]\w[^"'“”\n]{0,100}["'”]\s*[:：]/y
const number = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y
const word = /[A-Za-z_$][\w$]*/y

class Broken extends Error {
  /** No gentler mode can mend it. */
  readonly final: boolean
  constructor(message: string, final = false) {
    super(message)
    this.final = final
  }
}

/** The value that begins at `start`, read as strictly as it can be. Nothing is guessed: two readings are `broken`. */
export function parseLoose(text: string, start = 0): Parsed {
  let problem = ''
  for (const mode of ['strict', 'loose', 'repair'] as const) {
    try {
      return { kind: 'ok', ...parse(text, start, mode) }
    } catch (error) {
      if (!(error instanceof Broken)) throw error
      problem = error.message
      if (error.final) break
    }
  }
  return { kind: 'broken', problem }
}

/** A value as Python and JavaScript write it, of which more follows: strings end at their first quote. */
export function parseLiteral(text: string, start: number): Parsed {
  try {
    return { kind: 'ok', ...parse(text, start, 'loose') }
  } catch (error) {
    if (!(error instanceof Broken)) throw error
    return { kind: 'broken', problem: error.message }
  }
}

function parse(text: string, start: number, mode: Mode): { value: Json; end: number } {
  const strict = mode === 'strict'
  let at = start
  let last: 'string' | 'number' | 'word' | 'close' | 'none' = 'none'

  const mark = (): string => {
    const char = text.charAt(at)
    return strict ? char : (wide[char] ?? char)
  }

  function matches(pattern: RegExp, from = at): RegExpExecArray | null {
    pattern.lastIndex = from
    return pattern.exec(text)
  }

  function skip(): void {
    for (;;) {
      while (isSpace(text.charCodeAt(at))) at += 1
      if (strict) return
      const two = text.slice(at, at + 2)
      if (two === '//' || two.startsWith('#')) at = endOf('\n')
      else if (two === '/*') at = endOf('*/')
      else return
    }
  }

  function endOf(end: string): number {
    const found = text.indexOf(end, at + 1)
    return found === -1 ? text.length : found + end.length
  }

  function value(depth: number, inside: 'object' | 'array' | 'nothing'): Json {
    if (depth > deepest) throw new Broken('It is nested too deep.', true)
    skip()
    const char = mark()
    if (char === '{') return object(depth)
    if (char === '[') return array(depth)
    if (char === '"' || (!strict && "'“”‘".includes(char) && char !== '')) return string(inside === 'array' ? 'item' : 'value')
    const digits = matches(number)
    if (digits !== null) return numeral(digits)
    const name = matches(word)?.[0]
    if (name !== undefined && Object.hasOwn(words, name) && (!strict || name.charAt(0) === name.charAt(0).toLowerCase())) {
      at += name.length
      last = 'word'
      return words[name] as Json
    }
    if (at >= text.length) throw new Broken('It ends where a value should be: it was cut off.')
    throw new Broken(`${quoted(text.slice(at, at + 20))} is no JSON value: put text in double quotes.`)
  }

  function numeral([digits, fraction, exponent]: RegExpExecArray): Json {
    at += digits.length
    last = 'number'
    if (fraction === undefined && exponent === undefined && !Number.isSafeInteger(Number(digits))) return digits
    if (!Number.isFinite(Number(digits))) throw new Broken(`The number ${digits.slice(0, 30)} is too large.`, true)
    return Number(digits)
  }

  function object(depth: number): Json {
    at += 1
    const made: Record<string, Json> = {}
    const kinds = new Set<boolean>()
    for (let first = true; ; first = false) {
      skip()
      if (closes('}', !first)) return made
      kinds.add(/\w/.test(mark()))
      // A bare key among others in quotes may as well be a part of a text. The call around the arguments has no texts.
      if (kinds.size > 1 && depth > 0) throw new Broken('Some keys have quotes and some have none: put each in double quotes.')
      const name = keyName()
      skip()
      if (mark() !== ':') throw new Broken(`After the key ${quoted(name)} a colon is missing.`)
      at += 1
      const member = value(depth + 1, 'object')
      if (Object.hasOwn(made, name) && JSON.stringify(made[name]) !== JSON.stringify(member)) {
        throw new Broken(`The key ${quoted(name)} stands there twice with different values: write it once.`, true)
      }
      // Also `__proto__` is a plain key.
      Object.defineProperty(made, name, { value: member, enumerable: true, configurable: true, writable: true })
      if (separated('}', quotedKey)) return made
    }
  }

  function array(depth: number): Json {
    at += 1
    const made: Json[] = []
    for (let first = true; ; first = false) {
      skip()
      if (closes(']', !first)) return made
      made.push(value(depth + 1, 'array'))
      if (separated(']', null)) return made
    }
  }

  /** Where a member may begin. */
  function closes(bracket: string, afterComma: boolean): boolean {
    if (mark() !== bracket) return false
    if (afterComma && strict) throw new Broken('There is a comma too many.')
    at += 1
    last = 'close'
    return true
  }

  /** After a member: true when the object or array is over. */
  function separated(bracket: string, next: RegExp | null): boolean {
    skip()
    const char = mark()
    if (char === bracket) {
      at += 1
      last = 'close'
      return true
    }
    if (char === ',') {
      at += 1
      return false
    }
    if (!strict && at >= text.length && last !== 'number') return true
    if (at >= text.length) throw new Broken('It was cut off: closing brackets are missing and a value may be, too.')
    const apart = last !== 'string' && isSpace(text.charCodeAt(at - 1))
    if (!strict && next !== null && apart && matches(next) !== null) return false
    throw new Broken(
      `Before ${quoted(text.slice(at, at + 20))} a comma or "${bracket}" is missing, or quotes inside a text are not escaped.`,
    )
  }

  function keyName(): string {
    const char = mark()
    if (char === '"' || (!strict && "'“”‘".includes(char) && char !== '')) return string('key')
    const bare = strict ? undefined : matches(word)?.[0]
    if (bare === undefined) {
      if (at >= text.length) throw new Broken('It was cut off where a key should be.')
      throw new Broken(`${quoted(text.slice(at, at + 20))} is no key: put it in double quotes.`)
    }
    at += bare.length
    return bare
  }

  function string(place: 'key' | 'value' | 'item'): string {
    const open = text.charAt(at)
    const ends = open === '"' ? '"' : open === "'" ? "'" : open === '‘' ? '’' : '“”'
    at += 1
    let made = ''
    let inner = 0
    let letters = 0
    let odd = 0
    for (let from = at; ;) {
      const char = text.charAt(at)
      if (char === '') throw new Broken('It was cut off inside a text.')
      if (char === '\\') {
        made += text.slice(from, at)
        const escape = text.charAt(at + 1)
        const code = escape === 'u' ? /^[0-9a-fA-F]{4}$/.test(text.slice(at + 2, at + 6)) : false
        if (escape === '') throw new Broken('It was cut off inside a text.')
        if (code) made += String.fromCharCode(parseInt(text.slice(at + 2, at + 6), 16))
        else if (escapes[escape] !== undefined) made += escapes[escape]
        else if (strict) throw new Broken(`"\\${escape}" is no escape: a backslash is written twice.`)
        else if (escape === "'") made += "'"
        else made += `\\${escape}`
        if (code || 'ntrbf'.includes(escape)) letters += 1
        else if (escapes[escape] === undefined && /[A-Za-z0-9]/.test(escape)) odd += 1
        at += code ? 6 : 2
        from = at
      } else if (ends.includes(char)) {
        if (mode !== 'repair' || endsHere(place)) {
          made += text.slice(from, at)
          at += 1
          break
        }
        inner += isApostrophe() ? 0 : 1
        at += 1
      } else {
        if (strict && char < ' ') throw new Broken('A line break inside a text is written \\n.')
        at += 1
      }
    }
    if (inner % 2 === 1) throw new Broken('Quotes inside a text are not escaped: write \\".')
    if (odd > 0 && letters > 0) throw new Broken('Backslashes inside a text are not escaped: write each one twice.', true)
    last = 'string'
    return made
  }

  const isApostrophe = (): boolean =>
    text.charAt(at) === "'" && /[\p{L}]/u.test(text.charAt(at - 1)) && /[\p{L}]/u.test(text.charAt(at + 1))

  /** At a quote inside a string: whether it ends there. Where that cannot be known, nothing is. */
  function endsHere(place: 'key' | 'value' | 'item'): boolean {
    const quote = at
    at += 1
    skip()
    const next = mark()
    const after = at
    at = quote
    if (place === 'key' ? next === ':' : next === (place === 'item' ? ']' : '}')) return true
    if (next === '') return true
    if (place === 'value' && matches(nextKey, after) !== null) return true
    if (place === 'item' && matches(nextItem, after) !== null) return true
    // A comma, a colon and a bracket may end a string, a plus may join two.
    if (',:}]+'.includes(next)) throw new Broken('Quotes inside a text are not escaped: write \\".')
    return false
  }

  return { value: value(0, 'nothing'), end: at }
}

export function isSpace(code: number): boolean {
  return (
    code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0x3000 || code === 0xfeff || code === 0x2028 || code === 0x2029
  )
}

function quoted(text: string): string {
  return JSON.stringify(text)
}
