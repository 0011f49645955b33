import { create } from 'zustand'
import type { Citation, OpenedCitation } from '../../contract/answer.ts'
import type { DocumentRow } from '../../contract/library.ts'
import type { Place } from '../../contract/place.ts'
import type { ErrorValue } from '../../contract/errors.ts'
import { client } from '../client.ts'
import { problemOf } from '../problem.ts'
import { dropAhead, openAhead, type PdfPlace } from '../reader/pdf-ahead.ts'
import { useRoute } from './route.ts'
import { readPreference, writePreference } from '../preferences.ts'

/** The citations of a turn, to be stepped through. */
export interface CitationTrail {
  turnId: string
  markers: number[]
  marker: number
  /** What the turn was asked: of a passage that was cited as a whole, its words are looked for. */
  question: string
  /** What one chip's own sentence rests on; left out, the quote that was kept with the citation. */
  own?: { quote: string; place: Place }
  /** Where the markers lead that lead into a PDF, as far as is known before it is asked. */
  pdfs?: ReadonlyMap<number, PdfPlace>
}
export type ReaderView = 'original' | 'read' | 'passages'

interface State {
  open: boolean
  /** Counts what was opened from outside; to step from one citation to the next is none. */
  opened: number
  phase: 'loading' | 'ready' | 'failed'
  problem: ErrorValue | null
  document: DocumentRow | null
  citation: Citation | null
  /** Whether the document still is what was cited. */
  freshness: OpenedCitation['state']
  trail: CitationTrail | null
  /** A place that was found by search rather than cited. */
  found: { place: Place; quote: string } | null
  view: ReaderView
  width: number
}

export const useReader = create<State>(() => ({
  open: false,
  opened: 0,
  phase: 'ready',
  problem: null,
  document: null,
  citation: null,
  freshness: 'current',
  trail: null,
  found: null,
  view: 'original',
  width: Number(readPreference('reader-width') ?? 460) || 460,
}))

let opening = new AbortController()

function begin(): AbortSignal {
  opening.abort()
  opening = new AbortController()
  dropAhead()
  return opening.signal
}

export function openCitation(trail: CitationTrail): Promise<void> {
  useReader.setState(({ opened }) => ({ opened: opened + 1 }))
  return showCitation(trail)
}

async function showCitation(trail: CitationTrail): Promise<void> {
  const signal = begin()
  const { open, view, document: before } = useReader.getState()
  const pdf = trail.pdfs?.get(trail.marker)
  if (pdf !== undefined && !(open && view === 'original' && before?.id === pdf.documentId)) openAhead(pdf)
  useReader.setState(({ document }) => ({ open: true, phase: 'loading', problem: null, trail, found: null, view: 'original', document }))
  try {
    const opened = await client.turns.openCitation({ turnId: trail.turnId, marker: trail.marker }, { signal })
    const document =
      opened.documentId === null || opened.state === 'gone'
        ? null
        : await client.documents.get({ documentId: opened.documentId }, { signal })
    const { state: freshness, citation } = opened
    // There is no file to show, only what was read of it.
    const shown: Partial<State> = freshness === 'unreachable' ? { view: 'read' } : {}
    if (freshness === 'unreachable' || document?.id !== pdf?.documentId) dropAhead()
    useReader.setState({ phase: 'ready', citation, freshness, document, ...shown })
  } catch (error) {
    if (signal.aborted) return
    dropAhead()
    useReader.setState({ phase: 'failed', problem: problemOf(error) })
  }
}

export function stepCitation(by: 1 | -1): void {
  const { trail } = useReader.getState()
  if (trail === null) return
  const { own: _own, ...others } = trail
  const marker = trail.markers[trail.markers.indexOf(trail.marker) + by]
  if (marker !== undefined) void showCitation({ ...others, marker })
}

export async function openDocument(documentId: number, view: ReaderView, found: State['found'] = null): Promise<void> {
  const signal = begin()
  useReader.setState(({ document, opened }) => ({
    open: true,
    opened: opened + 1,
    phase: document?.id === documentId ? 'ready' : 'loading',
    problem: null,
    trail: null,
    citation: null,
    found,
    freshness: 'current',
    view,
  }))
  try {
    const document = await client.documents.get({ documentId }, { signal })
    useReader.setState({ phase: 'ready', document })
  } catch (error) {
    if (!signal.aborted) useReader.setState({ phase: 'failed', problem: problemOf(error), document: null })
  }
}

export function closeReader(): void {
  begin()
  useReader.setState({ open: false, trail: null, citation: null, found: null })
}

/** Another chat is shown: a citation of an answer that is on the screen no more goes; a document that was opened by itself stays. */
export function leaveCitations(): void {
  if (useReader.getState().trail !== null) closeReader()
}

export function setReaderWidth(width: number): void {
  useReader.setState({ width })
  writePreference('reader-width', String(Math.round(width)))
}

/** A citation leaves the screen with the chat that it stands in. */
export function followChat(signal: AbortSignal): void {
  const stop = useRoute.subscribe((route, before) => {
    const named = before.chatId === null && route.chatId !== null
    if (route.screen === 'ask' && route.chatId !== before.chatId && !named && useReader.getState().trail !== null) closeReader()
  })
  signal.addEventListener('abort', stop)
}
