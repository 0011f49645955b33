import { z } from 'zod'
import type { JsonSchema } from '../models/models.ts'

/**
 * The JSON schema of a tool's arguments, as models read it: short, without references, every nested thing written out.
 * Optional and defaulted parameters are not required, nullable ones take `null` among their types.
 */
export function parametersOf(schema: z.ZodType): JsonSchema {
  const made = z.toJSONSchema(schema, { io: 'input', reused: 'inline', cycles: 'throw', unrepresentable: 'any' })
  const tidy = tidied(made) as JsonSchema
  return { ...tidy, type: 'object', properties: tidy.properties ?? {} }
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The keywords whose values are names of parameters, not keywords. */
const maps = new Set(['properties', 'patternProperties', '$defs'])
/** Their values are data, not schemas. */
const data = new Set(['default', 'const', 'enum', 'examples'])

function tidied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidied)
  if (!isSchema(value)) return value
  const entries = Object.entries(value).flatMap(([key, part]): [string, unknown][] => {
    if (key === '$schema' || key === '$id') return []
    // What every integer of JavaScript keeps anyway, and what every key of an object is.
    if ((key === 'minimum' || key === 'maximum') && Math.abs(Number(part)) === Number.MAX_SAFE_INTEGER) return []
    if (key === 'propertyNames' && isSchema(part) && Object.keys(part).join() === 'type') return []
    if (data.has(key)) return [[key, part]]
    if (maps.has(key) && isSchema(part))
      return [[key, Object.fromEntries(Object.entries(part).map(([name, each]) => [name, tidied(each)]))]]
    return [[key, tidied(part)]]
  })
  return withNull(Object.fromEntries(entries))
}

/** `anyOf: [x, null]` as x that takes null too: more servers and models understand it. */
function withNull(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema
  const other: unknown = anyOf.find((each) => isSchema(each) && each.type !== 'null')
  const hasNull = anyOf.some((each) => isSchema(each) && each.type === 'null')
  if (!hasNull || !isSchema(other) || typeof other.type !== 'string') return schema
  const values = Array.isArray(other.enum) ? { enum: [...(other.enum as unknown[]), null] } : {}
  return { ...other, ...rest, type: [other.type, 'null'], ...values }
}

/** The names of the parameters, those that must be given first. */
export function parameterNames(parameters: JsonSchema): string[] {
  const names = Object.keys(isSchema(parameters.properties) ? parameters.properties : {})
  const required = Array.isArray(parameters.required) ? (parameters.required as unknown[]) : []
  return [...names.filter((name) => required.includes(name)), ...names.filter((name) => !required.includes(name))]
}

/** The schema of one parameter, or of something within it; null when the path leads nowhere. */
export function schemaAt(parameters: JsonSchema, path: PropertyKey[]): JsonSchema | null {
  let schema: unknown = parameters
  for (const step of path) {
    if (!isSchema(schema)) return null
    const named = isSchema(schema.properties) ? schema.properties[String(step)] : undefined
    schema = typeof step === 'number' ? schema.items : (named ?? schema.additionalProperties)
  }
  return isSchema(schema) ? schema : null
}

const typeWords: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
}
const mostOptions = 40

/** What a parameter takes, in words for a model: "a whole number from 1 to 20". */
export function wantedWords(schema: JsonSchema): string {
  if ('const' in schema) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) {
    const options = (schema.enum as unknown[]).slice(0, mostOptions).map((option) => JSON.stringify(option))
    return options.length === 1 ? `${options[0]}` : `one of ${options.join(', ')}`
  }
  const either = [schema.anyOf, schema.oneOf].find(Array.isArray) as unknown[] | undefined
  if (either) return [...new Set(either.filter(isSchema).map(wantedWords))].join(' or ')
  const types = (Array.isArray(schema.type) ? schema.type : [schema.type]).filter((type) => typeof type === 'string')
  if (types.length === 0) return 'another value'
  return types.map((type) => `${typeWords[type] ?? type}${type === 'null' ? '' : boundWords(schema, type)}`).join(' or ')
}

function boundWords(schema: JsonSchema, type: string): string {
  if (type === 'array') {
    const items = isSchema(schema.items) ? ` of items that are each ${wantedWords(schema.items)}` : ''
    return items + range(schema.minItems, schema.maxItems, ' with', ' items')
  }
  if (type === 'object') {
    const names = parameterNames(schema)
    return names.length === 0 ? '' : ` with ${names.map((name) => JSON.stringify(name)).join(', ')}`
  }
  if (type === 'string') {
    const pattern = typeof schema.pattern === 'string' && schema.pattern.length <= 100 ? ` that matches ${schema.pattern}` : ''
    return range(schema.minLength, schema.maxLength, ' of', ' characters') + pattern
  }
  return range(schema.minimum ?? schema.exclusiveMinimum, schema.maximum ?? schema.exclusiveMaximum, '', '')
}

function range(from: unknown, to: unknown, before: string, after: string): string {
  if (typeof from === 'number' && typeof to === 'number') return `${before} from ${from} to ${to}${after}`
  if (typeof from === 'number') return `${before} ${from}${after} or more`
  if (typeof to === 'number') return `${before} at most ${to}${after}`
  return ''
}
