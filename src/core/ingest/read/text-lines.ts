import { decode } from './decode.ts'
import { encodingEnd } from './encoding.ts'
import type { OpenFile } from './file.ts'
import { cutLines, linesOf, type Line } from './lines.ts'
import { savedMessage } from './office-end.ts'
import type { Sections } from './reading.ts'

/** A file of text by a reader of lines; of what went wrong on the way the worst is the reason. */
export async function* readLinesWith(file: OpenFile, reader: (lines: Iterable<Line>) => Sections): Sections {
  const decoded = decode(() => file.chunks())
  let cut: number | null = null
  let hasBlock = false
  const lines = linesOf(decoded.parts, () => (hasBlock = true))
  const end = yield* reader(cutLines(lines, (number) => (cut = number)))
  if (cut === null && hasBlock) return { ...end, status: 'partial', reason: { code: 'damaged', message: savedMessage } }
  if (cut === null) return encodingEnd(end, decoded)
  return { ...end, status: 'partial', reason: { code: 'too-large', message: `Line ${cut} is too long: only its beginning was read.` } }
}
