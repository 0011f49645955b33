import { timeText } from '../../../contract/place.ts'
import type { OpenFile } from './file.ts'
import { failed, sectionCharacters, type HeardSegment, type ReadEnd, type Sections } from './reading.ts'
import { soundFormat } from './sound-format.ts'

const notTranscribed: ReadEnd = {
  status: 'skipped',
  reason: { code: 'not-transcribed', message: 'This is sound: nothing is set up that may turn the sound in folders into text.' },
  title: null,
  pages: null,
}

const silent: ReadEnd = {
  status: 'skipped',
  reason: { code: 'no-text', message: 'Nothing was heard in this recording.' },
  title: null,
  pages: null,
}

/** A recording: each stretch of what was heard in it is a section with its time. Until it was transcribed it has no text. */
export async function* readSound(file: OpenFile, heard: readonly HeardSegment[] | undefined): Sections {
  if (soundFormat(file) === null) return failed('damaged', 'The recording is damaged, or in a form that is not known.')
  if (heard === undefined) return notTranscribed
  let any = false
  for (const { fromMs, toMs, text } of heard) {
    const from = Math.floor(fromMs / 1000)
    const time = { kind: 'time' as const, from, to: Math.max(from, Math.floor(toMs / 1000)) }
    for (const part of partsOf(`[${timeText(from)}] ${text}`)) {
      yield {
        text: part,
        place: time,
        heading: [],
        blocks: [{ kind: 'paragraph', start: 0, end: part.length }],
        positions: time,
        ...(any ? { joint: '\n\n' as const } : {}),
      }
      any = true
    }
  }
  return any ? { status: 'ready', reason: null, title: null, pages: null } : silent
}

/** A server that tells no times gives all that was said as one stretch. */
function* partsOf(text: string): Generator<string> {
  let rest = text
  while (rest.length > 2 * sectionCharacters) {
    const stop = Math.max(rest.lastIndexOf('. ', sectionCharacters), rest.lastIndexOf('。', sectionCharacters))
    const at = stop > 0 ? stop + 1 : sectionCharacters
    yield rest.slice(0, at).trimEnd()
    rest = rest.slice(at).trimStart()
  }
  if (rest.trim() !== '') yield rest
}
