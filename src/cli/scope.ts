import { resolve, sep } from 'node:path'
import type { Scope } from '../contract/library.ts'
import { SikuError } from '../contract/errors.ts'
import type { SharedCore } from '../server/server.ts'

/** What `--folder PATH` means: a folder of the library, or a directory below one. */
export async function scopeOf(client: SharedCore['client'], path: string, signal: AbortSignal): Promise<Scope> {
  const absolute = resolve(path)
  const folders = await client.folders.list({}, { signal })
  const exact = folders.find((folder) => folder.path === absolute)
  if (exact !== undefined) return { folderIds: [exact.id] }
  const around = folders.some((folder) => absolute.startsWith(folder.path.endsWith(sep) ? folder.path : folder.path + sep))
  const within = folders.filter((folder) => folder.path.startsWith(absolute.endsWith(sep) ? absolute : absolute + sep))
  if (around) return { pathPrefix: absolute }
  if (within.length > 0) return { folderIds: within.map((folder) => folder.id) }
  throw new SikuError('not-found', `${absolute} is not in the library.`, { hint: `Add it with: siku index ${JSON.stringify(absolute)}` })
}
