const given = new Map<number, string>()

/** Keeps a document's password for as long as this window is there, and nowhere else. */
export function holdPassword(documentId: number, password: string): void {
  given.set(documentId, password)
}

export function heldPassword(documentId: number): string | undefined {
  return given.get(documentId)
}
