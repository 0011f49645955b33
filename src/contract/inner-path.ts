const inner = /^(.*[^\\/])[\\/]#(?:\d+-)?\d+[\\/]([^\\/]+)$/s

/**
 * The path of a document that lies in another, as `letter.eml/#2/annex.docx`, in its parts: what it lies in and its own name. Null
 * for the path of a file.
 */
export function splitInner(path: string): { around: string; name: string } | null {
  const [, around, name] = inner.exec(path) ?? []
  return around === undefined || name === undefined ? null : { around, name }
}
