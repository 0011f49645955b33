import type { OpenFile } from './file.ts'
import { createPageReader, type Paragraph } from './html-paragraphs.ts'
import { paragraphSections, type TextParagraph } from './paragraphs.ts'
import { failed, shortHeading, type Sections } from './reading.ts'
import { decode } from './decode.ts'

/** The encoding a page declares for itself within its first bytes. */
export function declaredEncoding(first: Uint8Array): string | null {
  const head = Buffer.from(first).toString('latin1')
  const found = /<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/i.exec(head) ?? /^\s*<\?xml[^>]+encoding\s*=\s*["']([\w-]+)/i.exec(head)
  const label = found?.[1]?.toLowerCase() ?? null
  return label === 'gb2312' || label === 'gbk' ? 'gb18030' : label
}

/** The part that calls itself the content is taken when it is most of what there is to read. */
function mostlyContent(paragraphs: readonly Paragraph[]): readonly Paragraph[] {
  const content = paragraphs.filter((paragraph) => paragraph.main)
  const size = (list: readonly Paragraph[]): number => list.reduce((sum, paragraph) => sum + paragraph.text.length, 0)
  return size(content) * 2 > size(paragraphs) ? content : paragraphs
}

const notPage = /\.(?:xml|rss|atom|plist)$/i

export async function* readHtml(file: OpenFile): Sections {
  const head = file.first(4096).toString('latin1')
  if (/^mime-version:/im.test(head) && /content-type:\s*multipart\/related/i.test(head)) return yield* readSavedPage(file)
  if (notPage.test(file.name) && !/<html[\s>]/i.test(head)) return yield* readXmlText(file)
  const { Parser } = await import('htmlparser2')
  const decoded = decode(() => file.chunks(), declaredEncoding(file.first(2048)))
  const page = createPageReader()
  // In XHTML `<script/>` is closed; in HTML it swallows what follows.
  const isXml = /^\uFEFF?\s*<(?:\?xml|!doctype[^>]+xhtml)/i.test(file.first(512).toString('latin1'))
  const parser = new Parser(page.handler, { recognizeSelfClosing: isXml })
  for (const part of decoded.parts) parser.write(part.replaceAll('\0', '\uFFFD'))
  parser.end()
  const { title: named, paragraphs } = page.end()
  const title = shortHeading(named) || shortHeading(paragraphs.find((paragraph) => paragraph.level === 1)?.text ?? '') || null
  yield* paragraphSections(mostlyContent(paragraphs))
  return decoded.guessed
    ? { status: 'partial', reason: { code: 'encoding-guessed', message: guessedMessage }, title, pages: null }
    : { status: 'ready', reason: null, title, pages: null }
}

export const guessedMessage = 'The encoding of this text is a guess; some characters may be wrong.'

async function* readSavedPage(file: OpenFile): Sections {
  const { pageParagraphs, savedPage } = await import('./mail.ts')
  const page = await savedPage(file)
  if (page === null) return failed('damaged', 'There is no page in this file.')
  const paragraphs = pageParagraphs(page)
  const title = /<title[^>]*>([^<]*)/i.exec(page)?.[1] ?? paragraphs.find((paragraph) => paragraph.level === 1)?.text
  yield* paragraphSections(paragraphs)
  return { status: 'ready', reason: null, title: title === undefined ? null : shortHeading(title), pages: null }
}

/** XML that is no page: the text of each element that has some, in order; markup inside a text is taken off. */
async function* readXmlText(file: OpenFile): Sections {
  const { readXml, XmlProblem } = await import('./xml.ts')
  const paragraphs: TextParagraph[] = []
  let text = ''
  function end(): void {
    const body = text
      .replace(/<[^<>]{1,1000}>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
    text = ''
    if (body !== '') paragraphs.push({ text: body, kind: 'paragraph', level: 0 })
  }
  let trouble: string | null = null
  try {
    readXml(file.bytes(), { open: end, close: end, text: (data) => (text += data) })
  } catch (error) {
    if (!(error instanceof XmlProblem)) throw error
    trouble = error.message
  }
  end()
  yield* paragraphSections(paragraphs)
  if (trouble !== null) return { status: 'partial', reason: { code: 'damaged', message: trouble }, title: null, pages: null }
  return { status: 'ready', reason: null, title: null, pages: null }
}
