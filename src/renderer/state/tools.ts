import { create } from 'zustand'
import type { ErrorValue } from '../../contract/errors.ts'
import type { ToolGrant, ToolInfo } from '../../contract/tools.ts'
import { client } from '../client.ts'
import { problemOf } from '../problem.ts'
import { loadSettings } from './settings.ts'
import { reportProblem } from './toasts.ts'

interface State {
  tools: ToolInfo[] | null
  problem: ErrorValue | null
}
export const useTools = create<State>(() => ({ tools: null, problem: null }))

export async function loadTools(): Promise<void> {
  try {
    useTools.setState({ tools: await client.tools.list({}), problem: null })
  } catch (error) {
    useTools.setState({ problem: problemOf(error) })
  }
}

/** Shows the switch at once and takes it back when the core refuses it. */
export async function switchTool(name: string, enabled: boolean): Promise<void> {
  const before = useTools.getState().tools
  useTools.setState({ tools: before?.map((tool) => (tool.name === name ? { ...tool, enabled } : tool)) ?? null })
  try {
    await client.tools.setEnabled({ name, enabled })
    await loadTools()
  } catch (error) {
    useTools.setState({ tools: before })
    reportProblem(error)
  }
}

export async function takeBackGrant({ tool, site }: ToolGrant): Promise<void> {
  try {
    await client.tools.revoke({ tool, site })
    await loadSettings()
  } catch (error) {
    reportProblem(error)
  }
}
