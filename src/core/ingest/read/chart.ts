import type { TextParagraph } from './paragraphs.ts'
import { tableLines, type TableRow } from './table-rows.ts'
import { readXml } from './xml.ts'

/** Points of one axis, by their number: as the document keeps them, and how they are to be shown. */
interface Points {
  values: Map<number, string>
  format: string
}

interface Series {
  name: string
  categories: Points
  values: Points
}

export interface Chart {
  /** With those of its axes behind it. */
  title: string
  series: Series[]
}

const mostSeries = 100
const mostPoints = 2000
/** Of a title, a name or a point. */
const longestText = 1000
const label = 'Chart: '

function local(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

const noPoints = (): Points => ({ values: new Map(), format: '' })

/** DrawingML charts (ECMA-376 part 1, 21.2), by the copy of their data that they keep. */
export function readChart(source: Buffer | string): Chart {
  const series: Series[] = []
  const titles: string[] = []
  const path: string[] = []
  let points = noPoints()
  let text = ''
  let at = 0

  function endValue(): void {
    const here = series.at(-1)
    if (here === undefined || !path.includes('ser')) return
    if (path.includes('tx')) here.name = `${here.name} ${text}`.trim()
    else if (points.values.size < mostPoints) {
      // Of categories in several levels the innermost come first.
      const inner = points.values.get(at)
      points.values.set(at, inner === undefined ? text.trim() : `${text.trim()} ${inner}`)
    }
  }

  readXml(source, {
    open(tagged, attributes) {
      const tag = local(tagged)
      path.push(tag)
      if (tag === 'ser' && series.length < mostSeries) series.push({ name: '', categories: noPoints(), values: noPoints() })
      else if (tag === 'title') titles.push('')
      else if (tag === 'pt') at = Number(attributes['idx'] ?? 0)
      else if (/^(?:cat|xVal|val|yVal)$/.test(tag)) points = noPoints()
      else if (tag === 'p' && path.includes('title')) titles.push(`${titles.pop() ?? ''} `)
      if (tag === 'v' || tag === 't' || tag === 'formatCode') text = ''
    },
    close() {
      const tag = path.pop()
      const here = series.at(-1)
      if (tag === 't' && path.includes('title')) titles.push((titles.pop() ?? '') + text)
      else if (tag === 'v') endValue()
      else if (tag === 'formatCode') points.format = text
      else if (here !== undefined && (tag === 'cat' || tag === 'xVal')) here.categories = points
      else if (here !== undefined && (tag === 'val' || tag === 'yVal')) here.values = points
    },
    text(data) {
      if (text.length < longestText) text += data
    },
  })
  const said = titles.map((title) => title.replace(/\s+/g, ' ').trim()).filter((title) => title !== '')
  return { title: said.join(' · '), series }
}

/** Its title, and a row for each category with what every series says of it. */
export async function chartParagraphs(source: Buffer | string): Promise<TextParagraph[]> {
  const { title, series } = readChart(source)
  const named = await Promise.all(series.map(({ categories }) => shownPoints(categories)))
  const values = await Promise.all(series.map((each) => shownPoints(each.values)))
  const numbers = [...new Set([...named, ...values].flatMap((points) => [...points.keys()]))].sort((one, other) => one - other)
  const categoryOf = (number: number): string => named.map((points) => points.get(number) ?? '').find((text) => text !== '') ?? ''
  const rows: TableRow[] = [
    { cells: ['', ...series.map(({ name }) => name)], header: true },
    ...numbers.map((number) => ({ cells: [categoryOf(number), ...values.map((points) => points.get(number) ?? '')], header: false })),
  ]
  const isNamed = series.some(({ name }) => name !== '')
  // Each row says the names of its values.
  const lines = numbers.length === 0 ? [] : isNamed ? tableLines(rows, false).slice(1) : tableLines(rows.slice(1), false)
  return [
    ...(title === '' ? [] : [{ text: label + title, kind: 'paragraph' as const, level: 0 }]),
    ...lines.map((text) => ({ text, kind: 'row' as const, level: 0 })),
  ]
}

/** What a chart is about, where its values are read elsewhere; null: it does not say. */
export function chartTitle(source: Buffer | string): string | null {
  const { title, series } = readChart(source)
  const names = series.map(({ name }) => name).filter((name) => name !== '')
  const said = [title, ...(names.includes(title) || names.length === 0 ? [] : [names.join(', ')])].filter((text) => text !== '')
  return said.length === 0 ? null : label + said.join(' · ')
}

async function shownPoints({ values, format }: Points): Promise<Map<number, string>> {
  const isShare = format.includes('%')
  const isDate = !isShare && /[yd]/i.test(format.replace(/"[^"]*"|\[[^\]]*\]|\\./g, ''))
  const show = isShare || isDate ? await formatter(format) : plain
  return new Map([...values].map(([at, value]) => [at, show(value)]))
}

/** Rests of binary fractions are no digits of the value. */
function plain(value: string): string {
  const number = Number(value)
  return value === '' || Number.isNaN(number) || Number.isInteger(number) ? value : `${Number(number.toPrecision(11))}`
}

async function formatter(format: string): Promise<(value: string) => string> {
  const { SSF } = (await import('@e965/xlsx')).default
  return (value) => {
    const number = Number(value)
    if (value === '' || Number.isNaN(number)) return value
    try {
      return String(SSF.format(format, number)).trim()
    } catch {
      return plain(value)
    }
  }
}
