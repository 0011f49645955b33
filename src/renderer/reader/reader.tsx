import { ArrowLeft, ChevronLeft, ChevronRight, ExternalLink, FolderOpen, Search, X } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { DocumentKind, DocumentRow } from '../../contract/library.ts'
import { client } from '../client.ts'
import { IconButton } from '../parts/icon-button.tsx'
import { later } from '../parts/later.tsx'
import { LoadingPanel, ProblemPanel } from '../parts/state-panel.tsx'
import { placeText } from '../parts/place-text.ts'
import { shownName } from '../parts/shown-name.ts'
import { Visible } from '../parts/visible.tsx'
import { visibleText } from '../parts/visible-text.ts'
import { closeReader, openDocument, stepCitation, useReader, type CitationTrail, type ReaderView } from '../state/reader.ts'
import { useSettings } from '../state/settings.ts'
import { reportProblem } from '../state/toasts.ts'
import { Attached } from './attached.tsx'
import { CitationBanner } from './citation-banner.tsx'
import { DocumentState } from './document-state.tsx'
import { closeFind, openFind, useFind } from './find.ts'
import { FindBar } from './find-bar.tsx'
import { GridView } from './grid-view.tsx'
import { ImageView } from './image-view.tsx'
import { LinesView } from './lines-view.tsx'
import { markedQuote } from './own-quote.ts'
import { PassagesView } from './passages-view.tsx'
import './reader.css'
import { Resizer } from './resizer.tsx'
import { SectionsView } from './sections-view.tsx'
import { useFreshDocument } from './use-fresh-document.ts'
import { useReaderFocus } from './use-reader-focus.ts'
import { AskSelection } from './selection.tsx'
import { SoundView } from './sound-view.tsx'

const PdfView = later(() => import('./pdf-view.tsx').then((module) => module.PdfView))
// With the reader, as that is fetched while nothing else is to do: a citation then opens at once.
PdfView.preload()
const views: ReaderView[] = ['original', 'read', 'passages']

/** Kinds that are shown as clean text with headings. */
const asSections: ReadonlySet<DocumentKind> = new Set(['html', 'word', 'epub', 'slides', 'mail'])

function Trail() {
  const { t } = useTranslation()
  const trail = useReader((state) => state.trail)
  if (trail === null || trail.markers.length < 2) return null
  const at = trail.markers.indexOf(trail.marker)
  return (
    <span className="flex items-center text-small text-ink-2 tabular-nums">
      <button
        type="button"
        className="icon-button size-7"
        aria-label={t('library.citationBefore')}
        aria-disabled={at <= 0}
        onClick={() => stepCitation(-1)}
      >
        <ChevronLeft size={16} strokeWidth={1.6} />
      </button>
      {`${at + 1} / ${trail.markers.length}`}
      <button
        type="button"
        className="icon-button size-7"
        aria-label={t('library.citationAfter')}
        aria-disabled={at >= trail.markers.length - 1}
        onClick={() => stepCitation(1)}
      >
        <ChevronRight size={16} strokeWidth={1.6} />
      </button>
    </span>
  )
}

function Outside({ documentId }: { documentId: number }) {
  const { t } = useTranslation()
  const can = useSettings((state) => state.info?.canOpenOutside === true)
  if (!can) return null
  return (
    <>
      <IconButton label={t('library.openOutside')} onClick={() => void client.documents.openOutside({ documentId }).catch(reportProblem)}>
        <ExternalLink size={16} strokeWidth={1.6} />
      </IconButton>
      <IconButton label={t('library.showInFolder')} onClick={() => void client.documents.showInFolder({ documentId }).catch(reportProblem)}>
        <FolderOpen size={16} strokeWidth={1.6} />
      </IconButton>
    </>
  )
}

function Body({ document, view }: { document: DocumentRow; view: ReaderView }) {
  const { citation, freshness, trail, found } = useReader()
  const own = freshness === 'current' ? trail?.own : undefined
  // The old place means nothing in a text that changed: the quote is marked wherever it still stands.
  const place = freshness === 'current' ? (own?.place ?? citation?.place ?? found?.place ?? null) : null
  const cited = citation === null ? undefined : markedQuote(citation.quote, trail?.question ?? '')
  const quote = own?.quote ?? cited ?? found?.quote ?? ''
  if (view === 'passages') return <PassagesView document={document} />
  if (view === 'read') return <SectionsView document={document} place={place} quote={quote} places />
  if (document.kind === 'pdf') {
    return <PdfView key={document.id} document={document} place={place} quote={quote} />
  }
  if (document.kind === 'image') return <ImageView key={document.id} document={document} place={place} quote={quote} />
  if (document.kind === 'sound') return <SoundView key={document.id} document={document} place={place} quote={quote} />
  if (document.kind === 'sheet') return <GridView key={document.id} document={document} place={place} quote={quote} />
  if (asSections.has(document.kind)) {
    return <SectionsView key={document.id} document={document} place={place} quote={quote} places={document.kind === 'slides'} />
  }
  return <LinesView key={document.id} document={document} place={place} quote={quote} />
}

function Tabs({ view }: { view: ReaderView }) {
  const { t } = useTranslation()
  return (
    <div role="tablist" aria-label={t('library.views')} className="flex gap-4 px-4.5 text-small">
      {views.map((each, index) => (
        <button
          key={each}
          type="button"
          role="tab"
          id={`reader-tab-${each}`}
          aria-selected={each === view}
          aria-controls="reader-body"
          tabIndex={each === view ? 0 : -1}
          className={`-mb-px border-0 border-b-2 bg-transparent px-0 pt-1 pb-2 ${each === view ? 'border-seal text-ink' : 'border-transparent text-ink-2 hover:text-ink'}`}
          onClick={() => useReader.setState({ view: each })}
          onKeyDown={(event) => {
            const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
            const next = views[(index + by + views.length) % views.length]
            if (by === 0 || next === undefined) return
            useReader.setState({ view: next })
            window.document.getElementById(`reader-tab-${next}`)?.focus()
          }}
        >
          {t(`library.view.${each}`)}
        </button>
      ))}
    </div>
  )
}

/** Ctrl+F, on a Mac Cmd+F, searches inside the open document. A picture has no words: its recognised text has. */
function useFindKey(documentId: number | null, picture: boolean) {
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.key.toLowerCase() !== 'f' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      if (window.document.querySelector('dialog[open]') !== null) return
      event.preventDefault()
      beginFind(picture)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [picture])
  useEffect(() => closeFind, [documentId])
}

function beginFind(picture: boolean) {
  if (picture) useReader.setState({ view: 'read' })
  openFind()
}

/** Where the reader covers the work: back to it, and to the citation that was opened in it. */
function BackButton() {
  const { t } = useTranslation()
  const trail = useReader((state) => state.trail)
  function back() {
    closeReader()
    // Once the answer can be used again.
    if (trail !== null) requestAnimationFrame(() => showCited(trail))
  }
  return (
    <button
      type="button"
      className="reader-back button button-small me-2 flex-none"
      title={`${t(trail === null ? 'library.back' : 'library.backToAnswer')}${trail === null ? '' : `: ${visibleText(trail.question)}`}`}
      onClick={back}
    >
      <ArrowLeft size={14} strokeWidth={1.8} aria-hidden="true" />
      <span className="max-[560px]:sr-only">{t(trail === null ? 'library.back' : 'library.backToAnswer')}</span>
    </button>
  )
}

function showCited({ turnId, marker }: CitationTrail) {
  const turn = window.document.querySelector(`[data-turn="${CSS.escape(turnId)}"]`)
  const chip = [...(turn?.querySelectorAll<HTMLElement>('[data-answer] button.chip') ?? [])].find(
    ({ textContent }) => textContent === String(marker),
  )
  const shown = chip ?? turn
  shown?.scrollIntoView({ block: 'nearest' })
  chip?.focus({ preventScroll: true })
}

/** The real thing, at the place; beside the work, as wide as it was left. */
export function Reader() {
  const { t } = useTranslation()
  const { phase, problem, document, citation, found, trail, view, width } = useReader()
  const place = citation?.place ?? found?.place
  const finding = useFind((state) => state.open)
  const picture = document?.kind === 'image' && view === 'original'
  useFindKey(document?.id ?? null, picture)
  const frame = useReaderFocus()
  useFreshDocument()
  const name = document?.name ?? (citation === null ? '' : shownName(citation.path, t))
  const within = document?.within ?? null
  return (
    <aside
      ref={frame}
      tabIndex={-1}
      aria-label={t('library.reader')}
      className="reader flex flex-none flex-col border-s border-line bg-sunk"
      style={{ ['--reader-width' as string]: `${width}px` }}
    >
      <Resizer />
      <header className="flex-none border-b border-line bg-paper">
        <div className="flex h-13 items-center gap-1 ps-4.5 pe-2.5">
          <BackButton />
          <h2 className="flex min-w-0 flex-1 items-baseline text-[14.5px] font-semibold" title={document?.path ?? citation?.path}>
            <span className="min-w-0 truncate">
              <Visible text={name} />
            </span>
            {within !== null && (
              <button
                type="button"
                className="ms-2 min-w-12 truncate border-0 bg-transparent p-0 text-small font-normal text-ink-2 underline underline-offset-2 hover:text-ink"
                onClick={() => void openDocument(within.documentId, 'original')}
              >
                {t('library.within', { name: visibleText(within.name) })}
              </button>
            )}
            {/* The place comes before the end of a long name. */}
            {place !== undefined && (
              <span className="ms-2.5 max-w-[65%] flex-none truncate text-small font-normal text-ink-2">{placeText(place, t)}</span>
            )}
          </h2>
          <Trail />
          {document !== null && (
            <IconButton label={t('library.find')} onClick={() => beginFind(picture)}>
              <Search size={16} strokeWidth={1.6} />
            </IconButton>
          )}
          {document !== null && <Outside documentId={document.id} />}
          <IconButton label={t('library.closeReader')} onClick={closeReader}>
            <X size={17} strokeWidth={1.6} />
          </IconButton>
        </div>
        {trail !== null && (
          <p className="reader-back-to truncate px-4.5 pb-1.5 text-small text-ink-2" title={visibleText(trail.question)}>
            {t('library.citedFor', { marker: trail.marker, question: visibleText(trail.question) })}
          </p>
        )}
        {document !== null && <Tabs view={view} />}
      </header>
      {finding && document !== null && <FindBar />}
      {phase === 'ready' && <CitationBanner />}
      {phase === 'ready' && document !== null && <DocumentState document={document} full={view !== 'original'} />}
      {phase === 'ready' && document !== null && view !== 'passages' && <Attached document={document} />}
      <div
        id="reader-body"
        className="min-h-0 flex-1"
        {...(document === null ? {} : { role: 'tabpanel', 'aria-labelledby': `reader-tab-${view}` })}
      >
        {phase === 'failed' && problem !== null && <ProblemPanel problem={problem} />}
        {phase === 'loading' && document === null && <LoadingPanel />}
        {phase !== 'failed' && document !== null && <Body document={document} view={view} />}
      </div>
      {document !== null && <AskSelection document={document} />}
    </aside>
  )
}
