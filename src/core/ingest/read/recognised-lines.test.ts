import { expect, test } from 'vitest'
import { composeRecognised } from './recognised-lines.ts'
import { needsBlank } from './pdf-text.ts'
import type { RecognisedLine } from './reading.ts'

const page = { number: 4, width: 1000, height: 1400 }

/** A line by its corner and size in pixels of the page. */
function line(text: string, x: number, y: number, width: number, height = 30): RecognisedLine {
  return { text, confidence: 0.9, box: { page: 4, x: x / 1000, y: y / 1400, width: width / 1000, height: height / 1400 } }
}

test('lines come in the order of reading whatever order they were found in, and join to paragraphs', () => {
  const { text } = composeRecognised(
    [
      line('and it ends here.', 100, 200, 300),
      line('A paragraph that is set over the whole width of the page and runs', 100, 100, 800),
      line('on in the next line, with a word that is bro-', 100, 150, 800, 34),
      line('ken', 20, 1300, 50),
    ],
    page,
  )
  expect(text.startsWith('A paragraph that is set over the whole width of the page and runs on in the next line')).toBe(true)
  expect(text).toMatch(/and it ends here\./)
})

test('two columns are read one after the other', () => {
  const left = Array.from({ length: 14 }, (_none, index) =>
    line(`left column line number ${index} is long enough to be text`, 80, 100 + index * 40, 400),
  )
  const right = Array.from({ length: 14 }, (_none, index) =>
    line(`right column line number ${index} is long enough to be text`, 540, 102 + index * 40, 400),
  )
  const { text } = composeRecognised([...right, ...left].reverse(), page)
  expect(text.indexOf('left column line number 13')).toBeLessThan(text.indexOf('right column line number 0 '))
})

test('pieces of one line are one line, Chinese ones without a space between', () => {
  const { text } = composeRecognised(
    [line('租金每月', 100, 100, 120), line('四千元', 225, 104, 90, 28), line('per', 400, 300, 40), line('month', 445, 302, 80)],
    page,
  )
  expect(text).toContain('租金每月四千元')
  expect(text).toContain('per month')
})

test('heights that differ a little are one size: a line without long letters makes no heading of the others', () => {
  const lines = Array.from({ length: 8 }, (_none, index) =>
    line(`words of the text in line ${index} that run on`, 100, 100 + index * 50, 700, index % 2 === 0 ? 28 : 33),
  )
  const { headings } = composeRecognised([...lines, line('A TITLE', 100, 20, 300, 60)], page)
  expect(headings.map(({ text }) => text)).toEqual(['A TITLE'])
})

test('columns from the right are read from the right, and each passage keeps a box on the page', () => {
  const { text, lines } = composeRecognised(
    [line('第二列的文字在左边', 400, 100, 30, 400), line('第一列的文字在右边', 460, 100, 30, 400)],
    page,
  )
  expect(text.replace(/\s/g, '')).toBe('第一列的文字在右边第二列的文字在左边')
  expect(lines[0]!.box.page).toBe(4)
  expect(Math.abs(lines[0]!.box.x - 0.46)).toBeLessThan(0.01)
  expect(Math.abs(lines[0]!.box.height - 400 / 1400)).toBeLessThan(0.01)
})

test('pieces of one column are one, its last character too; a mark at which two boxes overlap is said once', () => {
  const { text } = composeRecognised(
    [
      line('球', 404, 100, 32, 49),
      line('，没有任何人能够再接到那一个', 452, 390, 36, 560),
      line('第一列的文字在右边，', 450, 100, 36, 310),
    ],
    page,
  )
  expect(text).toBe('第一列的文字在右边，没有任何人能够再接到那一个球')
})

test.each([
  ['Invoice number 4711 wombat', '发票金额', true],
  ['he said “hello”', 'and left', true],
  ['the landlord’s', 'agent', true],
  ['first —', 'then', true],
  ['租金每月', '四千元', false],
  ['他说“好”', '然后走了', false],
  ['房屋租赁合同（2026', '年版）', false],
  ['发票金额，', 'Deposit', false],
  ['about 12', 'percent', true],
])('%s and %s in the next line: a blank between is %s', (before, next, blank) => {
  expect(needsBlank(before, next)).toBe(blank)
})
