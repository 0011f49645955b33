import { hasPictureText } from './pdf-danger.ts'
import { createNoteReader } from './pdfium-notes.ts'

/** What is used of PDFium's C functions. Handles and addresses are numbers; 0 is none. */
export interface PdfiumFunctions {
  _FPDF_InitLibrary(): void
  _FPDF_LoadMemDocument(data: number, size: number, password: number): number
  _FPDF_GetLastError(): number
  _FPDF_CloseDocument(document: number): void
  _FPDF_GetPageCount(document: number): number
  _FPDF_GetMetaText(document: number, tag: number, buffer: number, bytes: number): number
  _FPDF_LoadPage(document: number, index: number): number
  _FPDF_ClosePage(page: number): void
  _FPDF_GetPageWidthF(page: number): number
  _FPDF_GetPageHeightF(page: number): number
  _FPDFPage_GetRotation(page: number): number
  _FPDF_GetPageBoundingBox(page: number, rectangle: number): number
  _FPDFPage_GetAnnotCount(page: number): number
  _FPDFPage_GetAnnot(page: number, index: number): number
  _FPDFPage_CloseAnnot(annotation: number): void
  _FPDFAnnot_GetSubtype(annotation: number): number
  _FPDFAnnot_GetFlags(annotation: number): number
  _FPDFAnnot_GetStringValue(annotation: number, key: number, buffer: number, bytes: number): number
  _FPDFDoc_GetAttachmentCount(document: number): number
  _FPDFDoc_GetAttachment(document: number, index: number): number
  _FPDFAttachment_GetName(attachment: number, buffer: number, bytes: number): number
  _FPDFPage_Flatten(page: number, usage: number): number
  _FPDFPage_CountObjects(page: number): number
  _FPDFPage_GetObject(page: number, index: number): number
  _FPDFPageObj_GetType(object: number): number
  _FPDFPageObj_GetBounds(object: number, left: number, bottom: number, right: number, top: number): number
  _FPDFPageObj_GetFillColor(object: number, red: number, green: number, blue: number, alpha: number): number
  _FPDFPageObj_GetMatrix(object: number, matrix: number): number
  _FPDFPageObj_HasTransparency(object: number): number
  _FPDFPageObj_GetClipPath(object: number): number
  _FPDFClipPath_CountPaths(clip: number): number
  _FPDFClipPath_CountPathSegments(clip: number, path: number): number
  _FPDFClipPath_GetPathSegment(clip: number, path: number, index: number): number
  _FPDFPath_CountSegments(path: number): number
  _FPDFPath_GetPathSegment(path: number, index: number): number
  _FPDFPathSegment_GetType(segment: number): number
  _FPDFPathSegment_GetClose(segment: number): number
  _FPDFPathSegment_GetPoint(segment: number, x: number, y: number): number
  _FPDFPath_GetDrawMode(object: number, fill: number, stroke: number): number
  _FPDFFormObj_CountObjects(form: number): number
  _FPDFFormObj_GetObject(form: number, index: number): number
  _FPDFTextObj_GetTextRenderMode(object: number): number
  _FPDFTextObj_GetFontSize(object: number, size: number): number
  _FPDFTextObj_GetFont(object: number): number
  _FPDFFont_GetBaseFontName(font: number, buffer: number, bytes: number): number
  _FPDFFont_GetIsEmbedded(font: number): number
  _FPDFText_LoadPage(page: number): number
  _FPDFText_ClosePage(text: number): void
  _FPDFText_CountChars(text: number): number
  _FPDFText_GetUnicode(text: number, index: number): number
  _FPDFText_IsGenerated(text: number, index: number): number
  _FPDFText_HasUnicodeMapError(text: number, index: number): number
  _FPDFText_GetCharOrigin(text: number, index: number, x: number, y: number): number
  _FPDFText_GetLooseCharBox(text: number, index: number, rectangle: number): number
  _FPDFText_GetMatrix(text: number, index: number, matrix: number): number
  _FPDFText_GetFontSize(text: number, index: number): number
  _FPDFText_GetTextObject(text: number, index: number): number
  wasmExports: { malloc(bytes: number): number; free(address: number): void }
  readonly HEAPU8: Uint8Array
}

/** What one call may write to: 8 numbers. */
const scratchBytes = 64
/** Beyond the document itself. What would need more ends with an error instead of taking the machine's memory. */
const workingBytes = 256 << 20

/** When a document's parts have filled so much, they are let go of. */
const grownBytes = 32 << 20

/** A document's bytes; those of a large one are not held by whoever gives them. */
export interface PdfSource {
  readonly sizeBytes: number
  chunks(): Iterable<Buffer>
  bytes(): Buffer
}

export interface Pdfium {
  readonly raw: PdfiumFunctions
  readonly pages: number
  /** Runs `look` with the open page, counted from 1; null when there is no such page or it is damaged. Throws when PDFium broke down. */
  withPage<Result>(number: number, look: (page: number) => Result): Result | null
  /** Where results of a call are put, and what is there. */
  readonly scratch: number
  float(index: number): number
  double(index: number): number
  integer(index: number): number
  title(): string
  /** What people wrote on the page that was opened last. */
  comments(): readonly string[]
  /** Names of the files that lie in the document. */
  files(): string[]
  close(): void
}

/** `broken`: it did not survive the document, or its memory did not suffice. `packsText`: text in it is packed as pictures are. */
export type PdfiumOpened =
  { kind: 'ok'; pdfium: Pdfium; packsText: boolean } | { kind: 'password' | 'failed'; packsText: boolean } | { kind: 'broken' }

/** A PDFium of its own for the document: what one breaks, another does not notice. */
export async function openPdfium(source: PdfSource, password = ''): Promise<PdfiumOpened> {
  try {
    const size = source.sizeBytes
    const raw = await instantiate(size + workingBytes)
    const data = raw.wasmExports.malloc(size)
    if (data === 0) return { kind: 'broken' }
    let length = 0
    for (const chunk of source.chunks()) {
      const part = chunk.subarray(0, size - length)
      raw.HEAPU8.set(part, data + length)
      length += part.length
    }
    const packsText = hasPictureText(Buffer.from(raw.HEAPU8.buffer, data, length))
    const secret = cString(raw, password)
    const load = (): number => raw._FPDF_LoadMemDocument(data, length, secret)
    const document = load()
    if (document === 0) return { kind: raw._FPDF_GetLastError() === passwordError ? 'password' : 'failed', packsText }
    return { kind: 'ok', pdfium: handle(raw, document, load), packsText }
  } catch (error) {
    if (error instanceof Error && 'errno' in error) throw error
    return { kind: 'broken' }
  }
}

const passwordError = 4

type Start = (options: {
  instantiateWasm(
    imports: { env: { emscripten_resize_heap(bytes: number): boolean } },
    done: (instance: object, code: object) => void,
  ): object
  print(): void
  printErr(): void
}) => Promise<PdfiumFunctions>

async function instantiate(maxBytes: number): Promise<PdfiumFunctions> {
  const [library, { pdfiumInstance }] = await Promise.all([import('@hyzyla/pdfium'), import('./pdfium-module.ts')])
  // Its types leave out what its loader takes.
  const raw = await (library as unknown as { PDFiumModule: Start }).PDFiumModule({
    instantiateWasm(imports, done) {
      const grow = imports.env.emscripten_resize_heap
      imports.env.emscripten_resize_heap = (bytes) => bytes >>> 0 <= maxBytes && grow(bytes)
      const { instance, code, exports } = pdfiumInstance(imports)
      done(instance, code)
      return exports
    },
    print: () => undefined,
    printErr: () => undefined,
  })
  raw._FPDF_InitLibrary()
  return raw
}

function cString(raw: PdfiumFunctions, text: string): number {
  const bytes = Buffer.from(`${text}\0`, 'utf8')
  const address = raw.wasmExports.malloc(bytes.length)
  raw.HEAPU8.set(bytes, address)
  return address
}

function handle(raw: PdfiumFunctions, loaded: number, load: () => number): Pdfium {
  let document = loaded
  const scratch = raw.wasmExports.malloc(scratchBytes)
  let view = new DataView(raw.HEAPU8.buffer)
  let open = 0
  const noteReader = createNoteReader(raw)
  let comments: readonly string[] = []
  // The memory is another one whenever it has grown.
  function memory(): DataView {
    if (view.buffer !== raw.HEAPU8.buffer) view = new DataView(raw.HEAPU8.buffer)
    return view
  }
  function close(): void {
    if (open !== 0) raw._FPDF_ClosePage(open)
    open = 0
    raw._FPDF_CloseDocument(document)
  }
  let size = raw.HEAPU8.length
  let looked = 0
  let mostLooked = Infinity
  // It keeps every picture that it came by; memory that was grown never shrinks, but is used again.
  function renewWhenGrown(): void {
    looked += 1
    const grown = raw.HEAPU8.length - size > grownBytes
    if (!grown && looked <= mostLooked) return
    if (grown) mostLooked = Math.min(mostLooked, Math.max(1, looked - 1))
    close()
    document = load()
    size = raw.HEAPU8.length
    looked = 1
  }
  return {
    raw,
    pages: raw._FPDF_GetPageCount(document),
    withPage(number, look) {
      renewWhenGrown()
      let page = raw._FPDF_LoadPage(document, number - 1)
      const notes = page === 0 ? null : noteReader.notes(page)
      comments = notes?.comments ?? []
      if (notes?.hasShownText === true && raw._FPDFPage_Flatten(page, shownOnScreen) === flattened) {
        raw._FPDF_ClosePage(page)
        page = raw._FPDF_LoadPage(document, number - 1)
      }
      // A page lets go of its fonts when it is closed; the next one mostly needs them.
      if (open !== 0) raw._FPDF_ClosePage(open)
      open = page
      return page === 0 ? null : look(page)
    },
    scratch,
    float: (index) => memory().getFloat32(scratch + index * 4, true),
    double: (index) => memory().getFloat64(scratch + index * 8, true),
    integer: (index) => memory().getInt32(scratch + index * 4, true),
    comments: () => comments,
    files: () => noteReader.files(document),
    title() {
      const tag = cString(raw, 'Title')
      const bytes = Math.min(raw._FPDF_GetMetaText(document, tag, 0, 0), 4096)
      if (bytes <= 2) return ''
      const buffer = raw.wasmExports.malloc(bytes)
      raw._FPDF_GetMetaText(document, tag, buffer, bytes)
      return Buffer.from(raw.HEAPU8.subarray(buffer, buffer + bytes - 2)).toString('utf16le')
    },
    close() {
      try {
        close()
      } catch {
        // It broke down before; its memory goes with it.
      }
    },
  }
}

const shownOnScreen = 0
const flattened = 1
