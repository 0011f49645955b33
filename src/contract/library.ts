import { z } from 'zod'
import { placeSchema } from './place.ts'

export const documentStatusSchema = z.enum(['waiting', 'reading', 'ready', 'partial', 'failed', 'skipped'])
export type DocumentStatus = z.infer<typeof documentStatusSchema>

/**
 * Why a document is not simply ready; with `ready`, a remark on it (`tracked-changes`,
 * `pictures-not-read`, `mixed-encodings`, `hidden-text`). A closed list: each has its words and its remedy in both
 * languages. `scanned`: pages that wait for text recognition, or had none. `not-downloaded`: a placeholder of a cloud drive.
 * `parts-unread`: of what is attached to it, or drawn in by it. `formulas-without-results`: cells of a sheet that was
 * never calculated. `not-transcribed`: sound, and nobody may transcribe it;
 * `to-transcribe`: sound that waits for the transcription address.
 */
export const reasonCodeSchema = z.enum([
  'unsupported-kind',
  'empty',
  'no-text',
  'scanned',
  'encrypted',
  'damaged',
  'garbled',
  'encoding-guessed',
  'mixed-encodings',
  'parts-unread',
  'too-slow',
  'too-large',
  'too-much-memory',
  'reader-crashed',
  'no-permission',
  'changed-while-reading',
  'gone',
  'not-a-file',
  'name-not-usable',
  'archive',
  'link-loop',
  'dangling-link',
  'not-downloaded',
  'not-transcribed',
  'to-transcribe',
  'too-large-to-transcribe',
  'transcription-failed',
  'tracked-changes',
  'pictures-not-read',
  'hidden-text',
  'formulas-without-results',
  'embedding-failed',
  'internal',
])
export type ReasonCode = z.infer<typeof reasonCodeSchema>

export const reasonSchema = z.object({
  code: reasonCodeSchema,
  /** The pages it is about, as in "2, 5-9". */
  pages: z.string().optional(),
  message: z.string(),
})
export type Reason = z.infer<typeof reasonSchema>

/**
 * `word`: docx, odt, rtf, doc; `sheet`: xlsx, xls, ods, csv, tsv; `slides`: pptx, odp; `html`: html, mhtml, xml; `mail`: eml, mbox;
 * `data`: json, jsonl, yaml, toml, ipynb; `sound`: wav, mp3, m4a, ogg, flac, webm; `archive` is never opened.
 */
export const documentKindSchema = z.enum([
  'pdf',
  'word',
  'sheet',
  'slides',
  'epub',
  'html',
  'markdown',
  'text',
  'code',
  'data',
  'mail',
  'image',
  'sound',
  'archive',
  'unknown',
])
export type DocumentKind = z.infer<typeof documentKindSchema>

/** Text's language group, decided by script: Han, Latin and so on. */
export const languageSchema = z.enum(['zh', 'en', 'ja', 'ko', 'ru', 'ar', 'other'])
export type Language = z.infer<typeof languageSchema>

export const documentSchema = z.object({
  id: z.number().int(),
  folderId: z.number().int(),
  path: z.string(),
  name: z.string(),
  kind: documentKindSchema,
  status: documentStatusSchema,
  reason: reasonSchema.nullable(),
  title: z.string().nullable(),
  pages: z.number().int().nullable(),
  /** Pages whose text comes from text recognition. */
  pagesRecognised: z.number().int(),
  /** Pages that wait for text recognition, also while that is off or paused. */
  pagesToRecognise: z.number().int().default(0),
  passages: z.number().int(),
  /** Passages that are already found by meaning. */
  embedded: z.number().int(),
  characters: z.number().int(),
  sizeBytes: z.number().int(),
  modifiedAt: z.number(),
  language: languageSchema.nullable(),
  /** Since when its folder cannot be reached; what was read of it is kept. */
  unreachableSince: z.number().nullable().default(null),
  /** The document that it lies in, such as the mail that it is attached to, and the file on disk; null for a file of its own. */
  within: z.object({ documentId: z.number().int(), name: z.string(), filePath: z.string() }).nullable().default(null),
})
export type DocumentRow = z.infer<typeof documentSchema>

/** From so many bytes on, up to the next; the last has no end. */
export const sizeBands = [0, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000] as const

/** Documents of one kind, one month of the file's own time (as in 2026-11) and one band of sizes, which is an index of `sizeBands`. */
export const breakdownCellSchema = z.object({
  kind: documentKindSchema,
  month: z.string(),
  band: z.number().int(),
  documents: z.number().int(),
  bytes: z.number(),
})
export type BreakdownCell = z.infer<typeof breakdownCellSchema>

/** What a list of documents is ordered by: `status` puts first what needs a look, `date` is the file's own time. */
export const documentSortSchema = z.enum(['path', 'name', 'status', 'passages', 'size', 'date'])
export type DocumentSort = z.infer<typeof documentSortSchema>

export const sectionSchema = z.object({ place: placeSchema, text: z.string() })
export type Section = z.infer<typeof sectionSchema>

export const passageSchema = z.object({
  id: z.number().int(),
  ordinal: z.number().int(),
  text: z.string(),
  tokens: z.number().int(),
  place: placeSchema,
  heading: z.array(z.string()),
  /** Character offsets (UTF-16) of the passage in the document's text: its sections joined by a blank line. */
  start: z.number().int(),
  end: z.number().int(),
})
export type Passage = z.infer<typeof passageSchema>

export const countsSchema = z.object({
  total: z.number().int(),
  waiting: z.number().int(),
  reading: z.number().int(),
  /** Without text so far, and waiting for text recognition; not among those that failed. */
  recognising: z.number().int(),
  ready: z.number().int(),
  partial: z.number().int(),
  failed: z.number().int(),
  skipped: z.number().int(),
})
export type Counts = z.infer<typeof countsSchema>

/** What a scan left out, as counts: never silent. */
export const leftOutSchema = z.object({
  hidden: z.number().int(),
  dependencies: z.number().int(),
  ignored: z.number().int(),
  links: z.number().int(),
  unreadable: z.number().int(),
})
export type LeftOut = z.infer<typeof leftOutSchema>

export const folderSchema = z.object({
  id: z.number().int(),
  path: z.string(),
  name: z.string(),
  /** A single file added by itself is a folder of one. */
  single: z.boolean(),
  sample: z.boolean(),
  /** A copy kept in the data directory, made of files dropped into a browser, which cannot say where they lie. */
  copied: z.boolean(),
  state: z.enum(['scanning', 'following', 'paused', 'unreachable']),
  counts: countsSchema,
  passages: z.number().int(),
  embedded: z.number().int(),
  /** Pages that wait for text recognition; none while it is switched off. */
  pagesToRecognise: z.number().int(),
  sizeBytes: z.number().int(),
  leftOut: leftOutSchema,
  addedAt: z.number(),
  /** While it cannot be reached, what was read of it is kept. */
  unreachableSince: z.number().nullable(),
  scannedAt: z.number().nullable(),
})
export type Folder = z.infer<typeof folderSchema>

/** Progress of indexing, for one folder or (folderId null) for all. ready + partial + recognising + failed + skipped reach total. */
export const indexProgressSchema = z.object({
  type: z.literal('index-progress'),
  phase: z.enum(['scanning', 'reading', 'embedding', 'recognising', 'transcribing', 'paused', 'idle']),
  folders: z.array(folderSchema),
  counts: countsSchema,
  passages: z.number().int(),
  embedded: z.number().int(),
  /** Pages that wait for text recognition, of all folders. */
  pagesToRecognise: z.number().int(),
  /** Documents being read just now. */
  current: z.array(z.string()),
  elapsedMs: z.number(),
  /** Passages embedded a second, lately; null before it is known. */
  passagesPerSecond: z.number().nullable(),
  remainingMs: z.number().nullable(),
  /** Something that stops the whole work, such as a full disk. */
  trouble: z.object({ code: z.string(), message: z.string(), hint: z.string().optional() }).nullable(),
})
export type IndexProgress = z.infer<typeof indexProgressSchema>

export const indexReportSchema = z.object({
  folders: z.number().int(),
  documents: z.object({
    ready: z.number().int(),
    partial: z.number().int(),
    /** Wait for text recognition, which goes on while Siku runs. */
    recognising: z.number().int(),
    failed: z.number().int(),
    skipped: z.number().int(),
  }),
  passages: z.number().int(),
  elapsedMs: z.number(),
})
export type IndexReport = z.infer<typeof indexReportSchema>

export const extractResultSchema = z.object({
  path: z.string(),
  kind: documentKindSchema,
  status: documentStatusSchema,
  reason: reasonSchema.nullable(),
  sections: z.array(sectionSchema),
  /** Paths of the documents that lie in it, such as what is attached to a mail. Each is read like a file. */
  inner: z.array(z.string()).default([]),
})
export type ExtractResult = z.infer<typeof extractResultSchema>

export const splitStrategySchema = z.enum(['structure', 'lines'])
export type SplitStrategy = z.infer<typeof splitStrategySchema>

export const splitPieceSchema = z.object({
  ordinal: z.number().int(),
  text: z.string(),
  tokens: z.number().int(),
  place: placeSchema,
})
export type SplitPiece = z.infer<typeof splitPieceSchema>

/** What to search or ask: nothing set means everything (the sample library only while there is nothing else). */
export const scopeSchema = z.object({
  folderIds: z.array(z.number().int()).optional(),
  documentIds: z.array(z.number().int()).optional(),
  kinds: z.array(documentKindSchema).optional(),
  /** A directory below a folder, as an absolute path. */
  pathPrefix: z.string().optional(),
  /** Milliseconds since 1970; the file's own time. */
  modifiedFrom: z.number().optional(),
  modifiedBefore: z.number().optional(),
})
export type Scope = z.infer<typeof scopeSchema>
