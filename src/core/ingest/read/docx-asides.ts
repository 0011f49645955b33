import { createRuns } from './docx-runs.ts'
import { createRaisedLine } from './raised.ts'
import { readXml } from './xml.ts'

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
export function readAsides(kind: NoteKind, source: Buffer | null, raisedStyles: ReadonlySet<string>): Map<string, string> {
  const notes = new Map<string, string>()
  if (source === null) return notes
  let id = ''
  let author = ''
  const line = createRaisedLine()
  const runs = createRuns(raisedStyles)
  let inText = false
  let deleted = 0
  readXml(source, {
    open(name, attributes) {
      if (name === `w:${kind}`) {
        // The separators between text and notes are notes as well.
        id = attributes['w:type'] === undefined || attributes['w:type'] === 'normal' ? (attributes['w:id'] ?? '') : ''
        author = attributes['w:author'] ?? ''
        line.take()
      } else if (name === 'w:del' || name === 'w:moveFrom') deleted += 1
      else if ((name === 'w:p' || name === 'w:br' || name === 'w:tab') && line.last() !== '') line.add(' ', false)
      runs.open(name, attributes)
      inText = name === 'w:t' || name === 'm:t'
    },
    close(name) {
      if (name === 'w:del' || name === 'w:moveFrom') deleted -= 1
      runs.close(name)
      const text = name === `w:${kind}` && id !== '' ? line.take().trim() : ''
      if (text !== '') notes.set(`${kind} ${id}`, kind === 'comment' ? commentLine(author, text) : text)
      inText = false
    },
    text(data) {
      if (inText && deleted === 0) line.add(data, runs.now.raised)
    },
  })
  return notes
}
