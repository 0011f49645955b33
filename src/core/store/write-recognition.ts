import type { Reason } from '../../contract/library.ts'
import type { StoredLine } from './store-types.ts'
import type { WriteContext } from './write-context.ts'

/** Fractions of a page: a hundredth of a millimetre on A4. */
function short(value: number): number {
  return Math.round(value * 1e5) / 1e5
}

function linesText(lines: readonly StoredLine[]): string {
  return JSON.stringify(
    lines.map(({ text, box, confidence, turn }) => [
      text,
      short(box.x),
      short(box.y),
      short(box.width),
      short(box.height),
      short(confidence),
      ...(turn === undefined ? [] : [turn]),
    ]),
  )
}

/** The last of a document's pages is done or given up: every document with these bytes is read once more, with what was recognised. */
function readAgain(context: WriteContext, hash: string): { complete: boolean } {
  if (context.prepare("SELECT 1 FROM recognised_pages WHERE hash = ? AND state = 'waiting' LIMIT 1").get(hash)) return { complete: false }
  context
    .prepare(
      "UPDATE documents SET status = 'waiting', attempts = 0, updated_at = ? WHERE hash = ? AND status IN ('ready', 'partial', 'failed')",
    )
    .run(context.now(), hash)
  return { complete: true }
}

export const recognitionWrites = {
  wantPages(context: WriteContext, { hash, pages }: { hash: string; pages: number[] }): void {
    const want = context.prepare('INSERT OR IGNORE INTO recognised_pages (hash, page) VALUES (?, ?)')
    for (const page of pages) want.run(hash, page)
  },

  beginPage(context: WriteContext, { hash, page }: { hash: string; page: number }): void {
    context.prepare('UPDATE recognised_pages SET attempts = attempts + 1 WHERE hash = ? AND page = ?').run(hash, page)
  },

  putPage(context: WriteContext, { hash, page, lines }: { hash: string; page: number; lines: StoredLine[] }): { complete: boolean } {
    context
      .prepare("UPDATE recognised_pages SET state = 'done', lines = ?, problem = NULL WHERE hash = ? AND page = ?")
      .run(linesText(lines), hash, page)
    return readAgain(context, hash)
  },

  giveUpPage(context: WriteContext, { hash, page, problem }: { hash: string; page: number; problem: Reason }): { complete: boolean } {
    context
      .prepare("UPDATE recognised_pages SET state = 'given-up', problem = ? WHERE hash = ? AND page = ?")
      .run(JSON.stringify(problem), hash, page)
    return readAgain(context, hash)
  },

  reopenPages(context: WriteContext, hash: string): number {
    return context
      .prepare("UPDATE recognised_pages SET state = 'waiting', attempts = 0, problem = NULL WHERE hash = ? AND state = 'given-up'")
      .run(hash).changes
  },

  /** Of bytes that no document has any more. */
  dropUnusedPages(context: WriteContext): number {
    return context
      .prepare('DELETE FROM recognised_pages WHERE NOT EXISTS (SELECT 1 FROM documents WHERE documents.hash = recognised_pages.hash)')
      .run().changes
  },
}
