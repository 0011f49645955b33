import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export const bundledModel = 'multilingual-e5-small'

export function modelFolder(resourcesDir: string): string {
  return join(resourcesDir, 'models', bundledModel)
}

/** File name to SHA-256 in hex, from the folder's SHA256SUMS. */
export async function checksumsOf(folder: string): Promise<Map<string, string>> {
  const lines = (await readFile(join(folder, 'SHA256SUMS'), 'utf8')).split('\n')
  return new Map(
    lines.flatMap((line): [string, string][] => (/^[0-9a-f]{64} [ *]./.test(line) ? [[line.slice(66), line.slice(0, 64)]] : [])),
  )
}
