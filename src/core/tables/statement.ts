import { SikuError } from '../../contract/errors.ts'

/**
 * The one SELECT in a text, without what stands after it. The first of two walls: SQLite's authorizer is the other. Strings,
 * quoted names and comments are stepped over, so that what stands in them neither hides nor feigns a second statement.
 */
export function oneSelect(sql: string): string {
  if (sql.includes('\0')) throw refused('it holds a zero character')
  let first = ''
  let ended = false
  let end = sql.length
  for (let at = 0; at < sql.length;) {
    const next = tokenAt(sql, at)
    if (next.kind === 'blank') {
      at = next.end
      continue
    }
    if (ended) throw refused('it holds more than one statement')
    if (next.kind === 'unfinished') throw refused('a quote or a comment in it is not closed')
    const token = sql.slice(at, next.end)
    if (token === ';') {
      ended = true
      end = at
    } else if (first === '') first = token.toLowerCase()
    at = next.end
  }
  if (first !== 'select' && first !== 'with') throw refused('only SELECT is allowed')
  return sql.slice(0, end).trim()
}

function refused(why: string): SikuError {
  return new SikuError('refused', `this query is not run: ${why}`, { hint: 'Write one SELECT over the tables that are listed.' })
}

type Token = { kind: 'blank' | 'token' | 'unfinished'; end: number }
const closings: Record<string, string> = { "'": "'", '"': '"', '`': '`', '[': ']' }

function tokenAt(sql: string, at: number): Token {
  const first = sql.charAt(at)
  if (/\s/.test(first)) return { kind: 'blank', end: at + 1 }
  if (sql.startsWith('--', at)) {
    const line = sql.indexOf('\n', at)
    return { kind: 'blank', end: line === -1 ? sql.length : line + 1 }
  }
  if (sql.startsWith('/*', at)) {
    const close = sql.indexOf('*/', at + 2)
    return close === -1 ? { kind: 'unfinished', end: sql.length } : { kind: 'blank', end: close + 2 }
  }
  const closing = closings[first]
  if (closing !== undefined) {
    for (let end = at + 1; end < sql.length; end += 1) {
      if (sql.charAt(end) !== closing) continue
      // A doubled quote stands for itself.
      if (closing !== ']' && sql.charAt(end + 1) === closing) end += 1
      else return { kind: 'token', end: end + 1 }
    }
    return { kind: 'unfinished', end: sql.length }
  }
  const word = /^[\p{L}\p{N}_$]+/u.exec(sql.slice(at, at + 200))
  return { kind: 'token', end: at + (word?.[0].length ?? 1) }
}
