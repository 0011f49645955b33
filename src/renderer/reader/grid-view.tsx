import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TableVirtuoso, type TableVirtuosoHandle } from 'react-virtuoso'
import type { DocumentRow } from '../../contract/library.ts'
import type { Place } from '../../contract/place.ts'
import { LoadingPanel, ProblemPanel } from '../parts/state-panel.tsx'
import { useMatches } from './find.ts'
import { columnWidths, gridsOf, type Grid, type GridRow } from './grid.ts'
import { MarkedText } from './marked-text.tsx'
import type { TextMark } from './marks.ts'
import { NoText } from './no-text.tsx'
import { quoteRanges } from './quote-ranges.ts'
import { useSections } from './sections.ts'

interface Props {
  document: DocumentRow
  place: Place | null
  quote: string
}

/** The rows of a place in its sheet: first and last index. */
function stretchOf({ sheet, rows }: Grid, place: Place | null): [number, number] | null {
  if (place?.kind !== 'sheet' || place.sheet !== sheet) return null
  const first = rows.findIndex((row) => row.number !== null && row.number >= place.from)
  if (first < 0) return null
  let last = first
  for (let index = first; index < rows.length; index += 1) {
    const number = rows[index]?.number ?? null
    if (number !== null && number > place.to) break
    last = index
  }
  return [first, last]
}

/** Marks of a row, as those of one of its cells. */
function inCell(marks: readonly TextMark[], { text, from }: GridRow['cells'][number]): TextMark[] {
  return marks
    .filter((mark) => mark.from < from + text.length && mark.to > from)
    .map((mark) => ({ ...mark, from: Math.max(0, mark.from - from), to: Math.min(text.length, mark.to - from) }))
}

function Sheet({ grid, name, place, quote }: { grid: Grid; name: string; place: Place | null; quote: string }) {
  const { t } = useTranslation()
  const list = useRef<TableVirtuosoHandle>(null)
  const { rows, names } = grid
  const widths = useMemo(() => columnWidths(grid), [grid])
  const lines = useMemo(() => rows.map((row) => row.line), [rows])
  const stretch = useMemo(() => stretchOf(grid, place), [grid, place])
  const quoted = useMemo(() => {
    const [first, last] = stretch ?? [0, lines.length - 1]
    return quote === '' ? [] : quoteRanges(lines.slice(first, last + 1), quote).map((range) => ({ ...range, line: range.line + first }))
  }, [lines, stretch, quote])
  const found = useMatches(lines)
  const target = Math.max(0, (found.piece ?? quoted[0]?.line ?? stretch?.[0] ?? 0) - 3)
  useEffect(() => {
    list.current?.scrollToIndex({ index: target, align: 'start' })
  }, [target])
  const style = { width: `${4.5 + widths.reduce((sum, width) => sum + width * 0.62 + 1.6, 0)}em` }
  return (
    <TableVirtuoso
      ref={list}
      className="grid-sheet h-full bg-sheet"
      tabIndex={0}
      aria-label={name}
      totalCount={rows.length}
      initialTopMostItemIndex={target}
      increaseViewportBy={400}
      components={{
        Table: (props) => <table {...props} style={{ ...props.style, ...style }} />,
        TableRow: (props) => {
          const index = props['data-index']
          const on = stretch !== null && index >= stretch[0] && index <= stretch[1]
          return <tr {...props} data-on={on} data-quoted={quoted.length > 0} data-note={rows[index]?.note === true} />
        },
      }}
      fixedHeaderContent={() => (
        <tr>
          <th scope="col" style={{ width: '4.5em' }}>
            <span className="sr-only">{t('library.rowNumber')}</span>
          </th>
          {widths.map((width, column) => (
            <th key={column} scope="col" style={{ width: `${width * 0.62 + 1.6}em` }}>
              {names[column] ?? columnLetters(column)}
            </th>
          ))}
        </tr>
      )}
      itemContent={(index) => {
        const row = rows[index]
        if (row === undefined) return null
        const marks = [
          ...quoted.filter((range) => range.line === index).map(({ from, to }): TextMark => ({ from, to, kind: 'quote' })),
          ...found.marks(index),
        ]
        const whole = row.note || (row.cells.length === 1 && widths.length > 1)
        return (
          <>
            <th scope="row">{row.note ? '' : (row.number ?? '')}</th>
            {whole ? (
              <td colSpan={widths.length}>
                <MarkedText text={row.line} marks={marks} />
              </td>
            ) : (
              widths.map((_width, column) => {
                const cell = row.cells[column] ?? { text: '', from: 0 }
                return (
                  <td key={column} data-number={/^[-+(]?\p{Sc}?[\d.,\s]+%?\)?$/u.test(cell.text)}>
                    {cell.text !== '' && <MarkedText text={cell.text} marks={inCell(marks, cell)} />}
                  </td>
                )
              })
            )}
          </>
        )
      }}
    />
  )
}

/** A column without a name is called as spreadsheets do: A to Z, then AA. */
function columnLetters(column: number): string {
  return (column >= 26 ? columnLetters(Math.floor(column / 26) - 1) : '') + String.fromCharCode(65 + (column % 26))
}

/** A spreadsheet as a grid, one sheet at a time, the cited rows in sight. */
export function GridView({ document, place, quote }: Props) {
  const { t } = useTranslation()
  const { items, total, problem } = useSections(document)
  const grids = useMemo(() => gridsOf(items), [items])
  const cited = place?.kind === 'sheet' ? place.sheet : null
  const [chosen, setChosen] = useState<{ name: string; place: Place | null } | null>(null)
  if (total === null) return <LoadingPanel />
  if (problem !== null && items.length === 0) return <ProblemPanel problem={problem} />
  // A sheet that was chosen stays until another citation is opened.
  const wanted = chosen?.place === place ? chosen.name : cited
  const grid = grids.find(({ sheet }) => sheet === wanted) ?? grids[0]
  if (grid === undefined) return <NoText document={document} />
  return (
    <div className="flex h-full min-h-0 flex-col">
      {grid.hidden && (
        <p role="note" className="flex-none border-b border-line bg-paper px-4.5 py-1.5 text-small text-ink-2">
          {t('library.hiddenSheet')}
        </p>
      )}
      <div className="min-h-0 flex-1">
        <Sheet key={grid.sheet} grid={grid} name={`${document.name} ${grid.sheet}`.trim()} place={place} quote={quote} />
      </div>
      {grids.length > 1 && (
        <div
          role="group"
          aria-label={t('library.sheets')}
          className="flex flex-none gap-1 overflow-x-auto border-t border-line bg-paper px-3 py-1.5"
        >
          {grids.map(({ sheet }) => (
            <button
              key={sheet}
              type="button"
              className="pill"
              aria-pressed={sheet === grid.sheet}
              onClick={() => setChosen({ name: sheet, place })}
            >
              {sheet}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
