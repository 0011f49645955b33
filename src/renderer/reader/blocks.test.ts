import { expect, test } from 'vitest'
import type { Section } from '../../contract/library.ts'
import { blocksOf, quoteMarks } from './blocks.ts'

const chapter: Section = {
  place: { kind: 'chapter', chapter: 'Book › One', from: 1, to: 3 },
  text: 'One\n\nIt begins.\n\nIt goes on.',
}

test('the paragraph that is cited is on, not its whole chapter', () => {
  const blocks = blocksOf([chapter], { kind: 'chapter', chapter: 'Book › One', from: 3, to: 3 })
  expect(blocks.map(({ kind, text, on }) => [kind, text, on])).toEqual([
    ['heading', 'One', false],
    ['text', 'It begins.', false],
    ['text', 'It goes on.', true],
  ])
})

test('a chapter of the same paragraphs in another book is not cited', () => {
  expect(blocksOf([chapter], { kind: 'chapter', chapter: 'Other › One', from: 3, to: 3 }).some(({ on }) => on)).toBe(false)
})

test('where paragraphs cannot be counted the whole section is on, and the quote is found in it', () => {
  const section: Section = {
    place: { kind: 'section', heading: ['Rent'], from: 4, to: 9 },
    text: 'Rent\nIt is due.\n\nOn the first\nof each month.',
  }
  const blocks = blocksOf([section], { kind: 'section', heading: ['Rent'], from: 5, to: 6 })
  expect(blocks.map(({ kind, on }) => [kind, on])).toEqual([
    ['heading', true],
    ['text', true],
    ['text', true],
  ])
  expect([...quoteMarks(blocks, 'due. On the first of')]).toEqual([
    [1, [{ from: 6, to: 10, kind: 'quote' }]],
    [2, [{ from: 0, to: 15, kind: 'quote' }]],
  ])
})

test('a slide’s title is its heading, its first bullet is not', () => {
  const slide = (text: string): Section => ({ place: { kind: 'slide', slide: 2 }, text })
  expect(blocksOf([slide('市场\n\n- first'), slide('- alone')], null).map(({ kind }) => kind)).toEqual(['heading', 'text', 'text'])
})
