function nameOf(path: string): string {
  return `substr(${path}, length(rtrim(${path}, replace(replace(${path}, '/', ''), '\\', ''))) + 1)`
}

/** The name of a file beside its path, and what a long list needs to be in another order than that of the paths. */
export const documentOrderSchema = /* sql */ `
ALTER TABLE documents ADD COLUMN name TEXT;
UPDATE documents SET name = ${nameOf('path')};
CREATE TRIGGER documents_named AFTER INSERT ON documents BEGIN
  UPDATE documents SET name = ${nameOf('new.path')} WHERE id = new.id;
END;
CREATE TRIGGER documents_renamed AFTER UPDATE OF path ON documents BEGIN
  UPDATE documents SET name = ${nameOf('new.path')} WHERE id = new.id;
END;
CREATE INDEX documents_by_name ON documents(name COLLATE NOCASE, path);
CREATE INDEX documents_by_size ON documents(size, path);
CREATE INDEX documents_by_date ON documents(modified_ms, path);
`
