import { chmod, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { SikuError } from '../../contract/errors.ts'
import type { DocumentRow } from '../../contract/library.ts'
import type { CoreDeps } from '../deps.ts'
import type { DocumentReader } from './reader.ts'

/** Copies of documents that lie in others, for what can only open a file: in the data directory, gone with the next start. */
export interface Copies {
  /** Null: it is not in the file around it any more. */
  of(document: DocumentRow): Promise<Copy | null>
  clear(): Promise<void>
}

interface Copy {
  path: string
  sizeBytes: number
}

/** All copies together; the oldest go first. */
const mostBytes = 1 << 30

/** A name that every system takes for a file. */
function fileNameOf(name: string): string {
  const plain = name.replace(/[<>:"/\\|?*\p{Cc}]/gu, '_').replace(/[. ]+$/, '')
  const ending = extname(plain)
  const stem = plain.slice(0, plain.length - ending.length).slice(0, 60)
  return (/^(?:con|prn|aux|nul|com\d|lpt\d)$/i.test(stem) || stem === '' ? `${stem}_` : stem) + ending
}

export function createCopies({ dataDir }: Pick<CoreDeps, 'dataDir'>, reader: Pick<DocumentReader, 'bytes'>): Copies {
  const directory = join(dataDir, 'opened')
  const making = new Map<number, Promise<Copy | null>>()

  async function makeRoom(bytes: number): Promise<void> {
    const names = await readdir(directory)
    const found = await Promise.all(
      names.map(async (name) => {
        const inside = await readdir(join(directory, name)).catch(() => [])
        const stats = await Promise.all(inside.map((file) => stat(join(directory, name, file)).catch(() => null)))
        return {
          name,
          at: Math.max(0, ...stats.map((each) => each?.mtimeMs ?? 0)),
          size: stats.reduce((sum, each) => sum + (each?.size ?? 0), 0),
        }
      }),
    )
    let total = bytes + found.reduce((sum, { size }) => sum + size, 0)
    for (const { name, size } of found.sort((one, other) => one.at - other.at)) {
      if (total <= mostBytes) return
      await rm(join(directory, name), { recursive: true, force: true }).catch(() => undefined)
      total -= size
    }
  }

  async function make({ id, path, name, sizeBytes, modifiedAt }: DocumentRow): Promise<Copy | null> {
    // Other bytes, or a later version of the file around it, are another copy.
    const own = join(directory, `${id}-${sizeBytes}-${Math.round(modifiedAt)}`)
    const target = join(own, fileNameOf(name))
    const known = await stat(target).catch(() => null)
    if (known !== null) return { path: target, sizeBytes: known.size }
    await mkdir(own, { recursive: true, mode: 0o700 })
    await makeRoom(sizeBytes)
    const partial = join(own, '.partial')
    const file = await open(partial, 'w', 0o600)
    let size = 0
    try {
      const reason = await reader.bytes(path, async (part) => {
        await file.write(part)
        size += part.length
      })
      await file.close()
      if (reason?.code === 'no-permission') throw new SikuError('no-permission', reason.message)
      if (reason !== null) {
        await rm(own, { recursive: true, force: true })
        return null
      }
    } catch (error) {
      await file.close().catch(() => undefined)
      await rm(own, { recursive: true, force: true })
      throw error
    }
    // Whoever opens it is told that changes to it are not kept.
    await chmod(partial, 0o400)
    await rename(partial, target)
    return { path: target, sizeBytes: size }
  }

  return {
    of(document) {
      const known = making.get(document.id)
      if (known !== undefined) return known
      const made = make(document).finally(() => making.delete(document.id))
      making.set(document.id, made)
      return made
    },
    // One that another program holds stays until the next time.
    clear: () => rm(directory, { recursive: true, force: true }).catch(() => undefined),
  }
}
