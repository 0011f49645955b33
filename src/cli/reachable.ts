import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { SikuError, toSikuError } from '../contract/errors.ts'
import type { Words } from './words.ts'

/** The absolute path of something that is there; what is not is said before anything is begun. */
export async function reachable(path: string, words: Words): Promise<string> {
  const absolute = resolve(path)
  try {
    await stat(absolute)
    return absolute
  } catch (error) {
    const known = toSikuError(error)
    if (known.code === 'not-found') throw new SikuError('not-found', words.noSuchPath(absolute))
    if (known.code === 'no-permission') throw new SikuError('no-permission', words.cannotRead(absolute))
    throw known
  }
}
