import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { McpRemark, McpServerState } from '../../contract/tools.ts'

/** A tool as a server offers it now. */
export interface OfferedTool {
  /** As the server calls it. */
  name: string
  description: string
  schema: McpServerState['tools'][number]['schema']
  /** SHA-256 in hex of name, description and schema: what the user allows. */
  hash: string
}

export interface Listing {
  tools: OfferedTool[]
  /** What was left out and why. */
  remarks: McpRemark[]
  /** The server goes on giving parts of its list: what it offers cannot be known. */
  isEndless: boolean
}

/** More than a model can choose from, and less than would hold up a screen. */
export const maximalTools = 500
const maximalDescription = 8000
const maximalSchema = 50_000
const maximalDepth = 32

const rawToolSchema = z.object({
  name: z.string().min(1).max(128),
  description: z.string().max(maximalDescription).default(''),
  inputSchema: z.looseObject({ type: z.literal('object') }),
})

/** A tool that is malformed, too large or named like one before is left out: cutting it would show another thing than what runs. */
export function readListing(raw: unknown[], isEndless: boolean, clean: (text: string) => string): Listing {
  const kept = new Map<string, OfferedTool>()
  let refused = 0
  for (const each of raw.slice(0, maximalTools)) {
    const tool = readTool(each, clean)
    if (tool === null || kept.has(tool.name)) refused += 1
    else kept.set(tool.name, tool)
  }
  const remarks: McpRemark[] = []
  if (refused > 0) remarks.push({ code: 'left-out', count: refused })
  if (raw.length > maximalTools) remarks.push({ code: 'too-many', count: maximalTools })
  if (isEndless) remarks.push({ code: 'endless', count: 0 })
  return { tools: [...kept.values()], remarks, isEndless }
}

function readTool(raw: unknown, clean: (text: string) => string): OfferedTool | null {
  if (!isShallow(raw, maximalDepth)) return null
  const parsed = rawToolSchema.safeParse(raw)
  if (!parsed.success) return null
  const schema = z.record(z.string(), z.json()).safeParse(parsed.data.inputSchema)
  if (!schema.success || JSON.stringify(schema.data).length > maximalSchema) return null
  const { name } = parsed.data
  const description = clean(parsed.data.description)
  return { name, description, schema: schema.data, hash: toolHash(name, description, schema.data) }
}

export function toolHash(name: string, description: string, inputSchema: unknown): string {
  return createHash('sha256').update(canonicalJson({ name, description, inputSchema })).digest('hex')
}

/** The same text for the same value, in whatever order its keys came. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  entries.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${canonicalJson(each)}`).join(',')}}`
}

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return depth > 0 && Object.values(value).every((each) => isShallow(each, depth - 1))
}
