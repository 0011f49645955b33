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
  UNIQUE (hash, kind, recipe)
) STRICT;

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
CREATE INDEX documents_by_folder ON documents(folder_id, status);
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
CREATE INDEX passages_by_text ON passages(text_hash);

CREATE VIRTUAL TABLE passages_fts USING fts5(terms, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 0 tokenchars '_'");

CREATE TABLE embedding_models (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL UNIQUE,
  dimensions INTEGER NOT NULL
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
  PRIMARY KEY (model_id, content_id, language)
) STRICT, WITHOUT ROWID;

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
