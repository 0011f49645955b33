import type { TFunction } from 'i18next'
import type words from '../words/en/tools.json'

const longest = 200

function textOf(value: unknown): string | null {
  const text = Array.isArray(value) && value.every((each) => typeof each === 'string') ? value.join(', ') : value
  if (typeof text !== 'string' || text.trim() === '') return null
  const characters = [...text.replace(/\s+/g, ' ').trim()]
  return characters.length > longest ? `${characters.slice(0, longest).join('')}…` : characters.join('')
}

type Given = Record<string, unknown>
type Key = Exclude<keyof typeof words.line, `${string}_one` | `${string}_other`>

/** The line whose only words are those of one argument. */
const saying =
  (key: Key, argument: string) =>
  (given: Given, t: TFunction): string | null => {
    const what = textOf(given[argument])
    return what === null ? null : t(`tools.line.${key}`, { what })
  }

/** The same, with another line where that argument was left out. */
const sayingOr =
  (key: Key, without: Key, argument: string) =>
  (given: Given, t: TFunction): string | null =>
    isLeftOut(given[argument]) ? t(`tools.line.${without}`) : saying(key, argument)(given, t)

/** For the tools that Siku brings along; null for arguments of another form. */
const lines: Record<string, (given: Given, t: TFunction) => string | null> = {
  search_library: saying('search_library', 'query'),
  read_document: saying('read_document', 'document'),
  summarise_document: (given, t) => saying('summarise_document', 'document')({ document: numberText(given['document']) }, t),
  count_in_library: saying('count_in_library', 'words'),
  list_documents(given, t) {
    const parts = [given['name'], given['folder']].filter((part) => !isLeftOut(part))
    return parts.length === 0 ? t('tools.line.list_all_documents') : saying('list_documents', 'parts')({ parts }, t)
  },
  query_table: (given, t) =>
    isLeftOut(given['sql']) ? sayingOr('list_tables', 'list_all_tables', 'about')(given, t) : saying('query_table', 'sql')(given, t),
  get_current_datetime: sayingOr('get_current_datetime_in', 'get_current_datetime', 'zone'),
  calculate: saying('calculate', 'expression'),
  convert_units(given, t) {
    const [value, from, to] = [textOf(numberText(given['value'])), textOf(given['from']), textOf(given['to'])]
    return value === null || from === null || to === null ? null : t('tools.line.convert_units', { value, from, to })
  },
  count_letters(given, t) {
    const [what, letter] = [textOf(given['text']), textOf(given['letter'])]
    if (what === null) return null
    return letter === null ? t('tools.line.count_all_letters', { what }) : t('tools.line.count_letters', { what, letter })
  },
  remember: saying('remember', 'text'),
  recall: sayingOr('recall', 'recall_newest', 'query'),
  search_wikipedia: saying('search_wikipedia', 'query'),
  search_web: saying('search_web', 'query'),
  read_web_page: saying('read_web_page', 'url'),
  get_weather: saying('get_weather', 'cities'),
  write_note: saying('write_note', 'title'),
  run_javascript: saying('run_javascript', 'code'),
  delegate: saying('delegate', 'task'),
  update_plan: ({ items }, t) => (Array.isArray(items) ? t('tools.line.update_plan', { count: items.length }) : null),
  read_result: saying('read_result', 'call'),
  more_tools: saying('more_tools', 'names'),
}

function numberText(value: unknown): unknown {
  return typeof value === 'number' ? String(value) : value
}

function isLeftOut(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}

/**
 * What a call does, in the language of the interface: the core's own line is in that of the question. For tools and arguments
 * that are not known here, the core's line.
 */
export function callLine(call: { tool: string; line: string; arguments: unknown }, t: TFunction): string {
  const { tool, line } = call
  if (typeof call.arguments !== 'object' || call.arguments === null) return line
  if (tool === 'forget') {
    // The call may give an id: only the core's line has the words of the memory.
    const what = /^(?:Forget: |忘掉：)“(.*)”$/su.exec(line)?.[1]
    return what === undefined ? line : t('tools.line.forget', { what })
  }
  if (!Object.hasOwn(lines, tool)) return line
  return lines[tool]?.({ ...call.arguments }, t) ?? line
}
