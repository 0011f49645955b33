export interface Mention {
  /** Where the sign stands in the text. */
  at: number
  query: string
}

/** More than a mention and the sign before it: only the end of a long text is looked at. */
const longest = 100

/** The `@` that is being written before the caret, and what is written after it. Within a word, as in an e-mail address, it is none. */
export function mentionBefore(text: string, caret: number): Mention | null {
  const found = /(?:^|[^\w.@＠-])[@＠]([^\s@＠]{0,80})$/.exec(text.slice(Math.max(0, caret - longest), caret))
  const query = found?.[1]
  return query === undefined ? null : { at: caret - query.length - 1, query }
}

/** The text with the mention, up to the caret, replaced; and where the caret is then. */
export function withoutMention(text: string, caret: number, { at }: Mention, instead = ''): { text: string; caret: number } {
  const rest = text.slice(caret)
  const gap = instead !== '' && !/^\s/.test(rest) ? ' ' : ''
  return { text: `${text.slice(0, at)}${instead}${gap}${rest}`, caret: at + instead.length + gap.length }
}
