import { z } from 'zod'
import { errorValueSchema } from './errors.ts'

/** `read` runs; the others ask. `network` is blocked by the offline switch; `run` has no network at all. */
export const toolAccessSchema = z.enum(['read', 'write', 'network', 'run'])
export type ToolAccess = z.infer<typeof toolAccessSchema>

/** They change what every later chat is told: with text of others in the context each call is asked for exactly, whatever was allowed. */
export const memoryChangingTools: ReadonlySet<string> = new Set(['remember', 'forget'])

/** Why a tool cannot be used now; `other`: its own words say. */
export const unavailableCodeSchema = z.enum(['offline', 'memories-off', 'no-note-folder', 'other'])
export type UnavailableCode = z.infer<typeof unavailableCodeSchema>

/** A tool as the interface lists it. */
export const toolInfoSchema = z.object({
  name: z.string(),
  description: z.string(),
  access: toolAccessSchema,
  /** `built-in`, or the id of the MCP server that offers it. */
  source: z.string(),
  /** JSON schema of its arguments, as models see it. */
  schema: z.record(z.string(), z.json()),
  enabled: z.boolean(),
  /** Why it cannot be used now, in English; null when it can. */
  unavailable: z.string().nullable(),
  unavailableCode: unavailableCodeSchema.nullable(),
})
export type ToolInfo = z.infer<typeof toolInfoSchema>

/**
 * "Always allow": for one tool and one site. A site is a host, a folder, or '' for tools that have none. `version`: of a tool
 * that may become another one under its name; what was allowed counts for the tool as it was then.
 */
export const toolGrantSchema = z.object({ tool: z.string(), site: z.string(), version: z.string().optional() })
export type ToolGrant = z.infer<typeof toolGrantSchema>

export const mcpTransportSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('stdio'),
    command: z.string().min(1).max(4000),
    args: z.array(z.string().max(4000)).max(100).default([]),
    /** Names of environment variables whose values lie in the secret store. */
    secretNames: z
      .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/))
      .max(50)
      .default([]),
  }),
  /** Streamable HTTP. `hasKey`: a bearer token lies in the secret store. */
  z.object({ kind: z.literal('http'), address: z.string().min(1).max(2000), hasKey: z.boolean().default(false) }),
])

/** A tool of a server as the user saw and allowed it: another description or schema is another hash, and asks again. */
export const mcpToolPinSchema = z.object({ name: z.string(), hash: z.string(), enabled: z.boolean() })

export const mcpServerSchema = z.object({
  id: z
    .string()
    .min(1)
    .max(64)
    .regex(/^[a-z0-9-]+$/),
  name: z.string().min(1).max(100),
  transport: mcpTransportSchema,
  enabled: z.boolean().default(true),
  pins: z.array(mcpToolPinSchema).max(1000).default([]),
})
export type McpServer = z.infer<typeof mcpServerSchema>

/** What a server that answers should be known for: what was left out of its list, and how many. */
export const mcpRemarkSchema = z.object({
  code: z.enum(['left-out', 'too-many', 'endless']),
  count: z.number().int().nonnegative(),
})
export type McpRemark = z.infer<typeof mcpRemarkSchema>

export const mcpServerStateSchema = z.object({
  server: mcpServerSchema,
  state: z.enum(['connected', 'disconnected', 'failed', 'disabled', 'offline']),
  /** In English; the words of a language come from the problem. */
  error: z.string().nullable(),
  problem: errorValueSchema.nullable().default(null),
  remarks: z.array(mcpRemarkSchema).default([]),
  /** What it says of itself. */
  version: z.string().nullable(),
  tools: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      schema: z.record(z.string(), z.json()),
      hash: z.string(),
      /** `new`: never allowed; `changed`: not what was allowed. Both stay off until the user says yes. */
      state: z.enum(['enabled', 'off', 'new', 'changed']),
    }),
  ),
})
export type McpServerState = z.infer<typeof mcpServerStateSchema>
