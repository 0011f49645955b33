import { open, type FileHandle } from 'node:fs/promises'
import { SikuError } from '../../contract/errors.ts'
import { splitInner } from '../../contract/inner-path.ts'
import type { Reason } from '../../contract/library.ts'
import type { StoredSegment, Store } from '../store/store.ts'
import type { DocumentReader } from './reader.ts'
import { soundFormat, soundTypes } from './read/read.ts'

/** What turns the sound in folders into text. */
export interface Hearing {
  /** An address is set, and the user lets sound files in folders go there. */
  allowed(): boolean
  /** What is missing, in a sentence. */
  needed(): string
  transcribe(
    recording: { data: Uint8Array; mediaType: string; name: string },
    options: { signal: AbortSignal },
  ): Promise<{ text: string; segments: StoredSegment[] }>
}

export type Heard =
  | { kind: 'ok'; hash: string; segments: StoredSegment[] }
  /** It is not what it was, or not there: whoever follows its folder finds out. */
  | { kind: 'changed' }
  | { kind: 'failed'; reason: Reason }

/** A recording goes out in one piece, which is held in memory. */
const mostBytes = 200 << 20

/** What was heard in a file, from the library where its bytes are known. Rejects with what the address says. */
export async function hearFile(
  path: string,
  {
    store,
    reader,
    hearing,
    signal,
  }: { store: Store; reader: Pick<DocumentReader, 'hash' | 'bytes'>; hearing: Hearing; signal: AbortSignal },
): Promise<Heard> {
  const hashed = await reader.hash(path, { signal })
  if (hashed.kind === 'cancelled') throw new SikuError('cancelled', 'cancelled')
  if (hashed.kind !== 'ok' || hashed.value.kind === 'failed') return { kind: 'changed' }
  const { hash, sizeBytes, modifiedMs } = hashed.value
  const known = store.transcripts.of(hash)
  if (known !== null) return { kind: 'ok', hash, segments: known }
  if (sizeBytes > mostBytes) {
    const message = `The recording is too large to be sent: ${mostBytes >> 20} MB at most.`
    return { kind: 'failed', reason: { code: 'too-large-to-transcribe', message } }
  }
  const isInner = splitInner(path) !== null
  const data = await (isInner ? innerBytes(path, sizeBytes, reader, signal) : bytesOf(path, { sizeBytes, modifiedMs }))
  const format = data === null ? null : soundFormat({ name: path, at: (position, count) => data.subarray(position, position + count) })
  if (data === null || format === null) return { kind: 'changed' }
  // The name of the file is nobody's business; its ending says the form.
  const recording = { data, mediaType: soundTypes[format], name: `recording.${format}` }
  const { segments } = await hearing.transcribe(recording, { signal })
  return { kind: 'ok', hash, segments: segments.map(({ text, ...times }) => ({ ...times, text: plainLine(text) })) }
}

/** Null when they are not those that were hashed. */
async function bytesOf(path: string, { sizeBytes, modifiedMs }: { sizeBytes: number; modifiedMs: number }): Promise<Buffer | null> {
  let file: FileHandle
  try {
    file = await open(path, 'r')
  } catch {
    return null
  }
  try {
    const { size, mtimeMs } = await file.stat()
    if (size !== sizeBytes || Math.trunc(mtimeMs) !== Math.trunc(modifiedMs)) return null
    const data = await file.readFile()
    return data.byteLength === sizeBytes ? data : null
  } catch {
    return null
  } finally {
    await file.close()
  }
}

/** Of one that lies in another document. Null where it is not what was hashed. */
async function innerBytes(
  path: string,
  sizeBytes: number,
  reader: Pick<DocumentReader, 'bytes'>,
  signal: AbortSignal,
): Promise<Buffer | null> {
  const parts: Uint8Array[] = []
  const reason = await reader.bytes(path, (part) => Promise.resolve(void parts.push(part)), signal)
  const data = Buffer.concat(parts)
  return reason === null && data.byteLength === sizeBytes ? data : null
}

function plainLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}
