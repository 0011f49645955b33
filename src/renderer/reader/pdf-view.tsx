import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso'
import type { DocumentRow } from '../../contract/library.ts'
import type { Place } from '../../contract/place.ts'
import { EmptyPanel, LoadingPanel } from '../parts/state-panel.tsx'
import { readPreference, writePreference } from '../preferences.ts'
import { useFind } from './find.ts'
import { PasswordForm } from './password-form.tsx'
import { PdfBar } from './pdf-bar.tsx'
import { usePaper } from './paper.ts'
import { PdfPage } from './pdf-page.tsx'
import { holdFirst } from './pdf-sheet.ts'
import { usePdfMatches, usePdfQuote, type PageMatch } from './pdf-text.ts'
import type { LineRange } from './quote-ranges.ts'
import { Thumbnails } from './thumbnails.tsx'
import { usePdf, useWidth } from './use-pdf.ts'

const zooms = [0.5, 0.75, 1, 1.25, 1.5, 2, 3]
/** Where the place of a quote is not known it is looked for in so many pages. */
const mostPagesLookedAt = 500
const noRanges: readonly LineRange[] = []

function useThumbnails(): [boolean, () => void] {
  const [shown, setShown] = useState(() => readPreference('reader-thumbnails') === 'yes')
  function toggle() {
    writePreference('reader-thumbnails', shown ? 'no' : 'yes')
    setShown(!shown)
  }
  return [shown, toggle]
}

/** What is found, by page; a page whose places stay the same keeps the same list. */
function useByPage(matches: PageMatch[]): Map<number, readonly LineRange[]> {
  return useMemo(() => {
    const byPage = new Map<number, LineRange[]>()
    for (const { page, ranges } of matches) byPage.set(page, [...(byPage.get(page) ?? []), ...ranges])
    return byPage
  }, [matches])
}

/** The page in the middle of what is seen. */
function pageInSight(frame: HTMLElement | null): number | null {
  if (frame === null) return null
  const { top, height } = frame.getBoundingClientRect()
  const pages = [...frame.querySelectorAll<HTMLElement>('.pdf-page[data-page]')]
  const under = pages.find((page) => page.getBoundingClientRect().bottom > top + height / 2) ?? pages.at(-1)
  return under === undefined ? null : Number(under.dataset['page'])
}

interface Props {
  document: DocumentRow
  place: Place | null
  quote: string
}

/** The pages of a PDF one below the other; only those in sight are drawn. */
export function PdfView({ document, place, quote }: Props) {
  const { t } = useTranslation()
  const cited = place?.kind === 'page' ? place : null
  const { open, reason, unlock } = usePdf(document.id, String(document.modifiedAt), cited?.page ?? 1)
  const [element, available] = useWidth()
  const paper = usePaper()
  const list = useRef<VirtuosoHandle>(null)
  const [page, setPage] = useState(1)
  const [zoom, setZoom] = useState(1)
  const [thumbnails, toggleThumbnails] = useThumbnails()
  const pdf = open?.pdf ?? null
  const pages = pdf?.numPages ?? 0
  const boxes = cited?.boxes ?? []
  const quoted = usePdfQuote(pdf, cited?.page ?? 1, cited === null ? mostPagesLookedAt : (cited.toPage ?? cited.page), quote)
  const matches = usePdfMatches(pdf)
  const found = useByPage(matches)
  const now = matches[useFind((state) => state.at)] ?? null
  const width = Math.max(120, Math.round((available - 32) * zoom))
  const ratio = open === null ? 1.414 : open.height / open.width
  const first = boxes.find((box) => box.page === cited?.page)
  const offset = first === undefined ? 0 : Math.max(0, first.y * width * ratio - 90)
  const target = (cited?.page ?? 1) - 1
  const ready = pdf !== null && available > 0
  useEffect(() => {
    if (ready) list.current?.scrollToIndex({ index: target, align: 'start', offset })
    // Only another citation moves the page, not another width.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [place, ready])
  useEffect(() => {
    if (pdf !== null && ready) return holdFirst(pdf, { number: Math.min(target + 1, pdf.numPages), width, paper })
  }, [pdf, ready, target, width, paper])
  useEffect(() => {
    if (now !== null) list.current?.scrollIntoView({ index: now.page - 1 })
  }, [now])
  const elsewhere = cited === null ? [...quoted].find(([, ranges]) => ranges.length > 0)?.[0] : undefined
  useEffect(() => {
    if (elsewhere !== undefined) list.current?.scrollToIndex({ index: elsewhere - 1, align: 'start' })
  }, [elsewhere])
  function lookWhere() {
    requestAnimationFrame(() => setPage((before) => pageInSight(element.current) ?? before))
  }
  function goTo(next: number) {
    list.current?.scrollToIndex({ index: next - 1, align: 'start' })
    setPage(next)
  }
  function zoomBy(step: 1 | 0 | -1) {
    const at = zooms.findIndex((each) => each >= zoom)
    setZoom(step === 0 ? 1 : (zooms[Math.min(zooms.length - 1, Math.max(0, at + step))] ?? 1))
    // The page that is read stays, in its new size.
    requestAnimationFrame(() => list.current?.scrollToIndex({ index: page - 1, align: 'start' }))
  }
  return (
    <div className="flex h-full min-h-0 flex-col">
      <PdfBar page={page} pages={pages} zoom={zoom} thumbnails={thumbnails} onGo={goTo} onZoom={zoomBy} onThumbnails={toggleThumbnails} />
      <div className="flex min-h-0 flex-1">
        {thumbnails && pdf !== null && (
          <Thumbnails
            pdf={pdf}
            ratio={ratio}
            page={page}
            cited={(number) => cited !== null && number >= cited.page && number <= (cited.toPage ?? cited.page)}
            onGo={goTo}
          />
        )}
        <div ref={element} className="min-h-0 min-w-0 flex-1">
          {reason === 'encrypted' && (
            <EmptyPanel title={t('library.reason.encrypted')}>
              <p>{t('library.passwordToSee')}</p>
              <PasswordForm onTry={unlock} canKeep={false} />
            </EmptyPanel>
          )}
          {reason !== null && reason !== 'encrypted' && (
            <EmptyPanel title={t(`library.reason.${reason}`)}>{t(`library.remedy.${reason}`)}</EmptyPanel>
          )}
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
              rangeChanged={lookWhere}
              onScroll={lookWhere}
              components={{ Footer: () => <div className="h-4" /> }}
              itemContent={(index) => (
                <PdfPage
                  pdf={pdf}
                  number={index + 1}
                  width={width}
                  ratio={ratio}
                  boxes={boxes.filter((box) => box.page === index + 1)}
                  quote={quoted.get(index + 1) ?? noRanges}
                  found={found.get(index + 1) ?? noRanges}
                  now={now?.page === index + 1 ? now.ranges : noRanges}
                />
              )}
            />
          )}
        </div>
      </div>
    </div>
  )
}
