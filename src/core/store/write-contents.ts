import type { ContentEnd, ContentKey, ContentSlice, NewPassage, WholeContent } from './store-types.ts'
import { activeModel, type WriteContext } from './write-context.ts'
import { addMeans, type MeanChange } from './write-means.ts'
import { matchInner } from './write-inner.ts'
import { removeContents, removeIfUnused } from './write-sweep.ts'

interface Attachment {
  documentId: number
  contentId: number
  file: { hash: string; sizeBytes: number; modifiedMs: number }
}

function findComplete(context: WriteContext, key: ContentKey): number | null {
  const row = context
    .prepare('SELECT id FROM contents WHERE hash = ? AND kind = ? AND recipe = ? AND complete = 1')
    .get(key.hash, key.kind, key.recipe) as { id: number } | undefined
  return row?.id ?? null
}

function insertSections(context: WriteContext, contentId: number, first: number, sections: ContentSlice['sections']): void {
  const insert = context.prepare('INSERT INTO sections (content_id, ordinal, place, text) VALUES (?, ?, ?, ?)')
  sections.forEach((section, index) => insert.run(contentId, first + index, JSON.stringify(section.place), section.text))
}

function insertInner(context: WriteContext, contentId: number, { inner = [] }: Omit<ContentEnd, 'contentId'>): void {
  const insert = context.prepare('INSERT INTO inner_documents (content_id, ordinal, path, kind, hash, size) VALUES (?, ?, ?, ?, ?, ?)')
  inner.forEach(({ path, kind, hash, sizeBytes }, index) => insert.run(contentId, index, path, kind, hash, sizeBytes))
}

function insertPassages(context: WriteContext, contentId: number, passages: NewPassage[]): void {
  const insert = context.prepare(`
    INSERT INTO passages (content_id, ordinal, text, heading, place, start, "end", tokens, language, text_hash)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  for (const passage of passages) {
    const { heading, place } = passage
    const { lastInsertRowid } = insert.run(
      contentId,
      passage.ordinal,
      passage.text,
      heading.length === 0 ? '[]' : JSON.stringify(heading),
      JSON.stringify(place),
      passage.start,
      passage.end,
      passage.tokens,
      passage.language,
      passage.textHash,
    )
    context.addTerms(Number(lastInsertRowid), passage.terms)
  }
}

/** Vectors that its texts have already, from other documents or an earlier version. */
function countEmbedded(context: WriteContext, contentId: number): void {
  const model = activeModel(context)
  if (model === null) return
  const rows = context
    .prepare(
      `SELECT passages.language, vectors.vector FROM passages
       JOIN vectors ON vectors.model_id = ? AND vectors.text_hash = passages.text_hash AND vectors.vector IS NOT NULL
       WHERE passages.content_id = ?`,
    )
    .all(model, contentId) as { language: string; vector: Uint8Array }[]
  if (rows.length === 0) return
  const changes: MeanChange[] = rows.map((row) => ({ contentId, language: row.language, count: 1, vector: row.vector }))
  addMeans(context, model, changes)
  context.prepare('UPDATE contents SET embedded = ? WHERE id = ?').run(rows.length, contentId)
}

/** Texts of a content that some document now has wait for their vectors. */
function addPending(context: WriteContext, contentId: number): void {
  const model = activeModel(context)
  if (model === null) return
  context
    .prepare(
      `INSERT OR IGNORE INTO pending_texts (passage_id, text_hash)
       SELECT min(passages.id), passages.text_hash FROM passages
       WHERE content_id = ? AND NOT EXISTS (SELECT 1 FROM vectors WHERE model_id = ? AND vectors.text_hash = passages.text_hash)
       GROUP BY passages.text_hash`,
    )
    .run(contentId, model)
}

function attach(context: WriteContext, { documentId, contentId: given, file }: Attachment): void {
  const contentId = context.replacedBy.get(given) ?? given
  const document = context.prepare('SELECT content_id FROM documents WHERE id = ?').get(documentId) as
    { content_id: number | null } | undefined
  context.underway.delete(contentId)
  // The document was removed while it was read.
  if (!document) return void removeIfUnused(context, contentId)
  context
    .prepare(
      `UPDATE documents SET content_id = contents.id, status = contents.status, reason = contents.reason, hash = ?, size = ?, modified_ms = ?,
         attempts = 0, updated_at = ?
       FROM contents WHERE documents.id = ? AND contents.id = ? AND contents.complete = 1`,
    )
    .run(file.hash, file.sizeBytes, file.modifiedMs, context.now(), documentId, contentId)
  addPending(context, contentId)
  matchInner(context, documentId, contentId)
  const before = document.content_id
  if (before !== null && before !== contentId) removeIfUnused(context, before)
}

function reasonText(end: Omit<ContentEnd, 'contentId'>): string | null {
  return end.reason ? JSON.stringify(end.reason) : null
}

export const contentWrites = {
  beginContent(context: WriteContext, key: ContentKey): { contentId: number; complete: boolean } {
    const known = findComplete(context, key)
    if (known !== null) return { contentId: known, complete: true }
    const { lastInsertRowid } = context
      .prepare('INSERT INTO contents (hash, kind, recipe) VALUES (?, ?, ?)')
      .run(key.hash, key.kind, key.recipe)
    const contentId = Number(lastInsertRowid)
    context.underway.add(contentId)
    return { contentId, complete: false }
  },

  addSlice(context: WriteContext, slice: ContentSlice): void {
    insertSections(context, slice.contentId, slice.firstSection, slice.sections)
    insertPassages(context, slice.contentId, slice.passages)
  },

  finishContent(context: WriteContext, end: ContentEnd): void {
    const begun = context.prepare('SELECT hash, kind, recipe FROM contents WHERE id = ?').get(end.contentId) as ContentKey | undefined
    if (!begun) return
    const recipe = end.recipe ?? begun.recipe
    const known = findComplete(context, { ...begun, recipe })
    if (known !== null && known !== end.contentId) {
      context.replacedBy.set(end.contentId, known)
      context.underway.delete(end.contentId)
      removeContents(context, [end.contentId])
      return
    }
    context
      .prepare(
        `UPDATE contents SET complete = 1, recipe = ?, status = ?, reason = ?, title = ?, pages = ?, characters = ?, language = ?, pages_recognised = ?,
           passage_count = (SELECT count(*) FROM passages WHERE content_id = contents.id) WHERE id = ?`,
      )
      .run(recipe, end.status, reasonText(end), end.title, end.pages, end.characters, end.language, end.pagesRecognised ?? 0, end.contentId)
    insertInner(context, end.contentId, end)
    countEmbedded(context, end.contentId)
  },

  storeContent(context: WriteContext, { key, sections, passages, end, attach: target }: WholeContent): { contentId: number } {
    let contentId = findComplete(context, key)
    if (contentId === null) {
      const { lastInsertRowid } = context
        .prepare(
          `INSERT INTO contents (hash, kind, recipe, complete, status, reason, title, pages, characters, language, pages_recognised, passage_count)
           VALUES (?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(
          key.hash,
          key.kind,
          key.recipe,
          end.status,
          reasonText(end),
          end.title,
          end.pages,
          end.characters,
          end.language,
          end.pagesRecognised ?? 0,
          passages.length,
        )
      contentId = Number(lastInsertRowid)
      insertSections(context, contentId, 0, sections)
      insertPassages(context, contentId, passages)
      insertInner(context, contentId, end)
      countEmbedded(context, contentId)
    }
    if (target) attach(context, { documentId: target.documentId, contentId, file: target })
    else context.underway.add(contentId)
    return { contentId }
  },

  attach,

  abandonContent(context: WriteContext, contentId: number): void {
    context.underway.delete(contentId)
    const row = context.prepare('SELECT complete FROM contents WHERE id = ?').get(contentId) as { complete: number } | undefined
    if (row?.complete === 0) removeContents(context, [contentId])
  },
}
