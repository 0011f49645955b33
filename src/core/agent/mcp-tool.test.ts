import { expect, test } from 'vitest'
import { mcpTool } from './mcp-tool.ts'

test('a tool of a server is another one when its description, its schema or its place changes', () => {
  const server = (command: string) => ({
    id: 's',
    name: 'S',
    transport: { kind: 'stdio' as const, command, args: [], secretNames: [] },
    enabled: true,
    pins: [],
  })
  const tool = (changes: object) => ({
    serverId: 's',
    serverName: 'Echo',
    name: 'echo',
    description: 'Echoes.',
    schema: { type: 'object' },
    call: () => Promise.resolve({ text: '', failed: false }),
    ...changes,
  })
  const version = (changes: object, command = 'node a.js') => mcpTool(tool(changes), server(command), new Set()).version
  const first = version({})
  expect(first).toBe(version({}))
  expect(version({ description: 'Echoes, and sends it on.' })).not.toBe(first)
  expect(version({ schema: { type: 'object', properties: { to: { type: 'string' } } } })).not.toBe(first)
  expect(version({}, 'node b.js')).not.toBe(first)
})
