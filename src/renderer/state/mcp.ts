import { create } from 'zustand'
import type { ErrorValue } from '../../contract/errors.ts'
import type { McpServer, McpServerState } from '../../contract/tools.ts'
import { client } from '../client.ts'
import { problemOf } from '../problem.ts'
import { i18next } from '../words/words.ts'
import { loadSettings } from './settings.ts'
import { reportProblem, showToast } from './toasts.ts'

interface State {
  servers: McpServerState[] | null
  problem: ErrorValue | null
  loading: boolean
}
export const useServers = create<State>(() => ({ servers: null, problem: null, loading: false }))

export async function loadServers(): Promise<void> {
  useServers.setState({ loading: true })
  try {
    useServers.setState({ servers: await client.mcp.list({}), problem: null })
  } catch (error) {
    useServers.setState({ problem: problemOf(error) })
  } finally {
    useServers.setState({ loading: false })
  }
}

function put(next: McpServerState): void {
  useServers.setState(({ servers }) => {
    const others = servers ?? []
    const there = others.some((each) => each.server.id === next.server.id)
    return { servers: there ? others.map((each) => (each.server.id === next.server.id ? next : each)) : [...others, next] }
  })
}

/** Null when it is kept, else why not. */
export async function saveServer(server: McpServer, secrets?: Record<string, string>): Promise<ErrorValue | null> {
  try {
    put(await client.mcp.save({ server, ...(secrets === undefined ? {} : { secrets }) }))
    return null
  } catch (error) {
    return problemOf(error)
  }
}

export async function switchServer({ server }: McpServerState, enabled: boolean): Promise<void> {
  const problem = await saveServer({ ...server, enabled })
  if (problem !== null) showToast({ text: '', problem })
}

export async function removeServer(server: McpServer): Promise<void> {
  try {
    await client.mcp.remove({ serverId: server.id })
    useServers.setState(({ servers }) => ({ servers: servers?.filter((each) => each.server.id !== server.id) ?? null }))
    // What was always allowed of it went with it.
    await loadSettings()
    showToast({ text: i18next.t('tools.server.removed', { name: server.name }) })
  } catch (error) {
    reportProblem(error)
  }
}

/** The user's word on a tool as it was shown. Where it changed meanwhile, the list is read again and asks again. */
export async function setServerTool(serverId: string, tool: string, hash: string, enabled: boolean): Promise<void> {
  try {
    put(await client.mcp.setTool({ serverId, tool, hash, enabled }))
  } catch (error) {
    reportProblem(error)
    await loadServers()
  }
}
