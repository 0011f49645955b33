export interface MarkedPart {
  text: string
  marked: boolean
}

const han = /\p{Script=Han}/u
const latinStops = new Set(
  'a an and are as at be by can could did do does for from had has have how i if in into is it its me my no not of on or our shall should so than that the their them then there these they this to was we were what when where which who whom why will with would you your'.split(
    ' ',
  ),
)
const hanStops = new Set([...'的了是在和与及或吗呢吧啊要有么什几多少谁哪怎为这那我你他她它们也就都而被把从到对于其之以将能会可请问如何'])

/** The words of some text that are worth marking elsewhere: Latin words, numbers, and pairs of Chinese characters. */
export function wordsOf(text: string): Set<string> {
  const words = new Set<string>()
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+(?:[.,:/-]\p{N}+)*/gu)) {
    for (const piece of word.match(/\p{Script=Han}+|[^\p{Script=Han}]+/gu) ?? []) {
      if (!han.test(piece)) {
        const stem = piece.length > 4 ? piece.replace(/(ing|ed|es|s)$/, '') : piece
        if (/\p{N}/u.test(piece) || (piece.length > 2 && !latinStops.has(piece))) words.add(stem)
        continue
      }
      const characters = [...piece]
      for (let at = 0; at + 1 < characters.length; at += 1) {
        const [one = '', two = ''] = [characters[at], characters[at + 1]]
        if (!hanStops.has(one) && !hanStops.has(two)) words.add(one + two)
      }
    }
  }
  return words
}

/** Stretches of `text` that hold one of the words, in order and merged. */
function stretches(text: string, words: ReadonlySet<string>): [number, number][] {
  const found: [number, number][] = []
  const lower = text.toLowerCase()
  for (const match of lower.matchAll(/\p{Script=Han}+|(?:(?!\p{Script=Han})[\p{L}\p{N}])+(?:[.,:/-]\p{N}+)*/gu)) {
    const [word] = match
    if (!han.test(word)) {
      const stem = word.length > 4 ? word.replace(/(ing|ed|es|s)$/, '') : word
      if (words.has(stem)) found.push([match.index, match.index + word.length])
      continue
    }
    for (let at = 0; at + 1 < word.length; at += 1) {
      if (words.has(word.slice(at, at + 2))) found.push([match.index + at, match.index + at + 2])
    }
  }
  const merged: [number, number][] = []
  for (const [from, to] of found.sort((one, other) => one[0] - other[0])) {
    const last = merged.at(-1)
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to)
    else merged.push([from, to])
  }
  return merged
}

/** Where an excerpt of `length` should begin, so that it holds the most marks, at the start of a sentence if one is near. */
function bestStart(text: string, marks: [number, number][], length: number): number {
  if (text.length <= length) return 0
  let best = 0
  let bestScore = -1
  for (const [candidate] of [[0, 0] as const, ...marks]) {
    const from = Math.max(0, candidate - 24)
    const score = marks.filter(([start, end]) => start >= from && end <= from + length).reduce((sum, [start, end]) => sum + end - start, 0)
    if (score > bestScore) {
      bestScore = score
      best = from
    }
  }
  const before = text.slice(Math.max(0, best - 40), best + 12)
  const sentence = Math.max(...['。', '！', '？', '. ', '\n'].map((sign) => before.lastIndexOf(sign)))
  return sentence < 0 ? best : Math.max(0, best - 40) + sentence + 1
}

/** An excerpt of a passage around its quote, or else the words that matter, cut into marked and unmarked parts. */
export function markExcerpt(text: string, words: ReadonlySet<string>, length: number, quote = ''): MarkedPart[] {
  const flat = text.replace(/\s+/g, ' ').trim()
  const all = stretches(flat, words)
  const quoted = quote === '' || flat.length <= length ? -1 : flat.indexOf(quote.replace(/\s+/g, ' ').trim())
  const start = quoted >= 0 ? quoted : bestStart(flat, all, length)
  const end = Math.min(flat.length, start + length)
  const parts: MarkedPart[] = []
  let from = start
  if (start > 0) parts.push({ text: '…', marked: false })
  for (const [markFrom, markTo] of all) {
    if (markFrom < from || markTo > end) continue
    if (markFrom > from) parts.push({ text: flat.slice(from, markFrom), marked: false })
    parts.push({ text: flat.slice(markFrom, markTo), marked: true })
    from = markTo
  }
  if (from < end) parts.push({ text: flat.slice(from, end), marked: false })
  if (end < flat.length) parts.push({ text: '…', marked: false })
  return parts
}

/** A text with each place of what was searched for marked, letter by letter. */
export function markText(text: string, searched: string): MarkedPart[] {
  const wanted = searched.trim().toLowerCase()
  const lower = text.toLowerCase()
  // Where small letters are more than large ones, places in one are none in the other.
  if (wanted === '' || lower.length !== text.length) return [{ text, marked: false }]
  const parts: MarkedPart[] = []
  let from = 0
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, from)) {
    if (at > from) parts.push({ text: text.slice(from, at), marked: false })
    parts.push({ text: text.slice(at, at + wanted.length), marked: true })
    from = at + wanted.length
  }
  if (from < text.length) parts.push({ text: text.slice(from), marked: false })
  return parts
}
