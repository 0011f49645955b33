import { readXml } from './xml.ts'

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** The mark of a note in its text and before itself. */
export function noteMark(number: number): string {
  return [...`${number}`].map((digit) => superscripts[Number(digit)] ?? digit).join('')
}

/** What somebody wrote at the edge of a document. */
export function commentLine(author: string, text: string): string {
  return author.trim() === '' ? `Comment: ${text}` : `Comment (${author.trim()}): ${text}`
}

/** What runs over or under each page; null for what only counts pages. */
export function runningLine(kind: 'header' | 'footer', text: string): string | null {
  const flat = text.replace(/\s+/g, ' ').trim()
  if (flat.replace(/[\d\s第页頁共/|.·—–-]|page|of/giu, '') === '') return null
  return `${kind === 'header' ? 'Header' : 'Footer'}: ${flat}`
}

export type NoteKind = 'footnote' | 'endnote' | 'comment'

/** Notes and comments by kind and id, as they are shown. */
export function readAsides(kind: NoteKind, source: Buffer | null): Map<string, string> {
  const notes = new Map<string, string>()
  if (source === null) return notes
  let id = ''
  let author = ''
  let text = ''
  let inText = false
  let deleted = 0
  readXml(source, {
    open(name, attributes) {
      if (name === `w:${kind}`) {
        // The separators between text and notes are notes as well.
        id = attributes['w:type'] === undefined || attributes['w:type'] === 'normal' ? (attributes['w:id'] ?? '') : ''
        author = attributes['w:author'] ?? ''
        text = ''
      } else if (name === 'w:del' || name === 'w:moveFrom') deleted += 1
      else if ((name === 'w:p' || name === 'w:br' || name === 'w:tab') && text !== '') text += ' '
      inText = name === 'w:t' || name === 'm:t'
    },
    close(name) {
      if (name === 'w:del' || name === 'w:moveFrom') deleted -= 1
      if (name === `w:${kind}` && id !== '' && text.trim() !== '')
        notes.set(`${kind} ${id}`, kind === 'comment' ? commentLine(author, text.trim()) : text.trim())
      inText = false
    },
    text(data) {
      if (inText && deleted === 0) text += data
    },
  })
  return notes
}
