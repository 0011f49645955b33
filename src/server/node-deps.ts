import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import envPaths from 'env-paths'
import type { CoreDeps, Log } from '../core/deps.ts'
import { fileLog } from '../core/host/log-file.ts'
import { fileSecrets } from '../core/host/secrets-file.ts'
import { forkProcess } from '../core/work/work.ts'
import { withEnvFile } from './env-file.ts'
import packageFile from '../../package.json' with { type: 'json' }

export const version = packageFile.version

export interface NodeHostOptions {
  /** The directory of the built node files (out/node), where children and threads lie. */
  builtDir: URL
  dataDir: string
  host: 'browser' | 'terminal'
  env?: Readonly<Record<string, string | undefined>>
  /** The terminal's host takes the providers' keys out of a `.env` here too; the process's own directory when left out. */
  workingDir?: string
  echo?: Log
  desktop?: CoreDeps['desktop']
}

/** Where the library lives: what was said, else SIKU_HOME, else the platform's application-data place. */
export function dataDirectory(said: string | undefined, env: Readonly<Record<string, string | undefined>>): string {
  const wanted = said ?? (env['SIKU_HOME'] === '' ? undefined : env['SIKU_HOME'])
  return resolve(wanted ?? envPaths('Siku', { suffix: '' }).data)
}

/** What ships beside the code: models/, sample-library/. */
export function resourcesDirectory(builtDir: URL): string {
  return fileURLToPath(new URL('../../resources', builtDir))
}

/** What a host made of plain Node passes in: forked children, a secrets file, a log below the data directory. */
export function nodeDeps({
  builtDir,
  dataDir,
  host,
  env = process.env,
  workingDir = process.cwd(),
  echo,
  desktop,
}: NodeHostOptions): CoreDeps {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  } catch {
    // Opening the library says what is wrong with it.
  }
  return {
    dataDir,
    resourcesDir: resourcesDirectory(builtDir),
    secrets: fileSecrets(dataDir),
    fetch: globalThis.fetch,
    now: Date.now,
    newId: randomUUID,
    log: fileLog({ dataDir, now: Date.now, ...(echo === undefined ? {} : { echo }) }),
    env: Object.freeze({ ...(host === 'terminal' ? withEnvFile(env, workingDir) : env) }),
    startProcess: forkProcess,
    workerUrl: (name) => new URL(`${name}.js`, builtDir),
    host,
    version,
    ...(desktop === undefined ? {} : { desktop }),
  }
}
