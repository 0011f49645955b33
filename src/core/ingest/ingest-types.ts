import type { ExtractResult, Folder, IndexProgress, Reason, SplitPiece } from '../../contract/library.ts'
import type { CoreDeps } from '../deps.ts'
import type { Embedder } from '../embed/embed.ts'
import type { Store } from '../store/store.ts'
import type { Refusal } from './check-path.ts'
import type { FollowOptions } from './follow.ts'
import type { Hearing } from './hear-file.ts'
import type { PageReader } from './ocr/ocr.ts'
import type { SplitOptions } from './reader.ts'
import type { Trouble } from './trouble.ts'

export interface IngestOptions {
  deps: CoreDeps
  store: Store
  /** The one that is chosen now; null: none can be made. */
  embedder: () => Embedder | null
  search: { vectorsChanged(): void }
  /** Reads pictures of pages; a process of its own when left out. */
  recogniser?: PageReader
  /** Turns sound into text; left out: nothing does. */
  hearing?: Hearing
  /** Waits after failures, for tests. */
  retryMs?: number
  /** The system's events on folders, another source in tests. */
  subscribe?: FollowOptions['subscribe']
}

export interface DocumentFile {
  path: string
  sizeBytes: number
  contentType: string
}

export interface Ingest {
  /** Takes up what was left, and follows all folders. */
  start(): Promise<void>
  /** As the store has them, with what is going on just now. */
  folders(): Folder[]
  add(paths: readonly string[], options?: { copied?: boolean }): Promise<{ folders: Folder[]; refused: Refusal[] }>
  /** The sample library, at the very first start; a user who removed it does not get it back. */
  addSample(path: string): Promise<void>
  remove(folderId: number): Promise<void>
  restore(folderId: number): Promise<Folder>
  /** Without a folder: everything, until it is resumed or Siku is started anew. */
  pause(folderId?: number): Promise<void>
  resume(folderId?: number): Promise<void>
  rescan(folderId: number): Promise<void>
  /** `more`: this document gets more time and memory than the settings give. */
  retry(documentId: number, more?: boolean): Promise<void>
  /** Tries a password at once; when it opens the document, the document is read. */
  unlock(documentId: number, password: string, keep: boolean): Promise<{ opened: boolean; reason: Reason | null }>
  progress(signal?: AbortSignal): AsyncIterable<IndexProgress>
  snapshot(): IndexProgress
  /** Resolves when nothing is left that can be done now. `trouble` says what keeps vectors from being made, if anything. */
  whenIdle(signal?: AbortSignal): Promise<{ trouble: Trouble | null }>
  /** Another embedding model was chosen. */
  embeddingChanged(): void
  /** What is left out of folders changed: all are looked at again. */
  rulesChanged(): void
  /**
   * Where a document's bytes can be read; of one that lies in another, a copy in the data directory. Null: there is none.
   * `outside`: for another program, which gets nothing that came with a mail and may be a program itself (`unsupported`).
   */
  file(documentId: number, options?: { outside?: boolean }): Promise<DocumentFile | null>
  /** `ocr`: pages without text are recognised, which takes a while. */
  extract(path: string, options?: { ocr?: boolean; password?: string; signal?: AbortSignal }): Promise<ExtractResult>
  split(path: string, options?: SplitOptions, signal?: AbortSignal): Promise<SplitPiece[]>
  close(): Promise<void>
}
