import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Box } from '../../contract/place.ts'
import { usePaper } from './paper.ts'
import { TextLayer, type PDFDocumentProxy } from './pdf-library.ts'
import type { LineRange } from './quote-ranges.ts'

interface Props {
  pdf: PDFDocumentProxy
  number: number
  /** In CSS pixels. */
  width: number
  /** Height over width, until the page itself has said. */
  ratio: number
  boxes: Box[]
  quote: readonly LineRange[]
  found: readonly LineRange[]
  /** The found place that is shown, when it is on this page. */
  now: readonly LineRange[]
}

interface Area {
  left: number
  top: number
  width: number
  height: number
}

/** Where stretches of a page's text stand, in CSS pixels from its corner, by the text that lies over the page. */
function areasOf(container: HTMLElement, ranges: readonly LineRange[]): Area[] {
  if (ranges.length === 0) return []
  const pieces = [...container.querySelectorAll('span')].flatMap((span) => (span.firstChild instanceof Text ? [span.firstChild] : []))
  const corner = container.getBoundingClientRect()
  return ranges.flatMap(({ line, from, to }) => {
    const piece = pieces[line]
    if (piece === undefined) return []
    const range = document.createRange()
    range.setStart(piece, Math.min(from, piece.length))
    range.setEnd(piece, Math.min(to, piece.length))
    return [...range.getClientRects()].map(({ left, top, width, height }) => ({
      left: left - corner.left,
      top: top - corner.top,
      width,
      height,
    }))
  })
}

interface Areas {
  quote: Area[]
  found: Area[]
  now: Area[]
}
const noAreas: Areas = { quote: [], found: [], now: [] }

/** One page on a canvas, its text over it to be selected, and between them the cited passage and, stronger, the quote. */
export function PdfPage({ pdf, number, width, ratio, boxes, quote, found, now }: Props) {
  const { t } = useTranslation()
  const paper = usePaper()
  const canvas = useRef<HTMLCanvasElement>(null)
  const text = useRef<HTMLDivElement>(null)
  const [height, setHeight] = useState(width * ratio)
  const [scale, setScale] = useState(1)
  /** Counts how often the text over the page was laid anew. */
  const [laid, setLaid] = useState(0)
  const [areas, setAreas] = useState(noAreas)
  const first = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let alive = true
    let cancel = () => undefined as void
    async function draw() {
      const page = await pdf.getPage(number)
      if (!alive || canvas.current === null || text.current === null) return
      const pageScale = width / page.getViewport({ scale: 1 }).width
      const viewport = page.getViewport({ scale: pageScale })
      const sharp = Math.min(3, Math.max(1.5, window.devicePixelRatio))
      setHeight(viewport.height)
      setScale(pageScale)
      canvas.current.width = Math.floor(viewport.width * sharp)
      canvas.current.height = Math.floor(viewport.height * sharp)
      const task = page.render({ canvas: canvas.current, viewport, transform: [sharp, 0, 0, sharp, 0, 0], background: paper })
      const container = text.current
      container.replaceChildren()
      setAreas(noAreas)
      const layer = new TextLayer({ textContentSource: page.streamTextContent(), container, viewport })
      cancel = () => {
        task.cancel()
        layer.cancel()
      }
      await Promise.all([task.promise, layer.render()])
      if (alive) setLaid((count) => count + 1)
    }
    draw().catch(() => {
      // A page that cannot be drawn, or is left while it is drawn, stays blank; the text as read is one tab away.
    })
    return () => {
      alive = false
      cancel()
    }
  }, [pdf, number, width, paper])
  useEffect(() => {
    const container = text.current
    if (laid === 0 || container === null) return
    setAreas({ quote: areasOf(container, quote), found: areasOf(container, found), now: areasOf(container, now) })
  }, [laid, quote, found, now])
  useEffect(() => {
    first.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [areas])
  return (
    <div className="px-4 pt-4">
      <div
        className="pdf-page"
        data-page={number}
        role="group"
        aria-label={t('common.placePage', { page: number })}
        style={{ width, height, ['--total-scale-factor' as string]: scale }}
      >
        <canvas ref={canvas} aria-hidden="true" />
        {boxes.map((box, index) => (
          <div
            key={index}
            className="pdf-mark"
            style={{ left: `${box.x * 100}%`, top: `${box.y * 100}%`, width: `${box.width * 100}%`, height: `${box.height * 100}%` }}
          />
        ))}
        {areas.quote.map((area, index) => (
          <div key={index} ref={index === 0 && now.length === 0 ? first : null} className="pdf-mark pdf-quote" style={area} />
        ))}
        {areas.found.map((area, index) => (
          <div key={index} className="pdf-mark pdf-found" style={area} />
        ))}
        {areas.now.map((area, index) => (
          <div key={index} ref={index === 0 ? first : null} className="pdf-mark pdf-now" style={area} />
        ))}
        {/* Without a language, as pdf.js measures it: another one may mean another font and other widths. */}
        <div ref={text} className="pdf-text" lang="" />
      </div>
    </div>
  )
}
