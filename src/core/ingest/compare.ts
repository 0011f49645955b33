import { basename } from 'node:path'
import type { DocumentKind, Reason } from '../../contract/library.ts'
import type { KnownFile, ScanChanges } from '../store/store.ts'
import type { FoundFile } from './scan.ts'

/** What is known of every file; the rest is asked for the few that did not stay as they were. */
export type KnownState = Pick<KnownFile, 'documentId' | 'path' | 'sizeBytes' | 'modifiedMs'>

/** What a scan saw beside what was known, before any file was opened. */
export interface Differences<Known = KnownFile> {
  /** Found and not known. */
  added: FoundFile[]
  /** Known under the same path with another size or time. */
  altered: { known: Known; found: FoundFile }[]
  /** Known and not found. */
  missing: Known[]
}

export interface Comparison<Known> {
  /** A part of what was found; each path once. */
  see(files: Iterable<FoundFile>): void
  end(): Differences<Known>
}

/** Takes what is found as it comes, so that no large step is needed at the end. Uses `known` up. */
export function compareWith<Known extends KnownState>(known: Map<string, Known>): Comparison<Known> {
  const added: FoundFile[] = []
  const altered: Differences<Known>['altered'] = []
  return {
    see(files) {
      for (const file of files) {
        const before = known.get(file.path)
        if (before === undefined) {
          added.push(file)
          continue
        }
        known.delete(file.path)
        if (before.sizeBytes !== file.sizeBytes || before.modifiedMs !== file.modifiedMs) altered.push({ known: before, found: file })
      }
    },
    end: () => ({ added, altered, missing: [...known.values()] }),
  }
}

/**
 * The few files whose bytes must be hashed to tell a move from a new file and a touch from a change: a new file of the size of
 * a missing one, an altered file of the same size. A file without bytes, or never read, is moved by nothing.
 */
export function needHash({ added, altered, missing }: Differences): FoundFile[] {
  const sizes = new Set<number>()
  for (const file of missing) if (file.hash !== null && file.sizeBytes > 0) sizes.add(file.sizeBytes)
  return [
    ...added.filter((file) => sizes.has(file.sizeBytes)),
    ...altered.filter(({ known, found }) => known.hash !== null && known.sizeBytes === found.sizeBytes).map(({ found }) => found),
  ]
}

export interface Verdict {
  kind: DocumentKind
  status: 'waiting' | 'skipped'
  reason: Reason | null
}

/** Of several missing files with the same bytes: the one of the same name first, then of the same time. */
function takeMissing(candidates: KnownFile[], file: FoundFile): KnownFile | undefined {
  const name = basename(file.path)
  let best = 0
  let bestScore = -1
  candidates.forEach((candidate, index) => {
    const score = (basename(candidate.path) === name ? 2 : 0) + (candidate.modifiedMs === file.modifiedMs ? 1 : 0)
    if (score > bestScore) [best, bestScore] = [index, score]
  })
  return candidates.splice(best, 1)[0]
}

/** Pure: what to write. `hashes` has the files of `needHash` that could be read; `verdict` answers for every added and altered file. */
export function toChanges(
  differences: Differences,
  hashes: ReadonlyMap<string, string>,
  verdict: (file: FoundFile) => Verdict,
): ScanChanges {
  const changes: ScanChanges = { added: [], changed: [], moved: [], touched: [], removed: [] }
  const missingByHash = new Map<string, KnownFile[]>()
  for (const file of differences.missing) {
    if (file.hash === null || file.sizeBytes === 0) continue
    const same = missingByHash.get(file.hash)
    if (same === undefined) missingByHash.set(file.hash, [file])
    else same.push(file)
  }
  const moved = new Set<number>()
  // Those of the same name choose first, or a copy could take the place of what only changed its directory.
  const sameName = (file: FoundFile): boolean =>
    (missingByHash.get(hashes.get(file.path) ?? '') ?? []).some((candidate) => basename(candidate.path) === basename(file.path))
  const named = missingByHash.size === 0 ? [] : differences.added.filter(sameName)
  const others = named.length === 0 ? differences.added : differences.added.filter((file) => !sameName(file))
  for (const file of [...named, ...others]) {
    const { kind, status, reason } = verdict(file)
    const size = { sizeBytes: file.sizeBytes, modifiedMs: file.modifiedMs }
    // Another kind is another reading: the old text would be wrong for it.
    const candidates = (missingByHash.get(hashes.get(file.path) ?? '') ?? []).filter(
      (candidate) => candidate.kind === kind && !moved.has(candidate.documentId),
    )
    const from = takeMissing(candidates, file)
    if (from === undefined) changes.added.push({ path: file.path, kind, ...size, status, reason })
    else {
      moved.add(from.documentId)
      changes.moved.push({ documentId: from.documentId, path: file.path, kind, ...size })
    }
  }
  for (const { known, found } of differences.altered) {
    const size = { documentId: known.documentId, sizeBytes: found.sizeBytes, modifiedMs: found.modifiedMs }
    // One that failed is read again whenever something happens to it.
    if (known.status !== 'failed' && known.hash !== null && hashes.get(found.path) === known.hash) changes.touched.push(size)
    else changes.changed.push({ ...size, ...verdict(found) })
  }
  for (const file of differences.missing) if (!moved.has(file.documentId)) changes.removed.push({ documentId: file.documentId })
  return changes
}

/** Parts of at most `limit` entries, in an order in which each can be written by itself: what goes makes room for what comes. */
export function* inParts(changes: ScanChanges, limit: number): Generator<ScanChanges> {
  const order = ['removed', 'moved', 'touched', 'changed', 'added'] as const
  // Moves may swap paths: they stay together.
  let part: ScanChanges = { added: [], changed: [], moved: changes.moved, touched: [], removed: [] }
  let count = changes.moved.length
  for (const key of order) {
    if (key === 'moved') continue
    for (const entry of changes[key]) {
      if (count >= limit) {
        yield part
        part = { added: [], changed: [], moved: [], touched: [], removed: [] }
        count = 0
      }
      ;(part[key] as unknown[]).push(entry)
      count += 1
    }
  }
  if (count > 0) yield part
}
