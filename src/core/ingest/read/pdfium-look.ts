import { coverOf, type Cover } from './pdfium-cover.ts'
import { mostRules, rulesOfPath, type DrawnRule } from './pdfium-rules.ts'
import type { Pdfium } from './pdfium.ts'

/** In the page's own points. */
export interface Rectangle {
  left: number
  bottom: number
  right: number
  top: number
}

export interface HiddenText {
  object: number
  at: Rectangle
}

/** What stands on a page, seen without reading its text. */
export interface PageLook {
  texts: number
  /** Pieces of text, by their handles, in fonts that are not in the file: some come out as nothing at all. */
  foreign: number[]
  /** Lines, areas, shadings. */
  drawings: number
  /** Upright and level lines, as areas without much width. */
  rules: DrawnRule[]
  /** How much of the page is covered by its largest picture, 0 to 1. */
  pictured: number
  /** So much is drawn that the other engine would take too long over it. */
  heavy: boolean
  /** Text that nobody can see: white on nothing, too small, off the page, or painted over. Text in invisible mode is not among it. */
  hidden: HiddenText[]
  /** Text in invisible mode stands where no picture is: it is not what was recognised of a scan. */
  invisible: boolean
}

const mostObjects = 200_000
/** Looking at every piece of larger pages costs more than it tells. */
const mostInspected = 5_000
const deepestForm = 4
/** In points: no one reads it, on paper or on a screen. */
const unreadableSize = 1.5
/** Text that is shown as well as hidden covers more of the same place. */
const sameText = 0.5
const kinds = { text: 1, path: 2, image: 3, shading: 4, form: 5 } as const
const modes = { invisible: 3, clip: 7 } as const

interface ShownText extends HiddenText {
  order: number
}

interface Marks {
  look: PageLook
  seen: number
  /** What text may stand on. */
  grounds: Rectangle[]
  shown: ShownText[]
  suspects: HiddenText[]
  /** In invisible mode. */
  unseen: Rectangle[]
  pictures: Rectangle[]
  /** What is painted over whatever was drawn before. */
  covers: (Cover & { order: number })[]
  page: Rectangle
  pageArea: number
}

export function lookAtPage(pdfium: Pdfium, page: number): PageLook {
  const { raw } = pdfium
  const look: PageLook = { texts: 0, foreign: [], drawings: 0, rules: [], pictured: 0, heavy: false, hidden: [], invisible: false }
  const pageArea = raw._FPDF_GetPageWidthF(page) * raw._FPDF_GetPageHeightF(page) || 1
  raw._FPDF_GetPageBoundingBox(page, pdfium.scratch)
  // It is given from the top.
  const box = { left: pdfium.float(0), bottom: pdfium.float(3), right: pdfium.float(2), top: pdfium.float(1) }
  const gathered = { grounds: [], shown: [], suspects: [], unseen: [], pictures: [], covers: [] }
  const marks: Marks = { look, seen: 0, ...gathered, page: box, pageArea }
  const count = raw._FPDFPage_CountObjects(page)
  if (count > mostObjects) look.heavy = true
  for (let index = 0; index < Math.min(count, mostInspected); index++) mark(pdfium, marks, raw._FPDFPage_GetObject(page, index), 0, null)
  if (marks.seen < mostInspected) settle(marks)
  return look
}

function settle({ look, shown, suspects, covers, unseen, pictures }: Marks): void {
  const isCovered = ({ at, order }: ShownText): boolean => covers.some((cover) => cover.order > order && contains(cover, at))
  const seen = covers.length === 0 ? shown : shown.filter((text) => !isCovered(text))
  const hidden = [...suspects, ...(covers.length === 0 ? [] : shown.filter(isCovered))]
  // Some set text white and then again in a colour.
  look.hidden = hidden.filter(({ at }) => !seen.some((text) => sharedArea(text.at, at) > areaOf(at) * sameText))
  look.invisible = unseen.some((at) => !pictures.some((picture) => overlaps(picture, at)))
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
      marks.pictures.push(bounds)
      break
    case kinds.path:
      look.drawings += 1
      if (bounds !== null && within === null && look.rules.length < mostRules) look.rules.push(...rulesOfPath(pdfium, object, bounds))
      if (bounds !== null) markPath(pdfium, marks, object, bounds, within !== null)
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

function markPath(pdfium: Pdfium, marks: Marks, object: number, bounds: Rectangle, isWithinForm: boolean): void {
  if (!isFilled(pdfium, object)) return
  if (!isWhite(pdfium, object)) marks.grounds.push(bounds)
  const cover = isWithinForm || marks.shown.length === 0 ? null : coverOf(pdfium, object, bounds)
  if (cover !== null) marks.covers.push({ ...cover, order: marks.seen })
}

function markText(pdfium: Pdfium, marks: Marks, object: number, bounds: Rectangle): void {
  const { raw, scratch } = pdfium
  const mode = raw._FPDFTextObj_GetTextRenderMode(object)
  if (mode === modes.invisible) marks.unseen.push(bounds)
  if (mode === modes.invisible || mode === modes.clip) return
  raw._FPDFTextObj_GetFontSize(object, scratch)
  const fontSize = pdfium.float(0)
  raw._FPDFPageObj_GetMatrix(object, scratch)
  const size = Math.abs(fontSize) * Math.hypot(pdfium.float(2), pdfium.float(3))
  const onNothing = (): boolean => !marks.grounds.some((ground) => overlaps(ground, bounds))
  const text = { object, at: bounds }
  if ((size > 0 && size < unreadableSize) || !overlaps(marks.page, bounds) || (mode === 0 && isWhite(pdfium, object) && onNothing()))
    marks.suspects.push(text)
  else marks.shown.push({ ...text, order: marks.seen })
}

function isWhite({ raw, scratch, integer }: Pdfium, object: number): boolean {
  if (raw._FPDFPageObj_GetFillColor(object, scratch, scratch + 4, scratch + 8, scratch + 12) === 0) return false
  return integer(3) === 0 || (integer(0) > 250 && integer(1) > 250 && integer(2) > 250)
}

function isFilled({ raw, scratch, integer }: Pdfium, object: number): boolean {
  return raw._FPDFPath_GetDrawMode(object, scratch, scratch + 4) !== 0 && integer(0) !== 0
}

function boundsOf({ raw, scratch, float }: Pdfium, object: number): Rectangle | null {
  if (raw._FPDFPageObj_GetBounds(object, scratch, scratch + 4, scratch + 8, scratch + 12) === 0) return null
  return { left: float(0), bottom: float(1), right: float(2), top: float(3) }
}

function areaOf({ left, bottom, right, top }: Rectangle): number {
  return Math.max(0, right - left) * Math.max(0, top - bottom)
}

function sharedArea(a: Rectangle, b: Rectangle): number {
  const [left, right] = [Math.max(a.left, b.left), Math.min(a.right, b.right)]
  return areaOf({ left, right, bottom: Math.max(a.bottom, b.bottom), top: Math.min(a.top, b.top) })
}

/** But for the edges of letters. */
function contains(outer: Rectangle, inner: Rectangle): boolean {
  return outer.left < inner.left + 1 && outer.right > inner.right - 1 && outer.bottom < inner.bottom + 1 && outer.top > inner.top - 1
}

function overlaps(a: Rectangle, b: Rectangle): boolean {
  return a.left < b.right && b.left < a.right && a.bottom < b.top && b.bottom < a.top
}
