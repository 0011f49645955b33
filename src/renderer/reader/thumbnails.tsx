import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso'
import { usePaper } from './paper.ts'
import type { PDFDocumentProxy } from './pdf-library.ts'

/** In CSS pixels. */
const width = 84

function Thumbnail({ pdf, number, ratio }: { pdf: PDFDocumentProxy; number: number; ratio: number }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const paper = usePaper()
  useEffect(() => {
    let alive = true
    let cancel = () => undefined as void
    async function draw() {
      const page = await pdf.getPage(number)
      if (!alive || canvas.current === null) return
      const viewport = page.getViewport({ scale: (width * 1.5) / page.getViewport({ scale: 1 }).width })
      canvas.current.width = Math.floor(viewport.width)
      canvas.current.height = Math.floor(viewport.height)
      const task = page.render({ canvas: canvas.current, viewport, background: paper })
      cancel = () => task.cancel()
      await task.promise
    }
    // A page that cannot be drawn stays blank, its number is there.
    draw().catch(() => undefined)
    return () => {
      alive = false
      cancel()
    }
  }, [pdf, number, paper])
  return <canvas ref={canvas} aria-hidden="true" className="block h-auto w-full" style={{ aspectRatio: `1 / ${ratio}` }} />
}

interface Props {
  pdf: PDFDocumentProxy
  ratio: number
  page: number
  /** Pages that the citation is on. */
  cited: (page: number) => boolean
  onGo: (page: number) => void
}

/** The pages as small pictures, to be jumped to. Only those in sight are drawn. */
export function Thumbnails({ pdf, ratio, page, cited, onGo }: Props) {
  const { t } = useTranslation()
  const list = useRef<VirtuosoHandle>(null)
  useEffect(() => {
    list.current?.scrollIntoView({ index: page - 1 })
  }, [page])
  return (
    <nav aria-label={t('library.thumbnails')} className="w-29 flex-none border-e border-line bg-paper">
      <Virtuoso
        ref={list}
        className="h-full"
        tabIndex={-1}
        totalCount={pdf.numPages}
        initialTopMostItemIndex={page - 1}
        defaultItemHeight={width * ratio + 32}
        increaseViewportBy={200}
        itemContent={(index) => {
          const number = index + 1
          return (
            <button
              type="button"
              aria-label={t('common.placePage', { page: number })}
              aria-current={number === page ? 'page' : undefined}
              className="thumbnail"
              onClick={() => onGo(number)}
            >
              <span data-cited={cited(number)}>
                <Thumbnail pdf={pdf} number={number} ratio={ratio} />
              </span>
              {number}
            </button>
          )
        }}
      />
    </nav>
  )
}
