const raisedSigns: Record<string, string> = {
  '0': '⁰',
  '1': '¹',
  '2': '²',
  '3': '³',
  '4': '⁴',
  '5': '⁵',
  '6': '⁶',
  '7': '⁷',
  '8': '⁸',
  '9': '⁹',
  '+': '⁺',
  '-': '⁻',
  '−': '⁻',
  '–': '⁻',
  '=': '⁼',
  '(': '⁽',
  ')': '⁾',
  '（': '⁽',
  '）': '⁾',
  n: 'ⁿ',
  i: 'ⁱ',
}
/** What means the same on the line: marks that are raised by themselves, notes in brackets or in Chinese. */
const plainOnLine = /^(?:[*†‡§¶®©™℠°′″⁰¹²³⁴-⁹⁺⁻⁼⁽⁾ⁿⁱ\s]+|ª|º|TM|SM|\[[^\]]*\]|[①-⑳]+|\p{Script=Han}.*)$/iu
/** Ends of ordinal numbers. */
const ordinal = /^(?:st|nd|rd|th|er|re|e|è?me|os?|as?)$/i
/** Numbers of notes, one beside the other. */
const notes = /^\d+(?:\s*[,，、;；]\s*\d+)+$/
/** More characters are words that somebody set higher. */
const longestRaised = 20
/** More digits that nothing stands before are no mark of a note. */
const longestMark = 3

/**
 * Raised text as it reads on the line: 10⁶, x², e^(2.5), never a digit of the number before it. `before`: what stands before it
 * on its line.
 */
export function raisedText(raised: string, before: string): string {
  const body = raised.trim()
  if (body === '' || body.length > longestRaised || plainOnLine.test(body) || (ordinal.test(body) && /[\d.]$/.test(before))) return raised
  const isAlone = before === '' || /\s$/.test(before)
  const [, start = '', end = ''] = /^(\s*)[\s\S]*?(\s*)$/.exec(raised)!
  const signs = [...body]
  if (signs.every((sign) => raisedSigns[sign] !== undefined) || notes.test(body)) {
    if (isAlone && signs.length > longestMark) return raised
    // A mark behind a power is none of its digits.
    const gap = start === '' && /[⁰¹²³⁴-⁹]$/.test(before) ? ' ' : start
    return gap + signs.map((sign) => raisedSigns[sign] ?? sign).join('') + end
  }
  return isAlone ? raised : `${start}^(${body})${end}`
}

/** A style of characters: whether it raises them, or null where the one that it is made from decides. */
export interface RaisingStyle {
  parent: string
  raised: boolean | null
}

const longestDescent = 20

/** The names of the styles that raise text, by themselves or by what they are made from. */
export function raisingStyles(styles: ReadonlyMap<string, RaisingStyle>): ReadonlySet<string> {
  const raising = new Set<string>()
  for (const name of styles.keys()) {
    let style = styles.get(name)
    for (let steps = 0; style?.raised === null && steps < longestDescent; steps += 1) style = styles.get(style.parent)
    if (style?.raised === true) raising.add(name)
  }
  return raising
}

/** The mark of a note in its text and before itself. */
export function noteMark(number: number): string {
  return [...`${number}`].map((digit) => raisedSigns[digit] ?? digit).join('')
}

/** The mark of a note as it follows a text: never a digit of the power that it stands behind. */
export function markAfter(before: string, mark: string): string {
  return /[⁰¹²³⁴-⁹]$/.test(before) ? ` ${mark}` : mark
}

/** The text of a line, put together of pieces; raised ones that stand together are one. */
export interface RaisedLine {
  add(piece: string, isRaised: boolean): void
  /** The last character so far. */
  last(): string
  /** What was added since the last time. */
  take(): string
}

export function createRaisedLine(): RaisedLine {
  let text = ''
  let raised = ''
  /** To look at the end of the text would join all its pieces each time. */
  let last = ''
  function put(piece: string): void {
    if (piece === '') return
    text += piece
    last = piece.slice(-1)
  }
  function flush(): void {
    if (raised === '') return
    const piece = raised
    raised = ''
    put(raisedText(piece, last))
  }
  return {
    add(piece, isRaised) {
      if (isRaised) raised += piece
      else if (piece !== '') {
        flush()
        put(piece)
      }
    },
    last() {
      flush()
      return last
    },
    take() {
      flush()
      const line = text
      text = ''
      last = ''
      return line
    },
  }
}
