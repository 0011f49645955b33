import { readAsides, runningLine, type NoteKind } from './docx-asides.ts'
import { readNumbering, readStyles, type DocxStyle, type Numbering } from './docx-parts.ts'
import { createRuns, raisedStyles } from './docx-runs.ts'
import { createTables } from './docx-table.ts'
import { createOfficeFormula, type FormulaReader } from './formula.ts'
import type { TextParagraph } from './paragraphs.ts'
import type { PlacedPicture } from './pictures.ts'
import { createRaisedLine, markAfter, noteMark, type RaisedLine } from './raised.ts'
import { relationsOf, type Relation } from './relations.ts'
import { readXml } from './xml.ts'
import type { Zip } from './zip.ts'

export interface DocxText {
  paragraphs: TextParagraph[]
  pictures: PlacedPicture[]
  title: string | null
  /** There are insertions or deletions that nobody accepted or refused yet. */
  tracked: boolean
}

/** WordprocessingML (ECMA-376 part 1, 17). Null when there is no document in the package. */
export async function readDocxText(zip: Zip): Promise<DocxText | null> {
  const main = await mainPart(zip)
  const document = main === null ? null : await zip.bytes(main)
  if (main === null || document === null) return null
  const folder = main.slice(0, main.lastIndexOf('/') + 1)
  const part = (name: string): Promise<Buffer | null> => zip.bytes(folder + name)
  const styleSource = await part('styles.xml')
  const styles = readStyles(styleSource)
  const raised = raisedStyles(styleSource)
  const numbering = readNumbering(await part('numbering.xml'))
  const relations = await relationsOf(zip, main)
  const notes = new Map<string, string>()
  for (const kind of ['footnote', 'endnote', 'comment'] as const)
    for (const [id, text] of readAsides(kind, await part(`${kind}s.xml`), raised)) notes.set(id, text)
  const body = createBodyReader({ styles, raised, numbering, notes, relations })
  for (const line of await runningLines(zip, relations)) body.put(line)
  readXml(document, body.handler)
  return { ...body.end(), title: coreTitle(await zip.bytes('docProps/core.xml')) }
}

/** What runs over and under the pages, each line once. */
async function runningLines(zip: Zip, relations: ReadonlyMap<string, Relation>): Promise<Set<string>> {
  const lines = new Set<string>()
  for (const kind of ['header', 'footer'] as const) {
    for (const { type, target } of relations.values()) {
      const source = type.endsWith(`/${kind}`) ? await zip.bytes(target) : null
      if (source === null) continue
      const reader = createBodyReader({
        styles: new Map(),
        raised: new Set(),
        numbering: readNumbering(null),
        notes: new Map(),
        relations: new Map(),
      })
      readXml(source, reader.handler)
      for (const { text } of reader.end().paragraphs) {
        const line = runningLine(kind, text)
        if (line !== null) lines.add(line)
      }
    }
  }
  return lines
}

/** Strict and transitional packages name it alike, some writers do not. */
async function mainPart(zip: Zip): Promise<string | null> {
  if (zip.has('word/document.xml')) return 'word/document.xml'
  const relations = await zip.bytes('_rels/.rels')
  let target: string | null = null
  if (relations !== null)
    readXml(relations, {
      open(_name, attributes) {
        if ((attributes['Type'] ?? '').endsWith('/officeDocument')) target = (attributes['Target'] ?? '').replace(/^\//, '')
      },
    })
  return target ?? zip.names.find((name) => /^word\/document\d*\.xml$/.test(name)) ?? null
}

export function coreTitle(source: Buffer | null): string | null {
  let title = ''
  let inTitle = false
  if (source !== null)
    readXml(source, {
      open: (name) => (inTitle = name === 'dc:title'),
      close: () => (inTitle = false),
      text: (data) => (title += inTitle ? data : ''),
    })
  return title.trim() === '' ? null : title.trim()
}

/** One paragraph that is being read. Text boxes stand in a paragraph and have paragraphs of their own. */
interface OpenParagraph {
  line: RaisedLine
  style: string
  level: number | null
  numbering: { id: string; level: number } | null
  centred: boolean
  notes: string[]
  pictures: string[]
  /** Of runs that show something. */
  bold: boolean
  plain: boolean
  /** Its end was deleted: the next paragraph goes on with it. */
  isJoined: boolean
}

interface Around {
  styles: ReadonlyMap<string, DocxStyle>
  /** Styles of characters that raise them. */
  raised: ReadonlySet<string>
  numbering: Numbering
  notes: ReadonlyMap<string, string>
  relations: ReadonlyMap<string, Relation>
}

/** No paragraph goes on over their ends. */
const joinEnds = new Set(['w:tc', 'w:txbxContent', 'w:body'])

/** Smaller on the page, in English Metric Units, a picture is an ornament. */
const leastExtent = { width: 457_200, height: 182_880 }

function createBodyReader({ styles, raised, numbering, notes, relations }: Around) {
  const paragraphs: TextParagraph[] = []
  const pictures: PlacedPicture[] = []
  const open: OpenParagraph[] = []
  const tables = createTables(put)
  let formula: FormulaReader | null = null
  let isOrnament = false
  /** Whether the choice of an alternative gave text; its fallback says the same again. */
  const alternatives: { length: number }[] = []
  let tracked = false
  /** In what is said of the end of a paragraph. */
  let inMark = false
  let removed = 0
  let skipped = 0
  let inText = false
  const runs = createRuns(raised)
  /** Waits for the paragraph that goes on with it, beside which it stands. */
  let joined: { paragraph: OpenParagraph; depth: number } | null = null
  let noteCount = 0
  let written = 0
  const shownComments = new Set<string>()

  function add(text: string, isRaised = runs.now.raised): void {
    const paragraph = open.at(-1)
    if (paragraph === undefined || removed > 0 || skipped > 0 || runs.now.hidden) return
    paragraph.line.add(text, isRaised)
    written += text.length
    if (text.trim() !== '') paragraph[runs.now.bold ? 'bold' : 'plain'] = true
  }

  function put(paragraph: TextParagraph): void {
    if (!tables.add(paragraph.text)) paragraphs.push(paragraph)
  }

  function beginParagraph(): void {
    const before = joined?.depth === open.length ? joined.paragraph : null
    if (before !== null) joined = null
    const { line = createRaisedLine(), notes = [], pictures = [], bold = false, plain = false } = before ?? {}
    const own = { style: '', level: null, numbering: null, centred: false, isJoined: false }
    open.push({ ...own, line, notes, pictures, bold, plain })
  }

  function endParagraph(): void {
    const paragraph = open.pop()
    if (paragraph === undefined) return
    if (paragraph.isJoined) joined = { paragraph, depth: open.length }
    else write(paragraph)
  }

  /** No paragraph goes on with it. */
  function endJoined(): void {
    const paragraph = joined?.paragraph
    joined = null
    if (paragraph !== undefined) write(paragraph)
  }

  function write(paragraph: OpenParagraph): void {
    const style = styles.get(paragraph.style)
    const text = paragraph.line
      .take()
      .replace(/[ \t]*\n[ \t]*/g, '\n')
      .trim()
    const list = paragraph.numbering ?? style?.numbering ?? null
    // A number is counted even where its paragraph is empty.
    const mark = list === null || list.id === '0' ? '' : numbering.mark(list.id, list.level)
    if (text !== '' && style?.contents !== true) {
      const level = paragraph.level ?? style?.level ?? 0
      const marked = mark === '' ? text : `${mark} ${text}`
      tables.look({ bold: paragraph.bold && !paragraph.plain, centred: paragraph.centred })
      put({ text: marked, kind: level > 0 ? 'heading' : mark === '' ? 'paragraph' : 'item', level })
    }
    for (const note of paragraph.notes) put({ text: note, kind: 'paragraph', level: 0 })
    for (const part of paragraph.pictures) pictures.push({ part, after: paragraphs.length })
  }

  function picture(id: string): void {
    const part = relations.get(id)?.target
    if (part !== undefined && removed === 0 && !isOrnament) open.at(-1)?.pictures.push(part)
  }

  function note(kind: NoteKind, id: string): void {
    const text = notes.get(`${kind} ${id}`)
    if (text === undefined || removed > 0 || skipped > 0) return
    if (kind === 'comment') {
      open.at(-1)?.notes.push(text)
      shownComments.add(`comment ${id}`)
      return
    }
    noteCount += 1
    const mark = noteMark(noteCount)
    add(markAfter(open.at(-1)?.line.last() ?? '', mark), false)
    open.at(-1)?.notes.push(`${mark} ${text}`)
  }

  function onParagraph(name: string, attributes: Record<string, string>): void {
    const paragraph = open.at(-1)
    if (paragraph === undefined) return
    const value = attributes['w:val'] ?? ''
    if (name === 'w:pStyle') paragraph.style = value
    else if (name === 'w:outlineLvl') paragraph.level = Number(value) > 8 ? 0 : Number(value) + 1
    else if (name === 'w:numId') paragraph.numbering = { id: value, level: paragraph.numbering?.level ?? 0 }
    else if (name === 'w:ilvl') paragraph.numbering = { id: paragraph.numbering?.id ?? '', level: Number(value) }
    else if (name === 'w:tab') add(runs.isIn ? '\t' : '')
    else if (name === 'w:br' || name === 'w:cr') add('\n')
    else if (name === 'w:noBreakHyphen') add('-')
    else if (name === 'w:sym') add(symbol(attributes['w:char'] ?? ''))
    else if (name === 'w:footnoteReference') note('footnote', attributes['w:id'] ?? '')
    else if (name === 'w:endnoteReference') note('endnote', attributes['w:id'] ?? '')
    else if (name === 'w:commentReference') note('comment', attributes['w:id'] ?? '')
    else if (name === 'w:jc') paragraph.centred = value === 'center'
  }

  /** A formula is one piece of its paragraph's text. */
  function onFormula(name: string, attributes: Record<string, string> | null): void {
    if (formula === null) {
      if (name !== 'm:oMath' || attributes === null) return
      formula = createOfficeFormula()
    }
    if (attributes !== null) return formula.open(name, attributes)
    if (!formula.close()) return
    const said = formula.end()
    formula = null
    const before = open.at(-1)?.line.last() ?? ''
    add(/[\p{L}\p{N}]/u.test(before) && /^[A-Za-z\d√]/.test(said) && /[A-Za-z\d]/.test(before) ? ` ${said}` : said, false)
  }

  const handler = {
    open(name: string, attributes: Record<string, string>): void {
      if (skipped > 0) {
        skipped += 1
        return
      }
      if (name === 'mc:AlternateContent') alternatives.push({ length: written })
      else if (name === 'mc:Fallback' && written > (alternatives.at(-1)?.length ?? 0)) skipped = 1
      // How a word is spoken stands over it.
      else if (name === 'w:rt') skipped = 1
      else if (name === 'w:del' || name === 'w:moveFrom') removed += 1
      else if (name === 'w:p') beginParagraph()
      else if (name === 'w:tbl') endJoined()
      if ((name === 'w:del' || name === 'w:moveFrom') && inMark) open.at(-1)!.isJoined = true
      if (name === 'w:pPr') inMark = open.length > 0
      runs.open(name, attributes)
      if (name === 'w:ins' || name === 'w:del' || name === 'w:moveTo' || name === 'w:moveFrom') tracked = true
      inText = name === 'w:t' || name === 'm:t'
      onParagraph(name, attributes)
      tables.open(name, attributes)
      if (name.startsWith('m:')) onFormula(name, attributes)
      else if (name === 'w:drawing' || name === 'w:pict') isOrnament = false
      else if (name === 'wp:extent')
        isOrnament = Number(attributes['cx']) < leastExtent.width || Number(attributes['cy']) < leastExtent.height
      else if (name === 'a:blip') picture(attributes['r:embed'] ?? '')
      else if (name === 'v:imagedata' || name === 'c:chart') picture(attributes['r:id'] ?? '')
    },
    close(name: string): void {
      if (skipped > 0) {
        skipped -= 1
        return
      }
      inText = false
      if (name === 'mc:AlternateContent') alternatives.pop()
      else if (name === 'w:del' || name === 'w:moveFrom') removed = Math.max(0, removed - 1)
      else if (name === 'w:p') endParagraph()
      else if (name === 'w:pPr') inMark = false
      else if (joinEnds.has(name)) endJoined()
      runs.close(name)
      tables.close(name)
      if (name.startsWith('m:')) onFormula(name, null)
    },
    text(data: string): void {
      if (!inText) return
      if (formula === null) add(data)
      else if (removed === 0 && !runs.now.hidden) formula.text(data)
    },
  }

  return {
    handler,
    put: (text: string): void => put({ text, kind: 'paragraph', level: 0 }),
    end() {
      // A document that was cut off still has what was open.
      while (open.length > 0) endParagraph()
      endJoined()
      tables.end()
      for (const [id, text] of notes) if (id.startsWith('comment ') && !shownComments.has(id)) put({ text, kind: 'paragraph', level: 0 })
      return { paragraphs, pictures, tracked }
    },
  }
}

/** Symbol fonts live in the private area; the common marks have their own characters. */
function symbol(code: string): string {
  const known: Record<string, string> = { F0B7: '•', F0A7: '▪', F0FC: '✓', F0FE: '☑', F0A8: '☐', F0E0: '→', F0B0: '°', F0B1: '±' }
  const upper = code.toUpperCase()
  const value = Number.parseInt(upper, 16)
  if (known[upper] !== undefined) return known[upper]
  return Number.isNaN(value) || (value >= 0xe000 && value <= 0xf8ff) ? '' : String.fromCodePoint(value)
}
