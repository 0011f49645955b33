import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Box } from '../../contract/place.ts'
import { usePaper } from './paper.ts'
import type { PDFDocumentProxy } from './pdf-library.ts'
import { holdSheet } from './pdf-sheet.ts'
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
  left: string
  top: string
  width: string
  height: string
}

/** Where stretches of a page's text stand, in parts of the page, by the text that lies over the page. */
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
      left: `${((left - corner.left) / corner.width) * 100}%`,
      top: `${((top - corner.top) / corner.height) * 100}%`,
      width: `${(width / corner.width) * 100}%`,
      height: `${(height / corner.height) * 100}%`,
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
  const picture = useRef<HTMLDivElement>(null)
  const words = useRef<HTMLDivElement>(null)
  const [height, setHeight] = useState(width * ratio)
  /** Counts how often the text over the page was laid anew. */
  const [laid, setLaid] = useState(0)
  const [areas, setAreas] = useState(noAreas)
  const first = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let alive = true
    const { sheet, release } = holdSheet(pdf, { number, width, paper })
    async function show() {
      const measured = await sheet.height
      if (!alive || measured === null) return
      setHeight(measured)
      // Until then the page as it was stays, in its new size.
      if (!(await sheet.drawn) || !alive) return
      picture.current?.replaceChildren(sheet.canvas)
      words.current?.replaceChildren(sheet.text)
      setLaid((count) => count + 1)
    }
    void show()
    return () => {
      alive = false
      release()
    }
  }, [pdf, number, width, paper])
  useLayoutEffect(() => {
    const text = words.current?.firstElementChild
    if (laid === 0 || !(text instanceof HTMLElement)) return
    setAreas({ quote: areasOf(text, quote), found: areasOf(text, found), now: areasOf(text, now) })
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
        style={{ width, height }}
      >
        <div ref={picture} className="contents" aria-hidden="true" />
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
        <div ref={words} className="contents" />
      </div>
    </div>
  )
}
