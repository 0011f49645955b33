import { raisedText } from './rich-text.ts'
import { columnName, commentRemark, type SheetRemark, type SheetRow } from './sheet-rows.ts'
import { readXml } from './xml.ts'

const mostColumns = 16_384
const mostRepeats = 1000

/** Tables of an OpenDocument spreadsheet (ISO/IEC 26300), as shown. Repeated empty rows count, and are not there. */
export function readOdsTables(content: Buffer): { name: string; hidden: boolean; rows: SheetRow[]; remarks: SheetRemark[] }[] {
  const tables: ReturnType<typeof readOdsTables> = []
  /** Styles of tables that are not shown. */
  const unseen = new Set<string>()
  let style = ''
  let comment: { cell: string; text: string } | null = null
  let rows: SheetRow[] = []
  let cells: string[] = []
  let number = 0
  let rowRepeats = 1
  let cellRepeats = 1
  let text = ''
  let skipped = 0
  let paragraphs = 0
  /** Cells that hang down from a merged one, by column: what they show and for how many rows. */
  const hanging = new Map<number, { text: string; rows: number }>()
  let spans = { columns: 1, rows: 1 }
  let covered = false
  /** Styles of words that stand above the line. */
  const raisedStyles = new Set<string>()
  /** For each open run of words, whether it is raised. */
  const runs: boolean[] = []
  let formula: string | null = null
  let formulas = new Set<number>()

  function endCell(): void {
    const column = cells.length
    const above = covered ? hanging.get(column) : undefined
    const isUnsaved = !covered && formula !== null && text.trim() === ''
    if (isUnsaved) formulas.add(column)
    const value = covered ? (above?.text ?? cells.at(-1) ?? '') : isUnsaved ? `=${formula}` : text.trim()
    if (above !== undefined && --above.rows === 0) hanging.delete(column)
    if (!covered && spans.rows > 1 && value !== '')
      for (let each = column; each < Math.min(column + spans.columns, mostColumns); each += 1)
        hanging.set(each, { text: value, rows: spans.rows - 1 })
    const times = value === '' ? cellRepeats : Math.min(cellRepeats, mostRepeats)
    for (let time = 0; time < times && cells.length < mostColumns; time += 1) cells.push(value)
  }

  function endRow(): void {
    while (cells.at(-1) === '') cells.pop()
    if (cells.length > 0)
      for (let time = 0; time < Math.min(rowRepeats, mostRepeats); time += 1)
        rows.push({ number: number + time + 1, cells: [...cells], ...(formulas.size === 0 ? {} : { formulas }) })
    number += rowRepeats
    cells = []
    formulas = new Set()
  }

  readXml(content, {
    open(name, attributes) {
      if (skipped > 0 || name === 'table:tracked-changes' || name === 'draw:frame') {
        skipped += 1
        return
      }
      if (name === 'office:annotation') {
        comment = { cell: `${columnName(cells.length)}${number + 1}`, text: '' }
        return
      }
      if (comment !== null) {
        if (name === 'dc:date' || name === 'dc:creator') skipped = 1
        return
      }
      if (name === 'style:style') style = attributes['style:name'] ?? ''
      else if (name === 'style:text-properties' && /^super\b|^[1-9]\d*%/.test(attributes['style:text-position'] ?? ''))
        raisedStyles.add(style)
      else if (name === 'style:table-properties' && attributes['table:display'] === 'false') unseen.add(style)
      const repeats = (key: string): number => Math.max(1, Math.min(1 << 20, Number(attributes[key] ?? 1) || 1))
      if (name === 'table:table') {
        rows = []
        number = 0
        hanging.clear()
        const hidden = unseen.has(attributes['table:style-name'] ?? '')
        tables.push({ name: attributes['table:name'] ?? `Sheet${tables.length + 1}`, hidden, rows, remarks: [] })
      } else if (name === 'table:table-row') rowRepeats = repeats('table:number-rows-repeated')
      else if (name === 'table:table-cell' || name === 'table:covered-table-cell') {
        covered = name === 'table:covered-table-cell'
        cellRepeats = repeats('table:number-columns-repeated')
        spans = { columns: repeats('table:number-columns-spanned'), rows: repeats('table:number-rows-spanned') }
        text = ''
        paragraphs = 0
        formula = unsavedFormula(attributes)
      } else if (name === 'text:p') {
        if (paragraphs > 0) text += '\n'
        paragraphs += 1
      } else if (name === 'text:span') runs.push(raisedStyles.has(attributes['text:style-name'] ?? ''))
      else if (name === 'text:s') text += ' '.repeat(Math.min(100, repeats('text:c')))
      else if (name === 'text:tab') text += '\t'
      else if (name === 'text:line-break') text += '\n'
    },
    close(name) {
      if (skipped > 0) {
        skipped -= 1
        return
      }
      if (comment !== null) {
        if (name === 'office:annotation') {
          if (comment.text.trim() !== '') tables.at(-1)?.remarks.push(commentRemark(comment.cell, comment.text))
          comment = null
        } else if (name === 'text:p') comment.text += ' '
        return
      }
      if (name === 'table:table-cell' || name === 'table:covered-table-cell') endCell()
      else if (name === 'table:table-row') endRow()
      else if (name === 'text:span') runs.pop()
    },
    text(data) {
      if (skipped > 0) return
      if (comment !== null) comment.text += data
      else if (paragraphs > 0) text += runs.at(-1) === true ? raisedText(data) : data
    },
  })
  return tables
}

/** The formula of a cell that has no result; null where it has one, or no formula. */
function unsavedFormula(attributes: Readonly<Record<string, string>>): string | null {
  const formula = attributes['table:formula']
  if (formula === undefined || attributes['office:value-type'] !== undefined || attributes['office:value'] !== undefined) return null
  return formula
    .replace(/^(?:of|oooc|msoxl):/, '')
    .replace(/^=/, '')
    .replace(/\[\.([A-Z]+\d+)\]/g, '$1')
}
