import { SikuError } from '../../contract/errors.ts'
import type { DocumentRow, LeftOut } from '../../contract/library.ts'
import type { ScanChanges, Store } from '../store/store.ts'
import { compareWith, inParts, needHash, toChanges, type Differences, type Verdict } from './compare.ts'
import { isMountPlace, wasDeletedInside } from './deleted-inside.ts'
import type { ScanRules } from './ignore.ts'
import { knownDetails, knownFiles } from './known-files.ts'
import { unreadReason } from './read/foreign.ts'
import { kindOf } from './read/kind.ts'
import { isWithin, type FoundFile, type ScanEvent } from './scan.ts'
import type { Scanner } from './scanner.ts'

export interface ReconcileOptions {
  store: Store
  scanner: Scanner
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

/** `changedMs`: when the directory that was changed last was. */
export type Reconciled = { kind: 'done'; leftOut: LeftOut; changedMs: number } | { kind: 'unreachable'; message: string }

const writeLimit = 1000
function wasElsewhere(store: Store, folderId: number, device: string): boolean {
  const known = store.reader.prepare('SELECT device FROM folders WHERE id = ?').get(folderId) as { device: string | null } | undefined
  return typeof known?.device === 'string' && known.device !== device
}

const noChanges: ScanChanges = { added: [], changed: [], moved: [], touched: [], removed: [] }

/** A name that says nothing needs a look inside. One that can't be opened is left to the reader, which says why. */
async function judgeAll(
  scanner: Scanner,
  files: readonly { path: string }[],
  signal?: AbortSignal,
): Promise<(file: { path: string }) => Verdict> {
  const unclear = files.filter(({ path }) => kindOf(path) === 'unknown').map(({ path }) => path)
  const kinds = await scanner.kinds(unclear, signal)
  const looked = new Map(unclear.map((path, index) => [path, kinds[index] ?? 'text']))
  return ({ path }) => {
    const kind = looked.get(path) ?? kindOf(path)
    if (kind !== 'unknown') return { kind, status: 'waiting', reason: null }
    return { kind, status: 'skipped', reason: unreadReason(path) }
  }
}

/** As if it were new: it waits to be read, and pages that were given up wait for text recognition. */
export async function waitAgain(store: Store, scanner: Scanner, document: DocumentRow): Promise<void> {
  const { id: documentId, folderId, path, sizeBytes, modifiedAt: modifiedMs } = document
  const hash = store.documents.hash(documentId)
  if (hash !== null) await store.recognition.reopen(hash)
  const verdict = (await judgeAll(scanner, [{ path }]))({ path })
  await store.documents.applyScan(folderId, { ...noChanges, changed: [{ documentId, sizeBytes, modifiedMs, ...verdict }] }, null)
}

/** Brings what the store knows of a folder, or of some paths in it, in line with the disk. Nothing is read but what names a kind or proves a move. */
export async function reconcile(options: ReconcileOptions): Promise<Reconciled> {
  const { store, scanner, folder, only, signal } = options

  async function apply(changes: ScanChanges): Promise<void> {
    for (const part of inParts(changes, writeLimit)) {
      signal.throwIfAborted()
      await store.documents.applyScan(folder.id, part, null)
      options.onApplied(part.changed.map((file) => file.documentId))
    }
  }
  async function addNow(files: FoundFile[]): Promise<void> {
    await apply(toChanges({ added: files, altered: [], missing: [] }, new Map(), await judgeAll(scanner, files, signal)))
  }

  const last: { event: Exclude<ScanEvent, { type: 'files' }> | null } = { event: null }
  // The disk is walked over there while the store is asked here.
  const comparison = knownFiles(store, folder.id, only).then((known) => (known.size === 0 ? null : compareWith(known)))
  const { path: root } = folder
  const scan = { root, rules: options.rules, otherRoots: options.otherRoots, ...(only === null ? {} : { only }) }
  const [compared] = await Promise.all([
    comparison,
    scanner.scan(
      scan,
      async (event) => {
        if (event.type !== 'files') {
          last.event = event
          return
        }
        const known = await comparison
        // Nothing was known, so nothing can have moved: what is found is written as it comes.
        if (known === null) await addNow(event.files)
        else known.see(event.files)
      },
      signal,
    ),
  ])
  if (last.event === null) throw new SikuError('internal', 'the scan came to no end')
  if (last.event.type === 'unreachable') {
    if (await wasDeletedInside(store, folder.id)) {
      const known = [...(await knownFiles(store, folder.id, null)).values()]
      await apply({ ...noChanges, removed: known.map(({ documentId }) => ({ documentId })) })
    }
    return { kind: 'unreachable', message: last.event.message }
  }
  const { leftOut, unseen, empty, device, changedMs } = last.event
  if (compared !== null) {
    const { added, altered, missing } = compared.end()
    // What could not be looked at is not gone.
    const gone = unseen.length === 0 ? missing : missing.filter((file) => !unseen.some((path) => isWithin(file.path, path)))
    const details = await knownDetails(store, [...altered.map(({ known }) => known), ...gone])
    const differences: Differences = {
      added,
      altered: altered.flatMap(({ known, found }) =>
        details.has(known.documentId) ? [{ known: details.get(known.documentId)!, found }] : [],
      ),
      missing: gone.flatMap(({ documentId }) => details.get(documentId) ?? []),
    }
    // Where a drive was, its empty mount point is left: another device, or one of the places for drives.
    if (differences.missing.length > 0 && empty && (isMountPlace(root) || wasElsewhere(store, folder.id, device))) {
      return { kind: 'unreachable', message: `${root} is empty: is the drive connected?` }
    }
    const wanted = needHash(differences).map(({ path }) => path)
    const found = await scanner.hash(wanted, signal)
    const hashes = new Map<string, string>()
    found.forEach((hash, index) => {
      if (hash !== null) hashes.set(wanted[index]!, hash)
    })
    const verdict = await judgeAll(scanner, [...differences.added, ...differences.altered.map(({ found: file }) => file)], signal)
    await apply(toChanges(differences, hashes, verdict))
  }
  if (only === null)
    await store.documents.applyScan(folder.id, noChanges, { leftOut, scannedAt: options.now(), ...(empty ? {} : { device }) })
  return { kind: 'done', leftOut, changedMs }
}
