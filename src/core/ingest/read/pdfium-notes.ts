import { commentLine } from './docx-asides.ts'
import type { PdfiumFunctions } from './pdfium.ts'

/** What people put on a page, by the numbers of its kinds (ISO 32000, 12.5.6): notes, text, marks, drawings, stamps. */
const kinds = { freeText: 3, stamp: 13, field: 20, written: [1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] } as const
const mostAnnotations = 2000
/** In bytes of UTF-16. */
const longestNote = 64 << 10
const longestName = 1024
const mostFiles = 100
const hiddenFlag = 2

export interface PageNotes {
  /** Something stands on top of the page that is no part of it until it is put there. */
  hasShownText: boolean
  /** As they are shown. */
  comments: string[]
}

export interface NoteReader {
  notes(page: number): PageNotes
  /** Names of the files that lie in the document. */
  files(document: number): string[]
}

export function createNoteReader(raw: PdfiumFunctions): NoteReader {
  function withText(text: string, use: (address: number) => string): string {
    const bytes = Buffer.from(`${text}\0`, 'latin1')
    const address = raw.wasmExports.malloc(bytes.length)
    raw.HEAPU8.set(bytes, address)
    const result = use(address)
    raw.wasmExports.free(address)
    return result
  }

  /** A text that a call writes, as far as it is told. */
  function written(most: number, write: (buffer: number, bytes: number) => number): string {
    const bytes = Math.min(write(0, 0), most)
    if (bytes <= 2) return ''
    const buffer = raw.wasmExports.malloc(bytes)
    const all = write(buffer, bytes)
    const text = all > bytes ? '' : Buffer.from(raw.HEAPU8.subarray(buffer, buffer + bytes - 2)).toString('utf16le')
    raw.wasmExports.free(buffer)
    return text
  }

  function value(annotation: number, key: string): string {
    return withText(key, (address) =>
      written(longestNote, (buffer, bytes) => raw._FPDFAnnot_GetStringValue(annotation, address, buffer, bytes)),
    )
      .replace(/\s+/g, ' ')
      .trim()
  }

  return {
    notes(page) {
      const found: PageNotes = { hasShownText: false, comments: [] }
      const count = Math.min(raw._FPDFPage_GetAnnotCount(page), mostAnnotations)
      for (let index = 0; index < count; index++) {
        const annotation = raw._FPDFPage_GetAnnot(page, index)
        const kind = raw._FPDFAnnot_GetSubtype(annotation)
        found.hasShownText ||= kind === kinds.freeText || kind === kinds.stamp || kind === kinds.field
        const isNote = kinds.written.some((each) => each === kind) && (raw._FPDFAnnot_GetFlags(annotation) & hiddenFlag) === 0
        const said = isNote ? value(annotation, 'Contents') : ''
        if (said !== '') found.comments.push(commentLine(value(annotation, 'T'), said))
        raw._FPDFPage_CloseAnnot(annotation)
      }
      return found
    },
    files(document) {
      const count = Math.min(Math.max(0, raw._FPDFDoc_GetAttachmentCount(document)), mostFiles)
      return Array.from({ length: count }, (_none, index) => {
        const file = raw._FPDFDoc_GetAttachment(document, index)
        return file === 0 ? '' : written(longestName, (buffer, bytes) => raw._FPDFAttachment_GetName(file, buffer, bytes)).trim()
      }).filter((name) => name !== '')
    },
  }
}
