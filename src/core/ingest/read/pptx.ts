import { commentLine } from './docx-asides.ts'
import { createOfficeFormula, type FormulaReader } from './formula.ts'
import { createRaisedLine } from './raised.ts'
import { relationsOf } from './relations.ts'
import type { Slide } from './slides.ts'
import { tableLines, type TableRow } from './table-rows.ts'
import { readXml } from './xml.ts'
import type { Zip } from './zip.ts'

function local(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** PresentationML (ECMA-376 part 1, 19): the list of slides gives their order, not the names of their parts. */
export async function* presentationSlides(zip: Zip): AsyncGenerator<Slide> {
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
      yield { title: '', blocks: [], notes: '', hidden: false, pictures: [], comments: [] }
      continue
    }
    const { pictures, ...slide } = readSlide(bytes)
    const around = await relationsOf(zip, part)
    const find = (type: string): string | undefined => [...around.values()].find((relation) => relation.type.endsWith(type))?.target
    const bytesOf = (name: string | undefined): Promise<Buffer | null> => (name === undefined ? Promise.resolve(null) : zip.bytes(name))
    const notes = await bytesOf(find('/notesSlide'))
    // What a diagram says stands in a part of its own.
    for (const { target } of [...around.values()].filter(({ type }) => type.endsWith('/diagramData'))) {
      const diagram = await zip.bytes(target)
      if (diagram !== null) slide.blocks.push(...readSlide(diagram).blocks)
    }
    yield {
      ...slide,
      notes: notes === null ? '' : notesOf(notes),
      pictures: pictures.flatMap((id) => around.get(id)?.target ?? []),
      comments: commentsOf(await bytesOf(find('/comments'))),
    }
  }
}

/** Comments of the older kind and of the newer one, whose authors stand in a part of their own. */
function commentsOf(source: Buffer | null): string[] {
  const comments: string[] = []
  if (source === null) return comments
  let text = ''
  let inText = false
  const end = (): void => {
    if (text.trim() !== '') comments.push(commentLine('', text.replace(/\s+/g, ' ').trim()))
    text = ''
  }
  readXml(source, {
    open(name) {
      const tag = local(name)
      if (tag === 'cm' || tag === 'reply') end()
      else if (tag === 'p') text += ' '
      inText = tag === 't' || name === 'p:text'
    },
    close(name) {
      inText = false
      if (local(name) === 'cm' || local(name) === 'reply') end()
    },
    text(data) {
      if (inText) text += data
    },
  })
  end()
  return comments
}

function slideNumber(name: string): number {
  return Number(/(\d+)\.xml$/.exec(name)?.[1] ?? 0)
}

interface Shape {
  placeholder: string
  /** Lines of a table, which has no paragraphs. */
  rows?: string[]
  paragraphs: { text: string; level: number; bullet: boolean }[]
}

/** Numbers, dates and the running foot of a slide are not what it says. */
const furniture = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg'])

function readSlide(source: Buffer): Omit<Slide, 'notes' | 'comments'> {
  const { shapes, hidden, pictures } = readShapes(source)
  const titles = shapes.filter(({ placeholder }) => placeholder === 'title' || placeholder === 'ctrTitle')
  const title = titles.map(shapeText).find((text) => text !== '') ?? ''
  const blocks: Slide['blocks'] = []
  for (const shape of shapes) {
    if (furniture.has(shape.placeholder) || (titles.includes(shape) && shapeText(shape) === title)) continue
    for (const text of shape.rows ?? []) blocks.push({ kind: 'row', text })
    for (const { text, level, bullet } of shape.paragraphs) {
      if (text === '') continue
      const isItem = bullet || level > 0 || (shape.placeholder === 'body' && shape.paragraphs.length > 1)
      blocks.push(isItem ? { kind: 'item', text: `${'  '.repeat(Math.min(level, 8))}- ${text}` } : { kind: 'paragraph', text })
    }
  }
  return { title: title.replace(/\s+/g, ' '), blocks, hidden, pictures }
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

interface ShapesRead {
  /** Tables among them, as they were drawn. */
  shapes: Shape[]
  hidden: boolean
  /** Relations that lead to them. */
  pictures: string[]
}

/** Smaller on the slide, in English Metric Units, a picture is an ornament. */
const leastExtent = { width: 914_400, height: 274_320 }

function readShapes(source: Buffer): ShapesRead {
  const shapes: Shape[] = []
  const pictures: string[] = []
  let picture: { id: string; isOrnament: boolean } | null = null
  let hidden = false
  let formula: FormulaReader | null = null
  let shape: Shape | null = null
  let rows: TableRow[] | null = null
  let isHeaded = false
  let cell: { text: string; merged: 'left' | 'above' | null } | null = null
  let cells: string[] = []
  let merged = new Set<number>()
  let hanging = new Set<number>()
  const line = createRaisedLine()
  /** The open run is. */
  let raised = false
  let level = 0
  let bullet = false
  let inText = false
  let skipped = 0

  function endParagraph(): void {
    const body = line
      .take()
      .replace(/[ \t]+/g, ' ')
      .trim()
    if (cell !== null) cell.text += cell.text === '' ? body : ` ${body}`
    else if (body !== '') {
      // Diagrams have text outside of shapes.
      if (shape === null) shapes.push({ placeholder: '', paragraphs: [{ text: body, level, bullet }] })
      else shape.paragraphs.push({ text: body, level, bullet })
    }
  }

  function endFormula(ended: FormulaReader): void {
    const said = ended.end()
    formula = null
    line.add(/[A-Za-z\d]$/.test(line.last()) && /^[A-Za-z\d√]/.test(said) ? ` ${said}` : said, false)
  }

  function endTable(): void {
    const [first] = rows ?? []
    if (first !== undefined && isHeaded) first.header = true
    if (rows !== null) shapes.push({ placeholder: '', paragraphs: [], rows: tableLines(rows) })
    rows = null
  }

  readXml(source, {
    open(name, attributes) {
      const tag = local(name)
      if (skipped > 0 || (tag === 'Fallback' && name.startsWith('mc:'))) {
        skipped += 1
        return
      }
      if (name === 'm:oMath' && formula === null) formula = createOfficeFormula()
      if (formula !== null) {
        formula.open(name, attributes)
        inText = name === 'm:t'
        return
      }
      if (tag === 'sld') hidden = attributes['show'] === '0' || attributes['show'] === 'false'
      else if (tag === 'pic' && name.startsWith('p:')) picture = { id: '', isOrnament: false }
      else if (name === 'c:chart') pictures.push(attributes['r:id'] ?? '')
      else if (tag === 'blip' && picture !== null) picture.id = attributes['r:embed'] ?? ''
      else if (tag === 'ext' && picture !== null && attributes['cx'] !== undefined)
        picture.isOrnament = Number(attributes['cx']) < leastExtent.width || Number(attributes['cy']) < leastExtent.height
      if (tag === 'sp' && name.startsWith('p:')) {
        shape = { placeholder: '', paragraphs: [] }
        shapes.push(shape)
      } else if (tag === 'ph' && shape !== null) shape.placeholder = attributes['type'] ?? 'body'
      else if (tag === 'tbl') {
        rows = []
        isHeaded = false
      } else if (tag === 'tblPr') isHeaded = isTrue(attributes['firstRow'])
      else if (tag === 'tr') {
        cells = []
        merged = new Set()
        hanging = new Set()
      } else if (tag === 'tc')
        cell = { text: '', merged: isTrue(attributes['hMerge']) ? 'left' : isTrue(attributes['vMerge']) ? 'above' : null }
      else if (tag === 'p' && name.startsWith('a:')) {
        level = 0
        bullet = false
      } else if (tag === 'pPr') level = Number(attributes['lvl'] ?? 0) || 0
      else if (tag === 'buChar' || tag === 'buAutoNum') bullet = true
      else if (tag === 'buNone') bullet = false
      else if (tag === 'br') line.add('\n', false)
      else if (tag === 'r' || tag === 'fld') raised = false
      else if (tag === 'rPr') raised = Number(attributes['baseline']) > 0 || /^\d*[1-9]\d*%$/.test(attributes['baseline'] ?? '')
      inText = tag === 't' && name.startsWith('a:')
    },
    close(name) {
      if (skipped > 0) {
        skipped -= 1
        return
      }
      const tag = local(name)
      inText = false
      if (formula !== null) {
        if (formula.close()) endFormula(formula)
        return
      }
      if (tag === 'pic' && picture !== null) {
        if (picture.id !== '' && !picture.isOrnament) pictures.push(picture.id)
        picture = null
      }
      if (tag === 'sp' && name.startsWith('p:')) shape = null
      else if (tag === 'p' && name.startsWith('a:')) endParagraph()
      else if (tag === 'tc' && cell !== null) {
        const above = rows?.at(-1)?.cells[cells.length] ?? ''
        if (cell.merged === 'left' && cell.text === '') merged.add(cells.length)
        if (cell.merged === 'above' && cell.text === '') hanging.add(cells.length)
        cells.push(cell.merged === null || cell.text !== '' ? cell.text : cell.merged === 'left' ? (cells.at(-1) ?? '') : above)
        cell = null
      } else if (tag === 'tr') rows?.push({ cells, merged, hanging, header: false })
      else if (tag === 'tbl') endTable()
    },
    text(data) {
      if (!inText || skipped > 0) return
      if (formula === null) line.add(data, raised)
      else formula.text(data)
    },
  })
  return { shapes, hidden, pictures }
}

function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true'
}
