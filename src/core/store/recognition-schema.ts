/**
 * What text recognition read, by the bytes of a file and its page: stored page by page, so that a kill loses one page at most, and
 * the same bytes twice are recognised once. A page waits, is done, or is given up with a reason.
 */
export const recognitionSchema = /* sql */ `
CREATE TABLE recognised_pages (
  hash TEXT NOT NULL,
  page INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'waiting',
  attempts INTEGER NOT NULL DEFAULT 0,
  -- JSON: the lines of a page that is done, the reason of one that was given up.
  lines TEXT,
  problem TEXT,
  PRIMARY KEY (hash, page)
) STRICT, WITHOUT ROWID;
CREATE INDEX recognised_pages_waiting ON recognised_pages(hash, page) WHERE state = 'waiting';

ALTER TABLE contents ADD COLUMN pages_recognised INTEGER NOT NULL DEFAULT 0;
`
