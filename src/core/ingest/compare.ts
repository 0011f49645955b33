import { basename } from 'node:path'
import type { DocumentKind, Reason } from '../../contract/library.ts'
import type { KnownFile, ScanChanges } from '../store/store.ts'
import type { FoundFile } from './scan.ts'

/** What a scan saw beside what was known, before any file was opened. */
export interface Differences {
  /** Found and not known. */
  added: FoundFile[]
  /** Known under the same path with another size or time. */
  altered: { known: KnownFile; found: FoundFile }[]
  /** Known and not found. */
  missing: KnownFile[]
}

export function findDifferences(known: Iterable<KnownFile>, found: Iterable<FoundFile>): Differences {
  const left = new Map<string, KnownFile>()
  for (const file of known) left.set(file.path, file)
  const differences: Differences = { added: [], altered: [], missing: [] }
  for (const file of found) {
    const before = left.get(file.path)
    if (before === undefined) {
      differences.added.push(file)
      continue
    }
    left.delete(file.path)
    if (before.sizeBytes !== file.sizeBytes || before.modifiedMs !== file.modifiedMs)
      differences.altered.push({ known: before, found: file })
  }
  differences.missing.push(...left.values())
  return differences
}

/**
 * The few files whose bytes must be hashed to tell a move from a new file and a touch from a change: a new file of the size of
 * a missing one, an altered file of the same size. A file without bytes, or never read, is moved by nothing.
 */
export function needHash(differences: Differences): FoundFile[] {
  const sizes = new Set<number>()
  for (const file of differences.missing) if (file.hash !== null && file.sizeBytes > 0) sizes.add(file.sizeBytes)
  return [
    ...differences.added.filter((file) => sizes.has(file.sizeBytes)),
    ...differences.altered
      .filter(({ known, found }) => known.hash !== null && known.sizeBytes === found.sizeBytes)
      .map(({ found }) => found),
  ]
}

export interface Verdict {
  kind: DocumentKind
  status: 'waiting' | 'skipped'
  reason: Reason | null
}

/** Files of the same bytes: the one of the same name first, then of the same time. */
function takeMissing(candidates: KnownFile[], file: FoundFile): KnownFile | undefined {
  if (candidates.length === 0) return undefined
  const name = basename(file.path)
  let best = 0
  let bestScore = -1
  candidates.forEach((candidate, index) => {
    const score = (basename(candidate.path) === name ? 2 : 0) + (candidate.modifiedMs === file.modifiedMs ? 1 : 0)
    if (score > bestScore) [best, bestScore] = [index, score]
  })
  return candidates.splice(best, 1)[0]
}

/** Pure: what to write. `hashes` has the files of `needHash` that could be read; `verdicts` every added and altered file. */
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
  for (const file of differences.added) {
    const hash = hashes.get(file.path)
    const from = hash === undefined ? undefined : takeMissing(missingByHash.get(hash) ?? [], file)
    const { kind, status, reason } = verdict(file)
    const size = { sizeBytes: file.sizeBytes, modifiedMs: file.modifiedMs }
    // Another kind is another reading: the old text would be wrong for it.
    if (from !== undefined && from.kind === kind) {
      moved.add(from.documentId)
      changes.moved.push({ documentId: from.documentId, path: file.path, kind, ...size })
    } else changes.added.push({ path: file.path, kind, ...size, status, reason })
  }
  for (const { known, found } of differences.altered) {
    const size = { documentId: known.documentId, sizeBytes: found.sizeBytes, modifiedMs: found.modifiedMs }
    if (known.hash !== null && hashes.get(found.path) === known.hash) changes.touched.push(size)
    else changes.changed.push({ ...size, ...verdict(found) })
  }
  for (const file of differences.missing) if (!moved.has(file.documentId)) changes.removed.push({ documentId: file.documentId })
  return changes
}
