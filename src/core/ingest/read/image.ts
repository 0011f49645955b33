import { formatOf } from './format.ts'
import type { OpenFile } from './file.ts'
import { pageRanges } from './pdf-text.ts'
import { composeRecognised } from './recognised-lines.ts'
import { isCut } from './picture-cut.ts'
import { pictureSize } from './picture-size.ts'
import { failed, shortHeading, type ReadEnd, type RecognisedLine, type Sections } from './reading.ts'

const mostBytes = 200 << 20
type Recognised = ReadonlyMap<number, RecognisedLine[]> | undefined

/** A picture: each frame of a TIFF is a page, anything else is one. Its text is what text recognition read; until then it waits. */
export async function* readImage(file: OpenFile, recognised: Recognised): Sections {
  if (file.sizeBytes > mostBytes) return failed('too-large', 'The picture is too large to be read.')
  const unread = unreadable(file)
  if (unread !== null) return unread
  const looked = await pictureSize(file.bytes())
  if (looked === null) return failed('damaged', 'The picture is damaged and cannot be opened.')
  const { frames, ...frame } = looked
  const waiting: number[] = []
  let any = false
  let title: string | null = null
  for (let number = 1; number <= frames; number += 1) {
    const lines = recognised?.get(number)
    if (lines === undefined) {
      waiting.push(number)
      continue
    }
    const page = composeRecognised(lines, { number, ...frame })
    if (page.text.trim() === '') continue
    any = true
    const [heading] = page.headings
    if (title === null && heading !== undefined) title = shortHeading(heading.text)
    yield {
      text: page.text,
      place: { kind: 'page', page: number },
      heading: [],
      headings: page.headings.map(({ offset, text }) => ({ offset, path: [shortHeading(text)] })),
      blocks: page.blocks,
      positions: { kind: 'page', page: number, lines: page.lines },
    }
  }
  return { ...endOf({ frames, waiting, any, cut: isCut(file.bytes()) }), title, pages: frames }
}

interface Found {
  frames: number
  waiting: number[]
  /** Whether any text was read. */
  any: boolean
  cut: boolean
}

function endOf({ frames, waiting, any, cut }: Found): Pick<ReadEnd, 'status' | 'reason' | 'pagesToRecognise'> {
  if (waiting.length > 0) {
    const message = 'The text in this picture has not been recognised.'
    const reason = { code: 'scanned' as const, message, ...(waiting.length === frames ? {} : { pages: pageRanges(waiting) }) }
    return { status: any ? 'partial' : 'failed', reason, pagesToRecognise: waiting }
  }
  if (cut) {
    const message = any
      ? 'The picture is cut short: what is left of it was read.'
      : 'The picture is cut short, and no text was found in what is left.'
    return { status: any ? 'partial' : 'failed', reason: { code: 'damaged', message } }
  }
  if (any) return { status: 'ready', reason: null }
  return { status: 'skipped', reason: { code: 'no-text', message: 'There is no text in this picture.' } }
}

/** HEIC is packed by a method that is not free; AVIF, whose files look alike, is read. */
function unreadable(file: OpenFile): ReadEnd | null {
  if (formatOf(file) !== 'heic' || /^ftypavi[fs]/.test(file.at(4, 8).toString('latin1'))) return null
  const message = 'HEIC pictures are not read yet: save it as JPEG or PNG.'
  return { status: 'skipped', reason: { code: 'unsupported-kind', message }, title: null, pages: null }
}
