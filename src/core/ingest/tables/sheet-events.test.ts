import { expect, test } from 'vitest'
import type { SheetEvent } from '../../tables/tables.ts'
import { sheetEvents } from './sheet-events.ts'

async function eventsOf(rows: string[][], characters = 1_000_000): Promise<SheetEvent[]> {
  const table = { name: 'S', rows: rows.map((cells, index) => ({ number: index + 1, cells })) }
  const all: SheetEvent[] = []
  for await (const events of sheetEvents(table, { characters })) all.push(...events)
  return all
}

test('titles, repeated headers, sums and empty rows are no rows of the table', async () => {
  const events = await eventsOf([
    ['Sales 2026'],
    ['Region', 'Amount'],
    ['EU', '10'],
    ['Subtotal', '10'],
    ['Region', 'Amount'],
    ['', ''],
    ['US', '20'],
    ['Total', '30'],
    ['Total eclipse', '40'],
  ])
  expect(events).toEqual([
    { type: 'sheet', sheet: 'S', part: 0, title: 'Sales 2026', names: ['Region', 'Amount'] },
    {
      type: 'rows',
      numbers: [3, 7, 9],
      cells: [
        ['EU', '10'],
        ['US', '20'],
        ['Total eclipse', '40'],
      ],
    },
    { type: 'sheet-end', cut: false },
  ])
})

test('more than the bounds is left out, and said', async () => {
  const rows = Array.from({ length: 100 }, (_none, index) => [`name ${index}`, `${index}`])
  const events = await eventsOf([['Name', 'Number'], ...rows], 200)
  expect(events.at(-1)).toEqual({ type: 'sheet-end', cut: true })
  const [long] = (
    await eventsOf([
      ['Name', 'Text'],
      ['a', 'x'.repeat(100_000)],
    ])
  ).filter((event) => event.type === 'rows')
  expect(long?.cells[0]?.[1]?.length).toBe(32_767)
})
