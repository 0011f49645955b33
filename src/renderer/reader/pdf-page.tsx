import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Box } from '../../contract/place.ts'
import { quoteRanges } from './quote-ranges.ts'
import { TextLayer, type PDFDocumentProxy } from './pdf-library.ts'

interface Props {
  pdf: PDFDocumentProxy
  number: number
  /** In CSS pixels. */
  width: number
  /** Height over width, until the page itself has said. */
  ratio: number
  boxes: Box[]
  quote: string
}

interface Area {
  left: number
  top: number
  width: number
  height: number
}

/** Where a quote stands on a page, in CSS pixels from its corner, found through the text that lies over the page. */
function areasOf(container: HTMLElement, quote: string): Area[] {
  const pieces = [...container.querySelectorAll('span')].flatMap((span) => (span.firstChild instanceof Text ? [span.firstChild] : []))
  const ranges = quoteRanges(
    pieces.map((piece) => piece.data),
    quote,
  )
  const corner = container.getBoundingClientRect()
  return ranges.flatMap(({ line, from, to }) => {
    const piece = pieces[line]
    if (piece === undefined) return []
    const range = document.createRange()
    range.setStart(piece, from)
    range.setEnd(piece, to)
    return [...range.getClientRects()].map(({ left, top, width, height }) => ({
      left: left - corner.left,
      top: top - corner.top,
      width,
      height,
    }))
  })
}

/** One page on a canvas, its text over it to be selected, and between them the cited passage and, stronger, the quote. */
export function PdfPage({ pdf, number, width, ratio, boxes, quote }: Props) {
  const { t } = useTranslation()
  const canvas = useRef<HTMLCanvasElement>(null)
  const text = useRef<HTMLDivElement>(null)
  const [height, setHeight] = useState(width * ratio)
  const [scale, setScale] = useState(1)
  const [quoted, setQuoted] = useState<Area[]>([])
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
      const background = getComputedStyle(document.documentElement).getPropertyValue('--page').trim()
      const task = page.render({ canvas: canvas.current, viewport, transform: [sharp, 0, 0, sharp, 0, 0], background })
      const container = text.current
      container.replaceChildren()
      setQuoted([])
      const layer = new TextLayer({ textContentSource: page.streamTextContent(), container, viewport })
      cancel = () => {
        task.cancel()
        layer.cancel()
      }
      await Promise.all([task.promise, layer.render()])
      if (!alive) return
      setQuoted(areasOf(container, quote))
    }
    draw().catch(() => {
      // A page that cannot be drawn, or is left while it is drawn, stays blank; the text as read is one tab away.
    })
    return () => {
      alive = false
      cancel()
    }
  }, [pdf, number, width, quote])
  useEffect(() => {
    first.current?.scrollIntoView({ block: 'nearest' })
  }, [quoted])
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
        {quoted.map((area, index) => (
          <div key={index} ref={index === 0 ? first : null} className="pdf-mark pdf-quote" style={area} />
        ))}
        {/* Without a language, as pdf.js measures it: another one may mean another font and other widths. */}
        <div ref={text} className="pdf-text" lang="" />
      </div>
    </div>
  )
}
