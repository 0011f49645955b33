/** A sentence as it stands in a text, with its place there (UTF-16). */
export interface SentenceSpan {
  text: string
  start: number
  end: number
}

const abbreviations = new Set(
  (
    'mr mrs ms dr prof st sr jr vs etc no nos vol fig figs eq al ca cf approx dept est inc ltd co corp gen col lt sgt capt rev hon gov sen rep ' +
    'jan feb mar apr jun jul aug sep sept oct nov dec mt ft pp ed eds op e.g i.e u.s u.k u.n a.m p.m b.c a.d ph.d'
  ).split(' '),
)
/** What closes a sentence may be followed by closing quotes and by markers, which still belong to it. */
const closing = /^(?:["'”’」』）)\]】》]|\s*\[\d{1,3}\])+/
const ends = /[.!?。！？…]+|\n+/g

/** Chinese and English, line breaks included. Nothing is lost but the blanks between. */
export function splitSentences(text: string): SentenceSpan[] {
  const spans: SentenceSpan[] = []
  let start = 0
  ends.lastIndex = 0
  for (let match = ends.exec(text); match; match = ends.exec(text)) {
    let end = match.index + match[0].length
    if (match[0].startsWith('\n')) end = match.index
    else {
      const closed = closing.exec(text.slice(end, end + 60))
      if (closed) end += closed[0].length
      if (/^[.…]/.test(match[0]) && !endsHere(text, start, match.index, end)) continue
      if (/^[!?]/.test(match[0]) && end < text.length && !/^(?:\s+(?![a-z])|[\u3000-\u9fff])/.test(text.slice(end, end + 4))) continue
    }
    push(spans, text, start, end)
    start = match[0].startsWith('\n') ? match.index + match[0].length : end
    ends.lastIndex = Math.max(start, match.index + match[0].length)
  }
  push(spans, text, start, text.length)
  return spans
}

/** Whether a full stop ends a sentence, or belongs to a number, an initial, an abbreviation. */
function endsHere(text: string, start: number, stop: number, end: number): boolean {
  if (end >= text.length) return true
  const next = text.slice(end, end + 3)
  if (!/^\s|^[\u3000-\u9fff]/.test(next)) return false
  const word = /[\p{L}.]+$/u.exec(text.slice(Math.max(start, stop - 12), stop))?.[0] ?? ''
  if (word.length === 1 && /[A-Z]/.test(word)) return false
  if (abbreviations.has(word.toLowerCase()))
    return /^\s+["“'(]?[A-Z]/.test(text.slice(end, end + 4)) && /[a-z]\.[a-z]$|^etc$|^al$/i.test(word)
  if (/^\s*\d{1,3}$/.test(text.slice(start, stop))) return false
  return !/^\s+[a-z]/.test(text.slice(end, end + 4))
}

function push(spans: SentenceSpan[], text: string, from: number, to: number): void {
  let start = from
  let end = to
  while (start < end && /\s/.test(text.charAt(start))) start++
  while (end > start && /\s/.test(text.charAt(end - 1))) end--
  if (end > start) spans.push({ text: text.slice(start, end), start, end })
}
