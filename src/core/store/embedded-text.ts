/** Exactly what is embedded for a passage, and what its `text_hash` is taken over. Never the file's name: a move must not embed again. */
export function embeddedText(heading: readonly string[], text: string): string {
  return heading.length === 0 ? text : `${heading.join(' › ')}\n${text}`
}
