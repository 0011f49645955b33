import { SikuError } from '../../contract/errors.ts'
import type { DocumentKind, DocumentRow } from '../../contract/library.ts'
import { soundTypes } from './read/read.ts'

const pictureTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  bmp: 'image/bmp',
}

/** Endings by which a form of sound also goes. */
const soundEndings: Readonly<Record<string, keyof typeof soundTypes>> = { m4b: 'm4a', oga: 'ogg', opus: 'ogg', weba: 'webm' }

/** A picture under a name that says nothing is text nobody reads: the interface then shows what was recognised in it. */
export function contentTypeOf({ kind, name }: Pick<DocumentRow, 'kind' | 'name'>): string {
  if (kind === 'pdf') return 'application/pdf'
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return (kind === 'image' ? pictureTypes[ending] : kind === 'sound' ? soundTypeOf(ending) : undefined) ?? 'text/plain'
}

function soundTypeOf(ending: string): string | undefined {
  const form = soundEndings[ending] ?? ending
  return Object.entries(soundTypes).find(([name]) => name === form)?.[1]
}

/** Kinds of what came with a mail that another program might run. */
const runnable = new Set<DocumentKind>(['unknown', 'code', 'html'])

export function refusePrograms({ kind, within }: Pick<DocumentRow, 'kind' | 'within'>): void {
  if (within === null || !runnable.has(kind)) return
  throw new SikuError('unsupported', 'What is attached to a mail and may be a program is not opened.', {
    hint: 'Open the mail itself in its own program.',
  })
}
