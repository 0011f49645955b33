import { chartParagraphs } from './chart.ts'
import { pictureSize } from './picture-size.ts'
import type { TextParagraph } from './paragraphs.ts'
import type { RecognisedLine } from './reading.ts'
import { composeRecognised } from './recognised-lines.ts'
import { ZipProblem, type Zip } from './zip.ts'

/** A picture or a chart of a document, and where it stands. */
export interface PlacedPicture {
  /** Its part in the package. */
  part: string
  /** Paragraphs, or slides, before it. */
  after: number
}

const mostPictures = 500

/** The pictures of a packed document that text recognition can look at. Its n-th picture is the n-th of these, counted from 1. */
export function pictureParts(zip: Pick<Zip, 'names'>): string[] {
  return zip.names
    .filter((name) => /^(?:(?:word|ppt)\/media\/|Pictures\/)[^/]+\.(?:png|jpe?g|gif|bmp|tiff?|webp)$/i.test(name))
    .slice(0, mostPictures)
}

/** What there is to say of the pictures of a document once it was read. */
export interface PicturesRead {
  /** Numbers of those that text recognition has not looked at. */
  waiting: number[]
  /** The text of a picture or a chart, a paragraph each; empty while it waits, and where it shows none. */
  paragraphs(part: string): Promise<TextParagraph[]>
}

const label = 'Picture: '

/** The pictures of an open package. Each is read once, however often it stands in the document. */
export function createPictures(zip: Zip, recognised: ReadonlyMap<number, RecognisedLine[]> | undefined): PicturesRead {
  const numbers = new Map(pictureParts(zip).map((part, index) => [part, index + 1]))
  const seen = new Set<string>()
  const waiting: number[] = []
  return {
    waiting,
    async paragraphs(part) {
      const number = numbers.get(part)
      const isChart = /\/charts\/[^/]+\.xml$/i.test(part)
      if ((number === undefined && !isChart) || seen.has(part)) return []
      seen.add(part)
      if (number === undefined) return chartParagraphs((await zip.bytes(part)) ?? '')
      const lines = recognised?.get(number)
      if (lines === undefined) waiting.push(number)
      if (lines === undefined || lines.length === 0) return []
      const { text, blocks } = composeRecognised(lines, { number, ...(await sizeOf(zip, part)) })
      const said = blocks.map(({ kind, start, end }) => ({ kind: kind === 'heading' ? 'paragraph' : kind, text: text.slice(start, end) }))
      const [first, ...others] = said.filter((block) => block.text.trim() !== '')
      if (first === undefined) return []
      return [{ ...first, text: label + first.text }, ...others].map((block) => ({ ...block, level: 0 }))
    },
  }
}

/** Boxes are fractions: without its size, a picture is taken for a page. */
async function sizeOf(zip: Zip, part: string): Promise<{ width: number; height: number }> {
  try {
    const bytes = await zip.bytes(part)
    const size = bytes === null ? null : await pictureSize(bytes)
    if (size !== null) return { width: size.width, height: size.height }
  } catch (error) {
    if (!(error instanceof ZipProblem)) throw error
  }
  return { width: 1000, height: 1400 }
}

/** Each picture's text behind the paragraph that shows it. */
export async function withPictures(
  paragraphs: readonly TextParagraph[],
  placed: readonly PlacedPicture[],
  pictures: PicturesRead,
): Promise<TextParagraph[]> {
  const all: TextParagraph[] = []
  const sorted = placed.toSorted((one, other) => one.after - other.after)
  let at = 0
  for (const { part, after } of sorted) {
    const text = await pictures.paragraphs(part)
    all.push(...paragraphs.slice(at, after), ...text)
    at = after
  }
  return [...all, ...paragraphs.slice(at)]
}
