import type { TFunction } from 'i18next'

const longest = 200

/** The argument that says most of a call, for the tools that Siku brings along. */
const mainArguments = {
  search_library: 'query',
  read_document: 'document',
  calculate: 'expression',
  remember: 'text',
  recall: 'query',
  search_wikipedia: 'query',
  search_web: 'query',
  read_web_page: 'url',
  get_weather: 'cities',
  write_note: 'title',
  run_javascript: 'code',
  delegate: 'task',
} as const

function textOf(value: unknown): string | null {
  const text = Array.isArray(value) && value.every((each) => typeof each === 'string') ? value.join(', ') : value
  if (typeof text !== 'string' || text.trim() === '') return null
  const characters = [...text.replace(/\s+/g, ' ').trim()]
  return characters.length > longest ? `${characters.slice(0, longest).join('')}…` : characters.join('')
}

/**
 * What a call does, in the language of the interface: the core's own line is in that of the question. For tools and arguments
 * that are not known here, the core's line.
 */
export function callLine(call: { tool: string; line: string; arguments: unknown }, t: TFunction): string {
  const { tool, line } = call
  if (!Object.hasOwn(mainArguments, tool) || typeof call.arguments !== 'object' || call.arguments === null) return line
  const known = tool as keyof typeof mainArguments
  const what = textOf((call.arguments as Record<string, unknown>)[mainArguments[known]])
  return what === null ? line : t(`tools.line.${known}`, { what })
}
