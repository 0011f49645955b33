import { expect, test } from 'vitest'
import type { Section } from '../../contract/library.ts'
import { columnWidths, gridsOf } from './grid.ts'

function section(from: number, to: number, ...lines: string[]): Section {
  return { place: { kind: 'sheet', sheet: 'Sales', from, to }, text: lines.join('\n') }
}
const plain = (sections: Section[]) =>
  gridsOf(sections).map(({ sheet, names, rows }) => [
    sheet,
    names,
    rows.map(({ number, cells }) => [number, ...cells.map(({ text }) => text)]),
  ])

test('rows stand under the header that each section repeats, with the sheet’s own numbers', () => {
  expect(
    plain([
      section(1, 1, 'Sales 2026'),
      section(3, 4, 'Region · Item', 'EU · Cable', '– · Desk'),
      section(5, 5, 'Region · Item', 'US · Desk'),
    ]),
  ).toEqual([
    [
      'Sales',
      ['Region', 'Item'],
      [
        [1, 'Sales 2026'],
        [3, 'EU', 'Cable'],
        [4, '', 'Desk'],
        [5, 'US', 'Desk'],
      ],
    ],
  ])
})

test('rows between blank ones have a number only where it is known', () => {
  const rows = gridsOf([section(2, 6, 'A · B', '1 · 2', '3 · 4', '5 · 6'), section(7, 7, 'A · B', '7 · 8')])[0]?.rows
  expect(rows?.map(({ number }) => number)).toEqual([2, null, 6, 7])
})

test('a row that was read as pairs comes back under its columns; one that cannot be cut stays whole', () => {
  expect(plain([section(2, 2, 'A · B', '1 · 2'), section(3, 3, 'A: 9 · B: long'), section(4, 4, 'A · B', 'x · y · z')])[0]?.[2]).toEqual([
    [2, '1', '2'],
    [3, '9', 'long'],
    [4, 'x · y · z'],
  ])
})

test('each table of a sheet stands under its own header', () => {
  const sections = [
    section(2, 3, 'A · B', '1 · 2', '3 · 4'),
    section(5, 5, 'Second'),
    section(7, 7, 'C · D · E', '5 · 6 · 7'),
    section(8, 8, 'C · D · E', 'C: 8 · E: 9'),
  ]
  expect(plain(sections)).toEqual([
    [
      'Sales',
      ['A', 'B'],
      [
        [2, '1', '2'],
        [3, '3', '4'],
        [5, 'Second'],
        [null, 'C', 'D', 'E'],
        [7, '5', '6', '7'],
        [8, '8', '', '9'],
      ],
    ],
  ])
})

test('a sheet without names keeps all its rows', () => {
  expect(plain([section(1, 2, '1 · 2', '3 · 4')])).toEqual([
    [
      'Sales',
      [],
      [
        [1, '1', '2'],
        [2, '3', '4'],
      ],
    ],
  ])
})

test('a column is as wide as what it holds, within bounds', () => {
  const [grid] = gridsOf([section(2, 2, 'Name · 地区', `${'x'.repeat(90)} · 华东地区`)])
  expect(grid === undefined ? [] : columnWidths(grid)).toEqual([34, 8])
})

test('what Siku says of a sheet and of its cells is no row of it', () => {
  const [grid] = gridsOf([
    section(1, 1, 'Hidden sheet: Sales'),
    section(2, 3, 'A · B', '1 · 2', '3 · 4'),
    section(2, 2, 'Comment on B2: Ask Li about this'),
  ])
  expect(grid?.hidden).toBe(true)
  expect(grid?.rows.map(({ line, note }) => [line, note])).toEqual([
    ['1 · 2', false],
    ['3 · 4', false],
    ['Comment on B2: Ask Li about this', true],
  ])
  expect(gridsOf([section(1, 1, 'Hidden sheet: Others')])[0]).toMatchObject({ hidden: false, rows: [{ note: false }] })
})
