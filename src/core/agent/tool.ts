import type { z } from 'zod'
import type { Source } from '../../contract/answer.ts'
import type { Language, Scope } from '../../contract/library.ts'
import type { ToolAccess, UnavailableCode } from '../../contract/tools.ts'
import type { JsonSchema, ToolSpec } from '../models/models.ts'
import { checkBySchema, type CheckedArguments } from './tool-arguments.ts'
import { argumentsText, readableLine } from './tool-line.ts'
import { parametersOf } from './tool-schema.ts'

export type { CheckedArguments } from './tool-arguments.ts'

/** A passage or page that a result shows. The answer cites it by the marker that `cite` gives. */
export type ToolSource = Omit<Source, 'marker'>

export interface ToolContext {
  /** Aborted by stop, and when the tool's time is over. */
  signal: AbortSignal
  now: () => number
  /** Of the question: what a person reads in the result is in this language. */
  language: Language
  chatId: string
  turnId: string
  /** What of the library the user let this question see. */
  scope: Scope
  /** Numbers them for citing; one that was numbered before keeps its number. */
  cite(sources: ToolSource[]): number[]
}

export interface Unavailable {
  code: UnavailableCode
  text: string
}

export interface ToolOutput {
  text: string
  /** It could not be done: `text` says why and what else could be tried. */
  failed?: boolean
}

/**
 * One thing that the agent may do. Adding one is one file that exports it and one line in `tools/tools.ts`.
 *
 *     const rollDice = defineTool({
 *       name: 'roll_dice',
 *       description: 'Rolls dice and gives each result.',
 *       schema: z.object({ count: z.int().min(1).max(20).describe('how many dice') }),
 *       access: 'read',
 *       run: ({ count }) => Array.from({ length: count }, () => 1 + Math.floor(Math.random() * 6)).join(' '),
 *     })
 */
export interface Tool<Arguments = unknown> {
  /** As models call it: letters (a-z by custom), digits and _; 64 at most. */
  name: string
  /** For the model and for the list of tools: what it does, what it gives, when to use it. */
  description: string
  /** Checks what the model gave. Each property has a description. */
  schema: z.ZodType<Arguments>
  /** What models see instead of what is made from `schema`: for tools of MCP servers. */
  parameters?: JsonSchema
  access: ToolAccess
  /** `built-in` when left out, else an MCP server's id. */
  source?: string
  /** What was allowed for a chat, or always, counts for this one. Left out, it is made of what the tool is said to do and take. */
  version?: string
  /** What its results bring into the context: text that is the user's own, text that anybody may have written. */
  gives?: { private?: boolean; untrusted?: boolean }
  limits?: { timeoutMs?: number; maxCharacters?: number }
  /** Models that call it by another name mean it. */
  aliases?: string[]
  /** Words of tasks that it is for, in English and in Chinese: where a window has no room for all tools, those that suit stay. */
  suits?: RegExp
  /** What models are told of it instead of the whole: set on the copy that a small window is given. */
  spec?: ToolSpec
  /** The alias that a call used: set by `findTool` on the copy that it gives. */
  calledAs?: string
  /** Arguments in the shape of the schema, when a call by an alias, or a common mistake, gives them in another; undefined: as they are. */
  adapt?(given: unknown, calledAs: string): unknown
  /** What a call touches: a host, a folder; '' for nothing. An "always" counts for one site. */
  site?(args: Arguments): string
  /** Why such a call can never run, whoever allows it: nobody is asked then. Null where it may. */
  refuses?(args: Arguments): string | null
  /** The call in a few words for a person; made from name and arguments when left out. */
  line?(args: Arguments, language: Language): string
  /** Why it cannot be used now; null when it can. Such a tool is not offered to models. With a code it is said in the user's language. */
  unavailable?(): string | Unavailable | null
  /** Throws or gives `failed` for what could not be done: either becomes a result that the model can act on. */
  run(args: Arguments, context: ToolContext): string | ToolOutput | Promise<string | ToolOutput>
  /** Ends what it keeps running between calls. */
  close?(): void | Promise<void>
}

/** A tool whose arguments have the schema's type inside, and any tool's outside. Its JSON schema is made here, once. */
export function defineTool<Schema extends z.ZodType>(tool: Omit<Tool<z.output<Schema>>, 'schema'> & { schema: Schema }): Tool {
  return { ...tool, parameters: tool.parameters ?? parametersOf(tool.schema) } as unknown as Tool
}

/** The tool as models are told of it. */
export function toolSpec(tool: Tool): ToolSpec {
  const { name, description, aliases, spec } = tool
  return spec ?? { name, description, parameters: parametersFor(tool), ...(aliases === undefined ? {} : { aliases }) }
}

function parametersFor(tool: Tool): JsonSchema {
  return tool.parameters ?? parametersOf(tool.schema)
}

/**
 * The arguments of a call, checked and completed by the tool's schema; or words that a model can mend them by. What is
 * taken though it is not quite right: see `checkBySchema`. `given` is an object, or JSON text of one.
 */
export function checkArguments(tool: Tool, given: unknown): CheckedArguments {
  const adapted = tool.adapt?.(given, tool.calledAs ?? tool.name) ?? given
  const checked = checkBySchema(tool.schema, parametersFor(tool), adapted)
  return checked.kind === 'bad' ? { kind: 'bad', message: `${tool.name} was not run. ${checked.message}` } : checked
}

/**
 * The tool that a model means: by its name, an alias, or either in another case, with a prefix like `functions.`. A tool
 * found by its alias comes as a copy that knows it. Null when there is none, or when it could be two.
 */
export function findTool(tools: readonly Tool[], name: string): Tool | null {
  const exact = tools.find((tool) => tool.name === name)
  if (exact) return exact
  for (const fold of [(text: string) => text.trim(), foldedName]) {
    const wanted = fold(name)
    const named = tools.filter((tool) => fold(tool.name) === wanted)
    if (named.length > 0) return named.length === 1 ? named[0]! : null
    const aliased = tools.flatMap((tool) =>
      (tool.aliases ?? []).filter((alias) => fold(alias) === wanted).map((calledAs) => ({ ...tool, calledAs })),
    )
    if (aliased.length > 0) return aliased.length === 1 ? aliased[0]! : null
  }
  return null
}

function foldedName(name: string): string {
  return name
    .trim()
    .replace(/^(?:functions?|tools?|default_api|api)(?:\.|::|\/|:)/i, '')
    .replace(/\(.*\)$/s, '')
    .toLowerCase()
    .replace(/[\s_-]/g, '')
}

/** What a call touches; '' for nothing. */
export function siteOf(tool: Tool, args: unknown): string {
  return tool.site?.(args) ?? ''
}

/** The call in one line for a person, whatever the model wrote into it. */
export function callLine(tool: Tool, args: unknown, language: Language): string {
  return readableLine(ownLine(tool, args, language) ?? `${tool.name}${argumentsText(args)}`)
}

function ownLine(tool: Tool, args: unknown, language: Language): string | null {
  try {
    return tool.line?.(args, language) ?? null
  } catch {
    // A line for people is no reason to lose a call.
    return null
  }
}

/** Arguments with names that models often take for others: `timezone` for `zone`. What stands under its own name stays. */
export function withNames(given: unknown, others: Record<string, readonly string[]>): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given
  const named: Record<string, unknown> = { ...given }
  for (const [name, spellings] of Object.entries(others)) {
    const spelling = Object.keys(named).find((key) => spellings.includes(key.toLowerCase().replace(/[\s_-]/g, '')))
    if (spelling === undefined || Object.hasOwn(named, name)) continue
    named[name] = named[spelling]
    Reflect.deleteProperty(named, spelling)
  }
  return named
}
