export interface VisiblePart {
  text: string
  /** It stands for a character that would not be seen, or would change how others are seen. */
  hidden: boolean
}

/** Control, format (bidi marks, joiners, tags), surrogate, private and separator characters; not line breaks and tabs. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u00a0\u115f\u1160\u3164\uffa0\u{e0100}-\u{e01ef}]/u
const plain = new Set(['\n', '\t'])

/** Text that somebody else wrote, so that nothing in it can hide: each unseen character becomes its code point. */
export function visibleParts(text: string): VisiblePart[] {
  const parts: VisiblePart[] = []
  for (const character of text) {
    const hidden = !plain.has(character) && unseen.test(character)
    const shown = hidden ? `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}` : character
    const last = parts.at(-1)
    if (last !== undefined && !hidden && !last.hidden) last.text += shown
    else parts.push({ text: shown, hidden })
  }
  return parts
}

/** The same as one text, for titles and labels. */
export function visibleText(text: string): string {
  return visibleParts(text)
    .map((part) => part.text)
    .join('')
}
