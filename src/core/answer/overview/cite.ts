import { z } from 'zod'
import type { Source } from '../../../contract/answer.ts'
import { placeSchema } from '../../../contract/place.ts'
import type { CountedPlace, Table } from '../../../contract/tables.ts'
import type { Store } from '../../store/store.ts'

const headingSchema = z.array(z.string()).catch([])

interface PassageRecord {
  id: number
  place: string
  heading: string
  text: string
  hash: string | null
}

/** The row of a sheet as something to cite: its own place, in the passage that holds it. Null where no passage does. */
export function rowSource(store: Store, table: Table, row: number | null, marker: number): Source | null {
  const document = table.documents[0]
  if (document === undefined) return null
  const range = row === null ? '' : "AND json_extract(p.place, '$.from') <= ? AND json_extract(p.place, '$.to') >= ?"
  const found = store.reader
    .prepare(
      `SELECT p.id, p.place, p.heading, p.text, d.hash FROM passages p JOIN live_documents d ON d.content_id = p.content_id
       WHERE d.id = ? AND json_extract(p.place, '$.kind') = 'sheet' AND json_extract(p.place, '$.sheet') = ? ${range} ORDER BY p.ordinal LIMIT 1`,
    )
    .get(document.documentId, table.sheet, ...(row === null ? [] : [row, row])) as PassageRecord | undefined
  if (found === undefined) return null
  const place = placeSchema.parse(JSON.parse(found.place))
  if (place.kind !== 'sheet') return null
  return {
    marker,
    documentId: document.documentId,
    passageId: found.id,
    path: document.path,
    place: row === null ? place : { ...place, from: row, to: row },
    heading: headingSchema.parse(JSON.parse(found.heading)),
    text: row === null ? found.text : lineOf(found.text, place, row),
    contentHash: found.hash ?? '',
    score: 1,
  }
}

/** The row's own line where the passage's lines can be told apart; all of it else. */
function lineOf(text: string, place: { from: number; to: number }, row: number): string {
  const lines = text.split('\n')
  const rows = place.to - place.from + 1
  const header = lines.length - rows
  return header === 0 || header === 1 ? (lines[row - place.from + header] ?? text) : text
}

export function placeSource(place: CountedPlace, marker: number): Source {
  return { ...place, marker, score: 1 }
}

/** A file as something to open: the beginning of its text. Null where it has none. */
export function fileSource(store: Store, documentId: number, marker: number): Source | null {
  const found = store.reader
    .prepare(
      `SELECT p.id, p.place, p.heading, p.text, d.hash, d.path FROM passages p JOIN live_documents d ON d.content_id = p.content_id
       WHERE d.id = ? ORDER BY p.ordinal LIMIT 1`,
    )
    .get(documentId) as (PassageRecord & { path: string }) | undefined
  if (found === undefined) return null
  return {
    marker,
    documentId,
    passageId: found.id,
    path: found.path,
    place: placeSchema.parse(JSON.parse(found.place)),
    heading: headingSchema.parse(JSON.parse(found.heading)),
    text: found.text,
    contentHash: found.hash ?? '',
    score: 1,
  }
}
