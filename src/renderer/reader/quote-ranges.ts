/** A stretch of one line, from inclusive, to exclusive. */
export interface LineRange {
  line: number
  from: number
  to: number
}

/** Where a quote stands in some lines, whatever the line breaks, spaces and ligatures of its words; empty when it is not there. */
export function quoteRanges(lines: string[], quote: string): LineRange[] {
  let letters = ''
  const at: { line: number; offset: number }[] = []
  lines.forEach((text, line) => {
    for (let offset = 0; offset < text.length; offset += 1) {
      const unit = text[offset] ?? ''
      if (/\s/.test(unit)) continue
      for (const plain of unit.normalize('NFKC').replace(/\s/g, '')) {
        letters += plain
        for (let each = 0; each < plain.length; each += 1) at.push({ line, offset })
      }
    }
  })
  const wanted = quote.normalize('NFKC').replace(/\s+/g, '')
  const found = wanted === '' ? -1 : letters.indexOf(wanted)
  const first = at[found]
  const last = at[found + wanted.length - 1]
  if (found < 0 || first === undefined || last === undefined) return []
  const ranges: LineRange[] = []
  for (let line = first.line; line <= last.line; line += 1) {
    const from = line === first.line ? first.offset : 0
    const to = line === last.line ? last.offset + 1 : (lines[line]?.length ?? 0)
    if (to > from) ranges.push({ line, from, to })
  }
  return ranges
}
