import { create } from 'zustand'
import type { AgentProfile, NamedAgent } from '../../contract/agent.ts'
import { client } from '../client.ts'
import { i18next } from '../words/words.ts'
import { removeWithUndo, reportProblem } from './toasts.ts'

/** The named agents; null until they are known. */
export const useAgents = create<{ agents: NamedAgent[] | null }>(() => ({ agents: null }))

export async function loadAgents(): Promise<void> {
  try {
    useAgents.setState({ agents: await client.agents.list({}) })
  } catch (error) {
    reportProblem(error)
  }
}

/** Keeps an agent under its name: one that is there under the same name is replaced. */
export async function saveAgent(profile: AgentProfile): Promise<boolean> {
  const same = useAgents.getState().agents?.find((each) => each.name === profile.name)
  try {
    await client.agents.save({ agent: { ...profile, ...(same === undefined ? {} : { id: same.id }) } })
    await loadAgents()
    return true
  } catch (error) {
    reportProblem(error)
    return false
  }
}

async function bringBack(agent: NamedAgent): Promise<void> {
  try {
    await client.agents.save({ agent })
    await loadAgents()
  } catch (error) {
    reportProblem(error)
  }
}

export async function removeAgent(agent: NamedAgent): Promise<void> {
  try {
    await removeWithUndo(
      async () => {
        await client.agents.remove({ agentId: agent.id })
        await loadAgents()
      },
      i18next.t('agent.removed', { name: agent.name }),
      () => void bringBack(agent),
    )
  } catch (error) {
    reportProblem(error)
  }
}

export function sameAgent(one: AgentProfile, other: AgentProfile): boolean {
  const tools = (profile: AgentProfile) => (profile.tools === null ? '*' : [...profile.tools].sort().join('\n'))
  return one.name === other.name && one.system === other.system && one.memory === other.memory && tools(one) === tools(other)
}
