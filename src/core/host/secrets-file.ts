import { randomBytes } from 'node:crypto'
import { chmod, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { SikuError, toSikuError } from '../../contract/errors.ts'
import type { Secrets } from '../deps.ts'

const secretsSchema = z.record(z.string(), z.string())

/**
 * Keys in a file that only its owner may read (0600), for hosts without a keyring.
 * A damaged file is set aside, never overwritten; writes are one after another and atomic.
 */
export function fileSecrets(dataDir: string, fileName = 'secrets.json'): Secrets {
  const path = join(dataDir, fileName)
  let last: Promise<unknown> = Promise.resolve()

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = last.then(work, work)
    last = next.catch(() => undefined)
    return next
  }

  async function load(): Promise<Record<string, string>> {
    let text: string
    try {
      text = await readFile(path, 'utf8')
    } catch (error) {
      if (toSikuError(error).code === 'not-found') return {}
      throw toSikuError(error)
    }
    const parsed = secretsSchema.safeParse(parseJson(text))
    if (parsed.success) return parsed.data
    await rename(path, `${path}.damaged-${randomBytes(4).toString('hex')}`)
    return {}
  }

  async function save(values: Record<string, string>): Promise<void> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const temporary = `${path}.${randomBytes(6).toString('hex')}`
    try {
      const file = await open(temporary, 'wx', 0o600)
      try {
        await file.writeFile(JSON.stringify(values))
        await file.sync()
      } finally {
        await file.close()
      }
      await chmod(temporary, 0o600)
      await rename(temporary, path)
    } catch (error) {
      await rm(temporary, { force: true })
      const known = toSikuError(error)
      throw new SikuError(known.code, `The key could not be kept: ${known.message}`, {
        cause: error,
        ...(known.hint ? { hint: known.hint } : {}),
      })
    }
  }

  return {
    kind: 'owner-file',
    get: (name) => inTurn(async () => (await load())[name] ?? null),
    set: (name, value) => inTurn(async () => save({ ...(await load()), [name]: value })),
    remove: (name) =>
      inTurn(async () => {
        const { [name]: removed, ...rest } = await load()
        if (removed !== undefined) await save(rest)
      }),
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
