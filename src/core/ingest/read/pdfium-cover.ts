import type { Pdfium } from './pdfium.ts'

/** In the page's own points. */
export interface Cover {
  left: number
  bottom: number
  right: number
  top: number
}

/** A corner more than four, and the way back. */
const mostCorners = 6
/** In points: no line of text is lower. */
const leastHeight = 4
const opaque = 255

/**
 * The rectangle that a filled path within `bounds` hides from sight: it lets nothing through and is not cut into another shape.
 * Null where that is not sure.
 */
export function coverOf(pdfium: Pdfium, path: number, bounds: Cover): Cover | null {
  const { raw, scratch } = pdfium
  if (bounds.top - bounds.bottom < leastHeight || raw._FPDFPageObj_HasTransparency(path) !== 0) return null
  if (raw._FPDFPageObj_GetFillColor(path, scratch, scratch + 4, scratch + 8, scratch + 12) === 0 || pdfium.integer(3) !== opaque)
    return null
  raw._FPDFPageObj_GetMatrix(path, scratch)
  if (Math.abs(pdfium.float(1)) + Math.abs(pdfium.float(2)) > 1e-3) return null
  const corners = raw._FPDFPath_CountSegments(path)
  if (rectangleOf(pdfium, corners, (index) => raw._FPDFPath_GetPathSegment(path, index)) === null) return null
  const clip = raw._FPDFPageObj_GetClipPath(path)
  let seen: Cover = bounds
  for (let number = 0; clip !== 0 && number < raw._FPDFClipPath_CountPaths(clip); number++) {
    const count = raw._FPDFClipPath_CountPathSegments(clip, number)
    const window = rectangleOf(pdfium, count, (index) => raw._FPDFClipPath_GetPathSegment(clip, number, index))
    if (window === null) return null
    seen = {
      left: Math.max(seen.left, window.left),
      bottom: Math.max(seen.bottom, window.bottom),
      right: Math.min(seen.right, window.right),
      top: Math.min(seen.top, window.top),
    }
  }
  return seen
}

/** Of a path whose corners are those of an upright rectangle. */
function rectangleOf({ raw, scratch, float }: Pdfium, corners: number, segment: (index: number) => number): Cover | null {
  if (corners < 4 || corners > mostCorners) return null
  const xs = new Set<number>()
  const ys = new Set<number>()
  for (let index = 0; index < corners; index++) {
    if (raw._FPDFPathSegment_GetPoint(segment(index), scratch, scratch + 4) === 0) return null
    xs.add(float(0))
    ys.add(float(1))
  }
  if (xs.size !== 2 || ys.size !== 2) return null
  return { left: Math.min(...xs), bottom: Math.min(...ys), right: Math.max(...xs), top: Math.max(...ys) }
}
