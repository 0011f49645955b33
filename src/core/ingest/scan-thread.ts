/** The entry of a scan thread: all looking at users' disks that is not reading. A disk that hangs holds up this thread and nobody else. */
import { setImmediate } from 'node:timers/promises'
import type { DocumentKind } from '../../contract/library.ts'
import { serveRpc, type CallContext } from '../work/work.ts'
import { openFile } from './read/file.ts'
import { kindOf } from './read/kind.ts'
import { scanFolder, type ScanEvent, type ScanOptions } from './scan.ts'

/** Names in the message are many: they go as one string, sizes and times as numbers side by side. */
export type ScanMessage = { type: 'files'; paths: string; sizes: Float64Array; times: Float64Array } | Exclude<ScanEvent, { type: 'files' }>

export interface ScanApi {
  scan(input: ScanOptions, context: CallContext<ScanMessage>): Promise<void>
  /** SHA-256 of each file in hex; null where it can't be read. */
  hash(input: { paths: string[] }, context: CallContext): Promise<(string | null)[]>
  /** The kinds of files whose names say nothing; null where they can't be opened. */
  kinds(input: { paths: string[] }, context: CallContext): Promise<(DocumentKind | null)[]>
}

function withFile<Value>(path: string, work: (file: Extract<ReturnType<typeof openFile>, { kind: 'ok' }>['file']) => Value): Value | null {
  const opened = openFile(path)
  if (opened.kind === 'failed') return null
  try {
    return work(opened.file)
  } catch {
    return null
  } finally {
    opened.file.close()
  }
}

serveRpc<ScanApi>({
  async scan(options, { signal, emit }) {
    for (const event of scanFolder(options)) {
      // Lets a cancellation in.
      await setImmediate()
      signal.throwIfAborted()
      if (event.type !== 'files') await emit(event)
      else {
        const { files } = event
        await emit({
          type: 'files',
          // No path has a zero character in it.
          paths: files.map(({ path }) => path).join('\0'),
          sizes: Float64Array.from(files, ({ sizeBytes }) => sizeBytes),
          times: Float64Array.from(files, ({ modifiedMs }) => modifiedMs),
        })
      }
    }
  },
  async hash({ paths }, { signal }) {
    const hashes: (string | null)[] = []
    for (const path of paths) {
      await setImmediate()
      signal.throwIfAborted()
      hashes.push(withFile(path, (file) => file.sha256()))
    }
    return hashes
  },
  kinds: ({ paths }) => Promise.resolve(paths.map((path) => withFile(path, (file) => kindOf(path, file)))),
})
