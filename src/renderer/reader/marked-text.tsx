import { markTokens, type TextMark } from './marks.ts'

interface Props {
  text: string
  /** The same text in its colours, where it has any. */
  tokens?: readonly { text: string; color?: string | undefined }[] | undefined
  marks: readonly TextMark[]
}

/** Text with what stands out in it. An empty line keeps its height. */
export function MarkedText({ text, tokens, marks }: Props) {
  if (text === '') return '\u00a0'
  return markTokens(tokens ?? [{ text }], marks).map((part, index) =>
    part.mark === null ? (
      <span key={index} style={part.color === undefined ? undefined : { color: part.color }}>
        {part.text}
      </span>
    ) : (
      <mark key={index} data-kind={part.mark} style={part.color === undefined ? undefined : { color: part.color }}>
        {part.text}
      </mark>
    ),
  )
}
