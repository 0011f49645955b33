import { realpath, stat } from 'node:fs/promises'
import { dirname, relative, resolve, sep } from 'node:path'
import type { Scope } from '../contract/library.ts'
import { SikuError } from '../contract/errors.ts'
import type { SharedCore } from '../server/server.ts'

/**
 * What `--folder PATH` means: a folder of the library, some below it, or a directory or document inside of one. A path that
 * leads there through links is the same; one that is neither on the disk nor in the library is an error, never an empty result.
 */
export async function scopeOf(client: SharedCore['client'], path: string, signal: AbortSignal): Promise<Scope> {
  const absolute = resolve(path)
  const names = await namesOf(absolute)
  const folders = await client.folders.list({}, { signal })
  const exact = folders.find((folder) => names.includes(folder.path))
  if (exact !== undefined) return { folderIds: [exact.id] }
  const inside = names.filter((name) => folders.some((folder) => isBelow(name, folder.path)))
  for (const name of inside) if (await hasDocuments(name)) return { pathPrefix: name }
  const within = folders.filter((folder) => names.some((name) => isBelow(folder.path, name)))
  if (within.length > 0) return { folderIds: within.map((folder) => folder.id) }
  if (inside[0] === undefined)
    throw new SikuError('not-found', `${absolute} is not in the library.`, { hint: `Add it with: siku index ${JSON.stringify(absolute)}` })
  // Nothing of it is in the library: a directory without documents, unless there is nothing at all.
  if (await isThere(absolute)) return { pathPrefix: inside[0] }
  throw new SikuError('not-found', `${absolute} is not in the library, and there is no such file or folder.`)

  async function hasDocuments(name: string): Promise<boolean> {
    const { documents } = await client.documents.list({ name, limit: 1000 }, { signal })
    return documents.some((document) => document.path === name || isBelow(document.path, name))
  }
}

/** The path itself, and as it is called when any of the directories on the way is taken for what its link leads to. */
async function namesOf(absolute: string): Promise<string[]> {
  const names = new Set([absolute])
  for (let ancestor = absolute; ; ancestor = dirname(ancestor)) {
    const real = await realpath(ancestor).catch(() => null)
    if (real !== null) names.add(resolve(real, relative(ancestor, absolute)))
    if (dirname(ancestor) === ancestor) return [...names]
  }
}

function isBelow(path: string, directory: string): boolean {
  return path.startsWith(directory.endsWith(sep) ? directory : directory + sep)
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
