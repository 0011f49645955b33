/** Lines that people read before they say yes: nothing in them may hide, reorder or overflow. */

const mostCharacters = 200
const mostValueCharacters = 80

/**
 * Controls, line ends, marks that turn the direction of text, invisible characters, tags, lone surrogates. Emoji that are made
 * with such characters (families, flags of regions) are found first, and only the sequences that Unicode recommends.
 */
const emojiOrUnseen = new RegExp(String.raw`\p{RGI_Emoji}|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]+`, 'gv')
const unseen = /^[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/u
/** Stacked marks that would cover what stands beside them. */
const stacked = /(\p{M}{4})\p{M}+/gu

/** With a blank for what cannot be seen; emoji stay whole. */
export function withoutUnseen(text: string): string {
  return text.replace(emojiOrUnseen, (found) => (unseen.test(found) ? ' ' : found))
}

/** One line, bounded, with what cannot be seen taken out. */
export function readableLine(text: string, most = mostCharacters): string {
  const line = withoutUnseen(text.slice(0, most * 8))
    .replace(stacked, '$1')
    .replace(/\s+/g, ' ')
    .trim()
  const characters = Array.from(line)
  if (characters.length <= most) return line
  // A cut may leave an emoji's joiner at the end.
  return `${withoutUnseen(characters.slice(0, most - 1).join('')).trimEnd()}…`
}

/** Arguments for a person: `(query: "lease", k: 5)`. */
export function argumentsText(args: unknown): string {
  if (typeof args !== 'object' || args === null) return ''
  const parts = Object.entries(args)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${readableLine(name, 40)}: ${valueText(value)}`)
  return `(${parts.join(', ')})`
}

function valueText(value: unknown): string {
  if (typeof value !== 'string') return readableLine(JSON.stringify(value) ?? '', mostValueCharacters)
  return `“${readableLine(value, mostValueCharacters)}”`
}
