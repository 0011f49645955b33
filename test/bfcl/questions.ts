import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { defineTool, type Tool } from '../../src/core/agent/agent.ts'
import type { JsonSchema } from '../../src/core/models/models.ts'

/** The sets of the Berkeley function-calling leaderboard that are used here; `irrelevance` wants no call. */
export const questionSets = ['simple_python', 'multiple', 'parallel', 'parallel_multiple', 'irrelevance'] as const
export type QuestionSetName = (typeof questionSets)[number]

export interface Call {
  name: string
  arguments: Record<string, unknown>
}

export interface FunctionQuestion {
  id: string
  text: string
  functions: { name: string; description: string; parameters: JsonSchema }[]
  /** The right calls in their order, each of one right wording; none for `irrelevance`. */
  calls: Call[]
  /** What else is right: by call, by parameter. '' stands for one left out. */
  accepted: { name: string; values: Record<string, unknown[]> }[]
  /** Why it cannot be asked: what the set takes for right does not fit the set's own schema. */
  fault: string | null
}

interface RawQuestion {
  id: string
  question: { role: string; content: string }[][]
  function: { name: string; description: string; parameters: JsonSchema }[]
}

interface RawAnswer {
  id: string
  ground_truth: Record<string, Record<string, unknown[]>>[]
}

export function readQuestions(directory: string, set: QuestionSetName): FunctionQuestion[] {
  const answers = new Map<string, RawAnswer['ground_truth']>()
  if (set !== 'irrelevance') {
    for (const { id, ground_truth } of lines<RawAnswer>(join(directory, 'possible_answer', `BFCL_v4_${set}.json`)))
      answers.set(id, ground_truth)
  }
  return lines<RawQuestion>(join(directory, `BFCL_v4_${set}.json`)).map((raw) => questionOf(raw, answers.get(raw.id) ?? []))
}

function lines<T>(path: string): T[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as T)
}

/** Names of tools have small letters and no dots, and no built-in tool or alias may have them. */
const plainName = (name: string): string => `f_${name.toLowerCase().replace(/[^a-z0-9_]/g, '_')}`

function questionOf({ id, question, function: raw }: RawQuestion, truth: RawAnswer['ground_truth']): FunctionQuestion {
  const functions = raw.map(({ name, description, parameters }) => ({
    name: plainName(name),
    description,
    parameters: jsonSchemaOf(parameters),
  }))
  const text = question
    .flat()
    .map(({ content }) => content)
    .join('\n')
  const accepted = truth.flatMap((call) => Object.entries(call).map(([name, values]) => ({ name: plainName(name), values })))
  const faults: string[] = []
  const calls = accepted.map(({ name, values }): Call => {
    const found = functions.find((each) => each.name === name)
    if (found === undefined) faults.push(`no function ${name}`)
    const args = rightArguments(values, checkOf(found?.parameters ?? {}))
    if (args === null) faults.push(`no accepted arguments of ${name} fit its schema`)
    return { name, arguments: args ?? {} }
  })
  return { id, text, functions, calls, accepted, fault: faults[0] ?? null }
}

const types: Record<string, string> = { dict: 'object', float: 'number', tuple: 'array' }
/** Python's words for types as JSON schema's; what it has no word for is left out. */
function jsonSchemaOf(given: JsonSchema): JsonSchema {
  const { type, properties, items, optional: _optional, required, format: _format, ...rest } = given as Record<string, unknown>
  const schema: Record<string, unknown> = { ...rest }
  if (typeof type === 'string' && type !== 'any') schema['type'] = types[type] ?? type
  if (Array.isArray(required)) schema['required'] = required
  if (typeof items === 'object' && items !== null) schema['items'] = jsonSchemaOf(items as JsonSchema)
  if (typeof properties === 'object' && properties !== null) {
    schema['properties'] = Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, jsonSchemaOf(each as JsonSchema)]))
  }
  return schema as JsonSchema
}

/** The schema without what would complete the arguments: they are to arrive as they were written. */
function checkOf(parameters: JsonSchema): z.ZodType {
  const strip = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(strip)
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).filter(
      ([key, each]) => key !== 'default' || (typeof each === 'object' && each !== null && 'type' in each),
    )
    return Object.fromEntries(entries.map(([key, each]) => [key, strip(each)]))
  }
  return z.fromJSONSchema(strip(parameters) as Parameters<typeof z.fromJSONSchema>[0])
}

const mostTried = 500

/** The first combination of accepted values that the schema takes; what may be left out is given when there is a value for it. */
function rightArguments(values: Record<string, unknown[]>, schema: z.ZodType): Record<string, unknown> | null {
  const names = Object.keys(values)
  const choices = names.map((name) => {
    const given = values[name]!.filter((value) => value !== '').flatMap(plainValues)
    return values[name]!.includes('') ? [...given, undefined] : given
  })
  for (let count = 0; count < mostTried; count += 1) {
    let rest = count
    const args: Record<string, unknown> = {}
    let wasThere = true
    choices.forEach((choice, at) => {
      const value = choice[rest % choice.length]
      rest = Math.floor(rest / choice.length)
      if (choice.length === 0) wasThere = false
      else if (value !== undefined) args[names[at]!] = value
    })
    if (wasThere && schema.safeParse(args).success) return args
    if (rest > 0) break
  }
  return null
}

/** Inside objects each value is again a list of accepted ones. */
function plainValues(value: unknown): unknown[] {
  if (Array.isArray(value)) return [value.map((each) => plainValues(each)[0])]
  if (typeof value !== 'object' || value === null) return [value]
  const entries = Object.entries(value).flatMap(([key, each]): [string, unknown][] => {
    if (!Array.isArray(each)) return [[key, each]]
    const first: unknown = each.find((one) => one !== '')
    return first === undefined ? [] : [[key, plainValues(first)[0]]]
  })
  return [Object.fromEntries(entries)]
}

/** The question's functions as tools that say what they were called with. */
export function toolsOf({ functions }: FunctionQuestion, onCall: (call: Call) => void): Tool[] {
  return functions.map(({ name, description, parameters }) =>
    defineTool({
      name,
      description,
      schema: checkOf(parameters),
      parameters,
      access: 'read',
      run(args) {
        onCall({ name, arguments: args as Record<string, unknown> })
        return 'Done.'
      },
    }),
  )
}
