/**
 * What was heard in recordings, by the bytes of a file: the same bytes are sent out once. Sound files that were passed over as
 * unknown before wait to be read.
 */
export const transcriptSchema = /* sql */ `
CREATE TABLE transcripts (
  hash TEXT NOT NULL PRIMARY KEY,
  -- JSON: [from in ms, to in ms, text] of each stretch.
  segments TEXT NOT NULL
) STRICT, WITHOUT ROWID;

UPDATE documents SET status = 'waiting', reason = NULL, attempts = 0 WHERE status = 'skipped' AND kind = 'unknown' AND (
  lower(path) LIKE '%.wav' OR lower(path) LIKE '%.mp3' OR lower(path) LIKE '%.m4a' OR lower(path) LIKE '%.m4b' OR lower(path) LIKE '%.ogg' OR
  lower(path) LIKE '%.oga' OR lower(path) LIKE '%.opus' OR lower(path) LIKE '%.flac' OR lower(path) LIKE '%.webm' OR lower(path) LIKE '%.weba');
`
