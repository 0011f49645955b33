import {
  getDocument,
  GlobalWorkerOptions,
  PDFWorker,
  TextLayer,
  type PDFDocumentProxy,
  type PDFPageProxy,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
import workerUrl from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url'
import { heldPassword, holdPassword } from './pdf-passwords.ts'
import { whenIdle } from '../when-idle.ts'

export { TextLayer, type PDFDocumentProxy, type PDFPageProxy }

export interface OpenPdf {
  pdf: PDFDocumentProxy
  /** Of the page that is wanted first, in points: what the others are taken to be until they are seen. */
  width: number
  height: number
}

export interface Opening {
  opened: Promise<OpenPdf>
  close: () => void
}

let spare: PDFWorker | null = null

function newWorker(): PDFWorker {
  GlobalWorkerOptions.workerSrc = workerUrl
  return new PDFWorker()
}

/** Starts the worker of the next document. Each has its own: one that never ends holds up no other. */
export function prepareWorker(): void {
  whenIdle(() => (spare ??= newWorker()))
}

function takeWorker(): PDFWorker {
  const worker = spare ?? newWorker()
  spare = null
  return worker
}

function local(path: string): string {
  return new URL(path, document.baseURI).href
}

/** Opens a document's bytes with everything it needs served from beside the page. `page`: the one that is wanted first. */
export function openPdf(documentId: number, page: number, password = heldPassword(documentId)): Opening {
  const worker = takeWorker()
  const task = getDocument({
    worker,
    url: local(`document/${documentId}`),
    cMapUrl: local('pdfjs/cmaps/'),
    cMapPacked: true,
    standardFontDataUrl: local('pdfjs/standard_fonts/'),
    wasmUrl: local('pdfjs/wasm/'),
    iccUrl: local('pdfjs/iccs/'),
    isEvalSupported: false,
    enableXfa: false,
    disableAutoFetch: true,
    ...(password === undefined ? {} : { password }),
  })
  async function open(): Promise<OpenPdf> {
    const pdf = await task.promise
    const { width, height } = (await pdf.getPage(Math.min(page, pdf.numPages))).getViewport({ scale: 1 })
    return { pdf, width, height }
  }
  function close() {
    void task.destroy().finally(() => worker.destroy())
    prepareWorker()
  }
  return { opened: open(), close }
}

/** Tries a password; one that opens the document is held for this window. */
export async function passwordOpens(documentId: number, password: string): Promise<boolean> {
  const { opened, close } = openPdf(documentId, 1, password)
  try {
    await opened
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException') return false
    throw error
  } finally {
    close()
  }
  holdPassword(documentId, password)
  return true
}
