import type { OpenFile } from './file.ts'
import { formatOf } from './format.ts'
import { lockedMessage, officeEnd, troubleOf } from './office-end.ts'
import { createPictures, type PicturesRead } from './pictures.ts'
import { presentationSlides } from './pptx.ts'
import { failed, shortHeading, type Block, type ReadSection, type RecognisedLine, type Sections } from './reading.ts'
import { readXml } from './xml.ts'
import { openZip, type Zip } from './zip.ts'

export interface Slide {
  title: string
  blocks: { kind: Block['kind']; text: string }[]
  notes: string
  /** Not shown with the others. */
  hidden: boolean
  /** Parts of the package. */
  pictures: string[]
  comments: string[]
}

const notesLabel = 'Notes: '
const hiddenLabel = 'Hidden slide'

/** pptx and odp: a section for each slide, in the order in which they are shown. */
export async function* readSlides(file: OpenFile, recognised?: ReadonlyMap<number, RecognisedLine[]>): Sections {
  const format = formatOf(file)
  if (format === 'office') return failed('encrypted', lockedMessage)
  if (format === 'ppt') {
    const reason = { code: 'unsupported-kind' as const, message: 'Old presentations (.ppt) are not read; save it as .pptx.' }
    return { status: 'skipped', reason, title: null, pages: null }
  }
  if (format !== 'pptx' && format !== 'odp') return failed('damaged', 'This is no presentation that can be read.')
  let number = 0
  let hasText = false
  let damaged = false
  let waiting: readonly number[] = []
  let title: string | null = null
  try {
    const zip = await openZip(file.bytes())
    const pictures = createPictures(zip, recognised)
    waiting = pictures.waiting
    try {
      for await (const slide of format === 'pptx' ? presentationSlides(zip) : openDocumentSlides(zip)) {
        number += 1
        title ??= slide.title === '' ? null : shortHeading(slide.title)
        const section = slideSection(slide, number, await pictureBlocks(slide, pictures))
        if (section === null) continue
        hasText = true
        yield section
      }
      damaged = zip.damaged
    } finally {
      zip.close()
    }
  } catch (error) {
    const trouble = troubleOf(error)
    return number === 0 ? trouble : { ...trouble, status: 'partial', title, pages: number }
  }
  if (number === 0) return failed('damaged', 'There are no slides in the file.')
  return { ...officeEnd({ hasText, damaged, pictures: waiting }), title, pages: number }
}

async function pictureBlocks({ pictures: parts }: Slide, pictures: PicturesRead): Promise<Slide['blocks']> {
  const blocks: Slide['blocks'] = []
  for (const part of parts) blocks.push(...(await pictures.paragraphs(part)).map(({ kind, text }) => ({ kind, text })))
  return blocks
}

function slideSection(slide: Slide, number: number, pictures: Slide['blocks']): ReadSection | null {
  let text = ''
  const blocks: Block[] = []
  const parts: { kind: Block['kind']; text: string }[] = [
    ...(slide.title === '' ? [] : [{ kind: 'heading' as const, text: slide.title }]),
    ...slide.blocks,
    ...pictures,
    ...(slide.notes === '' ? [] : [{ kind: 'paragraph' as const, text: notesLabel + slide.notes }]),
    ...slide.comments.map((text) => ({ kind: 'paragraph' as const, text })),
  ]
  if (slide.hidden && parts.length > 0) parts.unshift({ kind: 'paragraph', text: hiddenLabel })
  for (const part of parts) {
    const close = blocks.at(-1)?.kind === part.kind && part.kind !== 'paragraph'
    if (text !== '') text += close ? '\n' : '\n\n'
    blocks.push({ kind: part.kind, start: text.length, end: text.length + part.text.length })
    text += part.text
  }
  if (text === '') return null
  const place = { kind: 'slide' as const, slide: number }
  return { text, place, heading: slide.title === '' ? [] : [shortHeading(slide.title)], blocks, positions: place }
}

/** Pages of an OpenDocument presentation. */
async function* openDocumentSlides(zip: Zip): AsyncGenerator<Slide> {
  const { createOdfReader, formulasOf, odfContent } = await import('./odf.ts')
  const content = await odfContent(zip)
  if (content === null) return
  const formulas = await formulasOf(zip)
  const raised = await (await import('./odf-styles.ts')).raisedSpans(zip, content)
  type Reader = ReturnType<typeof createOdfReader>
  const slides: { body: Reader; title: Reader; notes: Reader; hidden: boolean }[] = []
  /** Styles of pages that are not shown. */
  const unseen = new Set<string>()
  let style = ''
  let into: Reader | null = null as Reader | null
  const stack: (Reader | null)[] = []
  readXml(content, {
    open(name, attributes) {
      stack.push(into)
      if (name === 'style:style') style = attributes['style:name'] ?? ''
      else if (name === 'style:drawing-page-properties' && attributes['presentation:visibility'] === 'hidden') unseen.add(style)
      if (name === 'draw:page') {
        const hidden = unseen.has(attributes['draw:style-name'] ?? '')
        const slide = {
          body: createOdfReader(formulas, raised),
          title: createOdfReader(formulas, raised),
          notes: createOdfReader(formulas, raised),
          hidden,
        }
        slides.push(slide)
        into = slide.body
      } else if (name === 'presentation:notes') into = slides.at(-1)?.notes ?? null
      else if (name === 'draw:frame' && attributes['presentation:class'] === 'title') into = slides.at(-1)?.title ?? null
      into?.handler.open(name, attributes)
    },
    close(name) {
      into?.handler.close(name)
      into = stack.pop() ?? null
    },
    text: (data) => into?.handler.text(data),
  })
  for (const { body, title, notes, hidden } of slides) {
    const said = (reader: Reader): string =>
      reader
        .end()
        .paragraphs.map(({ text }) => text)
        .join(' ')
    const { paragraphs, pictures } = body.end()
    yield {
      title: said(title),
      blocks: paragraphs.map(({ kind, text }) => ({ kind: kind === 'heading' ? 'paragraph' : kind, text })),
      notes: said(notes),
      hidden,
      pictures: pictures.map(({ part }) => part),
      comments: [],
    }
  }
}
