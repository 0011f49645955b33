import { prepareWorker, TextLayer, type PDFDocumentProxy } from './pdf-library.ts'
import { pageContent } from './pdf-text.ts'

export interface SheetOf {
  number: number
  /** In CSS pixels. */
  width: number
  /** The ground's colour. */
  paper: string
}

/** A page as it is drawn at one width, and its text to be laid over it. */
export interface Sheet {
  canvas: HTMLCanvasElement
  text: HTMLDivElement
  /** In CSS pixels; null for a page that is none. */
  height: Promise<number | null>
  /** Whether picture and text are there. A page that cannot be drawn stays blank; the text as read is one tab away. */
  drawn: Promise<boolean>
}

interface Held {
  sheet: Sheet
  holders: number
  stop: () => void
}

const sheets = new WeakMap<PDFDocumentProxy, Map<string, Held>>()
/** What other pages of a document wait for: the page that is wanted first. */
const wanted = new WeakMap<PDFDocumentProxy, Promise<unknown>>()

function newText(): HTMLDivElement {
  const text = document.createElement('div')
  text.className = 'pdf-text'
  // Without a language, as pdf.js measures it: another one may mean another font and other widths.
  text.lang = ''
  return text
}

function draw(pdf: PDFDocumentProxy, { number, width, paper }: SheetOf, after: Promise<unknown> | undefined): Held {
  const canvas = document.createElement('canvas')
  const text = newText()
  let stopped = false
  let cancel = () => undefined as void
  async function measure() {
    const page = await pdf.getPage(number)
    const scale = width / page.getViewport({ scale: 1 }).width
    return { page, scale, viewport: page.getViewport({ scale }) }
  }
  const measuring = measure()
  async function drawIt() {
    const { page, viewport, scale } = await measuring
    await after
    if (stopped) return false
    const sharp = Math.min(3, Math.max(1.5, window.devicePixelRatio))
    canvas.width = Math.floor(viewport.width * sharp)
    canvas.height = Math.floor(viewport.height * sharp)
    const task = page.render({ canvas, viewport, transform: [sharp, 0, 0, sharp, 0, 0], background: paper })
    cancel = () => task.cancel()
    async function lay() {
      const content = await pageContent(pdf, number)
      if (stopped) return
      const layer = new TextLayer({ textContentSource: content, container: text, viewport })
      // Its own size, not that of what it is laid in: what is measured in it holds at any other.
      Object.assign(text.style, { width: `${viewport.width}px`, height: `${viewport.height}px` })
      text.style.setProperty('--total-scale-factor', String(scale))
      await layer.render()
    }
    await Promise.all([task.promise, lay()])
    return !stopped
  }
  const height = measuring.then(
    ({ viewport }) => viewport.height,
    () => null,
  )
  const drawn = drawIt().catch(() => false)
  function stop() {
    stopped = true
    cancel()
  }
  return { sheet: { canvas, text, height, drawn }, holders: 0, stop }
}

function held(pdf: PDFDocumentProxy, of: SheetOf, first: boolean): { sheet: Sheet; release: () => void } {
  const known = sheets.get(pdf) ?? new Map<string, Held>()
  sheets.set(pdf, known)
  const key = `${of.number} ${of.width} ${of.paper}`
  const entry = known.get(key) ?? draw(pdf, of, first ? undefined : wanted.get(pdf))
  known.set(key, entry)
  entry.holders += 1
  function release() {
    entry.holders -= 1
    if (entry.holders > 0) return
    entry.stop()
    known.delete(key)
  }
  return { sheet: entry.sheet, release }
}

/** A page to be shown; drawn once however many hold it, and until the last lets it go. */
export function holdSheet(pdf: PDFDocumentProxy, of: SheetOf): { sheet: Sheet; release: () => void } {
  return held(pdf, of, false)
}

/** Draws the page that is wanted first, before there is a place for it: the others come after. */
export function holdFirst(pdf: PDFDocumentProxy, of: SheetOf): () => void {
  const { sheet, release } = held(pdf, of, true)
  wanted.set(pdf, sheet.drawn)
  void sheet.drawn.then(prepareWorker)
  return release
}
