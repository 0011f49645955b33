import type { Opening } from './pdf-library.ts'

export interface PdfPlace {
  documentId: number
  page: number
}

let opener: ((place: PdfPlace) => Opening) | null = null
let ahead: (PdfPlace & Opening) | null = null

/** The library that opens documents says that it is there. */
export function setPdfOpener(open: (place: PdfPlace) => Opening): void {
  opener = open
}

/** Opens a document that is about to be shown, beside what is asked about it. Without the library, or when it cannot: nothing. */
export function openAhead(place: PdfPlace): void {
  dropAhead()
  if (opener === null) return
  const opening = opener(place)
  // Whoever takes it hears why.
  opening.opened.catch(() => undefined)
  ahead = { ...place, ...opening }
}

/** What was opened ahead, from now on the caller's to close. */
export function takeAhead(documentId: number): Opening | null {
  if (ahead?.documentId !== documentId) return null
  const taken = ahead
  ahead = null
  return taken
}

export function dropAhead(): void {
  ahead?.close()
  ahead = null
}
