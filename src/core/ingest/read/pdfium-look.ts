import type { Pdfium } from './pdfium.ts'

/** In the page's own points. */
export interface Rectangle {
  left: number
  bottom: number
  right: number
  top: number
}

/** What stands on a page, seen without reading its text. */
export interface PageLook {
  texts: number
  /** Pieces of text, by their handles, in fonts that are not in the file: some come out as nothing at all. */
  foreign: number[]
  /** Lines, areas, shadings. */
  drawings: number
  /** How much of the page is covered by its largest picture, 0 to 1. */
  pictured: number
  /** So much is drawn that the other engine would take too long over it. */
  heavy: boolean
  /** Where text stands that nobody can see: white on nothing, or too small. Text in invisible mode is not among it: scans carry theirs so. */
  hidden: Rectangle[]
}

const mostObjects = 200_000
/** Looking at every piece of larger pages costs more than it tells. */
const mostInspected = 5_000
const deepestForm = 4
/** In points: no one reads it, on paper or on a screen. */
const unreadableSize = 1.5
const kinds = { text: 1, path: 2, image: 3, shading: 4, form: 5 } as const
const modes = { invisible: 3, clip: 7 } as const

interface Marks {
  look: PageLook
  seen: number
  /** What text may stand on. */
  grounds: Rectangle[]
  shown: Rectangle[]
  suspects: Rectangle[]
  pageArea: number
}

export function lookAtPage(pdfium: Pdfium, page: number): PageLook {
  const { raw } = pdfium
  const look: PageLook = { texts: 0, foreign: [], drawings: 0, pictured: 0, heavy: false, hidden: [] }
  const pageArea = raw._FPDF_GetPageWidthF(page) * raw._FPDF_GetPageHeightF(page) || 1
  const marks: Marks = { look, seen: 0, grounds: [], shown: [], suspects: [], pageArea }
  const count = raw._FPDFPage_CountObjects(page)
  if (count > mostObjects) look.heavy = true
  for (let index = 0; index < Math.min(count, mostInspected); index++) mark(pdfium, marks, raw._FPDFPage_GetObject(page, index), 0, null)
  // Some set text white and then again in a colour.
  if (marks.seen < mostInspected) look.hidden = marks.suspects.filter((suspect) => !marks.shown.some((shown) => overlaps(shown, suspect)))
  return look
}

function mark(pdfium: Pdfium, marks: Marks, object: number, depth: number, within: Rectangle | null): void {
  const { raw } = pdfium
  const { look } = marks
  marks.seen += 1
  if (marks.seen > mostInspected) return
  const bounds = within ?? boundsOf(pdfium, object)
  switch (raw._FPDFPageObj_GetType(object)) {
    case kinds.text:
      look.texts += 1
      if (raw._FPDFFont_GetIsEmbedded(raw._FPDFTextObj_GetFont(object)) === 0) look.foreign.push(object)
      // Within a form the bounds are those of the form.
      if (within === null && bounds !== null) markText(pdfium, marks, object, bounds)
      break
    case kinds.image:
      if (bounds === null) break
      look.pictured = Math.max(look.pictured, Math.min(1, areaOf(bounds) / marks.pageArea))
      marks.grounds.push(bounds)
      break
    case kinds.path:
      look.drawings += 1
      if (bounds !== null && isGround(pdfium, object)) marks.grounds.push(bounds)
      break
    case kinds.shading:
      look.drawings += 1
      if (bounds !== null) marks.grounds.push(bounds)
      break
    case kinds.form: {
      if (bounds !== null) marks.grounds.push(bounds)
      if (depth === deepestForm) break
      const count = Math.min(raw._FPDFFormObj_CountObjects(object), mostInspected)
      for (let index = 0; index < count && marks.seen <= mostInspected; index++)
        mark(pdfium, marks, raw._FPDFFormObj_GetObject(object, index), depth + 1, bounds)
      break
    }
  }
}

function markText(pdfium: Pdfium, marks: Marks, object: number, bounds: Rectangle): void {
  const { raw, scratch } = pdfium
  const mode = raw._FPDFTextObj_GetTextRenderMode(object)
  if (mode === modes.invisible || mode === modes.clip) return
  raw._FPDFTextObj_GetFontSize(object, scratch)
  const fontSize = pdfium.float(0)
  raw._FPDFPageObj_GetMatrix(object, scratch)
  const size = Math.abs(fontSize) * Math.hypot(pdfium.float(2), pdfium.float(3))
  const onNothing = (): boolean => !marks.grounds.some((ground) => overlaps(ground, bounds))
  if ((size > 0 && size < unreadableSize) || (mode === 0 && isWhite(pdfium, object) && onNothing())) marks.suspects.push(bounds)
  else marks.shown.push(bounds)
}

function isWhite({ raw, scratch, integer }: Pdfium, object: number): boolean {
  if (raw._FPDFPageObj_GetFillColor(object, scratch, scratch + 4, scratch + 8, scratch + 12) === 0) return false
  return integer(3) === 0 || (integer(0) > 250 && integer(1) > 250 && integer(2) > 250)
}

/** Filled with anything but white. */
function isGround(pdfium: Pdfium, object: number): boolean {
  const { raw, scratch } = pdfium
  if (raw._FPDFPath_GetDrawMode(object, scratch, scratch + 4) === 0 || pdfium.integer(0) === 0) return false
  return !isWhite(pdfium, object)
}

function boundsOf({ raw, scratch, float }: Pdfium, object: number): Rectangle | null {
  if (raw._FPDFPageObj_GetBounds(object, scratch, scratch + 4, scratch + 8, scratch + 12) === 0) return null
  return { left: float(0), bottom: float(1), right: float(2), top: float(3) }
}

function areaOf({ left, bottom, right, top }: Rectangle): number {
  return Math.max(0, right - left) * Math.max(0, top - bottom)
}

function overlaps(a: Rectangle, b: Rectangle): boolean {
  return a.left < b.right && b.left < a.right && a.bottom < b.top && b.bottom < a.top
}
