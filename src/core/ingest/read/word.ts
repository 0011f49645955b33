import type { OpenFile } from './file.ts'
import { formatOf } from './format.ts'
import { lockedMessage, officeEnd, troubleOf } from './office-end.ts'
import { paragraphSections, type TextParagraph } from './paragraphs.ts'
import { createPictures, withPictures, type PlacedPicture } from './pictures.ts'
import { failed, shortHeading, type ReadEnd, type RecognisedLine, type Sections } from './reading.ts'
import { openZip, type Zip } from './zip.ts'

interface WordText {
  paragraphs: TextParagraph[]
  title: string | null
  tracked: boolean
  damaged: boolean
  /** Pictures that text recognition has not looked at. */
  waiting?: readonly number[]
  picturesUnread?: number
}

type Recognised = ReadonlyMap<number, RecognisedLine[]> | undefined

/** docx, odt and rtf; what is none of them gets its reason. */
export async function* readWord(file: OpenFile, recognised: Recognised): Sections {
  const format = formatOf(file)
  let text: WordText | null
  try {
    if (format === 'rtf') text = (await import('./rtf.ts')).readRtfText(file.bytes())
    else if (format === 'docx' || format === 'odt') text = await packed(file, format, recognised)
    else return refusal(format)
  } catch (error) {
    return troubleOf(error)
  }
  if (text === null) return failed('damaged', 'The document is not in the file.')
  yield* paragraphSections(text.paragraphs)
  const heading = text.paragraphs.find((paragraph) => paragraph.level === 1)?.text
  const title = text.title ?? heading
  const { damaged, tracked, waiting, picturesUnread } = text
  return {
    ...officeEnd({ hasText: text.paragraphs.length > 0, damaged, tracked, pictures: waiting, picturesUnread }),
    title: title === undefined ? null : shortHeading(title),
    pages: null,
  }
}

interface PackedText {
  paragraphs: TextParagraph[]
  pictures: PlacedPicture[]
  title: string | null
  tracked: boolean
}

async function packed(file: OpenFile, format: 'docx' | 'odt', recognised: Recognised): Promise<WordText | null> {
  const zip = await openZip(file.bytes())
  try {
    const text: PackedText | null = format === 'docx' ? await (await import('./docx.ts')).readDocxText(zip) : await openDocumentText(zip)
    if (text === null) return null
    const pictures = createPictures(zip, recognised)
    const paragraphs = await withPictures(text.paragraphs, text.pictures, pictures)
    return { paragraphs, title: text.title, tracked: text.tracked, damaged: zip.damaged, waiting: pictures.waiting }
  } finally {
    zip.close()
  }
}

async function openDocumentText(zip: Zip): Promise<PackedText | null> {
  const { readOdfText } = await import('./odf.ts')
  const { coreTitle } = await import('./docx.ts')
  const text = await readOdfText(zip)
  return text === null ? null : { ...text, title: coreTitle(await zip.bytes('meta.xml')) }
}

function refusal(format: string | null): ReadEnd {
  if (format === 'office') return failed('encrypted', lockedMessage)
  if (format !== 'doc') return failed('damaged', 'This is no document that can be read.')
  const reason = { code: 'unsupported-kind' as const, message: 'Old Word and WPS documents (.doc, .wps) are not read; save it as .docx.' }
  return { status: 'skipped', reason, title: null, pages: null }
}
