import { expect, test } from 'vitest'
import { languageOfQuestion } from './language.ts'

test.each([
  ['Pages-tree-refs.pdf 有多大？', 'zh'],
  ['这个网页讲什么：https://example.com/a-very-long-address/with/many/latin/letters', 'zh'],
  ['“The old man and the sea” 讲什么？', 'zh'],
  ['Who signed 南京劳动合同第二版.docx?', 'en'],
  ['What does 《中华人民共和国劳动合同法》 say about notice?', 'en'],
  ['report.pdf', 'en'],
  ['年度报告.docx', 'zh'],
  ['Was kostet das?', 'en'],
])('the names in %s do not decide its language', (question, language) => {
  expect(languageOfQuestion(question)).toBe(language)
})
