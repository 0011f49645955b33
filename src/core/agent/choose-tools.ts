import { foldText } from '../search/search.ts'
import type { ToolSpec } from '../models/models.ts'
import { briefSpec } from './brief-spec.ts'
import { findTool, toolSpec, type Tool } from './tool.ts'

/** Where the task says nothing of them, these go first, the least needed first; what the user or a host added stays longer. */
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
  'write_note',
  'read_web_page',
  'search_web',
]
/** What the second finds or reads on is asked of the first. */
const companions: Record<string, string> = {
  search_web: 'read_web_page',
  read_document: 'search_library',
  summarise_document: 'search_library',
  forget: 'recall',
}

/** Of the window, descriptions of tools take no more. */
const share = 0.32
/** Beside that, what tells of those that are left out. */
const moreShare = 0.06
/** More than any task can say. */
const asked = 100

export interface ToolChoosing {
  /** The question, as the user wrote it. */
  task: string
  /** Names of tools that the turn before called: what follows often wants them again. */
  before: readonly string[]
  windowTokens: number
  tokensOf(spec: ToolSpec): number
  /** Names of tools that stay, whatever the task says: those that were asked for, or are at work. */
  keep?: readonly string[]
  /** What tells of the tools that are left out, the most wanted first, so many of them by name; null: nothing does. */
  more?: (leftOut: readonly Tool[], names: number) => Tool | null
}

export interface ChosenTools {
  /** As they are told to the model, in their order. */
  tools: Tool[]
  leftOut: Tool[]
}

/**
 * The tools that a window has room for: all of them whole; else all of them in few words; else those that the task speaks
 * for, then the most needed, and one that tells of the others.
 */
export function chooseTools(
  tools: Tool[],
  { task, before, windowTokens, tokensOf, keep = [], more = () => null }: ToolChoosing,
): ChosenTools {
  const most = windowTokens * share
  const specs = tools.map(toolSpec)
  if (sum(specs.map(tokensOf)) <= most) return { tools, leftOut: [] }
  const brief = tools.map((tool, index): Tool => ({ ...tool, spec: briefSpec(specs[index]!) }))
  const tokens = new Map(brief.map((tool) => [tool, tokensOf(toolSpec(tool))]))
  if (sum([...tokens.values()]) <= most) return { tools: brief, leftOut: [] }
  const worth = worthOf(brief, task, before)
  for (const tool of brief) if (keep.includes(tool.name)) worth.set(tool, (worth.get(tool) ?? 0) + asked)
  const ranked = [...brief].sort((a, b) => (worth.get(b) ?? 0) - (worth.get(a) ?? 0))
  const chosen = new Set<Tool>()
  let left = most
  for (const tool of ranked) {
    const needed = tokens.get(tool) ?? 0
    if (needed > left) continue
    chosen.add(tool)
    left -= needed
  }
  const others = ranked.filter((tool) => !chosen.has(tool))
  const telling = tellingOf(others, more, (tool) => tokensOf(toolSpec(tool)) <= windowTokens * moreShare)
  return {
    tools: [...brief.filter((tool) => chosen.has(tool)), ...telling],
    leftOut: tools.filter((_tool, index) => !chosen.has(brief[index]!)),
  }
}

/** Whether a task speaks of anything that a tool is for: a greeting does not. */
export function speaksForTools(tools: readonly Tool[], task: string): boolean {
  const words = wordsOf(task)
  return tools.some((tool) => {
    if (isNamed(tool, task) || suiting(tool, task) > 0) return true
    return tool.suits === undefined && [...wordsOf(`${tool.name.replaceAll('_', ' ')} ${tool.description}`)].some((word) => words.has(word))
  })
}

/** With as many names as there is room for. */
function tellingOf(others: readonly Tool[], more: NonNullable<ToolChoosing['more']>, fits: (tool: Tool) => boolean): Tool[] {
  for (let names = others.length; names > 0; names -= 1) {
    const tool = more(others, names)
    if (tool === null) return []
    if (fits(tool)) return [tool]
  }
  return []
}

/** How much a task speaks for each tool; below one, how needed it is when nothing does. */
function worthOf(tools: Tool[], task: string, before: readonly string[]): Map<Tool, number> {
  const words = wordsOf(task)
  const described = tools.map((tool) => wordsOf(`${tool.name.replaceAll('_', ' ')} ${tool.description}`))
  const worth = new Map<Tool, number>()
  for (const [index, tool] of tools.entries()) {
    let points = neededWithoutWords(tool, index, tools.length)
    if (isNamed(tool, task)) points += 6
    points += Math.min(3, suiting(tool, task)) * 2
    if (before.some((name) => findTool([tool], name) !== null)) points += 3
    // A word that few tools are described by says more than one that all are.
    for (const word of described[index] ?? []) {
      if (!words.has(word)) continue
      points += 1.5 / described.filter((other) => other.has(word)).length
    }
    worth.set(tool, points)
  }
  for (const tool of tools) {
    const other = tools.find(({ name }) => name === companions[tool.name])
    if (other !== undefined) worth.set(other, Math.max(worth.get(other) ?? 0, (worth.get(tool) ?? 0) * 0.6))
  }
  return worth
}

function neededWithoutWords({ name }: Tool, index: number, count: number): number {
  const at = dispensable.indexOf(name)
  if (at !== -1) return (0.8 * at) / dispensable.length
  return 1 - (0.2 * index) / count
}

/** A name of one word may be a word of any task. */
function isNamed({ name }: Tool, task: string): boolean {
  const said = task.toLowerCase()
  return name.includes('_') && [name, name.replaceAll('_', ' ')].some((each) => said.includes(each.toLowerCase()))
}

/** How many different words of the task speak for it. */
function suiting({ suits }: Tool, task: string): number {
  if (suits === undefined) return 0
  const every = new RegExp(suits.source, suits.flags.includes('g') ? suits.flags : `${suits.flags}g`)
  return new Set([task, foldText(task)].flatMap((text) => text.match(every) ?? []).map(foldText)).size
}

const common = new Set(
  'the and for with that this from what which when where who how many much are was were has have not can you your its one all any into out about does did use give gives tool'.split(
    ' ',
  ),
)

/** Words by their beginnings, so that "files" meets "file"; of Han each two neighbours. */
function wordsOf(text: string): Set<string> {
  const folded = foldText(text)
  const latin = (folded.match(/\p{Script=Latin}{3,}/gu) ?? [])
    .filter((word) => !common.has(word))
    .map((word) => word.slice(0, 6).replace(/(?:es|s)$/, ''))
  const han = (folded.match(/\p{Script=Han}{2,}/gu) ?? []).flatMap((run) =>
    [...run].slice(1).map((next, at) => `${[...run][at] ?? ''}${next}`),
  )
  return new Set([...latin, ...han])
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
