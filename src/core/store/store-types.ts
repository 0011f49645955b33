import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { AgentProfile, NamedAgent } from '../../contract/agent.ts'
import type { Chat, ChatSummary, Draft, Turn } from '../../contract/answer.ts'
import type {
  BreakdownCell,
  Counts,
  DocumentKind,
  DocumentRow,
  DocumentSort,
  DocumentStatus,
  Folder,
  Language,
  LeftOut,
  Passage,
  Reason,
  Section,
} from '../../contract/library.ts'
import type { Memory } from '../../contract/memory.ts'
import type { Message } from '../../contract/message.ts'
import type { Box, Place } from '../../contract/place.ts'
import type { Contact, Settings, SettingsPatch, Status } from '../../contract/settings.ts'
import type { Scope } from '../../contract/library.ts'
import type { StoredMemoryVector } from './read-memories.ts'
import type { WholeChat } from './write-chat-file.ts'

export interface KnownFile {
  documentId: number
  path: string
  sizeBytes: number
  modifiedMs: number
  hash: string | null
  status: DocumentStatus
  kind: DocumentKind
}

/** What a scan found, against what the store knew: made by a pure function in ingest. */
export interface ScanChanges {
  added: { path: string; kind: DocumentKind; sizeBytes: number; modifiedMs: number; status: 'waiting' | 'skipped'; reason: Reason | null }[]
  changed: {
    documentId: number
    kind: DocumentKind
    sizeBytes: number
    modifiedMs: number
    status: 'waiting' | 'skipped'
    reason: Reason | null
  }[]
  /** Same bytes under another path: nothing is read or embedded again. */
  moved: { documentId: number; path: string; kind: DocumentKind; sizeBytes: number; modifiedMs: number }[]
  /** Touched but not changed (same hash). */
  touched: { documentId: number; sizeBytes: number; modifiedMs: number }[]
  removed: { documentId: number }[]
}

export interface ContentKey {
  hash: string
  kind: DocumentKind
  /** Names the reader and the splitting, with versions: another recipe is another content. */
  recipe: string
}

export interface NewPassage {
  ordinal: number
  text: string
  heading: string[]
  place: Place
  start: number
  end: number
  tokens: number
  language: Language
  /** SHA-256 in hex of exactly the text that is embedded. */
  textHash: string
  /** What the keyword index takes: terms parted by spaces. */
  terms: string
}

export interface ScanEnd {
  leftOut: LeftOut
  scannedAt: number
  /** Where the folder lies; left out: it shows nothing, and what is known stays. */
  device?: string
}

/** A document that lies in another, such as what is attached to a mail. */
export interface InnerDocument {
  /** Below the path of the document around it, its parts joined with `/`: unique in it, and no path that a directory could have. */
  path: string
  kind: DocumentKind
  /** Of its bytes. */
  hash: string
  sizeBytes: number
}

export interface ContentSlice {
  contentId: number
  firstSection: number
  sections: Section[]
  passages: NewPassage[]
}

export interface ContentEnd {
  contentId: number
  /** When it is another than it was begun with. */
  recipe?: string
  /** Pages whose text comes from text recognition. */
  pagesRecognised?: number
  status: 'ready' | 'partial' | 'failed'
  reason: Reason | null
  title: string | null
  pages: number | null
  characters: number
  language: Language | null
  /** Documents of their own that lie in it. Whatever document has this content has them too. */
  inner?: InnerDocument[]
}

/** A whole content at once, for documents that are small enough: one message, one transaction. */
export interface WholeContent {
  key: ContentKey
  sections: Section[]
  passages: NewPassage[]
  end: Omit<ContentEnd, 'contentId' | 'recipe'>
  /** The document that was read; null only stores the content. */
  attach: { documentId: number; hash: string; sizeBytes: number; modifiedMs: number } | null
}

export interface PendingText {
  textHash: string
  /** Exactly what is embedded: heading path and text. */
  text: string
  language: Language
}

export interface NewVector {
  textHash: string
  language: Language
  /** Null: this text could not be embedded, `problem` says why; it stays findable by keyword. */
  vector: Float32Array | null
  problem: string | null
}

/** A line that text recognition read. */
export interface StoredLine {
  text: string
  box: Box
  /** 0 to 1. */
  confidence: number
  /** Where it runs, on a page that lies on a side or on its head. */
  turn?: 'down' | 'left' | 'up'
}

/** How far text recognition is with the bytes of a file. */
export interface Recognition {
  /** Pages not read yet. */
  waiting: number
  pages: ReadonlyMap<number, StoredLine[]>
  givenUp: ReadonlyMap<number, Reason>
}

/** A stretch of what was heard in a recording. */
export interface StoredSegment {
  fromMs: number
  toMs: number
  text: string
}

export interface WaitingSound {
  documentId: number
  folderId: number
  path: string
  sizeBytes: number
}

export interface WaitingPage {
  hash: string
  page: number
  attempts: number
  documentId: number
  folderId: number
  path: string
  kind: DocumentKind
}

/** Reads run on the caller's thread and are short; every write goes to the writer thread and resolves once it is committed. */
export interface Store {
  readonly mode: 'writer' | 'read-only'
  readonly databasePath: string
  /** The caller's reading connection, for short queries of the folders above. */
  readonly reader: DatabaseSyncInstance

  settings: {
    read(): Settings
    patch(patch: SettingsPatch): Promise<Settings>
  }
  folders: {
    list(): Folder[]
    add(folder: { path: string; single: boolean; sample: boolean; copied: boolean }): Promise<number>
    /** Hidden at once and dropped for good at the next start, so that it can be restored. */
    remove(folderId: number): Promise<void>
    restore(folderId: number): Promise<void>
    setPaused(folderId: number, paused: boolean): Promise<void>
    setReachable(folderId: number, reachable: boolean): Promise<void>
  }
  documents: {
    /** Files only, without what lies in them. */
    known(folderId: number): KnownFile[]
    /** Of the bytes that were read last. */
    hash(documentId: number): string | null
    byHash(hash: string): { documentId: number; path: string }[]
    get(documentId: number): DocumentRow | null
    list(filter: {
      folderId?: number
      within?: number
      statuses?: DocumentStatus[]
      kinds?: DocumentKind[]
      name?: string
      modifiedFrom?: number
      modifiedBefore?: number
      leastBytes?: number
      lessThanBytes?: number
      sort?: DocumentSort
      descending?: boolean
      offset: number
      limit: number
    }): { total: number; documents: DocumentRow[] }
    counts(folderId?: number): Counts
    breakdown(folderId?: number): BreakdownCell[]
    sections(documentId: number, offset: number, limit: number): { total: number; sections: Section[] }
    passages(documentId: number, offset: number, limit: number): { total: number; passages: Passage[] }
    /** The next to read, oldest first, in folders that are not paused. */
    waiting(limit: number): {
      documentId: number
      folderId: number
      path: string
      kind: DocumentKind
      sizeBytes: number
      modifiedMs: number
      /** Of the bytes that were read last; the file may have others now. */
      hash: string | null
      attempts: number
      /** The file that it is, or lies in. */
      filePath: string
    }[]
    applyScan(folderId: number, changes: ScanChanges, end: ScanEnd | null): Promise<void>
    /** `failed` and `skipped` let go of the content: what a document said before is not found any more. */
    setStatus(documentId: number, status: DocumentStatus, reason: Reason | null): Promise<void>
    /** Counts an attempt, so that a document that takes the process down is not tried for ever. Several at once are cheaper. */
    beginReading(documentIds: number | number[]): Promise<void>
    /** Points the document at a complete content and takes its status from it; sweeps the content it had, if nobody else has it. */
    attach(documentId: number, contentId: number, file: { hash: string; sizeBytes: number; modifiedMs: number }): Promise<void>
    resetReading(): Promise<number>
  }
  contents: {
    /** The complete content of these bytes, or null: nothing needs to be read. */
    find(key: ContentKey): number | null
    /** begin, addSlice, finish and attach in one transaction. Bytes that are stored already are only attached. */
    store(content: WholeContent): Promise<{ contentId: number }>
    /** The complete content of these bytes, or a new one to fill. Two readers of the same bytes each get their own; the first to finish wins. */
    begin(key: ContentKey): Promise<{ contentId: number; complete: boolean }>
    addSlice(slice: ContentSlice): Promise<void>
    /** From here it can be found by keyword. */
    finish(end: ContentEnd): Promise<void>
    /** Throws an unfinished content away: its reader failed. */
    abandon(contentId: number): Promise<void>
    /** Contents left incomplete by a kill and contents that no document has: with passages, terms, vectors nobody else uses. How many. */
    sweep(): Promise<number>
  }
  vectors: {
    /** The model's id. It becomes the active one: its vectors are counted and waited for. Cheap when it is already. */
    model(key: string, dimensions: number): Promise<number>
    /** Distinct texts of complete, attached contents without a vector of this model, oldest first. */
    pending(modelId: number, limit: number): PendingText[]
    pendingCount(modelId: number): number
    /** One transaction; writes `vector_changes` and `content_means` too. */
    put(modelId: number, vectors: NewVector[]): Promise<void>
    /** Texts that could not be embedded are tried again. How many. */
    retryProblems(modelId: number): Promise<number>
  }
  recognition: {
    /** Null: no page of these bytes was ever to be recognised. */
    of(hash: string): Recognition | null
    /** Pages that text recognition is to read; those known already stay as they are. */
    want(hash: string, pages: number[]): Promise<void>
    /** Some that wait, in folders that are not paused, those of a document together. */
    waiting(limit: number, exceptDocuments: readonly number[]): WaitingPage[]
    /** Counts an attempt, so that a page that takes the program down is not tried for ever. */
    begin(hash: string, page: number): Promise<void>
    /** `complete`: it was the last; the documents with these bytes now wait to be read once more. */
    put(hash: string, page: number, lines: StoredLine[]): Promise<{ complete: boolean }>
    giveUp(hash: string, page: number, problem: Reason): Promise<{ complete: boolean }>
    /** Pages that were given up wait once more. How many. */
    reopen(hash: string): Promise<number>
  }
  transcripts: {
    /** Null: these bytes were never transcribed; none: nothing was heard in them. */
    of(hash: string): StoredSegment[] | null
    /** Sound without text so far, in folders that are not paused. */
    waiting(limit: number, exceptDocuments: readonly number[]): WaitingSound[]
    /** The documents with these bytes now wait to be read once more. */
    put(documentId: number, hash: string, segments: StoredSegment[]): Promise<void>
    /** Why all of it has no text. How many said something else before. */
    markWaiting(reason: Reason): Promise<number>
  }
  chats: {
    /** Pinned ones first, then the newest. */
    list(text?: string): ChatSummary[]
    /** Another number after each change of what `list` gives; where another process writes, after any change. */
    revision(): number
    title(chatId: string): string | null
    get(chatId: string): Chat | null
    create(chat: { id: string; title: string; scope: Scope; agent?: AgentProfile | null; at: number }): Promise<void>
    rename(chatId: string, title: string): Promise<void>
    remove(chatId: string): Promise<void>
    restore(chatId: string): Promise<void>
    /** A pinned one stands at the head of the list. */
    pin(chatId: string, pinned: boolean): Promise<void>
    /** What stands unsent in a chat; of the empty id, in a new one. */
    draft(chatId: string): Draft | null
    saveDraft(chatId: string, draft: Draft): Promise<void>
    configure(chatId: string, agent: AgentProfile | null): Promise<void>
    /** Inserts or replaces the turn; `synchronous` FULL. */
    saveTurn(turn: Turn): Promise<void>
    turn(turnId: string): Turn | null
    /** Turns that a kill left without an outcome become `stopped` with the text they had. */
    endAbandoned(): Promise<number>
    /** A chat with turns and messages under new ids, in one transaction; `synchronous` FULL. */
    import(chat: WholeChat): Promise<void>
  }
  messages: {
    /** A turn's transcript, oldest first. */
    list(turnId: string): Message[]
    /** Appends, or replaces from there on. The turn must be stored. */
    add(turnId: string, from: number, messages: Message[]): Promise<void>
  }
  agents: {
    list(): NamedAgent[]
    save(agent: NamedAgent): Promise<void>
    remove(agentId: string): Promise<void>
  }
  /** What is removed is hidden at once, and dropped at the next start. Removed ones are seen only by `restore`. */
  memories: {
    /** Newest first; without a page all of them. */
    list(page?: { offset: number; limit: number }): Memory[]
    count(): number
    get(id: string): Memory | null
    add(memories: Memory[]): Promise<void>
    /** False when it is not there. Its vectors go: they are of what it said before. */
    update(memory: Pick<Memory, 'id' | 'text' | 'kind' | 'source' | 'updatedAt'>): Promise<boolean>
    remove(id: string, at: number): Promise<boolean>
    restore(id: string): Promise<boolean>
    clear(at: number): Promise<number>
    /** Of an embedding model's key; those of removed memories are among them. */
    vectors(key: string): StoredMemoryVector[]
    /** A vector counts only while its memory says what was embedded. Does not change which model is active. */
    putVectors(model: { key: string; dimensions: number }, vectors: { id: string; text: string; vector: Float32Array }[]): Promise<void>
    noteUsed(ids: string[], at: number): Promise<void>
  }
  contacts: {
    list(): Contact[]
    note(contact: { host: string; purpose: string; at: number; refused: boolean }): Promise<void>
  }
  tokenRates: {
    read(model: string): { characters: number; tokens: number } | null
    learn(model: string, characters: number, tokens: number): Promise<void>
  }
  status(): Omit<Status, 'version' | 'vectorIndex' | 'embeddingModel' | 'dataDir'>
  /** `PRAGMA quick_check`: what is wrong, empty when nothing is. Writes wait meanwhile. */
  quickCheck(): Promise<string[]>
  /** A verified copy of the whole library, while it is in use. Never overwrites. */
  backup(file: string): Promise<void>
  /** Damaged libraries that were set aside here and never looked at again. */
  setAside(): string[]
  /** Called after each committed write, with what it touched. Returns a function that stops it. */
  onChange(listener: (what: 'folders' | 'documents' | 'vectors' | 'chats' | 'settings') => void): () => void
  close(): Promise<void>
}
