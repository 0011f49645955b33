import { expect, test } from 'vitest'
import { markExcerpt, markText, wordsOf } from './mark-words.ts'

function shown(text: string, words: string, length = 200): string {
  return markExcerpt(text, wordsOf(words), length)
    .map((part) => (part.marked ? `[${part.text}]` : part.text))
    .join('')
}

test('words are marked in their other forms, and small words are not', () => {
  expect(shown('The machine is descaled every two months.', 'How often is the machine descaling done?')).toBe(
    'The [machine] is [descaled] every two months.',
  )
})

test('Chinese is marked by the characters that stand together, without question words', () => {
  expect(shown('应当在七个工作日内将押金无息退还乙方', '押金多少天内退还？')).toBe('应当在七个工作日内将[押金]无息[退还]乙方')
})

test('numbers are marked whole', () => {
  expect(shown('每晚不超过 650 元，共 1650 元', '650 元')).toBe('每晚不超过 [650] 元，共 1650 元')
})

test('a long passage is cut to where its marks are', () => {
  const text = `${'填充文字没有意义。'.repeat(40)}租约于三月到期。${'后面还有很多字。'.repeat(40)}`
  const excerpt = shown(text, '租约到期', 60)
  expect(excerpt.startsWith('…')).toBe(true)
  expect(excerpt).toContain('[租约]')
  expect(excerpt.length).toBeLessThan(80)
})

test('each place of what was searched for is marked, whatever the case', () => {
  const marked = (text: string, searched: string) => markText(text, searched).map(({ text: part, marked: on }) => (on ? `[${part}]` : part))
  expect(marked('…the Deposit and the deposit.', ' deposit').join('')).toBe('…the [Deposit] and the [deposit].')
  expect(marked('押金一万元', '押金').join('')).toBe('[押金]一万元')
  expect(marked('nothing', '').join('')).toBe('nothing')
})
