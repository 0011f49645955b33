import type { ApprovalDecision } from '../../contract/agent.ts'
import { memoryChangingTools, type ToolAccess, type ToolGrant } from '../../contract/tools.ts'
import type { Exposure } from './exposure.ts'

export interface PolicyInput {
  tool: string
  access: ToolAccess
  site: string
  /** See `Tool.version`: what was allowed for another one does not count. */
  version?: string | undefined
  exposure: Exposure
  /** "Always", from the settings. */
  grants: readonly ToolGrant[]
  /** "For this chat". */
  chatGrants: readonly ToolGrant[]
}

export type Policy = { kind: 'run' } | { kind: 'ask'; dangerous: boolean }

/**
 * Whether a call runs or asks. `read` runs. What was allowed for the chat or always runs, unless private text, untrusted
 * text and a way out come together. A way out is whatever leaves the process: the network, and writing too, for folders are
 * synchronised and files are opened by programs that load images. `run` is none: it has neither network nor files. A memory
 * is a way into every later chat: what changes one asks as soon as there is untrusted text.
 */
export function policyFor({ tool, access, site, version, exposure, grants, chatGrants }: PolicyInput): Policy {
  if (access === 'read') return { kind: 'run' }
  const isWayOut = access === 'network' || access === 'write'
  if (isWayOut && exposure.private && exposure.untrusted) return { kind: 'ask', dangerous: true }
  if (memoryChangingTools.has(tool) && exposure.untrusted) return { kind: 'ask', dangerous: true }
  const isGranted = [...grants, ...chatGrants].some((grant) => grant.tool === tool && grant.site === site && grant.version === version)
  return isGranted ? { kind: 'run' } : { kind: 'ask', dangerous: false }
}

/** Only once, or never, counts for a dangerous call. */
export function mayDecide(dangerous: boolean, decision: ApprovalDecision): boolean {
  return !dangerous || decision === 'once' || decision === 'refuse'
}
