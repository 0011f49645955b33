import { expect, test } from 'vitest'
import type { McpServer } from '../../contract/tools.ts'
import { blankForm, formOf, idFrom, problemIn, serverOf } from './server-form.ts'

const files: McpServer = {
  id: 'files',
  name: 'Files',
  transport: { kind: 'stdio', command: 'npx', args: ['-y', 'a server', '/home/lin/My notes'], secretNames: ['TOKEN', 'OTHER'] },
  enabled: false,
  pins: [{ name: 'read', hash: 'h', enabled: true }],
}

test('a server that is opened and saved unchanged stays what it was, its secrets untouched', () => {
  expect(serverOf(formOf(files), files, files.id)).toEqual({ server: files, secrets: undefined })
})

test('a variable that is taken out gives up its secret, a typed one is written, an empty one stays', () => {
  const form = formOf(files)
  const variables = [
    { name: 'TOKEN', value: '', kept: true },
    { name: 'NEW', value: 'v', kept: false },
  ]
  const { server, secrets } = serverOf({ ...form, variables }, files, files.id)
  expect([server.transport.kind === 'stdio' && server.transport.secretNames, secrets]).toEqual([['TOKEN', 'NEW'], { OTHER: '', NEW: 'v' }])
})

test('what cannot be saved is named', () => {
  const http = { ...blankForm, name: 'x', kind: 'http' as const }
  expect([
    problemIn(blankForm, false),
    problemIn({ ...blankForm, name: 'x' }, false),
    problemIn({ ...http, address: 'ftp://x' }, false),
    problemIn({ ...http, address: 'http://example.com/mcp', key: 'k' }, false),
    problemIn({ ...http, address: 'http://127.0.0.1:3000/mcp', key: 'k' }, false),
    problemIn({ ...blankForm, name: 'x', command: 'c', variables: [{ name: 'A B', value: 'v', kept: false }] }, false),
    problemIn({ ...blankForm, name: 'x', command: 'c', variables: [{ name: 'A', value: '', kept: false }] }, false),
  ]).toEqual(['name', 'command', 'address', 'secretFar', null, 'variable', 'variable'])
})

test('an id fits the contract whatever the name, and is no other server’s', () => {
  expect([idFrom('My Server!', [], 'r1'), idFrom('文件', [], 'r1'), idFrom('Files', ['files'], 'r1')]).toEqual([
    'my-server',
    'server-r1',
    'files-r1',
  ])
})
