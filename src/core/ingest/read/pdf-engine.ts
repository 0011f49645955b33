import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'

/** Nothing is drawn here; pdf.js only wants the names when it is loaded, and the package that has them is a native one that may be missing. */
class NoMatrix {
  a = 1
  b = 0
  c = 0
  d = 1
  e = 0
  f = 0
  scaleSelf(): this {
    return this
  }
  translateSelf(): this {
    return this
  }
}
class NoDrawing {}

async function loadPdfjs() {
  const names = globalThis as Record<string, unknown>
  names['DOMMatrix'] ??= NoMatrix
  names['ImageData'] ??= NoDrawing
  names['Path2D'] ??= NoDrawing
  return import('pdfjs-dist/legacy/build/pdf.mjs')
}

/** `looking` drops images before they are decoded, which a hostile one could not survive; `strict` ends a page's operators there. */
export async function openPdf(source: Buffer, looking: 'strict' | 'lenient' | null = null) {
  const pdfjs = await loadPdfjs()
  const root = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
  const task = pdfjs.getDocument({
    // pdf.js takes the memory that it is given for itself.
    data: new Uint8Array(source),
    // Plain paths, read from the disk: without the character maps, Chinese text without embedded fonts vanishes.
    cMapUrl: join(root, 'cmaps') + sep,
    cMapPacked: true,
    standardFontDataUrl: join(root, 'standard_fonts') + sep,
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    verbosity: 0,
    ...(looking === null ? {} : { maxImageSize: 1, stopAtErrors: looking === 'strict' }),
  })
  return { task, document: await task.promise, operators: pdfjs.OPS }
}

export type PdfDocument = Awaited<ReturnType<typeof openPdf>>['document']
