import { createHash } from 'node:crypto'
import { open, readdir } from 'node:fs/promises'
import type { LeftOut } from '../../contract/library.ts'
import type { ScanChanges, Store } from '../store/store.ts'
import { compareWith, inParts, needHash, toChanges, type Verdict } from './compare.ts'
import type { ScanRules } from './ignore.ts'
import { knownFiles } from './known-files.ts'
import { kindOf, sniffBytes } from './read/kind.ts'
import { isWithin, mayBeMountPoint, scanFolder, type FoundFile } from './scan.ts'

export interface ReconcileOptions {
  store: Store
  folder: { id: number; path: string; single: boolean }
  rules: ScanRules
  otherRoots: ReadonlySet<string>
  /** Null: all of it. */
  only: ReadonlySet<string> | null
  now: () => number
  /** After each write: something may be waiting to be read; `changed` may be being read just now. */
  onApplied: (changed: number[]) => void
  signal: AbortSignal
}

export type Reconciled = { kind: 'done'; leftOut: LeftOut } | { kind: 'unreachable'; message: string }

const writeLimit = 1000
const openLimit = 16
const hashChunk = 256 << 10

async function inParallel<Item>(items: readonly Item[], limit: number, work: (item: Item) => Promise<void>): Promise<void> {
  let next = 0
  async function worker(): Promise<void> {
    while (next < items.length) await work(items[next++]!)
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker))
}

/** SHA-256 of a file, in chunks small enough not to be felt. Null: it can't be read. */
async function hashFile(path: string, signal: AbortSignal): Promise<string | null> {
  try {
    const file = await open(path, 'r')
    try {
      const hash = createHash('sha256')
      const buffer = Buffer.allocUnsafe(hashChunk)
      for (;;) {
        signal.throwIfAborted()
        const { bytesRead } = await file.read(buffer, 0, hashChunk, null)
        if (bytesRead === 0) return hash.digest('hex')
        hash.update(buffer.subarray(0, bytesRead))
      }
    } finally {
      await file.close()
    }
  } catch {
    signal.throwIfAborted()
    return null
  }
}

async function firstBytes(path: string): Promise<Buffer | null> {
  try {
    const file = await open(path, 'r')
    try {
      const buffer = Buffer.alloc(sniffBytes)
      const { bytesRead } = await file.read(buffer, 0, sniffBytes, 0)
      return buffer.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  } catch {
    return null
  }
}

/** A name that says nothing needs a look inside. One that can't be opened is left to the reader, which says why. */
export async function judge(file: FoundFile): Promise<Verdict> {
  let kind = kindOf(file.path)
  if (kind === 'unknown') {
    const bytes = await firstBytes(file.path)
    kind = bytes === null ? 'text' : kindOf(file.path, bytes)
  }
  if (kind !== 'unknown') return { kind, status: 'waiting', reason: null }
  return { kind, status: 'skipped', reason: { code: 'unsupported-kind', message: 'Files of this kind are not read yet.' } }
}

async function judgeAll(files: readonly FoundFile[]): Promise<(file: FoundFile) => Verdict> {
  const verdicts = new Map<string, Verdict>()
  await inParallel(files, openLimit, async (file) => void verdicts.set(file.path, await judge(file)))
  return (file) => verdicts.get(file.path)!
}

/** Whether a folder that shows nothing at all looks like a drive that is not there rather than like files deleted. */
async function looksUnplugged(root: string): Promise<boolean> {
  if (!mayBeMountPoint(root)) return false
  return (await readdir(root).catch(() => [])).length === 0
}

/** Brings what the store knows of a folder, or of some paths in it, in line with the disk. Nothing is read but what names a kind or proves a move. */
export async function reconcile(options: ReconcileOptions): Promise<Reconciled> {
  const { store, folder, only, signal } = options
  const known = await knownFiles(store, folder.id, only)
  const firstTime = known.size === 0
  const comparison = compareWith(known)
  const scan = { root: folder.path, rules: options.rules, otherRoots: options.otherRoots, signal, ...(only === null ? {} : { only }) }

  async function apply(changes: ScanChanges, end: { leftOut: LeftOut; scannedAt: number } | null): Promise<void> {
    for (const part of inParts(changes, writeLimit)) {
      signal.throwIfAborted()
      await store.documents.applyScan(folder.id, part, null)
      options.onApplied(part.changed.map((file) => file.documentId))
    }
    if (end !== null) await store.documents.applyScan(folder.id, { added: [], changed: [], moved: [], touched: [], removed: [] }, end)
  }
  async function addNow(files: FoundFile[]): Promise<void> {
    await apply(toChanges({ added: files, altered: [], missing: [] }, new Map(), await judgeAll(files)), null)
  }

  let waiting: FoundFile[] = []
  for await (const event of scanFolder(scan)) {
    if (event.type === 'unreachable') return { kind: 'unreachable', message: event.message }
    if (event.type === 'files') {
      if (!firstTime) comparison.see(event.files)
      else {
        // Nothing was known, so nothing can have moved: what is found is written as it comes.
        waiting.push(...event.files)
        if (waiting.length >= writeLimit) await addNow(waiting.splice(0))
      }
      continue
    }
    if (waiting.length > 0) await addNow(waiting)
    waiting = []
    const differences = comparison.end()
    // What could not be looked at is not gone.
    if (event.unseen.length > 0) {
      differences.missing = differences.missing.filter((file) => !event.unseen.some((path) => isWithin(file.path, path)))
    }
    if (differences.missing.length > 0 && (await looksUnplugged(folder.path))) {
      return { kind: 'unreachable', message: `${folder.path} is empty: is the drive connected?` }
    }
    const hashes = new Map<string, string>()
    await inParallel(needHash(differences), 4, async (file) => {
      const hash = await hashFile(file.path, signal)
      if (hash !== null) hashes.set(file.path, hash)
    })
    const verdict = await judgeAll([...differences.added, ...differences.altered.map(({ found }) => found)])
    const end = only === null ? { leftOut: event.leftOut, scannedAt: options.now() } : null
    await apply(toChanges(differences, hashes, verdict), end)
    return { kind: 'done', leftOut: event.leftOut }
  }
  return { kind: 'unreachable', message: 'the scan ended early' }
}
