import { closeSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { providerEntries } from '../contract/provider-entries.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Longer than any such file; the rest is not read. */
const maximalBytes = 65_536

/** The environment, and what a `.env` of this directory says of the providers' keys. What the environment says wins. */
export function withEnvFile(env: Env, directory: string): Env {
  const text = readStart(join(directory, '.env'))
  return text === null ? env : { ...env, ...providerVariablesOf(text, env) }
}

/**
 * Only the names that providers have. An address or a model of the file counts only with the file's own key: else a
 * directory that came from somewhere could send the user's key to its own server.
 */
export function providerVariablesOf(text: string, env: Env): Record<string, string> {
  const file = parseEnv(text)
  const isSet = (name: string): boolean => (env[name] ?? '') !== ''
  const taken: Record<string, string> = {}
  for (const entry of providerEntries) {
    const { keys, address, model } = entry.env
    if (keys.some(isSet)) continue
    for (const name of [...keys, address, model]) {
      const value = name === undefined ? '' : (file[name] ?? '')
      if (name !== undefined && value !== '' && !isSet(name)) taken[name] = value
    }
  }
  return taken
}

/** Null when there is no such file, or it cannot be read. */
function readStart(path: string): string | null {
  let file: number | null = null
  try {
    file = openSync(path, 'r')
    const buffer = Buffer.alloc(maximalBytes)
    return buffer.toString('utf8', 0, readSync(file, buffer, 0, maximalBytes, 0))
  } catch {
    return null
  } finally {
    if (file !== null) closeSync(file)
  }
}
