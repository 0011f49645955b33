import type { Approval, ApprovalDecision } from '../contract/agent.ts'
import { memoryChangingTools } from '../contract/tools.ts'
import type { SharedCore } from '../server/server.ts'
import { readKey, type KeyInput } from './agent-keys.ts'
import type { Words } from './words.ts'

export const approvePolicies = ['none', 'reads', 'all'] as const
export type ApprovePolicy = (typeof approvePolicies)[number]

/** The user's word on one call; null when the turn was stopped before it came. */
export type Decide = (approval: Approval, signal: AbortSignal) => Promise<ApprovalDecision | null>

/**
 * The word given beforehand, on the command line. `reads`: built-in tools that fetch from the network, never a dangerous call,
 * and never a tool of an MCP server, for nobody knows what that does. `all`: everything, each call once, except what must be
 * asked.
 */
export function decideBy(policy: ApprovePolicy, builtInTools: ReadonlySet<string>): Decide {
  return ({ access, dangerous, tool }) => {
    const isRead = access === 'network' && !dangerous && builtInTools.has(tool)
    const isAllowed = policy === 'all' && !mustBeAsked({ dangerous, tool })
    return Promise.resolve(isAllowed || (policy === 'reads' && isRead) ? 'once' : 'refuse')
  }
}

/** No word given beforehand counts: text of others must not write what later chats are told. */
export function mustBeAsked({ dangerous, tool }: Pick<Approval, 'dangerous' | 'tool'>): boolean {
  return dangerous && memoryChangingTools.has(tool)
}

export async function builtInNames(client: SharedCore['client'], signal: AbortSignal): Promise<Set<string>> {
  const tools = await client.tools.list({}, { signal })
  return new Set(tools.filter(({ source }) => source === 'built-in').map(({ name }) => name))
}

interface Terminal {
  input: KeyInput
  words: Words
  say: (text: string) => void
  onInterrupt: () => void
}

/** Asks by key. Whatever is not a yes is a no. */
export function decideByKey({ input, words, say, onInterrupt }: Terminal): Decide {
  return async (approval, signal) => {
    const question = describeApproval(approval, words)
    const key = await readKey(input, signal, onInterrupt, () => say(question))
    if (key === null) return null
    const decision = decisionOf(key, approval.dangerous)
    say(`  ${words.agent.decision[decision]}`)
    return decision
  }
}

function decisionOf(key: string, dangerous: boolean): ApprovalDecision {
  if (/^[yY]$/.test(key)) return 'once'
  if (dangerous) return 'refuse'
  if (/^[cC]$/.test(key)) return 'chat'
  if (/^[aA]$/.test(key)) return 'always'
  return 'refuse'
}

/** Everything that would be done, and nothing of it hidden: what a terminal would obey or not show is written out. */
export function describeApproval(approval: Approval, words: Words): string {
  const { tool, access, line, site, dangerous } = approval
  const danger = mustBeAsked(approval) ? words.agent.dangerousMemory : words.agent.dangerous
  const indented = visible(JSON.stringify(approval.arguments, null, 2)).replaceAll('\n', '\n    ')
  return [
    '',
    `? ${words.agent.wants(visible(tool))} (${words.agent.access[access]}): ${visible(line)}`,
    ...(site === '' ? [] : [`  ${words.agent.site}: ${visible(siteName(site, words))}`]),
    `  ${words.agent.arguments}:`,
    `    ${indented}`,
    ...(dangerous ? [`  ⚠ ${danger}`] : []),
    `  ${dangerous ? words.agent.allowOnce : site === '' ? words.agent.allowAny : words.agent.allow}`,
  ].join('\n')
}

/** Memories are told apart by a digest, which says nothing to a person; the call's line and arguments show which are meant. */
function siteName(site: string, words: Words): string {
  return /^memory [0-9a-f]{16}$/.test(site) ? words.agent.ownMemories : site
}

/** Signs that a terminal obeys, that turn the direction of text or that take no place could make a call look like another one. */
function visible(text: string): string {
  return text.replace(/[^\P{C}\n]|[\u2028\u2029]/gu, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`)
}
