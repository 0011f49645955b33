import type { JsonSchema, ToolSpec } from '../models/models.ts'
import { parameterNames } from './tool-schema.ts'

const longestDescription = 90
const longestParameter = 40
const mostParameters = 6
const mostOptions = 8
const deepest = 4

/**
 * A tool told in few words, for a small window: what it does, and its parameters with their types. What is left out here is
 * checked all the same, and said when a call goes wrong.
 */
export function briefSpec({ description, parameters, ...spec }: ToolSpec): ToolSpec {
  return { ...spec, description: firstWords(description, longestDescription), parameters: briefParameters(parameters, 0) }
}

function briefParameters(schema: JsonSchema, depth: number): JsonSchema {
  const properties = isSchema(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? (schema.required as unknown[]).filter((name) => typeof name === 'string') : []
  const names = parameterNames(schema).slice(0, Math.max(mostParameters, required.length))
  const told = names.flatMap((name): [string, unknown][] => {
    const part = properties[name]
    return isSchema(part) ? [[name, briefSchema(part, depth + 1)]] : []
  })
  return { type: 'object', properties: Object.fromEntries(told), ...(required.length === 0 ? {} : { required }) }
}

function briefSchema(schema: JsonSchema, depth: number): JsonSchema {
  const brief: JsonSchema = {}
  if ('type' in schema) brief.type = schema.type
  const options = Array.isArray(schema.enum) ? (schema.enum as unknown[]) : []
  if (options.length > 0 && options.length <= mostOptions) brief.enum = options
  if ('const' in schema) brief.const = schema.const
  // Few options say by themselves what is wanted.
  if (typeof schema.description === 'string' && brief.enum === undefined)
    brief.description = firstWords(schema.description, longestParameter)
  if (depth >= deepest) return brief
  if (isSchema(schema.items)) brief.items = briefSchema(schema.items, depth + 1)
  if (isSchema(schema.properties)) Object.assign(brief, briefParameters(schema, depth))
  for (const key of ['anyOf', 'oneOf']) {
    const either = schema[key]
    if (Array.isArray(either)) brief[key] = either.filter(isSchema).map((each) => briefSchema(each, depth + 1))
  }
  return brief
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The first sentence, or as many of its words as fit. */
function firstWords(text: string, most: number): string {
  const [first = ''] = text.trim().split(/(?<=[.!?])\s|(?<=[。！？])|\n/)
  if (first.length <= most) return first
  const cut = [...first.slice(0, most)].join('')
  const end = Math.max(cut.lastIndexOf(' '), cut.lastIndexOf('，'), cut.lastIndexOf('、'))
  return `${(end > most / 2 ? cut.slice(0, end) : cut).replace(/[\s,;:，；：、(]+$/, '')}…`
}
