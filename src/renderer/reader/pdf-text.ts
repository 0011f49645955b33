import { useEffect, useState } from 'react'
import type { PDFDocumentProxy, PDFPageProxy } from './pdf-library.ts'
import { useFind, showFound } from './find.ts'
import { findText } from './find-text.ts'
import { quoteOnPages } from './page-quote.ts'
import type { LineRange } from './quote-ranges.ts'

type Content = Awaited<ReturnType<PDFPageProxy['getTextContent']>>

const contents = new WeakMap<PDFDocumentProxy, Map<number, Promise<Content>>>()
/** Those last asked for, as they are large. */
const mostContents = 8

/** A page's text with its places. It is taken from the page once for all that ask while the page is in sight. */
export function pageContent(pdf: PDFDocumentProxy, page: number): Promise<Content> {
  const known = contents.get(pdf) ?? new Map<number, Promise<Content>>()
  contents.set(pdf, known)
  const before = known.get(page)
  if (before !== undefined) return before
  const reading = pdf.getPage(page).then((proxy) => proxy.getTextContent())
  known.set(page, reading)
  const [oldest] = known.keys()
  if (known.size > mostContents && oldest !== undefined) known.delete(oldest)
  return reading
}

const texts = new WeakMap<PDFDocumentProxy, Map<number, Promise<string[]>>>()

/** The pieces of a page's text, as they lie over the page: what is empty has none there. */
export function pageText(pdf: PDFDocumentProxy, page: number): Promise<string[]> {
  const known = texts.get(pdf) ?? new Map<number, Promise<string[]>>()
  texts.set(pdf, known)
  const before = known.get(page)
  if (before !== undefined) return before
  async function read(): Promise<string[]> {
    const content = await pageContent(pdf, page)
    return content.items.flatMap((item) => ('str' in item && item.str !== '' ? [item.str] : []))
  }
  const reading = read().catch(() => [])
  known.set(page, reading)
  return reading
}

export interface PageMatch {
  page: number
  ranges: LineRange[]
}

const none: PageMatch[] = []
const showEveryMs = 250

/** Every place of the words that are searched for. Pages come one after the other: what is found is shown while others are read. */
export function usePdfMatches(pdf: PDFDocumentProxy | null): PageMatch[] {
  const words = useFind((state) => state.words)
  const [found, setFound] = useState<{ words: string; matches: PageMatch[] }>({ words: '', matches: none })
  useEffect(() => {
    if (pdf === null || words.trim() === '') return
    let alive = true
    async function look(source: PDFDocumentProxy) {
      const matches: PageMatch[] = []
      let shown = -1
      let shownAt = performance.now()
      for (let page = 1; page <= source.numPages; page += 1) {
        const pieces = await pageText(source, page)
        if (!alive) return
        matches.push(...findText(pieces, words).map((ranges) => ({ page, ranges })))
        const due = shown <= 0 ? matches.length > 0 : performance.now() - shownAt > showEveryMs
        if (page < source.numPages && (!due || matches.length === shown)) continue
        shown = matches.length
        shownAt = performance.now()
        setFound({ words, matches: [...matches] })
        showFound(matches.length)
      }
    }
    const timer = setTimeout(() => void look(pdf), 120)
    return () => {
      alive = false
      clearTimeout(timer)
    }
  }, [pdf, words])
  return found.words === words ? found.matches : none
}

/** Where the quote stands on the cited pages: ranges by page. */
export function usePdfQuote(pdf: PDFDocumentProxy | null, first: number, last: number, quote: string): Map<number, LineRange[]> {
  const [found, setFound] = useState<{ key: string; byPage: Map<number, LineRange[]> }>({ key: '', byPage: new Map() })
  const key = `${first} ${last} ${quote}`
  useEffect(() => {
    if (pdf === null || quote === '') return
    let alive = true
    async function look(source: PDFDocumentProxy) {
      const pages = Array.from({ length: Math.min(last, source.numPages) - first + 1 }, (_none, index) => first + index)
      const ranges = quoteOnPages(await Promise.all(pages.map((page) => pageText(source, page))), quote)
      if (alive) setFound({ key, byPage: new Map(pages.map((page, index) => [page, ranges[index] ?? []])) })
    }
    void look(pdf)
    return () => {
      alive = false
    }
  }, [pdf, first, last, quote, key])
  return found.key === key ? found.byPage : noPages
}
const noPages = new Map<number, LineRange[]>()
