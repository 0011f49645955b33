import { constants } from 'node:fs'
import { access, readdir, realpath, stat } from 'node:fs/promises'
import { platform } from 'node:os'
import { isAbsolute, resolve } from 'node:path'
import { toSikuError } from '../../contract/errors.ts'
import { isWithin } from './scan.ts'

export interface Refusal {
  path: string
  code: string
  message: string
}

export type PathCheck = { kind: 'ok'; path: string; single: boolean } | { kind: 'refused'; refusal: Refusal }

/** Whether a path can be added, and the one name it is kept under. `dataDir` is Siku's own, where nothing may be added; null: it may. */
export async function checkPath(given: string, dataDir: string | null): Promise<PathCheck> {
  function refuse(code: string, message: string): PathCheck {
    return { kind: 'refused', refusal: { path: given, code, message } }
  }
  if (given.includes('\0')) return refuse('bad-input', 'A path cannot contain a zero character.')
  if (!isAbsolute(given)) return refuse('bad-input', 'The path must be absolute.')
  try {
    // On Windows the real path of a mapped drive is a share nobody recognises.
    const path = platform() === 'win32' ? resolve(given) : await realpath(resolve(given))
    const stats = await stat(path)
    if (!stats.isDirectory() && !stats.isFile()) return refuse('bad-input', 'This is neither a folder nor a file.')
    if (dataDir !== null && isWithin(path, await realpath(dataDir))) return refuse('refused', 'This folder belongs to Siku itself.')
    if (stats.isDirectory()) await readdir(path)
    else await access(path, constants.R_OK)
    return { kind: 'ok', path, single: stats.isFile() }
  } catch (error) {
    const { code, message } = toSikuError(error)
    if (code === 'not-found') return refuse(code, 'There is nothing at this path.')
    if (code === 'no-permission') return refuse(code, 'It may not be read by this user.')
    return refuse(code, message)
  }
}
