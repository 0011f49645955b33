import { declaredEncoding, encodingEnd } from './encoding.ts'
import type { OpenFile } from './file.ts'
import { createPageReader, type Paragraph } from './html-paragraphs.ts'
import { paragraphSections } from './paragraphs.ts'
import { failed, shortHeading, type Sections } from './reading.ts'
import { decode } from './decode.ts'
import { expandedOrNull } from './xml-entities.ts'
import { readXmlText } from './xml-text.ts'

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
  const declares = isXml && /<!doctype[^>[]*\[/i.test(head)
  const expanded = declares ? expandedOrNull([...decoded.parts].join('')) : null
  if (declares && expanded === null) return failed('damaged', 'The entities of this page grow too large.')
  for (const part of expanded === null ? decoded.parts : [expanded]) parser.write(part.replaceAll('\0', '\uFFFD'))
  parser.end()
  const { title: named, paragraphs } = page.end()
  const title = shortHeading(named) || shortHeading(paragraphs.find((paragraph) => paragraph.level === 1)?.text ?? '') || null
  yield* paragraphSections(mostlyContent(paragraphs))
  return encodingEnd({ status: 'ready', reason: null, title, pages: null }, decoded)
}

async function* readSavedPage(file: OpenFile): Sections {
  const { pageParagraphs, savedPage } = await import('./mail.ts')
  const page = await savedPage(file)
  if (page === null) return failed('damaged', 'There is no page in this file.')
  const paragraphs = pageParagraphs(page)
  const title = /<title[^>]*>([^<]*)/i.exec(page)?.[1] ?? paragraphs.find((paragraph) => paragraph.level === 1)?.text
  yield* paragraphSections(paragraphs)
  return { status: 'ready', reason: null, title: title === undefined ? null : shortHeading(title), pages: null }
}
