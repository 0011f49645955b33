import type { MarkedPart } from './mark-words.ts'

/** Text whose marked parts stand out. */
export function Excerpt({ parts }: { parts: MarkedPart[] }) {
  return parts.map((part, index) =>
    part.marked ? (
      <mark key={index} className="text-ink">
        {part.text}
      </mark>
    ) : (
      <span key={index}>{part.text}</span>
    ),
  )
}
