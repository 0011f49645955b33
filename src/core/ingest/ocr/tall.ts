import type { Pixels, Rectangle } from './pixels.ts'

/** A box much taller than wide holds characters one below the other, or a line that was turned by a quarter. */
export function isTall({ width, height }: Rectangle): boolean {
  return height > width * 2 && height >= 24
}

export function isMostlyLatin(text: string): boolean {
  const letters = text.match(/[\p{Script=Latin}\d]/gu)?.length ?? 0
  return letters > 4 && letters > text.replace(/\s/g, '').length * 0.7
}

const markOf: Record<string, string> = { '’': '，', '°': '。', 丶: '、' }

/** In a column, commas and stops stand at the upper right, where a line has quotation marks and degrees. */
export function withColumnMarks(text: string): string {
  return text.replace(/(?<=[\p{Script=Han}）」』》”])[’°丶]/gu, (mark, at: number) =>
    mark === '’' && text.slice(0, at).includes('‘') ? mark : markOf[mark]!,
  )
}

interface Whole extends Rectangle {
  /** Its upper left corner and size in whole pixels of the image. */
  readonly whole: true
}

function wholePixels(image: Pixels, part: Rectangle): Whole {
  const x = Math.max(0, Math.floor(part.x))
  const y = Math.max(0, Math.floor(part.y))
  const width = Math.max(1, Math.min(image.width, Math.ceil(part.x + part.width)) - x)
  const height = Math.max(1, Math.min(image.height, Math.ceil(part.y + part.height)) - y)
  return { x, y, width, height, whole: true }
}

/** A part of the image turned by a quarter, so that what ran down (or up) runs to the right. */
export function quarterTurned(image: Pixels, part: Rectangle, ran: 'down' | 'up'): Pixels {
  const { x, y, width, height } = wholePixels(image, part)
  const { channels } = image
  const data = new Uint8Array(width * height * channels)
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const source = ((y + row) * image.width + x + column) * channels
      const [toX, toY] = ran === 'down' ? [row, width - 1 - column] : [height - 1 - row, column]
      const target = (toY * height + toX) * channels
      for (let channel = 0; channel < channels; channel += 1) data[target + channel] = image.data[source + channel]!
    }
  }
  return { ...image, width: height, height: width, data }
}

/** So far from the paper's brightness, a pixel is ink. */
const inkDifference = 48

/**
 * Characters that stand one below the other, laid side by side; null where there are no two. With `turnedWords`, words and numbers
 * that were laid on their side within the column are set upright, as the others are; null where there are none.
 */
export function laidSideBySide(image: Pixels, part: Rectangle, turnedWords = false): Pixels | null {
  const area = wholePixels(image, part)
  const { runs, inkWidth } = inkOf(image, area)
  const size = Math.max(inkWidth, area.width * 0.6)
  const words = turnedWords ? wordsOf(runs, size) : []
  if (turnedWords && words.length === 0) return null
  const cells = stretchesOf(runs, words).flatMap((stretch): Cell[] =>
    'word' in stretch ? [stretch.word] : cellsOf(stretch.runs, size).map((run) => ({ ...run, isWord: false })),
  )
  if (cells.length < 2) return null
  const { left: columnLeft, middle } = columnOf(runs, area, size)
  const { channels } = image
  const pitch = Math.ceil(Math.max(area.width, size) * 1.02)
  const height = Math.ceil(size * 1.3)
  const margin = Math.ceil(size * 0.2)
  const widths = cells.map(({ top, bottom, isWord }) => (isWord ? bottom - top + 2 * margin : pitch))
  const width = widths.reduce((sum, each) => sum + each, 0)
  const out: Pixels = { ...image, width, height, data: new Uint8Array(width * height * channels) }
  const paper = image.data.subarray((area.y * image.width + area.x) * channels, (area.y * image.width + area.x) * channels + channels)
  for (let at = 0; at < out.data.length; at += channels) out.data.set(paper, at)
  let left = 0
  for (const [index, { top, bottom, left: markLeft, right: markRight, isWord }] of cells.entries()) {
    const isMark =
      !isWord && Math.max(bottom - top, markRight - markLeft) <= size * markSize && (markLeft + markRight) / 2 >= middle + size * markFrom
    if (isWord) layWord(image, { ...area, y: area.y + top, height: bottom - top }, out, left + margin)
    else {
      // Where a line has its commas and stops.
      const lowest = Math.floor((height + size) / 2 - size * 0.05)
      const from = Math.max(0, isMark ? lowest - (bottom - top) : Math.floor((height - (bottom - top)) / 2))
      const skipped = isMark ? Math.max(0, markLeft - columnLeft) : 0
      for (let row = 0; row < Math.min(bottom - top, height); row += 1) {
        const source = ((area.y + top + row) * image.width + area.x + skipped) * channels
        const target = ((from + row) * out.width + left) * channels
        out.data.set(image.data.subarray(source, source + (area.width - skipped) * channels), target)
      }
    }
    left += widths[index]!
  }
  return out
}

/** Sets a part that ran down upright, from there to the right, in the middle of the height. */
function layWord(image: Pixels, part: Rectangle, out: Pixels, left: number): void {
  const word = quarterTurned(image, part, 'down')
  const { channels } = image
  const [above, below] = [Math.max(0, Math.floor((word.height - out.height) / 2)), Math.max(0, Math.floor((out.height - word.height) / 2))]
  for (let row = 0; row < Math.min(word.height, out.height); row += 1) {
    const source = (above + row) * word.width * channels
    out.data.set(word.data.subarray(source, source + word.width * channels), ((below + row) * out.width + left) * channels)
  }
}

interface Cell extends Run {
  isWord: boolean
}

/** At most so wide and high is a comma or a stop, in sizes. */
const markSize = 0.45
/** A dot between names stands in the middle of the column, commas and stops further right by this. */
const markFrom = 0.15

/** Where the characters of a column begin and where their middle is: specks of its neighbours count for nothing. */
function columnOf(runs: readonly Run[], { width }: Rectangle, size: number): { left: number; middle: number } {
  const wide = runs.filter(({ left, right }) => right - left > size * 0.6)
  if (wide.length === 0) return { left: Math.floor((width - size) / 2), middle: width / 2 }
  const half = wide.length >> 1
  const left = wide.map((run) => run.left).sort((one, other) => one - other)[half]!
  return { left, middle: wide.map((run) => (run.left + run.right) / 2).sort((one, other) => one - other)[half]! }
}

/** Signs of a word that lies on its side: low, and not as wide as a character; brackets may be. */
function isSlim({ top, bottom, left, right }: Run, size: number): boolean {
  const [height, width] = [(bottom - top) / size, (right - left) / size]
  return height <= 0.62 && !(height < 0.15 && width > 0.6)
}

function isLetter({ top, bottom, left, right }: Run, size: number): boolean {
  const [height, width] = [(bottom - top) / size, (right - left) / size]
  return width >= 0.42 && width <= 0.88 && height >= 0.16
}

/** Words and numbers on their side: slim signs in a row, apart from the characters before and behind them, or many. */
function wordsOf(runs: readonly Run[], size: number): Cell[] {
  const words: Cell[] = []
  for (let from = 0; from < runs.length; from += 1) {
    if (!isSlim(runs[from]!, size)) continue
    let to = from
    while (to + 1 < runs.length && isSlim(runs[to + 1]!, size) && runs[to + 1]!.top - runs[to]!.bottom < size * 0.45) to += 1
    let [first, last] = [from, to]
    // A comma or a dot at the edge belongs to the column.
    const isMark = (run: Run): boolean => run.right - run.left < size * 0.35
    while (first < last && isMark(runs[first]!)) first += 1
    while (last > first && isMark(runs[last]!)) last -= 1
    const gapBefore = first === 0 ? size : runs[first]!.top - runs[first - 1]!.bottom
    const gapBehind = last === runs.length - 1 ? size : runs[last + 1]!.top - runs[last]!.bottom
    const long = runs[last]!.bottom - runs[first]!.top > size * 1.3
    const letters = runs.slice(first, last + 1).filter((run) => isLetter(run, size)).length
    // A blank is wider than what parts two characters.
    const apart = Math.min(gapBefore, gapBehind) >= size * 0.14 || (letters > 1 && Math.max(gapBefore, gapBehind) >= size * 0.22)
    if (letters > 0 && (long || apart)) words.push({ ...runs[first]!, bottom: runs[last]!.bottom, isWord: true })
    from = to
  }
  return words
}

/** The column in stretches of characters and words, from the top. */
function stretchesOf(runs: readonly Run[], words: readonly Cell[]): ({ runs: Run[] } | { word: Cell })[] {
  const stretches: ({ runs: Run[] } | { word: Cell })[] = []
  let rest = [...runs]
  for (const word of words) {
    stretches.push({ runs: rest.filter((run) => run.bottom <= word.top) }, { word })
    rest = rest.filter((run) => run.top >= word.bottom)
  }
  return [...stretches, { runs: rest }]
}

interface Run {
  top: number
  bottom: number
  left: number
  right: number
}

/** Stretches of rows with ink, and how wide all ink is. */
function inkOf(image: Pixels, { x, y, width, height }: Whole): { runs: Run[]; inkWidth: number } {
  const brightness = (column: number, row: number): number => {
    const at = ((y + row) * image.width + x + column) * image.channels
    return (image.data[at]! + image.data[at + 1]! * 2 + image.data[at + 2]!) / 4
  }
  // The paper is what most pixels are.
  const histogram = new Uint32Array(16)
  for (let row = 0; row < height; row += 1) for (let column = 0; column < width; column += 1) histogram[brightness(column, row) >> 4]! += 1
  const paper = histogram.indexOf(Math.max(...histogram)) * 16 + 8
  const runs: Run[] = []
  let [left, right] = [width, 0]
  let open: Run | null = null
  for (let row = 0; row < height; row += 1) {
    let [ink, from, to] = [0, width, 0]
    for (let column = 0; column < width; column += 1) {
      if (Math.abs(brightness(column, row) - paper) <= inkDifference) continue
      ink += 1
      from = Math.min(from, column)
      to = Math.max(to, column + 1)
    }
    left = Math.min(left, from)
    right = Math.max(right, to)
    if (ink === 0) open = null
    else if (open === null) runs.push((open = { top: row, bottom: row + 1, left: from, right: to }))
    else {
      open.bottom = row + 1
      open.left = Math.min(open.left, from)
      open.right = Math.max(open.right, to)
    }
  }
  return { runs, inkWidth: Math.max(0, right - left) }
}

/** Stretches of ink put together to characters: parts of one stay within its size, characters that touch are parted. */
function cellsOf(runs: readonly Run[], size: number): Run[] {
  const cells: Run[] = []
  for (const run of runs) {
    const { top, bottom } = run
    const last = cells.at(-1)
    if (last !== undefined && bottom - last.top <= size * 1.12) {
      last.bottom = bottom
      last.left = Math.min(last.left, run.left)
      last.right = Math.max(last.right, run.right)
    } else if (bottom - top > size * 1.5) {
      const count = Math.round((bottom - top) / size)
      const step = (bottom - top) / count
      for (let index = 0; index < count; index += 1)
        cells.push({ ...run, top: Math.round(top + index * step), bottom: Math.round(top + (index + 1) * step) })
    } else cells.push({ ...run })
  }
  return cells
}
