import { SikuError } from '../../contract/errors.ts'
import type { DocumentKind, DocumentRow } from '../../contract/library.ts'

const pictureTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  bmp: 'image/bmp',
}

const soundEndings: Readonly<Record<string, string>> = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  m4b: 'audio/mp4',
  ogg: 'audio/ogg',
  oga: 'audio/ogg',
  opus: 'audio/ogg',
  flac: 'audio/flac',
  webm: 'audio/webm',
  weba: 'audio/webm',
}

/** A picture under a name that says nothing is text nobody reads: the interface then shows what was recognised in it. */
export function contentTypeOf({ kind, name }: Pick<DocumentRow, 'kind' | 'name'>): string {
  if (kind === 'pdf') return 'application/pdf'
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return (kind === 'image' ? pictureTypes[ending] : kind === 'sound' ? soundEndings[ending] : undefined) ?? 'text/plain'
}

/** Kinds of what came with a mail that another program might run. */
const runnable = new Set<DocumentKind>(['unknown', 'code', 'html'])

export function refusePrograms({ kind, within }: Pick<DocumentRow, 'kind' | 'within'>): void {
  if (within === null || !runnable.has(kind)) return
  throw new SikuError('unsupported', 'What is attached to a mail and may be a program is not opened.', {
    hint: 'Open the mail itself in its own program.',
  })
}
