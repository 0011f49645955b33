import type { Vocabulary } from './vocabulary.ts'

/** The characters of one normalised section as dense numbers, with the place (UTF-16) where each came from. */
export interface Points {
  numbers: Uint16Array
  origins: Int32Array
  /** The section is `start` to `end`: a leading ▁ is there exactly when the rules ask for one. */
  start: number
  end: number
}

export type Normalize = (text: string, from: number, to: number) => Points

const space = 0x20
const metaspace = 0x2581
/** Hostile runs of combining marks make NFKC quadratic: longer ones are composed in parts. */
const longestMarkRun = 1024
/** Planes above the second hold private and format characters: rare, so always looked at. */
const knownCharacters = 0x30000

/** Arrays that a huge text made grow beyond this are let go at the next. */
const largestKept = 1 << 20

const unknown = 0
const stable = 1
const changing = 2
const attaching = 3

function isRemoved(unit: number): boolean {
  if (unit < 0x20) return unit !== 0x09 && unit !== 0x0a && unit !== 0x0c && unit !== 0x0d
  return unit === 0x7f || (unit >= 0x200b && unit <= 0x200f) || unit === 0xfeff
}

/**
 * What NFKC does with a character on its own. `attaching` ones may reorder or join with what stands before them, so that
 * everything between two others is normalised as one piece; concatenating pieces then gives NFKC of the whole.
 */
export function classOf(codePoint: number): number {
  const character = String.fromCodePoint(codePoint)
  const first = character.normalize('NFKD').codePointAt(0)!
  const joinsHangul = (first >= 0x1160 && first <= 0x11ff) || (first >= 0xd7b0 && first <= 0xd7ff)
  if (joinsHangul || /^\p{M}/u.test(String.fromCodePoint(first))) return attaching
  return character.normalize('NFKC') === character ? stable : changing
}

/**
 * Removes control and zero-width characters, turns line breaks and tabs into spaces, applies NFKC, folds runs of spaces,
 * writes spaces as ▁ and puts one in front. The arrays are reused by the next call.
 */
export function createNormalize(vocabulary: Vocabulary): Normalize {
  const { basicCharacters, otherCharacters } = vocabulary
  const classes = new Uint8Array(knownCharacters)
  const metaspaceNumber = basicCharacters[metaspace]!
  let numbers = new Uint16Array(1024)
  let origins = new Int32Array(1024)
  let end = 0
  let afterSpace = false

  function classify(codePoint: number): number {
    if (codePoint >= knownCharacters) return classOf(codePoint)
    let kind = classes[codePoint]!
    if (kind === unknown) {
      kind = classOf(codePoint)
      classes[codePoint] = kind
    }
    return kind
  }

  function reserve(more: number): void {
    if (end + more < numbers.length) return
    const length = Math.max(numbers.length * 2, end + more + 1024)
    const moreNumbers = new Uint16Array(length)
    moreNumbers.set(numbers)
    numbers = moreNumbers
    const moreOrigins = new Int32Array(length)
    moreOrigins.set(origins)
    origins = moreOrigins
  }

  function put(codePoint: number, origin: number): void {
    if (codePoint === space) {
      if (afterSpace) return
      afterSpace = true
      numbers[end] = metaspaceNumber
    } else {
      afterSpace = false
      numbers[end] = codePoint < 65_536 ? basicCharacters[codePoint]! : (otherCharacters.get(codePoint) ?? 0)
    }
    origins[end++] = origin
  }

  function putNormalised(piece: string, origin: number): void {
    const normalised = piece.normalize('NFKC')
    reserve(normalised.length)
    for (let index = 0; index < normalised.length; index++) {
      const codePoint = normalised.codePointAt(index)!
      if (codePoint > 0xffff) index++
      put(codePoint, origin)
    }
  }

  return (text, from, to) => {
    if (numbers.length > largestKept && to - from < largestKept) {
      numbers = new Uint16Array(1024)
      origins = new Int32Array(1024)
    }
    numbers[0] = metaspaceNumber
    origins[0] = from
    end = 1
    afterSpace = false
    // The piece that waits for what may attach to it. -1: none. Its text is only built when something does.
    let waiting = -1
    let waitingOrigin = from
    let waitingStable = true
    let joined = ''
    let marks = 0

    const flush = (): void => {
      if (waiting === -1) return
      if (joined !== '') putNormalised(joined, waitingOrigin)
      else if (waitingStable) put(waiting, waitingOrigin)
      else putNormalised(String.fromCodePoint(waiting), waitingOrigin)
      waiting = -1
      joined = ''
      marks = 0
    }

    reserve(to - from + 16)
    let index = from
    while (index < to) {
      const origin = index
      let codePoint = text.charCodeAt(index++)
      if (codePoint < 0x80) {
        if (codePoint <= 0x20 || codePoint === 0x7f) {
          if (isRemoved(codePoint)) continue
          codePoint = space
        }
        if (waiting !== -1) {
          if (joined === '' && waitingStable) put(waiting, waitingOrigin)
          else flush()
        }
        waiting = codePoint
        waitingOrigin = origin
        waitingStable = true
        joined = ''
        continue
      }
      if (isRemoved(codePoint)) continue
      if (codePoint >= 0xd800 && codePoint <= 0xdbff) {
        // Halves parted by a removed character join once it is gone.
        let next = index
        while (next < to && isRemoved(text.charCodeAt(next))) next++
        const low = next < to ? text.charCodeAt(next) : 0
        if (low >= 0xdc00 && low <= 0xdfff) {
          codePoint = (codePoint - 0xd800) * 0x400 + low - 0xdc00 + 0x10000
          index = next + 1
        }
      }
      const kind = classify(codePoint)
      if (kind === attaching && waiting !== -1 && marks < longestMarkRun) {
        if (joined === '') joined = String.fromCodePoint(waiting)
        joined += String.fromCodePoint(codePoint)
        marks++
        continue
      }
      flush()
      reserve(16)
      waiting = codePoint
      waitingOrigin = origin
      waitingStable = kind === stable
    }
    flush()
    const empty = end === 1
    return { numbers, origins, start: empty || numbers[1] === metaspaceNumber ? 1 : 0, end }
  }
}
