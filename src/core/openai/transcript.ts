import { z } from 'zod'

export interface Segment {
  fromMs: number
  toMs: number
  text: string
}

export interface Transcript {
  text: string
  /** In order. One for the whole when the server tells no times. */
  segments: Segment[]
}

const seconds = z.number().catch(0)
const transcriptSchema = z.object({
  text: z.string(),
  duration: z.coerce.number().optional().catch(undefined),
  segments: z
    .array(z.object({ start: seconds, end: seconds, text: z.string() }))
    .optional()
    .catch(undefined),
})

/**
 * What a server answered. One that does not know `response_format` may say the words alone, as plain text: a page, JSON that is
 * cut off and bytes are no such words. Throws for what is no transcript.
 */
export function readTranscript(answer: unknown): Transcript {
  if (typeof answer !== 'string') return asTranscript(transcriptSchema.parse(answer))
  const value = jsonOf(answer)
  if (typeof value === 'object') return asTranscript(transcriptSchema.parse(value))
  const isWords = !/^\s*[<{[]|[\p{Cc}\uFFFD]/u.test(answer.replace(/[\r\n\t\uFEFF]/g, ''))
  return asTranscript(transcriptSchema.parse(isWords ? { text: typeof value === 'string' ? value : answer } : null))
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function asTranscript({ text, duration = 0, segments = [] }: z.infer<typeof transcriptSchema>): Transcript {
  const told = segments
    .map(({ start, end, text: said }) => ({ fromMs: ms(start), toMs: Math.max(ms(start), ms(end)), text: said.trim() }))
    .filter((segment) => segment.text !== '')
    .sort((one, other) => one.fromMs - other.fromMs)
  const whole = text.replace(/^\uFEFF/, '').trim()
  if (told.length > 0 || whole === '') return { text: whole, segments: told }
  return { text: whole, segments: [{ fromMs: 0, toMs: ms(duration), text: whole }] }
}

function ms(value: number): number {
  return Math.max(0, Math.round(value * 1000))
}
