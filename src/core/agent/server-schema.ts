import { z } from 'zod'
import type { JsonSchema } from '../models/models.ts'

/** What of a server's schema is checked here. Patterns are not: a server's own could be made to run for ever. */
const bounds = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength', 'minItems', 'maxItems'] as const
const types = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])

/**
 * Checks arguments by the JSON schema that a server gave for its tool, as far as it can be told here; whatever it cannot tell
 * (references, conditions, unknown words) is left to the server. Anything that is an object passes where nothing can be told.
 */
export function serverSchema(given: JsonSchema): z.ZodType {
  try {
    const schema = z.fromJSONSchema(checkable({ ...given, type: 'object' }))
    // One that cannot be used shows it here, not at a call.
    schema.safeParse({})
    return schema
  } catch {
    return z.record(z.string(), z.unknown())
  }
}

const plainSchema = z.record(z.string(), z.json())
type Plain = z.output<typeof plainSchema>

/** Only words that are known, so that nothing in it is refused, runs long or refers to itself. */
function checkable(given: unknown): Plain {
  const read = plainSchema.safeParse(given)
  if (!read.success || '$ref' in read.data) return {}
  const from = read.data
  const schema: Plain = {}
  const named = [from.type].flat().filter((type) => typeof type === 'string')
  if (named.length > 0 && named.every((type) => types.has(type))) Object.assign(schema, withNull(named))
  const { enum: values, const: only } = from
  if (Array.isArray(values) && values.length > 0 && values.every((value) => typeof value !== 'object' || value === null))
    schema.enum = values
  if (only !== undefined && (typeof only !== 'object' || only === null)) schema.const = only
  for (const name of bounds) if (typeof from[name] === 'number') schema[name] = from[name]
  if (typeof from.properties === 'object' && from.properties !== null && !Array.isArray(from.properties)) {
    const properties = Object.entries(from.properties).filter(([name]) => name !== '__proto__')
    schema.properties = Object.fromEntries(properties.map(([name, each]) => [name, checkable(each)]))
  }
  if (Array.isArray(from.required)) schema.required = from.required.filter((name) => typeof name === 'string')
  if (from.additionalProperties === false) schema.additionalProperties = false
  if (typeof from.items === 'object' && !Array.isArray(from.items)) schema.items = checkable(from.items)
  const choices = [from.anyOf, from.oneOf].find((each) => Array.isArray(each))
  if (!Array.isArray(choices) || schema.type !== undefined || schema.enum !== undefined) return schema
  const others = choices.map(checkable).filter((each) => each.type !== 'null')
  const isNullable = others.length < choices.length
  if (isNullable && others.length === 1) return { ...others[0], nullable: true }
  return { ...schema, anyOf: [...others, ...(isNullable ? [{ type: 'null' }] : [])] }
}

/** As one type that takes null too: a mistake in it is then told, and mended, as that of the one type. */
function withNull(named: string[]): Plain {
  const others = named.filter((type) => type !== 'null')
  if (others.length !== 1) return { type: named.length === 1 ? named[0]! : named }
  return { type: others[0]!, ...(others.length < named.length ? { nullable: true } : {}) }
}
