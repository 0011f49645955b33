import type { Tool } from './tool.ts'

/** In a small window these go first, the least needed first; what the user or a host added goes last. */
const dispensable = [
  'delegate',
  'run_javascript',
  'convert_units',
  'count_letters',
  'forget',
  'summarise_document',
  'count_in_library',
  'query_table',
  'search_wikipedia',
  'recall',
  'update_plan',
  'get_current_datetime',
  'list_documents',
  'remember',
  'get_weather',
  'calculate',
  'read_web_page',
  'search_web',
]

/** Of the window, descriptions of tools take no more. */
const share = 0.4

/** The tools whose descriptions fit a small window, in their order; how many were left out. */
export function chooseTools(tools: Tool[], windowTokens: number, tokensOf: (tool: Tool) => number): { tools: Tool[]; leftOut: number } {
  let tokens = tools.reduce((sum, tool) => sum + tokensOf(tool), 0)
  const most = windowTokens * share
  const left = new Set<Tool>()
  const order = [...dispensable.flatMap((name) => tools.filter((tool) => tool.name === name)), ...tools.toReversed()]
  for (const tool of order) {
    if (tokens <= most) break
    if (left.has(tool)) continue
    left.add(tool)
    tokens -= tokensOf(tool)
  }
  return { tools: tools.filter((tool) => !left.has(tool)), leftOut: left.size }
}
