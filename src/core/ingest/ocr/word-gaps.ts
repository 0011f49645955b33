import type { Sign } from './best-path.ts'

/** Columns of a line's picture without ink, from `from` up to `to`. */
export interface Gap {
  from: number
  to: number
}

/** Of the picture's contrast; columns with less are paper. */
const inkShare = 0.25
/** Rows at the upper and lower edge may show the lines above and below. */
const edgeRows = 4

/** Gaps between the ink of a line: `plane` holds its rows, each `stride` long, of which `width` values are the picture. */
export function gapsOf(plane: Float32Array, stride: number, width: number, height: number): Gap[] {
  const contrast = new Float32Array(width)
  let most = 0
  for (let x = 0; x < width; x += 1) {
    let [low, high] = [Infinity, -Infinity]
    for (let y = edgeRows; y < height - edgeRows; y += 1) {
      const value = plane[y * stride + x]!
      low = Math.min(low, value)
      high = Math.max(high, value)
    }
    contrast[x] = high - low
    most = Math.max(most, high - low)
  }
  const gaps: Gap[] = []
  let inked = -1
  for (let x = 0; x < width; x += 1) {
    if (contrast[x]! <= most * inkShare) continue
    if (inked !== -1 && x > inked + 1) gaps.push({ from: inked + 1, to: x })
    inked = x
  }
  return gaps
}

/** The recogniser has learned few texts with blanks between words: it thinks of a blank and leaves it out. So much of a thought is enough. */
const leastThought = 0.01
/** So much wider than between the letters of a word, in columns of a line 48 high. */
const wider = 2

const isLetterLike = (text: string): boolean => /^[\u0021-\u024f\u2018-\u201d]$/.test(text)
/** No blank stands before the one, none behind the other. */
const closing = /^[.,;:!?)\]}%’”]$/
const opening = /^[([{“‘]$/

/**
 * A reading with the blanks that it lacks between words of Latin script: where the gap is wider than those within words and the
 * recogniser did think of a blank. `blankAt` is how likely it held a blank at a step; a step is `stepWidth` columns.
 */
export function withWordGaps(signs: readonly Sign[], gaps: readonly Gap[], stepWidth: number, blankAt: (step: number) => number): string {
  const kept = signs.filter(({ text }) => text !== ' ')
  const parted = new Set<Sign>()
  for (const [index, { text }] of signs.entries()) if (text === ' ' && index > 0) parted.add(signs[index - 1]!)
  const widths = widthsBetween(kept, gaps, stepWidth)
  const isWithinLatin = (index: number): boolean => isLetterLike(kept[index]!.text) && isLetterLike(kept[index + 1]?.text ?? '')
  const within = widths.filter((_width, index) => isWithinLatin(index) && !parted.has(kept[index]!)).sort((one, other) => one - other)
  const usual = within[Math.floor(within.length / 2)] ?? 0
  function isWordEnd(index: number): boolean {
    const [sign, next] = [kept[index]!, kept[index + 1]!]
    if (!isWithinLatin(index) || closing.test(next.text) || opening.test(sign.text)) return false
    if (widths[index]! < usual + wider) return false
    for (let step = sign.from; step <= next.from; step += 1) if (blankAt(step) >= leastThought) return true
    return false
  }
  return kept
    .map((sign, index) => (index < kept.length - 1 && (parted.has(sign) || isWordEnd(index)) ? `${sign.text} ` : sign.text))
    .join('')
}

/** The widest gap between each sign and the next: a gap is that of the two in whose middle it is. */
function widthsBetween(signs: readonly Sign[], gaps: readonly Gap[], stepWidth: number): number[] {
  const middles = signs.slice(1).map((next, index) => ((signs[index]!.from + signs[index]!.to + next.from + next.to + 2) / 4) * stepWidth)
  const widths = middles.map(() => 0)
  let nearest = 0
  for (const { from, to } of gaps) {
    const middle = (from + to) / 2
    while (nearest + 1 < middles.length && Math.abs(middles[nearest + 1]! - middle) <= Math.abs(middles[nearest]! - middle)) nearest += 1
    if (nearest < widths.length) widths[nearest] = Math.max(widths[nearest]!, to - from)
  }
  return widths
}
