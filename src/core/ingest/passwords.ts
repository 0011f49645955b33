import { z } from 'zod'
import type { Reason } from '../../contract/library.ts'
import type { Secrets } from '../deps.ts'
import type { PageReader } from './ocr/ocr.ts'
import type { DocumentReader } from './reader.ts'

/** Passwords of documents: for this session by path, and for good by content where the user said so. */
export interface Passwords {
  /** For the file at this path, until it was read or Siku ends. */
  remember(path: string, password: string): void
  forget(path: string): void
  of(path: string): string | undefined
  /** For these bytes, wherever they lie, until they change. */
  keep(hash: string, password: string): Promise<void>
  kept(hash: string): Promise<string | undefined>
  anyKept(): Promise<boolean>
}

const secretName = 'document-passwords'
const keptSchema = z.record(z.string(), z.string())

export function createPasswords(secrets: Secrets): Passwords {
  const remembered = new Map<string, string>()
  let writing: Promise<void> = Promise.resolve()

  async function readKept(): Promise<Record<string, string>> {
    const text = await secrets.get(secretName)
    if (text === null) return {}
    try {
      return keptSchema.parse(JSON.parse(text))
    } catch {
      return {}
    }
  }
  return {
    remember: (path, password) => void remembered.set(path, password),
    forget: (path) => void remembered.delete(path),
    of: (path) => remembered.get(path),
    keep(hash, password) {
      // One after the other, or one would write what the other has not read.
      writing = writing
        .catch(() => undefined)
        .then(async () => secrets.set(secretName, JSON.stringify({ ...(await readKept()), [hash]: password })))
      return writing
    },
    kept: async (hash) => (await readKept())[hash],
    anyKept: async () => Object.keys(await readKept()).length > 0,
  }
}

/** A reader that opens documents with the passwords that are known. Without one, or with a wrong one, it says what is needed. */
export function withPasswords(reader: DocumentReader, passwords: Passwords): DocumentReader {
  async function keptFor(path: string, signal: AbortSignal): Promise<string | undefined> {
    if (!(await passwords.anyKept())) return undefined
    const hashed = await reader.hash(path, { signal })
    return hashed.kind === 'ok' && hashed.value.kind === 'ok' ? passwords.kept(hashed.value.hash) : undefined
  }
  return {
    ...reader,
    async read(path, options) {
      const password = passwords.of(path)
      if (password !== undefined) {
        const result = await reader.read(path, { ...options, password })
        const done = result.kind === 'ok' && result.value.status !== 'failed' && (result.value.pagesToRecognise ?? []).length === 0
        if (done) passwords.forget(path)
        return result
      }
      const result = await reader.read(path, options)
      if (result.kind !== 'ok' || result.value.reason?.code !== 'encrypted') return result
      const kept = await keptFor(path, options.signal)
      return kept === undefined ? result : reader.read(path, { ...options, password: kept })
    },
    async extract(path, options = {}) {
      const given = options.password ?? passwords.of(path)
      const result = await reader.extract(path, given === undefined ? options : { ...options, password: given })
      if (given !== undefined || result.reason?.code !== 'encrypted') return result
      const kept = await keptFor(path, options.signal ?? new AbortController().signal)
      return kept === undefined ? result : reader.extract(path, { ...options, password: kept })
    },
  }
}

/** Text recognition of documents that were opened with a password. */
export function pagesWithPasswords(pages: PageReader, passwords: Passwords): PageReader {
  return {
    ...pages,
    async page(input, options) {
      if (input.kind !== 'pdf' || input.password !== undefined) return pages.page(input, options)
      const password = passwords.of(input.path) ?? (input.hash === null ? undefined : await passwords.kept(input.hash))
      return pages.page(password === undefined ? input : { ...input, password }, options)
    },
  }
}

interface Attempt {
  reader: DocumentReader
  passwords: Passwords
  path: string
  password: string
  keep: boolean
}

/** Null: it opens the document, and the next reading will use it. */
export async function tryPassword({ reader, passwords, path, password, keep }: Attempt): Promise<Reason | null> {
  const reason = await reader.tryPassword(path, password)
  if (reason !== null) return reason
  passwords.remember(path, password)
  if (!keep) return null
  const hashed = await reader.hash(path, { signal: new AbortController().signal })
  if (hashed.kind === 'ok' && hashed.value.kind === 'ok') await passwords.keep(hashed.value.hash, password)
  return null
}
