import type { Reason } from '../../../contract/library.ts'
import type { Decoded } from './decode.ts'
import type { ReadEnd } from './reading.ts'

/** The encoding a page declares for itself within its first bytes. */
export function declaredEncoding(first: Uint8Array): string | null {
  const head = Buffer.from(first).toString('latin1')
  const found = /<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/i.exec(head) ?? /^\s*<\?xml[^>]+encoding\s*=\s*["']([\w-]+)/i.exec(head)
  const label = found?.[1]?.toLowerCase() ?? null
  return label === 'gb2312' || label === 'gbk' ? 'gb18030' : label
}

export const guessedReason: Reason = {
  code: 'encoding-guessed',
  message: 'The encoding of this text is a guess; some characters may be wrong.',
}
const mixed: Reason = { code: 'mixed-encodings', message: 'Its parts are in different encodings; each was read in its own.' }

/** What a person should know of how the bytes became text. */
export function encodingReason(decoded: Decoded): Reason | null {
  return decoded.guessed ? guessedReason : decoded.mixed ? mixed : null
}

/** How a reading went, with that: a guess may be wrong, a mixture is only a remark. */
export function encodingEnd(end: ReadEnd, decoded: Decoded): ReadEnd {
  if (end.status !== 'ready' || end.reason !== null) return end
  const reason = encodingReason(decoded)
  return { ...end, status: reason?.code === 'encoding-guessed' ? 'partial' : 'ready', reason }
}
