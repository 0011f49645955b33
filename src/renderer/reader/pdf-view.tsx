import { ChevronDown, ChevronUp, Minus, Plus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso'
import type { DocumentRow, ReasonCode } from '../../contract/library.ts'
import type { Place } from '../../contract/place.ts'
import { isEnter } from '../parts/keys.ts'
import { EmptyPanel, LoadingPanel } from '../parts/state-panel.tsx'
import { openPdf, type OpenPdf } from './pdf-library.ts'
import { PdfPage } from './pdf-page.tsx'

const zooms = [0.5, 0.75, 1, 1.25, 1.5, 2, 3]

/** Why pdf.js could not open a document, by the name of its exception. */
function reasonOf(error: unknown): ReasonCode {
  const name = error instanceof Error ? error.name : ''
  if (name === 'PasswordException') return 'encrypted'
  return name === 'ResponseException' || name === 'UnexpectedResponseException' || name === 'MissingPDFException' ? 'gone' : 'damaged'
}

function usePdf(documentId: number, version: string): { open: OpenPdf | null; reason: ReasonCode | null } {
  const [state, setState] = useState<{ key: string; open: OpenPdf | null; reason: ReasonCode | null }>({
    key: '',
    open: null,
    reason: null,
  })
  const key = `${documentId} ${version}`
  useEffect(() => {
    let alive = true
    const { opened, close } = openPdf(documentId)
    opened.then(
      (open) => alive && setState({ key, open, reason: null }),
      (error: unknown) => alive && setState({ key, open: null, reason: reasonOf(error) }),
    )
    return () => {
      alive = false
      close()
    }
  }, [documentId, key])
  return state.key === key ? state : { open: null, reason: null }
}

function useWidth(): [React.RefObject<HTMLDivElement | null>, number] {
  const element = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (element.current === null) return
    const watcher = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    watcher.observe(element.current)
    return () => watcher.disconnect()
  }, [])
  return [element, width]
}

function PageBox({ page, pages, onGo }: { page: number; pages: number; onGo: (page: number) => void }) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <label className="flex items-center gap-1.5 tabular-nums">
      <span className="sr-only">{t('library.page')}</span>
      <input
        className="field min-h-6.5! w-11! px-1! py-0! text-center text-small"
        inputMode="numeric"
        value={typed ?? String(page)}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => setTyped(null)}
        onKeyDown={(event) => {
          if (!isEnter(event)) return
          const wanted = Number(typed)
          if (Number.isInteger(wanted) && wanted >= 1 && wanted <= pages) onGo(wanted)
          setTyped(null)
        }}
      />
      {`/ ${pages}`}
    </label>
  )
}

interface Props {
  document: DocumentRow
  place: Place | null
  quote: string
}

/** The pages of a PDF one below the other; only those in sight are drawn. */
export function PdfView({ document, place, quote }: Props) {
  const { t } = useTranslation()
  const { open, reason } = usePdf(document.id, String(document.modifiedAt))
  const [element, available] = useWidth()
  const list = useRef<VirtuosoHandle>(null)
  const [page, setPage] = useState(1)
  const [zoom, setZoom] = useState(1)
  const cited = place?.kind === 'page' ? place : null
  const boxes = cited?.boxes ?? []
  const width = Math.max(120, Math.round((available - 32) * zoom))
  const ratio = open === null ? 1.414 : open.height / open.width
  const first = boxes.find((box) => box.page === cited?.page)
  const offset = first === undefined ? 0 : Math.max(0, first.y * width * ratio - 90)
  const target = (cited?.page ?? 1) - 1
  const ready = open !== null && available > 0
  useEffect(() => {
    if (ready) list.current?.scrollToIndex({ index: target, align: 'start', offset })
    // Only another citation moves the page, not another width.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [place, ready])
  function goTo(next: number) {
    list.current?.scrollToIndex({ index: next - 1, align: 'start' })
    setPage(next)
  }
  const pages = open?.pdf.numPages ?? 0
  function zoomBy(step: 1 | -1) {
    const at = zooms.findIndex((each) => each >= zoom)
    setZoom(zooms[Math.min(zooms.length - 1, Math.max(0, at + step))] ?? 1)
  }
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex h-9 flex-none items-center justify-center gap-1 border-b border-line bg-paper text-small text-ink-2">
        <button
          type="button"
          className="icon-button size-7"
          aria-label={t('library.pageBefore')}
          disabled={page <= 1}
          onClick={() => goTo(page - 1)}
        >
          <ChevronUp size={15} strokeWidth={1.6} />
        </button>
        <PageBox page={page} pages={pages} onGo={goTo} />
        <button
          type="button"
          className="icon-button size-7"
          aria-label={t('library.pageAfter')}
          disabled={page >= pages}
          onClick={() => goTo(page + 1)}
        >
          <ChevronDown size={15} strokeWidth={1.6} />
        </button>
        <span className="mx-2 h-4 border-s border-line" />
        <button type="button" className="icon-button size-7" aria-label={t('library.smaller')} onClick={() => zoomBy(-1)}>
          <Minus size={15} strokeWidth={1.6} />
        </button>
        <span className="w-11 text-center tabular-nums">{`${Math.round(zoom * 100)}%`}</span>
        <button type="button" className="icon-button size-7" aria-label={t('library.larger')} onClick={() => zoomBy(1)}>
          <Plus size={15} strokeWidth={1.6} />
        </button>
      </div>
      <div ref={element} className="min-h-0 flex-1">
        {reason !== null && <EmptyPanel title={t(`library.reason.${reason}`)}>{t(`library.remedy.${reason}`)}</EmptyPanel>}
        {reason === null && !ready && <LoadingPanel />}
        {ready && (
          <Virtuoso
            ref={list}
            className="h-full"
            tabIndex={0}
            aria-label={document.name}
            totalCount={pages}
            defaultItemHeight={width * ratio + 16}
            initialTopMostItemIndex={{ index: target, align: 'start', offset }}
            increaseViewportBy={300}
            rangeChanged={({ startIndex, endIndex }) => setPage(endIndex - startIndex > 1 ? startIndex + 2 : startIndex + 1)}
            components={{ Footer: () => <div className="h-4" /> }}
            itemContent={(index) => (
              <PdfPage
                pdf={open.pdf}
                number={index + 1}
                width={width}
                ratio={ratio}
                boxes={boxes.filter((box) => box.page === index + 1)}
                quote={
                  place === null || (cited !== null && index + 1 >= cited.page && index + 1 <= (cited.toPage ?? cited.page)) ? quote : ''
                }
              />
            )}
          />
        )}
      </div>
    </div>
  )
}
