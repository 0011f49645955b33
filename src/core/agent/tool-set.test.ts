import { expect, test } from 'vitest'
import { settingsSchema, type Settings } from '../../contract/settings.ts'
import type { Mcp } from '../mcp/mcp.ts'
import { mcpTool } from './mcp-tool.ts'
import { createToolSet } from './tool-set.ts'

const why = 'The MCP server “Mail” has changed its description or parameters since it was allowed, so it is off.'

function open(changes: Partial<Settings> = {}) {
  const server = { id: 'my-mail', name: 'Mail', transport: { kind: 'stdio', command: 'mail' } }
  const settings = settingsSchema.parse({ mcpServers: [server], ...changes })
  const mcp: Pick<Mcp, 'tools' | 'withheld'> = {
    tools: () => Promise.resolve([]),
    withheld: (serverId) => (serverId === 'my-mail' ? [{ name: 'send-mail', why }] : []),
  }
  return createToolSet({
    tools: [],
    mcp: mcp as Mcp,
    settings: { read: () => settings, patch: () => Promise.resolve(settings) },
    log: () => undefined,
  })
}

test('a tool of a server that went off because it changed is not said to be unknown: the reason is said', async () => {
  const set = open()
  await set.forTurn(null, new AbortController().signal)
  // As models were told of it: a name with a sign that had to be changed has a hash.
  const offered = { serverId: 'my-mail', serverName: 'Mail', name: 'send-mail', description: '', schema: { type: 'object' } }
  const { name } = mcpTool({ ...offered, call: () => Promise.reject(new Error('never')) }, undefined, new Set())
  expect(set.whyNot(name)).toEqual({ status: 'error', text: why })
  expect(set.whyNot('my_mail__other')).toBeNull()
  expect(set.whyNot('other__send_mail')).toBeNull()
  expect(open({ offline: true }).whyNot(name)).toMatchObject({ status: 'offline' })
})
