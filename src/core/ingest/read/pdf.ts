import { regionsOf } from './pdf-columns.ts'
import { isCutOff } from './pdf-cut.ts'
import { withTables } from './pdf-find-tables.ts'
import { endOf, type Beyond, type Findings } from './pdf-end.ts'
import { createHeadingPath, type HeadingPath } from './pdf-headings.ts'
import { openPages, type FoundPage, type PagesOptions } from './pdf-pages.ts'
import { composePage, type PageText } from './pdf-paragraphs.ts'
import { jointOf, runsOn } from './pdf-run-on.ts'
import { bodySizeOf, edgesOf, runningReach, withoutRunning, type PageEdges } from './pdf-running.ts'
import type { PdfSource } from './pdfium.ts'
import { failed, shortHeading, type ReadSection, type Sections } from './reading.ts'

/** More pages than any book has. */
const mostPages = 10_000
/** Of the time for reading, what a document with more than that gets: it will not be read to its end anyway. */
const shareOfTooMany = 0.25
/** So many pages one after the other that are damaged: the rest is taken to be so too. */
const mostDamagedInARow = 100

/** Each page with text is a section. Pages without text, damaged and garbled ones are named in the reason. */
export async function* readPdf(source: PdfSource, options: PagesOptions = {}): Sections {
  const opened = await openPages(source, options)
  switch (opened.kind) {
    case 'encrypted':
      return failed('encrypted', options.password === undefined ? 'The document is protected by a password.' : 'The password is wrong.')
    case 'damaged':
      return failed('damaged', 'The document is damaged and cannot be opened.')
    case 'heavy':
      return failed('too-much-memory', 'Reading the document would need too much memory.')
  }
  const { pages } = opened
  const headings = createHeadingPath()
  const timeMs = (options.timeMs ?? Infinity) * (pages.count > mostPages ? shareOfTooMany : 1)
  const endAt = performance.now() + timeMs
  const findings: Findings = {
    states: new Map(),
    pages: pages.count,
    hasText: false,
    hidden: [],
    beyond: null,
    isCutOff: isCutOff(source.chunks()),
  }
  try {
    // A page is written once the pages after it are known, which tell what only runs along.
    const waiting: FoundPage[] = []
    const edges: PageEdges[] = []
    const write = createPageWriting(edges, headings, pages.files)
    let damagedInARow = 0
    const whyToEnd = (number: number): Beyond['why'] | null => {
      if (number > mostPages) return 'many'
      if (damagedInARow >= mostDamagedInARow) return 'damaged'
      if (number === 1 || performance.now() < endAt) return null
      return pages.count > mostPages ? 'many' : 'slow'
    }
    for (let number = 1; number <= pages.count; number++) {
      const why = whyToEnd(number)
      if (why !== null) {
        findings.beyond = { from: number, why, isCutShort: why !== 'damaged' && number <= mostPages }
        break
      }
      const page = await pages.page(number)
      damagedInARow = page.state === 'damaged' ? damagedInARow + 1 : 0
      if (page.state !== 'read') findings.states.set(number, page.state)
      if (page.groups.length > 0 || page.comments.length > 0) findings.hasText = true
      if (page.hidesText) findings.hidden.push(number)
      waiting.push(page)
      edges.push(edgesOf(number, page.groups, page.height))
      if (edges.length > runningReach * 2 + 1) edges.shift()
      if (waiting.length <= runningReach) continue
      yield* write(waiting.shift()!)
    }
    for (const page of waiting) yield* write(page)
    yield* write(null)
    return endOf(findings, usableTitle(await pages.title()) ?? headings.title(), options.recognised)
  } finally {
    await pages.close()
  }
}

/** Gives the section of a page when the page after it is known, of which it may be that it goes on there; `null` is the end. */
function createPageWriting(
  edges: readonly PageEdges[],
  headings: HeadingPath,
  files: readonly string[],
): (page: FoundPage | null) => ReadSection[] {
  let held: WrittenPage | null = null
  let isFirst = true
  return (page) => {
    const next = page === null ? null : writePage(page, edges, headings)
    if (next !== null && isFirst) addLines(next, [...next.page.comments, ...filesLine(files)])
    else if (next !== null) addLines(next, next.page.comments)
    if (next !== null) isFirst = false
    if (next === null && page !== null) return []
    const before = held
    held = next
    if (before === null) return []
    if (next !== null && next.page.number === before.page.number + 1) joinPages(before, next)
    return [before.section]
  }
}

interface WrittenPage {
  page: FoundPage
  composed: PageText
  section: ReadSection
  /** What stands below its own text. */
  hasNotes: boolean
}

const mostNamed = 100

function filesLine(files: readonly string[]): string[] {
  if (files.length === 0) return []
  return [`Attached: ${files.slice(0, mostNamed).join(', ')}${files.length > mostNamed ? `, … (${files.length})` : ''}`]
}

/** What people wrote on a page, where it does not stand on it already. */
function addLines(written: WrittenPage, lines: readonly string[]): void {
  const { section } = written
  const flat = (text: string): string => text.replace(/\s+/g, '')
  const own = lines.length === 0 ? '' : flat(section.text)
  for (const line of lines) {
    if (own.includes(flat(line.replace(/^Comment(?: \(.*?\))?: /, '')))) continue
    if (section.text !== '') section.text += '\n\n'
    section.blocks.push({ kind: 'paragraph', start: section.text.length, end: section.text.length + line.length })
    section.text += line
    written.hasNotes = true
  }
}

function writePage(page: FoundPage, edges: readonly PageEdges[], headings: HeadingPath): WrittenPage | null {
  const { number, width, height } = page
  const groups = withoutRunning(number, page.groups, height, edges, bodySizeOf(page.groups))
  const composed = composePage(
    groups.map((group) => ({ turn: group.turn, regions: regionsOf(withTables(group, page.rules)) })),
    { number, width, height },
  )
  if (composed.text.trim() === '' && page.comments.length === 0) return null
  const section: ReadSection = {
    text: composed.text,
    place: { kind: 'page', page: number },
    heading: headings.path(),
    headings: headings.enter(number, composed),
    blocks: composed.blocks,
    positions: { kind: 'page', page: number, lines: composed.lines },
  }
  return { page, composed, section, hasNotes: false }
}

/** A page wider than high is a slide: it stands alone. So does one that begins with a heading. */
function joinPages(before: WrittenPage, next: WrittenPage): void {
  if ([before, next].some(({ page }) => page.width > page.height) || next.section.blocks[0]?.kind === 'heading') return
  const [closing, opening] = [before.composed.closing, next.composed.opening]
  if (closing === null || opening === null || before.hasNotes || !runsOn(closing, opening)) {
    next.section.joint = '\n\n'
    return
  }
  const { cut, joint } = jointOf(before.section.text, next.section.text, before.composed.words)
  next.section.joint = joint
  if (cut > 0) before.section = withoutEnd(before.section, cut)
}

function withoutEnd(section: ReadSection, cut: number): ReadSection {
  const text = section.text.slice(0, -cut)
  const within = <Stretch extends { end: number }>(stretches: readonly Stretch[]): Stretch[] =>
    stretches.map((stretch) => ({ ...stretch, end: Math.min(stretch.end, text.length) }))
  const { positions } = section
  return {
    ...section,
    text,
    blocks: within(section.blocks),
    positions: positions.kind === 'page' ? { ...positions, lines: within(positions.lines) } : positions,
  }
}

function usableTitle(title: string): string | null {
  if (/^(untitled|microsoft word|.*\.(docx?|tex|dvi|indd|wps|qxd|pdf)$)/i.test(title)) return null
  return shortHeading(title) || null
}
