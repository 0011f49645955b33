import type { AgentProfile, NamedAgent } from '../contract/agent.ts'
import { SikuError } from '../contract/errors.ts'
import type { SharedCore } from '../server/server.ts'
import type { Words } from './words.ts'

interface Wanted {
  agent?: string | undefined
  tools?: string[] | undefined
  maxSteps?: number | undefined
}

/** What `--agent`, `--tools` and `--max-steps` make of a new chat's agent; undefined when none was given. */
export async function profileOf(
  client: SharedCore['client'],
  { agent, tools, maxSteps }: Wanted,
  words: Words,
  signal: AbortSignal,
): Promise<AgentProfile | undefined> {
  if (agent === undefined && tools === undefined && maxSteps === undefined) return undefined
  const base = agent === undefined ? { name: '', system: '', tools: null, memory: true } : await agentNamed(client, agent, words, signal)
  if (tools !== undefined) await checkTools(client, tools, words, signal)
  return { ...base, ...(tools === undefined ? {} : { tools }), ...(maxSteps === undefined ? {} : { maxSteps }) }
}

async function agentNamed(client: SharedCore['client'], wanted: string, words: Words, signal: AbortSignal): Promise<AgentProfile> {
  const { id: _id, ...profile } = await namedAgent(client, wanted, words, signal)
  return profile
}

/** By its name, or its id; `not-found` says which there are. */
export async function namedAgent(client: SharedCore['client'], wanted: string, words: Words, signal: AbortSignal): Promise<NamedAgent> {
  const agents = await client.agents.list({}, { signal })
  const found = agentIn(agents, wanted)
  if (found !== undefined) return found
  const hint = agents.length === 0 ? words.agent.noAgents : words.agent.agentsAre(agents.map(({ name }) => name).join(', '))
  throw new SikuError('not-found', words.agent.noSuchAgent(wanted), { hint })
}

/** Names are kept trimmed and composed; one is asked for in any case. */
export function agentIn(agents: NamedAgent[], given: string): NamedAgent | undefined {
  const wanted = given.normalize('NFC').trim()
  return (
    agents.find(({ id, name }) => id === wanted || name === wanted) ??
    agents.find(({ name }) => name.toLowerCase() === wanted.toLowerCase())
  )
}

export async function checkTools(client: SharedCore['client'], wanted: string[], words: Words, signal: AbortSignal): Promise<void> {
  const known = (await client.tools.list({}, { signal })).map(({ name }) => name)
  const missing = wanted.find((name) => !known.includes(name))
  if (missing === undefined) return
  throw new SikuError('not-found', words.agent.noSuchTool(missing), { hint: words.agent.toolsAre(known.join(', ')) })
}
