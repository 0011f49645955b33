import type { OpenFile } from './file.ts'
import { formatOf } from './format.ts'
import { failed, shortHeading, type Block, type ReadEnd, type ReadSection, type Sections } from './reading.ts'
import { tableLines, type TableRow } from './table-rows.ts'
import { troubleOf } from './word.ts'
import { readXml } from './xml.ts'
import { openZip, type Zip } from './zip.ts'

interface Slide {
  title: string
  blocks: { kind: Block['kind']; text: string }[]
  notes: string
}

const notesLabel = 'Notes: '

/** pptx and odp: a section for each slide, in the order in which they are shown. */
export async function* readSlides(file: OpenFile): Sections {
  const format = formatOf(file)
  if (format === 'office') return failed('encrypted', 'The document is protected by a password.')
  if (format === 'ppt') {
    const reason = { code: 'unsupported-kind' as const, message: 'Old presentations (.ppt) are not read; save it as .pptx.' }
    return { status: 'skipped', reason, title: null, pages: null }
  }
  if (format !== 'pptx' && format !== 'odp') return failed('damaged', 'This is no presentation that can be read.')
  let number = 0
  let title: string | null = null
  try {
    const zip = await openZip(file.bytes())
    try {
      for await (const slide of format === 'pptx' ? presentationSlides(zip) : openDocumentSlides(zip)) {
        number += 1
        title ??= slide.title === '' ? null : shortHeading(slide.title)
        const section = slideSection(slide, number)
        if (section !== null) yield section
      }
    } finally {
      zip.close()
    }
  } catch (error) {
    const trouble = troubleOf(error)
    return number === 0 ? trouble : { ...trouble, status: 'partial', title, pages: number }
  }
  if (number === 0) return failed('damaged', 'There are no slides in the file.')
  return { status: 'ready', reason: null, title, pages: number } satisfies ReadEnd
}

function slideSection(slide: Slide, number: number): ReadSection | null {
  let text = ''
  const blocks: Block[] = []
  const parts: { kind: Block['kind']; text: string }[] = [
    ...(slide.title === '' ? [] : [{ kind: 'heading' as const, text: slide.title }]),
    ...slide.blocks,
    ...(slide.notes === '' ? [] : [{ kind: 'paragraph' as const, text: notesLabel + slide.notes }]),
  ]
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

function local(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

interface Relation {
  type: string
  target: string
}

async function relationsOf(zip: Zip, part: string): Promise<Map<string, Relation>> {
  const folder = part.slice(0, part.lastIndexOf('/') + 1)
  const relations = new Map<string, Relation>()
  const source = await zip.bytes(`${folder}_rels/${part.slice(folder.length)}.rels`)
  if (source !== null)
    readXml(source, {
      open(name, attributes) {
        if (local(name) !== 'Relationship' || attributes['TargetMode'] === 'External') return
        const target = new URL(attributes['Target'] ?? '', `file:///${folder}`).pathname.slice(1)
        relations.set(attributes['Id'] ?? '', { type: attributes['Type'] ?? '', target: decodeURIComponent(target) })
      },
    })
  return relations
}

/** PresentationML (ECMA-376 part 1, 19): the list of slides gives their order, not the names of their parts. */
async function* presentationSlides(zip: Zip): AsyncGenerator<Slide> {
  const main = 'ppt/presentation.xml'
  const source = await zip.bytes(main)
  const relations = await relationsOf(zip, main)
  const listed: string[] = []
  if (source !== null)
    readXml(source, {
      open(name, attributes) {
        if (local(name) !== 'sldId') return
        const id = Object.entries(attributes).find(([key]) => key.includes(':') && local(key) === 'id')?.[1] ?? ''
        const target = relations.get(id)?.target
        if (target !== undefined) listed.push(target)
      },
    })
  const found = zip.names.filter((name) => /^ppt\/slides\/slide\d+\.xml$/.test(name))
  const parts = listed.length > 0 ? listed : found.toSorted((one, other) => slideNumber(one) - slideNumber(other))
  for (const part of parts) {
    const bytes = await zip.bytes(part)
    // A slide that is missing keeps its number.
    if (bytes === null) {
      yield { title: '', blocks: [], notes: '' }
      continue
    }
    const slide = readSlide(bytes)
    const notes = [...(await relationsOf(zip, part)).values()].find((relation) => relation.type.endsWith('/notesSlide'))
    const notesBytes = notes === undefined ? null : await zip.bytes(notes.target)
    yield { ...slide, notes: notesBytes === null ? '' : notesOf(notesBytes) }
  }
}

function slideNumber(name: string): number {
  return Number(/(\d+)\.xml$/.exec(name)?.[1] ?? 0)
}

interface Shape {
  placeholder: string
  paragraphs: { text: string; level: number; bullet: boolean }[]
}

/** Numbers, dates and the running foot of a slide are not what it says. */
const furniture = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg'])

function readSlide(source: Buffer): Omit<Slide, 'notes'> {
  const { shapes, tables } = readShapes(source)
  const titles = shapes.filter(({ placeholder }) => placeholder === 'title' || placeholder === 'ctrTitle')
  const title = titles.map(shapeText).find((text) => text !== '') ?? ''
  const blocks: Slide['blocks'] = []
  for (const shape of shapes) {
    if (furniture.has(shape.placeholder) || (titles.includes(shape) && shapeText(shape) === title)) continue
    for (const { text, level, bullet } of shape.paragraphs) {
      if (text === '') continue
      const isItem = bullet || level > 0 || (shape.placeholder === 'body' && shape.paragraphs.length > 1)
      blocks.push(isItem ? { kind: 'item', text: `${'  '.repeat(Math.min(level, 8))}- ${text}` } : { kind: 'paragraph', text })
    }
  }
  for (const rows of tables) for (const text of tableLines(rows)) blocks.push({ kind: 'row', text })
  return { title: title.replace(/\s+/g, ' '), blocks }
}

function shapeText(shape: Shape): string {
  return shape.paragraphs
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join(' ')
}

function notesOf(source: Buffer): string {
  const { shapes } = readShapes(source)
  return shapes
    .filter(({ placeholder }) => !furniture.has(placeholder))
    .map(shapeText)
    .filter((text) => text !== '')
    .join(' ')
}

function readShapes(source: Buffer): { shapes: Shape[]; tables: TableRow[][] } {
  const shapes: Shape[] = []
  const tables: TableRow[][] = []
  let shape: Shape | null = null
  let rows: TableRow[] | null = null
  let cell: { text: string; merged: 'left' | 'above' | null } | null = null
  let cells: string[] = []
  let text = ''
  let level = 0
  let bullet = false
  let inText = false
  let skipped = 0

  function endParagraph(): void {
    const body = text.replace(/[ \t]+/g, ' ').trim()
    text = ''
    if (cell !== null) cell.text += cell.text === '' ? body : ` ${body}`
    else if (body !== '') {
      // Diagrams have text outside of shapes.
      if (shape === null) shapes.push({ placeholder: '', paragraphs: [{ text: body, level, bullet }] })
      else shape.paragraphs.push({ text: body, level, bullet })
    }
  }

  readXml(source, {
    open(name, attributes) {
      const tag = local(name)
      if (skipped > 0 || (tag === 'Fallback' && name.startsWith('mc:'))) {
        skipped += 1
        return
      }
      if (tag === 'sp' && name.startsWith('p:')) {
        shape = { placeholder: '', paragraphs: [] }
        shapes.push(shape)
      } else if (tag === 'ph' && shape !== null) shape.placeholder = attributes['type'] ?? 'body'
      else if (tag === 'tbl') rows = []
      else if (tag === 'tr') cells = []
      else if (tag === 'tc') {
        const merged = attributes['hMerge'] === '1' ? 'left' : attributes['vMerge'] === '1' ? 'above' : null
        cell = { text: '', merged }
      } else if (tag === 'p' && name.startsWith('a:')) {
        level = 0
        bullet = false
      } else if (tag === 'pPr') level = Number(attributes['lvl'] ?? 0) || 0
      else if (tag === 'buChar' || tag === 'buAutoNum') bullet = true
      else if (tag === 'buNone') bullet = false
      else if (tag === 'br') text += '\n'
      inText = tag === 't' && name.startsWith('a:')
    },
    close(name) {
      if (skipped > 0) {
        skipped -= 1
        return
      }
      const tag = local(name)
      inText = false
      if (tag === 'sp' && name.startsWith('p:')) shape = null
      else if (tag === 'p' && name.startsWith('a:')) endParagraph()
      else if (tag === 'tc' && cell !== null) {
        const above = rows?.at(-1)?.cells[cells.length] ?? ''
        cells.push(cell.merged === null || cell.text !== '' ? cell.text : cell.merged === 'left' ? (cells.at(-1) ?? '') : above)
        cell = null
      } else if (tag === 'tr') rows?.push({ cells, header: false })
      else if (tag === 'tbl' && rows !== null) {
        tables.push(rows)
        rows = null
      }
    },
    text(data) {
      if (inText && skipped === 0) text += data
    },
  })
  return { shapes, tables }
}

/** Pages of an OpenDocument presentation. */
async function* openDocumentSlides(zip: Zip): AsyncGenerator<Slide> {
  const content = await zip.bytes('content.xml')
  if (content === null) return
  const { createOdfReader } = await import('./odf.ts')
  type Reader = ReturnType<typeof createOdfReader>
  const slides: { body: Reader; title: Reader; notes: Reader }[] = []
  let into: Reader | null = null as Reader | null
  const stack: (Reader | null)[] = []
  readXml(content, {
    open(name, attributes) {
      stack.push(into)
      if (name === 'draw:page') {
        const slide = { body: createOdfReader(), title: createOdfReader(), notes: createOdfReader() }
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
  for (const { body, title, notes } of slides) {
    const said = (reader: Reader): string =>
      reader
        .end()
        .paragraphs.map(({ text }) => text)
        .join(' ')
    yield {
      title: said(title),
      blocks: body.end().paragraphs.map(({ kind, text }) => ({ kind: kind === 'heading' ? 'paragraph' : kind, text })),
      notes: said(notes),
    }
  }
}
