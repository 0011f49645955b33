import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Of the file at a path, or of the one that the path of a document inside leads into. Rejects as `stat` does. */
export async function statFileOf(path: string): Promise<Stats> {
  try {
    return await stat(path)
  } catch (error) {
    for (let at = dirname(path); dirname(at) !== at; at = dirname(at)) {
      const around = await stat(at).catch(() => null)
      if (around?.isFile() === true) return around
      if (around !== null) break
    }
    throw error
  }
}
