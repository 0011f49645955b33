import i18next from 'i18next'
import { expect, test } from 'vitest'
import en from '../words/en/tools.json'
import zh from '../words/zh/tools.json'
import { callLine } from './call-line.ts'

const words = i18next.createInstance()
const interpolation = { escapeValue: false }
void words.init({
  lng: 'en',
  resources: { en: { translation: { tools: en } }, zh: { translation: { tools: zh } } },
  interpolation,
  initAsync: false,
})

test('a call is named in the interface’s language, whatever the question’s was', () => {
  const call = { tool: 'search_library', line: '在书库中查找“租约”', arguments: { query: '租约' } }
  expect([callLine(call, words.getFixedT('en')), callLine({ ...call, line: 'Search' }, words.getFixedT('zh'))]).toEqual([
    'Search the library for “租约”',
    '在文库中查找“租约”',
  ])
})

test('a tool or an argument that is not known keeps the core’s own line', () => {
  const t = words.getFixedT('en')
  const lines = [
    { tool: 'calendar__list', arguments: { query: 'x' } },
    { tool: 'constructor', arguments: {} },
    { tool: 'read_web_page', arguments: { url: 7 } },
    { tool: 'calculate', arguments: null },
  ].map((call) => callLine({ ...call, line: 'own' }, t))
  expect(lines).toEqual(['own', 'own', 'own', 'own'])
})
