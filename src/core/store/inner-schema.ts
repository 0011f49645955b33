/**
 * Documents inside others, such as what is attached to a mail. A content names those that lie in it; each document with this
 * content has them below its path, as documents with that parent. Mails that were read before are read again.
 */
export const innerSchema = /* sql */ `
ALTER TABLE documents ADD COLUMN parent_id INTEGER REFERENCES documents(id) ON DELETE CASCADE;
-- Below the path of the file.
ALTER TABLE documents ADD COLUMN inner_path TEXT;
CREATE INDEX documents_by_parent ON documents(parent_id) WHERE parent_id IS NOT NULL;

CREATE TABLE inner_documents (
  content_id INTEGER NOT NULL REFERENCES contents(id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  path TEXT NOT NULL,
  kind TEXT NOT NULL,
  hash TEXT NOT NULL,
  size INTEGER NOT NULL,
  PRIMARY KEY (content_id, ordinal)
) STRICT, WITHOUT ROWID;

-- The bytes of a document inside are counted with its file.
DROP TRIGGER documents_added;
DROP TRIGGER documents_removed;
DROP TRIGGER documents_changed;
CREATE TRIGGER documents_added AFTER INSERT ON documents BEGIN
  INSERT INTO document_totals (folder_id, status, documents, bytes, passages, embedded)
  VALUES (new.folder_id, new.status, 1, iif(new.parent_id IS NULL, new.size, 0),
    coalesce((SELECT passage_count FROM contents WHERE id = new.content_id), 0),
    coalesce((SELECT embedded FROM contents WHERE id = new.content_id), 0))
  ON CONFLICT (folder_id, status) DO UPDATE SET documents = documents + 1, bytes = bytes + excluded.bytes,
    passages = passages + excluded.passages, embedded = embedded + excluded.embedded;
END;
CREATE TRIGGER documents_removed AFTER DELETE ON documents BEGIN
  UPDATE document_totals SET documents = documents - 1, bytes = bytes - iif(old.parent_id IS NULL, old.size, 0),
    passages = passages - coalesce((SELECT passage_count FROM contents WHERE id = old.content_id), 0),
    embedded = embedded - coalesce((SELECT embedded FROM contents WHERE id = old.content_id), 0)
  WHERE folder_id = old.folder_id AND status = old.status;
END;
CREATE TRIGGER documents_changed AFTER UPDATE OF folder_id, status, size, content_id ON documents
WHEN old.folder_id <> new.folder_id OR old.status <> new.status OR old.size <> new.size OR old.content_id IS NOT new.content_id BEGIN
  UPDATE document_totals SET documents = documents - 1, bytes = bytes - iif(old.parent_id IS NULL, old.size, 0),
    passages = passages - coalesce((SELECT passage_count FROM contents WHERE id = old.content_id), 0),
    embedded = embedded - coalesce((SELECT embedded FROM contents WHERE id = old.content_id), 0)
  WHERE folder_id = old.folder_id AND status = old.status;
  INSERT INTO document_totals (folder_id, status, documents, bytes, passages, embedded)
  VALUES (new.folder_id, new.status, 1, iif(new.parent_id IS NULL, new.size, 0),
    coalesce((SELECT passage_count FROM contents WHERE id = new.content_id), 0),
    coalesce((SELECT embedded FROM contents WHERE id = new.content_id), 0))
  ON CONFLICT (folder_id, status) DO UPDATE SET documents = documents + 1, bytes = bytes + excluded.bytes,
    passages = passages + excluded.passages, embedded = embedded + excluded.embedded;
END;

UPDATE documents SET status = 'waiting', attempts = 0 WHERE kind = 'mail' AND status IN ('ready', 'partial');
`

/** SQL for the path of the file that a document is, or lies in. */
export function filePathOf(table: string): string {
  return `iif(${table}.inner_path IS NULL, ${table}.path, substr(${table}.path, 1, length(${table}.path) - length(${table}.inner_path) - 1))`
}

/** SQL to order paths such as `#2/annex.docx`, and `#12-3/annex.docx` in a mailbox, by their numbers. */
export function innerOrder(path: string): string {
  const first = `CAST(substr(${path}, 2) AS INTEGER)`
  return `${first}, abs(CAST(substr(${path}, 2 + length(${first})) AS INTEGER))`
}
