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

export async function openPdf(source: Buffer, password?: string) {
  const pdfjs = await loadPdfjs()
  const root = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
  const task = pdfjs.getDocument({
    // pdf.js takes the memory that it is given for itself.
    data: new Uint8Array(source),
    ...(password === undefined ? {} : { password }),
    // Plain paths, read from the disk: without the character maps, Chinese text without embedded fonts vanishes.
    cMapUrl: join(root, 'cmaps') + sep,
    cMapPacked: true,
    standardFontDataUrl: join(root, 'standard_fonts') + sep,
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    verbosity: 0,
  })
  return { task, document: await task.promise }
}

export type PdfDocument = Awaited<ReturnType<typeof openPdf>>['document']
