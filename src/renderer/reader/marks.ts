/** A stretch of some text that stands out: what is quoted, what is searched for, and the place of it that is shown. */
export interface TextMark {
  from: number
  to: number
  kind: 'quote' | 'found' | 'now'
}

export interface MarkedToken {
  text: string
  color?: string | undefined
  mark: TextMark['kind'] | null
}

const weight = { quote: 1, found: 2, now: 3 } as const

/** Text in its colours, cut where a mark begins or ends. Where marks lie over each other the one that was asked for last is seen. */
export function markTokens(tokens: readonly { text: string; color?: string | undefined }[], marks: readonly TextMark[]): MarkedToken[] {
  if (marks.length === 0) return tokens.map((token) => ({ ...token, mark: null }))
  const cuts = [...new Set(marks.flatMap(({ from, to }) => [from, to]))].sort((one, other) => one - other)
  const parts: MarkedToken[] = []
  let start = 0
  for (const { text, color } of tokens) {
    const end = start + text.length
    const borders = [start, ...cuts.filter((cut) => cut > start && cut < end), end]
    borders.slice(0, -1).forEach((from, index) => {
      const to = borders[index + 1] ?? end
      const over = marks.filter((mark) => mark.from <= from && mark.to >= to).sort((one, other) => weight[other.kind] - weight[one.kind])
      parts.push({ text: text.slice(from - start, to - start), color, mark: over[0]?.kind ?? null })
    })
    start = end
  }
  return parts
}
