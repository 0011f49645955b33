import { createWriteStream } from 'node:fs'
import { mkdir, readdir, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, parse, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { SikuError, toSikuError } from '../contract/errors.ts'

/** A browser cannot say where a dropped file lies, so its bytes are kept below `dropped/` in the data directory. */
export interface Drops {
  /** One file of a drop; `relativePath` is its place in what was dropped, parted by slashes. */
  receive(dropId: string, relativePath: string, body: Readable): Promise<void>
  /** The drop is whole: where it now lies, ready for `folders.add`. */
  finish(dropId: string, name: string | null): Promise<string[]>
  /** Removes drops that were begun and never finished and, given the folders still in the library, copies that none of them needs. */
  sweep(folders: string[] | null): Promise<void>
}

const longestName = 200
const unfinishedForMs = 24 * 3_600_000
const reservedNames = /^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/i

function refusal(message: string): SikuError {
  return new SikuError('bad-input', message)
}

/** A name that stays one name in one directory, on every system. */
export function checkName(name: string): string {
  const bad =
    name === '' ||
    name === '.' ||
    name === '..' ||
    Buffer.byteLength(name) > longestName ||
    /[/\\\u0000-\u001f\u007f]/.test(name) ||
    (process.platform === 'win32' && (/[<>:"|?*]|[. ]$/.test(name) || reservedNames.test(name)))
  if (bad) throw refusal(`"${name.slice(0, 80)}" is not a usable name.`)
  return name
}

export function checkRelativePath(relativePath: string): string[] {
  const names = relativePath.split('/')
  if (names.length > 60 || relativePath.length > 4000) throw refusal('The path is too long.')
  return names.map(checkName)
}

function checkDropId(dropId: string): string {
  if (!/^[A-Za-z0-9_-]{8,64}$/.test(dropId)) throw refusal('That is not the id of a drop.')
  return dropId
}

export function createDrops(dataDir: string, now: () => number): Drops {
  const kept = join(dataDir, 'dropped')
  const incoming = join(kept, '.incoming')
  let serial = 0

  async function freePlace(name: string): Promise<string> {
    for (let number = 1; ; number += 1) {
      const path = join(kept, number === 1 ? name : `${name} ${number}`)
      const taken = await stat(path).then(
        () => true,
        (error: unknown) => toSikuError(error).code !== 'not-found',
      )
      if (!taken) return path
    }
  }

  return {
    async receive(dropId, relativePath, body) {
      const target = join(incoming, checkDropId(dropId), ...checkRelativePath(relativePath))
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      serial += 1
      const temporary = join(incoming, `${dropId}.${serial}.part`)
      try {
        await pipeline(body, createWriteStream(temporary, { flags: 'wx', mode: 0o600 }))
        await rename(temporary, target)
      } catch (error) {
        await rm(temporary, { force: true })
        throw toSikuError(error)
      }
    },

    async finish(dropId, name) {
      const whole = join(incoming, checkDropId(dropId))
      const entries = await readdir(whole, { withFileTypes: true }).catch(() => [])
      if (entries.length === 0) throw new SikuError('not-found', 'Nothing was received for this drop.')
      const only = entries.length === 1 ? entries[0] : undefined
      if (only?.isDirectory()) {
        const place = await freePlace(only.name)
        await rename(join(whole, only.name), place)
        await rm(whole, { recursive: true, force: true })
        return [place]
      }
      const given = checkName(name ?? new Date(now()).toISOString().slice(0, 10))
      // A file by itself keeps its name, in a directory of its own.
      const place = await freePlace(only === undefined ? given : parse(only.name).name)
      await rename(whole, place)
      return [only === undefined ? place : join(place, only.name)]
    },

    async sweep(folders) {
      for (const entry of await readdir(incoming).catch(() => [])) {
        const path = join(incoming, entry)
        const found = await stat(path).catch(() => null)
        if (found !== null && now() - found.mtimeMs > unfinishedForMs) await rm(path, { recursive: true, force: true })
      }
      if (folders === null) return
      const here = await realpath(kept).catch(() => kept)
      for (const entry of await readdir(kept, { withFileTypes: true }).catch(() => [])) {
        const path = join(here, entry.name)
        const isNeeded = folders.some((folder) => folder === path || folder.startsWith(path + sep))
        if (entry.isDirectory() && entry.name !== '.incoming' && !isNeeded) await rm(path, { recursive: true, force: true })
      }
    },
  }
}
