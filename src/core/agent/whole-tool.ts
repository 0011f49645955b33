import { createHash } from 'node:crypto'
import { z } from 'zod'
import { SikuError } from '../../contract/errors.ts'
import { toolAccessSchema } from '../../contract/tools.ts'
import type { Tool } from './tool.ts'
import { canonicalJson } from './canonical.ts'
import { parametersOf } from './tool-schema.ts'

const nameSchema = z
  .string()
  .regex(/^[A-Za-z0-9_]{1,64}$/, 'letters, digits and _ only, 64 at most')
  .refine((name) => !(name in {}), 'every object has this name')

const isFunction = (value: unknown): boolean => typeof value === 'function'

/** Of any copy of zod 4. */
function isSchema(value: unknown): boolean {
  return typeof value === 'object' && value !== null && '_zod' in value && 'safeParse' in value
}

/** What a host gives as a tool: TypeScript does not hold for JavaScript, nor for what was cast. */
const toolSchema = z.object({
  name: nameSchema,
  description: z.string(),
  access: toolAccessSchema,
  schema: z.custom<z.ZodType>(isSchema, 'a zod schema is wanted'),
  aliases: z.array(z.string()).optional(),
  run: z.custom<Tool['run']>(isFunction, 'a function is wanted'),
})

/** The tool with the JSON schema that models are told of; throws `bad-input`, which says what is not right. */
export function wholeTool(tool: Tool): Tool {
  const checked = toolSchema.safeParse(tool)
  if (!checked.success) {
    const { path, message } = checked.error.issues[0]!
    if (path[0] === 'name') throw new SikuError('bad-input', `“${shownName(tool)}” is no name of a tool: ${message}.`)
    throw bad(tool, `${path.join('.')}: ${message}`)
  }
  if (waits(tool.schema, new Set())) throw bad(tool, 'schema: a check or transform that waits (async) cannot be used; do it in run')
  const parameters = tool.parameters ?? parametersFor(tool)
  return { ...tool, parameters, version: tool.version ?? toolVersion({ ...tool, parameters }) }
}

/** Another description, schema or access is another tool: what was allowed before does not hold for it. */
export function toolVersion({ description, access, parameters }: Pick<Tool, 'description' | 'access' | 'parameters'>): string {
  return createHash('sha256')
    .update(canonicalJson([access, description, parameters]))
    .digest('hex')
}

function parametersFor(tool: Tool): Tool['parameters'] {
  let type: unknown
  try {
    type = z.toJSONSchema(tool.schema, { io: 'input', unrepresentable: 'any' }).type
  } catch (error) {
    throw bad(tool, `schema: ${error instanceof Error ? error.message : 'it has no JSON schema'}`)
  }
  if (type !== 'object') throw bad(tool, 'schema: z.object is wanted')
  return parametersOf(tool.schema)
}

/** Whether an async function stands anywhere in what a schema is made of. */
function waits(value: unknown, seen: Set<unknown>): boolean {
  if (typeof value === 'function') return value.constructor.name === 'AsyncFunction'
  if (typeof value !== 'object' || value === null || seen.has(value)) return false
  seen.add(value)
  if (Array.isArray(value)) return value.some((each) => waits(each, seen))
  const definition = '_zod' in value ? (value._zod as { def?: unknown }).def : value
  return typeof definition === 'object' && definition !== null && Object.values(definition).some((each) => waits(each, seen))
}

function bad(tool: Tool, why: string): SikuError {
  return new SikuError('bad-input', `“${shownName(tool)}” is no whole tool: ${why}.`)
}

function shownName(tool: Tool): string {
  return String(tool?.name).slice(0, 80)
}
