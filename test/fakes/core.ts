import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openCore, type Core } from '../../src/core/core.ts'
import type { CoreDeps, Secrets } from '../../src/core/deps.ts'
import { forkProcess } from '../../src/core/work/work.ts'

const root = join(import.meta.dirname, '..', '..')

export function memorySecrets(): Secrets {
  const kept = new Map<string, string>()
  return {
    kind: 'owner-file',
    get: (name) => Promise.resolve(kept.get(name) ?? null),
    set: (name, value) => {
      kept.set(name, value)
      return Promise.resolve()
    },
    remove: (name) => {
      kept.delete(name)
      return Promise.resolve()
    },
  }
}

/** What a test core gets: real threads and processes, a temporary directory, nothing of this machine's environment. */
export function testDeps(dataDir: string, changes: Partial<CoreDeps> = {}): CoreDeps {
  return {
    dataDir,
    resourcesDir: join(root, 'resources'),
    secrets: memorySecrets(),
    fetch: globalThis.fetch,
    now: Date.now,
    newId: randomUUID,
    log: () => undefined,
    env: { OLLAMA_HOST: '127.0.0.1:1' },
    startProcess: forkProcess,
    workerUrl: (name) => pathToFileURL(join(root, 'out', 'node', `${name}.js`)),
    host: 'terminal',
    version: '0.0.0-test',
    ...changes,
  }
}

export interface TestCore {
  core: Core
  dataDir: string
  /** Closes the core and removes its directory. */
  end(): Promise<void>
}

export async function openTestCore(changes: Partial<CoreDeps> = {}): Promise<TestCore> {
  const dataDir = changes.dataDir ?? mkdtempSync(join(tmpdir(), 'siku-test-'))
  const core = await openCore(testDeps(dataDir, changes))
  return {
    core,
    dataDir,
    end: async () => {
      await core.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
