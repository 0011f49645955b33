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

test.each([
  ['summarise_document', { document: 12 }, 'Summarise 12', '概括 12'],
  ['count_in_library', { words: 'rent' }, 'Count “rent” in all documents', '在全部文档中统计“rent”'],
  ['list_documents', {}, 'List documents', '列出文档'],
  ['list_documents', { name: 'lease', folder: 'a' }, 'List documents: lease, a', '列出文档：lease, a'],
  ['query_table', { sql: 'SELECT 1' }, 'Query tables: SELECT 1', '查询表格：SELECT 1'],
  ['query_table', { about: 'rents' }, 'See which tables there are (rents)', '查看有哪些表格（rents）'],
  ['query_table', {}, 'See which tables there are', '查看有哪些表格'],
  ['get_current_datetime', {}, 'Look up date and time', '看现在的日期和时间'],
  ['get_current_datetime', { zone: 'UTC' }, 'Look up date and time (UTC)', '看现在的日期和时间（UTC）'],
  ['convert_units', { value: 1, from: 'mi', to: 'km' }, 'Convert 1 mi to km', '换算 1 mi → km'],
  ['count_letters', { text: 'banana', letter: 'a' }, 'Count “a” in: banana', '数“a”：banana'],
  ['count_letters', { text: 'banana' }, 'Count characters and words in: banana', '数字数：banana'],
  ['recall', {}, 'Look through the newest memories', '查看最新的记忆'],
  ['update_plan', { items: [{}, {}] }, 'Plan: 2 parts', '计划：2 项'],
  ['update_plan', { items: [{}] }, 'Plan: 1 part', '计划：1 项'],
  ['read_result', { call: 'c1', from: 3 }, 'Read on in c1', '续读 c1'],
  ['more_tools', { names: ['recall', 'forget'] }, 'Look up tools: recall, forget', '查看工具：recall, forget'],
])('%s %j', (tool, given, english, chinese) => {
  const call = { tool, line: 'own', arguments: given }
  expect([callLine(call, words.getFixedT('en')), callLine(call, words.getFixedT('zh'))]).toEqual([english, chinese])
})

test('what is forgotten is named by its words, not by the id of the call', () => {
  for (const line of ['Forget: “I live in Nanjing.”', '忘掉：“I live in Nanjing.”']) {
    const call = { tool: 'forget', line, arguments: { memory: 'm-1' } }
    expect(callLine(call, words.getFixedT('en'))).toBe('Forget: “I live in Nanjing.”')
    expect(callLine(call, words.getFixedT('zh'))).toBe('忘掉：“I live in Nanjing.”')
  }
})
