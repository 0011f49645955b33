import { z } from 'zod'
import { documentKindSchema, documentSchema, documentStatusSchema, scopeSchema } from './library.ts'
import { modelRefSchema } from './models.ts'
import { placeSchema } from './place.ts'

/** What a column of a sheet holds, decided over all its rows: `date` is text as in 2026-11-30 or 2026-11-30 14:05:00. */
export const columnTypeSchema = z.enum(['integer', 'decimal', 'date', 'text'])
export type ColumnType = z.infer<typeof columnTypeSchema>

/** How the cells of a column were read where it is not plain; not certain where they could be read in another way too. */
export const cellReadingSchema = z.object({
  as: z.enum(['month-first', 'decimal-point', 'decimal-comma', 'serial']),
  example: z.string(),
  certain: z.boolean(),
})
export type CellReading = z.infer<typeof cellReadingSchema>

export const tableColumnSchema = z.object({
  /** As a query names it. */
  name: z.string(),
  /** As the sheet does; empty where it names none. */
  original: z.string(),
  type: columnTypeSchema,
  /** The column beside it that holds the cells as they are shown; null where that is the same. */
  shown: z.string().nullable(),
  /** What it holds, where that is one of a few. */
  values: z.array(z.string()).nullable(),
  /** Currencies and "%" of its numbers; the empty text stands for cells that name none. */
  units: z.array(z.string()).default([]),
  /** The column beside it that holds each cell's unit; null where all are of one. */
  unitIn: z.string().nullable().default(null),
  reading: cellReadingSchema.nullable().default(null),
  /** The column beside it that holds the cells read in the other way; null where there is none. */
  other: z.string().nullable().default(null),
  /** Of a text column that is mostly numbers or dates: how many cells are not, and one of them. */
  stray: z
    .object({ of: z.enum(['number', 'date']), cells: z.number().int(), example: z.string() })
    .nullable()
    .default(null),
})
export type TableColumn = z.infer<typeof tableColumnSchema>

/** A sheet, or a file of separated values, as it can be queried. `_row` is the sheet's own number of a row. */
export const tableSchema = z.object({
  table: z.string(),
  /** Empty where the file has no sheets. */
  sheet: z.string(),
  /** The documents that hold it: two paths with the same bytes share it. */
  documents: z.array(z.object({ documentId: z.number().int(), path: z.string() })),
  title: z.string().nullable(),
  rows: z.number().int(),
  /** Rows or columns that are too many were left out. */
  cut: z.boolean(),
  columns: z.array(tableColumnSchema),
})
export type Table = z.infer<typeof tableSchema>

export const tableQuerySchema = z.object({
  /** One SELECT, over the tables that are listed. */
  sql: z.string().min(1).max(20_000),
  /** Only tables of these may be read. */
  documentIds: z.array(z.number().int()).optional(),
  scope: scopeSchema.optional(),
  limit: z.number().int().min(1).max(1000).default(200),
})
export type TableQuery = z.input<typeof tableQuerySchema>

export const tableCellSchema = z.union([z.string(), z.number(), z.null()])
export type TableCell = z.infer<typeof tableCellSchema>

export const tableAnswerSchema = z.object({
  sql: z.string(),
  columns: z.array(z.string()),
  rows: z.array(z.array(tableCellSchema)),
  /** There were more rows than are given. */
  more: z.boolean(),
  /** Rows of all the sheets that were read. */
  rowsLookedAt: z.number().int(),
  sheets: z.array(tableSchema.pick({ table: true, sheet: true, documents: true, rows: true, cut: true })),
})
export type TableAnswer = z.infer<typeof tableAnswerSchema>

export const countRequestSchema = z
  .object({
    /** A phrase; upper and lower case, traditional and simplified, full and half width are the same. */
    words: z.string().trim().min(1).max(200).optional(),
    /** A regular expression, over text of that one form. */
    pattern: z.string().min(1).max(500).optional(),
    scope: scopeSchema.default({}),
    /** Places at most that are given; all are counted. */
    limit: z.number().int().min(0).max(1000).default(50),
  })
  .refine(({ words, pattern }) => (words === undefined) !== (pattern === undefined), 'words or pattern, and not both')
export type CountRequest = z.input<typeof countRequestSchema>

export const countProgressSchema = z.object({ lookedAt: z.number().int(), total: z.number().int() })
export type CountProgress = z.infer<typeof countProgressSchema>

export const countedPlaceSchema = z.object({
  documentId: z.number().int(),
  path: z.string(),
  passageId: z.number().int(),
  place: placeSchema,
  heading: z.array(z.string()),
  text: z.string(),
  contentHash: z.string(),
})
export type CountedPlace = z.infer<typeof countedPlaceSchema>

export const countAnswerSchema = z.object({
  /** Times it stands in the text, over all documents. */
  occurrences: z.number().int(),
  documents: z.array(z.object({ documentId: z.number().int(), path: z.string(), count: z.number().int() })),
  places: z.array(countedPlaceSchema),
  lookedAt: z.number().int(),
  total: z.number().int(),
  /** Documents in scope whose text is not known: waiting, failed, skipped. */
  unread: z.number().int(),
  /** False: time ran out, and the counts are of `lookedAt` documents only. */
  complete: z.boolean(),
})
export type CountAnswer = z.infer<typeof countAnswerSchema>

export const fileQuerySchema = z.object({
  kinds: z.array(documentKindSchema).optional(),
  statuses: z.array(documentStatusSchema).optional(),
  /** Without the dot, in lower case. */
  extensions: z.array(z.string().max(20)).max(50).optional(),
  /** Part of the name, in any case. */
  name: z.string().optional(),
  scope: scopeSchema.default({}),
  /** Milliseconds since 1970; the file's own time. */
  modifiedFrom: z.number().optional(),
  modifiedBefore: z.number().optional(),
  /** When Siku first saw it. */
  addedFrom: z.number().optional(),
  addedBefore: z.number().optional(),
  leastBytes: z.number().optional(),
  mostBytes: z.number().optional(),
  order: z.enum(['name', 'size', 'modified', 'added', 'pages']).default('name'),
  descending: z.boolean().default(false),
  limit: z.number().int().min(0).max(1000).default(50),
})
export type FileQuery = z.input<typeof fileQuerySchema>

export const fileAnswerSchema = z.object({
  total: z.number().int(),
  sizeBytes: z.number().int(),
  /** Of those that have any. */
  pages: z.number().int(),
  files: z.array(documentSchema.extend({ addedAt: z.number() })),
})
export type FileAnswer = z.infer<typeof fileAnswerSchema>

export const summariseRequestSchema = z
  .object({
    documentId: z.number().int().optional(),
    folderId: z.number().int().optional(),
    /** Left out: the chosen one, or the most suitable; null: no model, the telling sentences instead. */
    model: modelRefSchema.nullable().optional(),
    language: z.enum(['zh', 'en']).optional(),
  })
  .refine(({ documentId, folderId }) => (documentId === undefined) !== (folderId === undefined), 'a document or a folder, and not both')
export type SummariseRequest = z.input<typeof summariseRequestSchema>

export const summaryBasisSchema = z.object({
  /** Sections of a document, or documents of a folder. */
  unit: z.enum(['sections', 'documents']),
  lookedAt: z.number().int(),
  total: z.number().int(),
})
export type SummaryBasis = z.infer<typeof summaryBasisSchema>

export const summarySchema = z.object({
  text: z.string(),
  /** Null: made of the documents' own sentences. */
  model: modelRefSchema.nullable(),
  basis: summaryBasisSchema,
  cached: z.boolean(),
})
export type Summary = z.infer<typeof summarySchema>

export const summaryEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('summary-progress'), done: z.number().int(), total: z.number().int(), name: z.string() }),
  z.object({ type: z.literal('summary-end'), summary: summarySchema }),
])
export type SummaryEvent = z.infer<typeof summaryEventSchema>
