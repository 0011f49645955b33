import { useMemo } from 'react'
import type { DocumentRow } from '../../contract/library.ts'
import type { Place } from '../../contract/place.ts'
import { useHighlighted } from '../markdown/code-block.tsx'
import { useMatches } from './find.ts'
import { languageOfFile, linesOfSections, type Line } from './lines.ts'
import { MarkedText } from './marked-text.tsx'
import type { TextMark } from './marks.ts'
import { quoteRanges } from './quote-ranges.ts'
import { useSections } from './sections.ts'
import { TextList } from './text-list.tsx'

/** First and last index of the lines of a place; null when it names none. */
function stretchOf(lines: Line[], place: Place | null): [number, number] | null {
  if (place?.kind !== 'lines') return null
  const first = lines.findIndex((line) => line.number !== null && line.number >= place.from)
  if (first < 0) return null
  let last = first
  for (let index = first; index < lines.length; index += 1) {
    const number = lines[index]?.number ?? null
    if (number !== null && number > place.to) break
    last = index
  }
  return [first, last]
}

interface Props {
  document: DocumentRow
  place: Place | null
  quote: string
}

/** Text, Markdown and code at their lines. */
export function LinesView({ document, place, quote }: Props) {
  const sections = useSections(document)
  const lines = useMemo(() => linesOfSections(sections.items), [sections.items])
  const stretch = useMemo(() => stretchOf(lines, place), [lines, place])
  const marks = useMemo(() => {
    if (quote === '') return []
    const [first, last] = stretch ?? [0, lines.length - 1]
    return quoteRanges(
      lines.slice(first, last + 1).map((line) => line.text),
      quote,
    ).map((range) => ({ ...range, line: range.line + first }))
  }, [lines, stretch, quote])
  const texts = useMemo(() => lines.map((line) => line.text), [lines])
  const found = useMatches(texts)
  // Data is read as what it says, a name and a value a line: YAML is nearest to it.
  const isCode = document.kind === 'code' || document.kind === 'data'
  const code = useMemo(() => (isCode ? texts.join('\n') : ''), [isCode, texts])
  const coloured = useHighlighted(code, isCode ? (document.kind === 'data' ? 'yaml' : languageOfFile(document.name)) : '')
  const target = Math.max(0, (found.piece ?? marks[0]?.line ?? stretch?.[0] ?? 0) - 4)
  return (
    <TextList
      document={document}
      sections={sections}
      count={lines.length}
      empty={lines.length === 0}
      target={target}
      increaseViewportBy={400}
      piece={(index) => {
        const line = lines[index]
        if (line === undefined) return null
        const on = stretch !== null && index >= stretch[0] && index <= stretch[1]
        const tokens = coloured?.[index]
        const quoted = marks.filter((range) => range.line === index).map(({ from, to }): TextMark => ({ from, to, kind: 'quote' }))
        return (
          <div className="line-row" data-on={on} data-quoted={marks.length > 0} data-code={isCode}>
            <span aria-hidden="true">{line.number ?? ''}</span>
            <span>
              <MarkedText text={line.text} tokens={tokens?.length === 0 ? undefined : tokens} marks={[...quoted, ...found.marks(index)]} />
            </span>
          </div>
        )
      }}
    />
  )
}
