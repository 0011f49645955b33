import type { z } from 'zod'
import { counted } from '../../contract/counted.ts'
import { isDeeper } from '../../contract/nesting.ts'
import type { JsonSchema } from '../models/models.ts'
import { parameterNames, schemaAt, wantedWords } from './tool-schema.ts'

export type CheckedArguments =
  /** `ignored` names parameters that the tool does not have: the model is told, the call is run. */
  { kind: 'ok'; value: unknown; ignored: string[] } | { kind: 'bad'; message: string }

interface Issue {
  code?: string
  path: PropertyKey[]
  message: string
  expected?: string
  values?: readonly unknown[]
  keys?: string[]
}

type Given = Record<string, unknown>

/** Each round mends one level; deeper mistakes than that are told. */
const mostRounds = 6
const mostIssues = 6
const mostGivenCharacters = 120
const deepest = 100

/**
 * Arguments as a model gave them, by the tool's schema. What can be read in only one way is taken so: `"3"` for a number,
 * `3` for a text, an object or a list in a string, one value for a list, null for a parameter left out, an option or a name
 * in another case, plain text for the one text that a tool must have. Anything else is told in words that name the parameter, what was given and what is wanted.
 */
export function checkBySchema(schema: z.ZodType, parameters: JsonSchema, given: unknown): CheckedArguments {
  let value: unknown = typeof given === 'string' ? (fromJson(given) ?? bareText(given, parameters) ?? given) : (given ?? {})
  if (Array.isArray(value) && value.length === 1) value = value[0] as unknown
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const names = parameterNames(parameters)
    const example = names.length === 0 ? '{}' : `an object with ${names.map((name) => JSON.stringify(name)).join(', ')}`
    return { kind: 'bad', message: `The arguments must be ${example}; ${shown(given)} was given.` }
  }
  const named = withKnownNames(structuredCloneOf(value) as Given, parameters)
  for (let round = 0; ; round++) {
    const result = schema.safeParse(named)
    if (result.success) return { kind: 'ok', value: result.data, ignored: ignoredNames(named, result.data, parameters) }
    const issues = result.error.issues as unknown as Issue[]
    const mended = round < mostRounds && issues.map((issue) => mend(named, issue)).some(Boolean)
    if (!mended) return { kind: 'bad', message: problemText(issues, named, parameters) }
  }
}

/** Plain text for a tool that must be given one text and nothing else. What looks like broken JSON is not taken for text. */
function bareText(text: string, parameters: JsonSchema): Given | undefined {
  const required = Array.isArray(parameters.required) ? (parameters.required as unknown[]) : []
  const [name] = required
  if (required.length !== 1 || typeof name !== 'string' || schemaAt(parameters, [name])?.type !== 'string') return undefined
  return text.trim() === '' || /^\s*["{[]/.test(text) ? undefined : { [name]: text.trim() }
}

/** Values of JSON only, and an own `__proto__` is left out. */
function structuredCloneOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(structuredCloneOf)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([key]) => key !== '__proto__')
  return Object.fromEntries(entries.map(([key, part]) => [key, structuredCloneOf(part)]))
}

function folded(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '')
}

/** `maxResults` for `max_results`, when nothing else has that name. */
function withKnownNames(given: Given, parameters: JsonSchema): Given {
  const names = parameterNames(parameters)
  const entries = Object.entries(given).map(([key, value]): [string, unknown] => {
    if (names.includes(key)) return [key, value]
    const meant = names.filter((name) => folded(name) === folded(key))
    return meant.length === 1 && !Object.hasOwn(given, meant[0]!) ? [meant[0]!, value] : [key, value]
  })
  return Object.fromEntries(entries)
}

function ignoredNames(given: Given, parsed: unknown, parameters: JsonSchema): string[] {
  if (typeof parsed !== 'object' || parsed === null) return []
  const names = parameterNames(parameters)
  return Object.keys(given).filter((key) => !Object.hasOwn(parsed, key) && !names.includes(key))
}

/** Changes the one place that an issue is about; false when it would be a guess. */
function mend(root: Given, issue: Issue): boolean {
  const key = issue.path.at(-1)
  if (key === undefined) return false
  const holder = valueAt(root, issue.path.slice(0, -1))
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, key)) return false
  const place = holder as Record<PropertyKey, unknown>
  const given = place[key]
  if (given === null && !Array.isArray(holder)) return Reflect.deleteProperty(place, key)
  const better = mendedValue(given, issue)
  if (better === undefined) return false
  place[key] = better
  return true
}

function mendedValue(given: unknown, issue: Issue): unknown {
  if (issue.code === 'invalid_value' && typeof given === 'string') {
    const meant = (issue.values ?? []).filter((value) => typeof value === 'string' && folded(value) === folded(given.trim()))
    return meant.length === 1 && meant[0] !== given ? meant[0] : undefined
  }
  if (issue.code !== 'invalid_type') return undefined
  const expected = issue.expected
  if (expected === 'array') {
    const list = typeof given === 'string' ? fromJson(given) : undefined
    return Array.isArray(list) ? list : given === undefined ? undefined : [given]
  }
  if (Array.isArray(given)) return given.length === 1 ? (given[0] as unknown) : undefined
  if (expected === 'string') return typeof given === 'number' || typeof given === 'boolean' ? String(given) : undefined
  if (typeof given !== 'string') return undefined
  const text = given.trim()
  if (expected === 'number' || expected === 'int') return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined
  if (expected === 'boolean') return /^true$/i.test(text) ? true : /^false$/i.test(text) ? false : undefined
  if (expected === 'object' || expected === 'record') {
    const object = fromJson(text)
    return typeof object === 'object' && object !== null && !Array.isArray(object) ? object : undefined
  }
  return undefined
}

function fromJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isDeeper(value, deepest) ? undefined : structuredCloneOf(value)
  } catch {
    return undefined
  }
}

function valueAt(root: unknown, path: PropertyKey[]): unknown {
  let value = root
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Record<PropertyKey, unknown>)[step]
  }
  return value
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > mostGivenCharacters ? `${text.slice(0, mostGivenCharacters)}…` : text
}

function pathText(path: PropertyKey[]): string {
  return JSON.stringify(
    path.map((step, index) => (typeof step === 'number' ? `[${step + 1}]` : index === 0 ? String(step) : `.${String(step)}`)).join(''),
  )
}

function problemText(issues: Issue[], given: Given, parameters: JsonSchema): string {
  const lines = issues.slice(0, mostIssues).map((issue) => issueText(issue, given, parameters))
  if (issues.length > mostIssues) lines.push(`and ${counted(issues.length - mostIssues, 'more mistake')}`)
  return `The arguments do not fit.\n${lines.map((line) => `- ${line}`).join('\n')}\nCall it again with these mended.`
}

function issueText(issue: Issue, given: Given, parameters: JsonSchema): string {
  if (issue.path.length === 0 && issue.code !== 'unrecognized_keys') return issue.message
  if (issue.code === 'unrecognized_keys') return `there is no parameter ${(issue.keys ?? []).map((key) => JSON.stringify(key)).join(', ')}`
  const schema = schemaAt(parameters, issue.path)
  const wanted = issue.code === 'custom' || schema === null ? issue.message : `${wantedWords(schema)} is wanted`
  const value = valueAt(given, issue.path)
  if (value !== undefined) return `${pathText(issue.path)}: ${shown(value)} was given; ${wanted}`
  const about = typeof schema?.description === 'string' ? ` (${schema.description})` : ''
  const known = parameterNames(parameters)
  const others = Object.keys(given).filter((key) => !known.includes(key))
  const instead = others.length === 0 ? '' : `; there is no parameter ${others.map((key) => JSON.stringify(key)).join(', ')}`
  return `${pathText(issue.path)} is missing; ${wanted}${about}${instead}`
}
