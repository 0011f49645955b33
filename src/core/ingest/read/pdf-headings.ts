import type { PageTable } from './pdf-header.ts'
import type { PageText } from './pdf-paragraphs.ts'
import { shortHeading } from './reading.ts'

interface PathFrom {
  offset: number
  path: string[]
}

export interface HeadingPath {
  path(): string[]
  /** The largest of the first page. */
  title(): string | null
  /** The paths of a page's text from each offset on, where they change. Pages come in order. */
  enter(page: number, text: PageText): PathFrom[]
}

/** A table of fewer characters mostly is one passage, with the names of its columns in it. */
const longTable = 400

/**
 * Headings over all pages; what is set larger stands above what is set smaller. The names of a long table's columns stand
 * above its rows like a heading, also where it goes on on the next page, so that no value is without what it means.
 */
export function createHeadingPath(): HeadingPath {
  const open: { text: string; size: number }[] = []
  const path = (): string[] => open.map((heading) => heading.text)
  let largest: { text: string; size: number } | null = null
  let lastTable: PageTable | null = null

  function enterHeading({ offset, text, size }: PageText['headings'][number], page: number): PathFrom[] {
    if ((text.match(/\p{L}/gu)?.length ?? 0) < 2 || text.length > 160) return []
    while (open.length > 0 && open.at(-1)!.size < size * 1.05) open.pop()
    const heading = { text: shortHeading(text), size }
    if (page === 1 && (largest === null || size > largest.size)) largest = heading
    open.push(heading)
    return [{ offset, path: path() }]
  }

  function enterTable({ body, end, header }: PageTable): PathFrom[] {
    if (header === null) return []
    return [
      { offset: body, path: [...path(), shortHeading(header)] },
      { offset: end, path: path() },
    ]
  }

  return {
    path,
    title: () => largest?.text ?? null,
    enter(page, { text, headings, tables }) {
      const [first] = tables
      const goesOn = first?.start === 0 && first.header === null && first.columns === lastTable?.columns
      const named = goesOn ? [{ ...first, header: lastTable!.header }, ...tables.slice(1)] : tables
      const last = named.at(-1)
      lastTable = last?.end === text.length && last.header !== null ? last : null
      const long = named.filter((table) => table.end - table.body > longTable || (goesOn && table.start === 0))
      const steps = [
        ...headings.map((heading) => ({ offset: heading.offset, enter: () => enterHeading(heading, page) })),
        ...long.map((table) => ({ offset: table.start, enter: () => enterTable(table) })),
      ]
      return steps.sort((a, b) => a.offset - b.offset).flatMap((step) => step.enter())
    },
  }
}
