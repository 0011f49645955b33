import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { SikuError, toSikuError } from '../contract/errors.ts'
import { statFileOf } from '../core/store/store.ts'
import { oneLine } from './output.ts'
import type { Words } from './words.ts'

/** The absolute path of something that is there, or leads into a file; what is not is said before anything is begun. */
export async function reachable(path: string, words: Words): Promise<string> {
  const absolute = resolve(path)
  try {
    await statFileOf(absolute)
    return absolute
  } catch (error) {
    const known = toSikuError(error)
    if (known.code === 'not-found') throw new SikuError('not-found', words.noSuchPath(oneLine(absolute)))
    if (known.code === 'no-permission') throw new SikuError('no-permission', words.cannotRead(oneLine(absolute)))
    throw known
  }
}

/** The bytes of a file that the user named; whatever hinders says which file it was. `maximalBytes`: a larger one is refused as `tooLarge` says. */
export async function readNamed(
  path: string,
  words: Words,
  limit?: { maximalBytes: number; tooLarge: (path: string) => string },
): Promise<{ path: string; data: Buffer }> {
  const absolute = await reachable(path, words)
  const found = await stat(absolute)
  if (found.isDirectory()) throw new SikuError('bad-input', words.isFolder(oneLine(absolute)))
  if (!found.isFile()) throw new SikuError('bad-input', words.isNoFile(oneLine(absolute)))
  if (limit !== undefined && found.size > limit.maximalBytes) throw new SikuError('bad-input', limit.tooLarge(oneLine(absolute)))
  try {
    return { path: absolute, data: await readFile(absolute) }
  } catch (error) {
    const known = toSikuError(error)
    if (known.code === 'no-permission') throw new SikuError('no-permission', words.cannotRead(oneLine(absolute)))
    throw known
  }
}
