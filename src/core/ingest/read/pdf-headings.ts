import { shortHeading } from './reading.ts'

export interface HeadingPath {
  path(): string[]
  /** The largest of the first page. */
  title(): string | null
  enter(heading: { offset: number; text: string; size: number }, page: number): { offset: number; path: string[] }[]
}

/** Headings over all pages; what is set larger stands above what is set smaller. */
export function createHeadingPath(): HeadingPath {
  const open: { text: string; size: number }[] = []
  const path = (): string[] => open.map((heading) => heading.text)
  let largest: { text: string; size: number } | null = null
  return {
    path,
    title: () => largest?.text ?? null,
    enter({ offset, text, size }, page) {
      if ((text.match(/\p{L}/gu)?.length ?? 0) < 2 || text.length > 160) return []
      while (open.length > 0 && open.at(-1)!.size < size * 1.05) open.pop()
      const heading = { text: shortHeading(text), size }
      if (page === 1 && (largest === null || size > largest.size)) largest = heading
      open.push(heading)
      return [{ offset, path: path() }]
    },
  }
}
