import type { Row } from './pdf-table.ts'
import { isNumeric } from './sheet-rows.ts'

export interface PageTable {
  /** Offsets in the page's text: of the first row, of the first below the names of the columns, and where it ends. */
  start: number
  body: number
  end: number
  /** Cells of the widest row. */
  columns: number
  /** The names of the columns. */
  header: string | null
}

const longestName = 40

function cellText(cell: Row[number]): string {
  return cell.map((segment) => segment.text).join('')
}

/** The first row, when it names columns: words over numbers, each once. */
export function headerOf(rows: readonly Row[]): string | null {
  const [first, ...others] = rows
  if (first === undefined || first.length < 2 || others.length < 2) return null
  const names = first.map(cellText)
  const fit =
    names.every((name) => name.length <= longestName && /\p{L}/u.test(name) && !isNumeric(name)) && new Set(names).size === names.length
  if (!fit) return null
  const isNumbered = first.slice(1).some((name) => {
    const [left, right] = [name[0]!.x0, name[0]!.x1]
    const below = others.flatMap((row) =>
      row.filter(([segment]) => segment!.x0 < right + segment!.size && segment!.x1 > left - segment!.size),
    )
    return below.length >= others.length / 2 && below.every((cell) => isNumeric(cellText(cell)) || /^[-–—/]*$/.test(cellText(cell)))
  })
  return isNumbered ? names.join(' | ') : null
}
