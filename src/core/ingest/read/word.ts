import type { OpenFile } from './file.ts'
import { formatOf } from './format.ts'
import { paragraphSections, type TextParagraph } from './paragraphs.ts'
import { failed, shortHeading, type ReadEnd, type Sections } from './reading.ts'
import { XmlProblem } from './xml.ts'
import { openZip, ZipProblem, type Zip } from './zip.ts'

interface WordText {
  paragraphs: TextParagraph[]
  title: string | null
  tracked: boolean
}

export const trackedMessage = 'It has tracked changes; it was read as if all were accepted.'

/** docx, odt and rtf; what is none of them gets its reason. */
export async function* readWord(file: OpenFile): Sections {
  const format = formatOf(file)
  let text: WordText | null
  try {
    if (format === 'rtf') text = (await import('./rtf.ts')).readRtfText(file.bytes())
    else if (format === 'docx' || format === 'odt') text = await packed(file, format)
    else return refusal(format)
  } catch (error) {
    return troubleOf(error)
  }
  if (text === null) return failed('damaged', 'The document is not in the file.')
  yield* paragraphSections(text.paragraphs)
  const heading = text.paragraphs.find((paragraph) => paragraph.level === 1)?.text
  const title = text.title ?? heading
  return {
    status: 'ready',
    reason: text.tracked ? { code: 'tracked-changes', message: trackedMessage } : null,
    title: title === undefined ? null : shortHeading(title),
    pages: null,
  }
}

async function packed(file: OpenFile, format: 'docx' | 'odt'): Promise<WordText | null> {
  const zip = await openZip(file.bytes())
  try {
    if (format === 'docx') return await (await import('./docx.ts')).readDocxText(zip)
    return await openDocumentText(zip)
  } finally {
    zip.close()
  }
}

async function openDocumentText(zip: Zip): Promise<WordText | null> {
  const content = await zip.bytes('content.xml')
  if (content === null) return null
  const { readOdfText } = await import('./odf.ts')
  const { coreTitle } = await import('./docx.ts')
  return { ...readOdfText(content), title: coreTitle(await zip.bytes('meta.xml')) }
}

function refusal(format: string | null): ReadEnd {
  if (format === 'office') return failed('encrypted', 'The document is protected by a password.')
  if (format !== 'doc') return failed('damaged', 'This is no document that can be read.')
  const reason = { code: 'unsupported-kind' as const, message: 'Old Word documents (.doc) are not read; save it as .docx.' }
  return { status: 'skipped', reason, title: null, pages: null }
}

/** What a packed document did wrong, as its reason; anything else is thrown on. */
export function troubleOf(error: unknown): ReadEnd {
  if (error instanceof ZipProblem) {
    const messages = {
      damaged: 'The file is damaged.',
      'too-large': 'Unpacked, the file is larger than what is read.',
      encrypted: 'The document is protected by a password.',
    }
    return failed(error.kind, messages[error.kind])
  }
  if (error instanceof XmlProblem) return failed('damaged', error.message)
  throw error
}
