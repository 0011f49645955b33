/** Agents, their transcripts, and memories. */
export const agentSchema = /* sql */ `
ALTER TABLE chats ADD COLUMN agent TEXT NOT NULL DEFAULT 'null';

-- A turn's transcript, appended message by message: a long one costs no more for each step than a short one.
CREATE TABLE messages (
  turn_id TEXT NOT NULL REFERENCES turns(id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (turn_id, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE agents (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  data TEXT NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE memories (
  id TEXT PRIMARY KEY,
  text TEXT NOT NULL,
  kind TEXT NOT NULL,
  source TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  used_at INTEGER,
  uses INTEGER NOT NULL DEFAULT 0,
  removed_at INTEGER
) STRICT;

-- A memory that changes loses its vectors and gets new ones.
CREATE TABLE memory_vectors (
  model_id INTEGER NOT NULL REFERENCES embedding_models(id) ON DELETE CASCADE,
  memory_id TEXT NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
  vector BLOB NOT NULL,
  PRIMARY KEY (model_id, memory_id)
) STRICT, WITHOUT ROWID;
`

/** When a folder was found missing: it is kept, and the time is shown. `device`: where it lay when it last had something in it. */
export const reachSchema = /* sql */ `
ALTER TABLE folders ADD COLUMN unreachable_since INTEGER;
ALTER TABLE folders ADD COLUMN device TEXT;
`

/** What chats are searched by, apart from all else that a turn keeps: a search reads little. */
export const chatWordsSchema = `
CREATE TABLE turn_words (
  turn_id TEXT PRIMARY KEY REFERENCES turns(id) ON DELETE CASCADE,
  chat_id TEXT NOT NULL,
  words TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO turn_words (turn_id, chat_id, words)
  SELECT id, chat_id, question || char(10) || coalesce(iif(json_valid(data), json_extract(data, '$.answer'), ''), '') FROM turns;
`

/** What a user arranges among the chats, and what stands unsent in them. */
export const deskSchema = /* sql */ `
ALTER TABLE chats ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;

-- By chat; the empty id is a new one's. Attachments are apart, as they are large and seldom change.
CREATE TABLE drafts (
  chat_id TEXT PRIMARY KEY,
  data TEXT NOT NULL,
  attachments TEXT NOT NULL DEFAULT '[]'
) STRICT;
`

/**
 * The tables. A document is a path; a content is what its bytes say, read by one reader and split one way. A path that
 * moves, and a second path with the same bytes, share one content: no work, no second set of passages or vectors.
 * A content is written in slices and seen only once `complete` is 1; what a kill leaves unfinished is swept at start.
 */
export const initialSchema = /* sql */ `
CREATE TABLE folders (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  path TEXT NOT NULL UNIQUE,
  single INTEGER NOT NULL DEFAULT 0,
  sample INTEGER NOT NULL DEFAULT 0,
  copied INTEGER NOT NULL DEFAULT 0,
  paused INTEGER NOT NULL DEFAULT 0,
  reachable INTEGER NOT NULL DEFAULT 1,
  left_out TEXT NOT NULL DEFAULT '{}',
  added_at INTEGER NOT NULL,
  scanned_at INTEGER,
  removed_at INTEGER
) STRICT;

CREATE TABLE contents (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  hash TEXT NOT NULL,
  kind TEXT NOT NULL,
  recipe TEXT NOT NULL,
  complete INTEGER NOT NULL DEFAULT 0,
  status TEXT NOT NULL DEFAULT 'ready',
  reason TEXT,
  title TEXT,
  pages INTEGER,
  characters INTEGER NOT NULL DEFAULT 0,
  language TEXT,
  passage_count INTEGER NOT NULL DEFAULT 0,
  -- Passages that have a vector of the active model.
  embedded INTEGER NOT NULL DEFAULT 0
) STRICT;
-- Two readers may read the same bytes at once: only one of them completes.
CREATE UNIQUE INDEX contents_by_key ON contents(hash, kind, recipe) WHERE complete = 1;
CREATE INDEX contents_unfinished ON contents(id) WHERE complete = 0;

CREATE TABLE documents (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  folder_id INTEGER NOT NULL REFERENCES folders(id) ON DELETE CASCADE,
  path TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  size INTEGER NOT NULL,
  modified_ms REAL NOT NULL,
  hash TEXT,
  content_id INTEGER REFERENCES contents(id),
  status TEXT NOT NULL,
  reason TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  added_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX documents_by_folder ON documents(folder_id, path);
CREATE INDEX documents_by_status ON documents(status);
CREATE INDEX documents_by_content ON documents(content_id);
CREATE INDEX documents_by_hash ON documents(hash);

CREATE TABLE sections (
  content_id INTEGER NOT NULL REFERENCES contents(id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  place TEXT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (content_id, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE passages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  content_id INTEGER NOT NULL REFERENCES contents(id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  text TEXT NOT NULL,
  heading TEXT NOT NULL,
  place TEXT NOT NULL,
  start INTEGER NOT NULL,
  "end" INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  language TEXT NOT NULL,
  text_hash TEXT NOT NULL,
  UNIQUE (content_id, ordinal)
) STRICT;
-- Covering: a search goes from a vector's text to its passages without reading them.
CREATE INDEX passages_by_text ON passages(text_hash, content_id, ordinal, language);

CREATE VIRTUAL TABLE passages_fts USING fts5(terms, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 0 tokenchars '_'");

CREATE TABLE embedding_models (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL UNIQUE,
  dimensions INTEGER NOT NULL,
  -- One model at most is active: the one whose vectors are counted and waited for.
  active INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE vectors (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  model_id INTEGER NOT NULL REFERENCES embedding_models(id) ON DELETE CASCADE,
  text_hash TEXT NOT NULL,
  language TEXT NOT NULL,
  vector BLOB,
  problem TEXT,
  UNIQUE (model_id, text_hash)
) STRICT;

CREATE TABLE vector_changes (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  model_id INTEGER NOT NULL,
  vector_id INTEGER NOT NULL,
  language TEXT NOT NULL,
  added INTEGER NOT NULL
) STRICT;
CREATE INDEX vector_changes_by_model ON vector_changes(model_id, seq);

CREATE TABLE content_means (
  model_id INTEGER NOT NULL,
  content_id INTEGER NOT NULL REFERENCES contents(id) ON DELETE CASCADE,
  language TEXT NOT NULL,
  count INTEGER NOT NULL,
  sum BLOB NOT NULL,
  UNIQUE (model_id, content_id, language)
) STRICT;
CREATE INDEX content_means_by_content ON content_means(content_id);

-- Texts of live documents that wait for a vector of the active model; passage_id is the first passage that has the text.
CREATE TABLE pending_texts (
  passage_id INTEGER PRIMARY KEY,
  text_hash TEXT NOT NULL UNIQUE
) STRICT;

-- Counts that are read five times a second, kept by the triggers below.
CREATE TABLE document_totals (
  folder_id INTEGER NOT NULL REFERENCES folders(id) ON DELETE CASCADE,
  status TEXT NOT NULL,
  documents INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  passages INTEGER NOT NULL,
  embedded INTEGER NOT NULL,
  PRIMARY KEY (folder_id, status)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER documents_added AFTER INSERT ON documents BEGIN
  INSERT INTO document_totals (folder_id, status, documents, bytes, passages, embedded)
  VALUES (new.folder_id, new.status, 1, new.size,
    coalesce((SELECT passage_count FROM contents WHERE id = new.content_id), 0),
    coalesce((SELECT embedded FROM contents WHERE id = new.content_id), 0))
  ON CONFLICT (folder_id, status) DO UPDATE SET documents = documents + 1, bytes = bytes + excluded.bytes,
    passages = passages + excluded.passages, embedded = embedded + excluded.embedded;
END;
CREATE TRIGGER documents_removed AFTER DELETE ON documents BEGIN
  UPDATE document_totals SET documents = documents - 1, bytes = bytes - old.size,
    passages = passages - coalesce((SELECT passage_count FROM contents WHERE id = old.content_id), 0),
    embedded = embedded - coalesce((SELECT embedded FROM contents WHERE id = old.content_id), 0)
  WHERE folder_id = old.folder_id AND status = old.status;
END;
CREATE TRIGGER documents_changed AFTER UPDATE OF folder_id, status, size, content_id ON documents
WHEN old.folder_id <> new.folder_id OR old.status <> new.status OR old.size <> new.size OR old.content_id IS NOT new.content_id BEGIN
  UPDATE document_totals SET documents = documents - 1, bytes = bytes - old.size,
    passages = passages - coalesce((SELECT passage_count FROM contents WHERE id = old.content_id), 0),
    embedded = embedded - coalesce((SELECT embedded FROM contents WHERE id = old.content_id), 0)
  WHERE folder_id = old.folder_id AND status = old.status;
  INSERT INTO document_totals (folder_id, status, documents, bytes, passages, embedded)
  VALUES (new.folder_id, new.status, 1, new.size,
    coalesce((SELECT passage_count FROM contents WHERE id = new.content_id), 0),
    coalesce((SELECT embedded FROM contents WHERE id = new.content_id), 0))
  ON CONFLICT (folder_id, status) DO UPDATE SET documents = documents + 1, bytes = bytes + excluded.bytes,
    passages = passages + excluded.passages, embedded = embedded + excluded.embedded;
END;
CREATE TRIGGER contents_counted AFTER UPDATE OF passage_count, embedded ON contents
WHEN old.passage_count <> new.passage_count OR old.embedded <> new.embedded BEGIN
  UPDATE document_totals SET
    passages = passages + (new.passage_count - old.passage_count) * holders.documents,
    embedded = document_totals.embedded + (new.embedded - old.embedded) * holders.documents
  FROM (SELECT folder_id, status, count(*) AS documents FROM documents WHERE content_id = new.id GROUP BY folder_id, status) AS holders
  WHERE document_totals.folder_id = holders.folder_id AND document_totals.status = holders.status;
END;

-- What may be found and cited. A removed folder stays until the next start, so that it can be restored, but is seen by nobody.
CREATE VIEW live_documents AS
  SELECT documents.* FROM documents JOIN folders ON folders.id = documents.folder_id WHERE folders.removed_at IS NULL;

CREATE TABLE chats (
  id TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  scope TEXT NOT NULL DEFAULT '{}',
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  removed_at INTEGER
) STRICT;

CREATE TABLE turns (
  id TEXT PRIMARY KEY,
  chat_id TEXT NOT NULL REFERENCES chats(id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  question TEXT NOT NULL,
  outcome TEXT,
  data TEXT NOT NULL,
  asked_at INTEGER NOT NULL,
  UNIQUE (chat_id, ordinal)
) STRICT;

CREATE TABLE settings (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

CREATE TABLE contacts (
  host TEXT NOT NULL,
  purpose TEXT NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  count INTEGER NOT NULL,
  refused INTEGER NOT NULL,
  PRIMARY KEY (host, purpose)
) STRICT, WITHOUT ROWID;

CREATE TABLE token_rates (
  model TEXT PRIMARY KEY,
  characters REAL NOT NULL,
  tokens REAL NOT NULL
) STRICT;
`
