import { getDocument, GlobalWorkerOptions, TextLayer, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import workerUrl from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url'

export { TextLayer, type PDFDocumentProxy }

export interface OpenPdf {
  pdf: PDFDocumentProxy
  /** Of the first page, in points: what the others are taken to be until they are seen. */
  width: number
  height: number
}

function local(path: string): string {
  return new URL(path, document.baseURI).href
}

/** Opens a document's bytes with everything it needs served from beside the page. */
export function openPdf(documentId: number): { opened: Promise<OpenPdf>; close: () => void } {
  GlobalWorkerOptions.workerSrc = workerUrl
  const task = getDocument({
    url: local(`document/${documentId}`),
    cMapUrl: local('pdfjs/cmaps/'),
    cMapPacked: true,
    standardFontDataUrl: local('pdfjs/standard_fonts/'),
    wasmUrl: local('pdfjs/wasm/'),
    iccUrl: local('pdfjs/iccs/'),
    isEvalSupported: false,
    enableXfa: false,
    disableAutoFetch: true,
  })
  async function open(): Promise<OpenPdf> {
    const pdf = await task.promise
    const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 })
    return { pdf, width, height }
  }
  return { opened: open(), close: () => void task.destroy() }
}
