import type { Reason } from '../../../contract/library.ts'
import type { PageState } from './pdf-pages.ts'
import { savedMessage } from './office-end.ts'
import { pageRanges } from './pdf-text.ts'
import type { ReadEnd, RecognisedLine } from './reading.ts'

export interface Findings {
  /** Of the pages that were not simply read. */
  states: Map<number, PageState>
  pages: number
  hasText: boolean
  /** Pages with text that nobody can see. */
  hidden: number[]
  beyond: Beyond | null
  /** The end of the file is missing: pages, and parts of the last ones, may be too. */
  isCutOff: boolean
}

/** Where reading ended before the last page, and why: there are too many, nothing but damage came, or there was no more time. */
export interface Beyond {
  from: number
  why: 'many' | 'damaged' | 'slow'
  /** With more time it would have gone on. */
  isCutShort: boolean
}

interface Trouble {
  code: Reason['code']
  pages: string
  count: number
  /** For some pages, and for all. */
  some: string
  all: string
}

/** Pages that text recognition can do something about. */
const recognisable: readonly PageState[] = ['scanned', 'drawn', 'garbled']

/** The worst is the reason; what else there is stands in its message. */
export function endOf(findings: Findings, title: string | null, recognised?: ReadonlyMap<number, RecognisedLine[]>): ReadEnd {
  const end = endOfPages(findings, title, recognised)
  if (!findings.isCutOff || end.reason?.code === 'damaged' || end.status === 'failed') return end
  const message = end.status === 'partial' && end.reason !== null ? `${savedMessage} ${end.reason.message}` : savedMessage
  return { ...end, status: 'partial', reason: { code: 'damaged', message } }
}

function endOfPages(findings: Findings, title: string | null, recognised?: ReadonlyMap<number, RecognisedLine[]>): ReadEnd {
  const { states, pages, hasText } = findings
  const those = (...wanted: PageState[]): number[] => [...states].filter(([, state]) => wanted.includes(state)).map(([page]) => page)
  const waiting = those(...recognisable).filter((page) => recognised?.has(page) !== true)
  const troubles = troublesOf(findings, those)
  const [worst, ...others] = troubles
  const end = {
    title,
    pages,
    ...(waiting.length === 0 ? {} : { pagesToRecognise: waiting }),
    ...(findings.beyond?.isCutShort === true ? { isCutShort: true } : {}),
  }
  if (worst === undefined) return { status: 'ready', reason: hiddenRemark(findings), ...end }
  const everywhere = worst.count >= pages - (worst.code === 'garbled' ? 0 : those('blank').length) && others.length === 0
  const message = [everywhere ? worst.all : worst.some, ...others.map((other) => `${other.some} (${other.pages})`)].join(' ')
  const reason: Reason = { code: worst.code, message, ...(everywhere ? {} : { pages: worst.pages }) }
  return { status: hasText ? 'partial' : 'failed', reason, ...end }
}

/** Text for machines only is a way to tell an assistant what its reader would not. */
function hiddenRemark({ hidden, pages }: Findings): Reason | null {
  if (hidden.length === 0) return null
  const message = 'Some text cannot be seen on the page.'
  return { code: 'hidden-text', message, ...(hidden.length === pages ? {} : { pages: pageRanges(hidden) }) }
}

const limits: Partial<Record<Beyond['why'], { code: Reason['code']; message: string }>> = {
  many: { code: 'too-large', message: 'There are more pages than are read.' },
  slow: { code: 'too-slow', message: 'Reading took too long: only the beginning was read.' },
}

function troublesOf({ pages, beyond }: Findings, those: (...wanted: PageState[]) => number[]): Trouble[] {
  const troubles: Trouble[] = []
  function add(code: Reason['code'], at: number[], some: string, all: string): void {
    if (at.length > 0) troubles.push({ code, pages: pageRanges(at), count: at.length, some, all })
  }
  const limit = beyond === null ? undefined : limits[beyond.why]
  if (limit !== undefined)
    troubles.push({ code: limit.code, pages: `${beyond!.from}-${pages}`, count: 1, some: limit.message, all: limit.message })
  const damaged = those('damaged')
  add('damaged', damaged, 'Some pages are damaged and could not be read.', 'The document is damaged; no page could be read.')
  if (beyond?.why === 'damaged') {
    const last = troubles.at(-1)!
    last.pages = pageRanges(damaged.filter((page) => page < beyond.from)).replace(/\d+$/, String(pages))
    last.count += pages - beyond.from + 1
  }
  add('too-much-memory', those('heavy'), 'Some pages need too much memory to be read.', 'The pages need too much memory to be read.')
  add('scanned', those('scanned'), 'Some pages are pictures without text.', 'The pages are pictures without text.')
  const blank = those('blank')
  const drawn = those('drawn')
  // A page without a mark on it hides nothing, unless nothing is all there is.
  const silent = blank.length === pages ? blank : drawn
  add('no-text', silent, 'Some pages have no text.', 'The document has no text.')
  add('garbled', those('garbled'), 'The text of some pages cannot be decoded rightly.', 'The text cannot be decoded rightly.')
  return troubles
}
