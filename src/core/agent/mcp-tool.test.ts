import { expect, test } from 'vitest'
import { mcpTool } from './mcp-tool.ts'
import { checkArguments } from './tool.ts'

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

function check(schema: Record<string, unknown>, given: unknown) {
  const offered = {
    serverId: 's',
    serverName: 'S',
    name: 'echo',
    description: 'Echoes.',
    schema: schema as never,
    call: () => Promise.resolve({ text: '', failed: false }),
  }
  return checkArguments(mcpTool(offered, undefined, new Set()), given)
}

const schema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: {
    a: { type: 'string', description: 'a text', pattern: '^(x+x+)+y$', default: 'none' },
    count: { type: ['integer', 'null'], minimum: 1 },
    unit: { type: 'string', enum: ['km', 'mi'] },
    tags: { type: 'array', items: { type: 'string' } },
    size: { anyOf: [{ type: 'number' }, { type: 'null' }], default: null },
    place: { anyOf: [{ type: 'string' }, { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] }] },
    item: { $ref: '#/$defs/Item' },
  },
  required: ['a'],
  $defs: { Item: { type: 'object', properties: { inner: { $ref: '#/$defs/Item' } } } },
}

test.each([
  [{ a: 'x' }, { a: 'x' }],
  [{ a: 5 }, { a: '5' }],
  [
    { a: 'x', count: '3', size: '1.5', unit: 'KM', tags: 'one' },
    { a: 'x', count: 3, size: 1.5, unit: 'km', tags: ['one'] },
  ],
  [
    { a: 'x', place: { x: 1 }, item: { inner: 7 }, more: true },
    { a: 'x', place: { x: 1 }, item: { inner: 7 }, more: true },
  ],
  [{ a: `${'x'.repeat(5000)}!` }, { a: `${'x'.repeat(5000)}!` }],
])('arguments of a server’s tool are taken as its schema means them: %#', (given, value) => {
  expect(check(schema, given)).toEqual({ kind: 'ok', value, ignored: [] })
})

test.each([
  [{}, /"a" is missing/],
  [{ a: { deep: 1 } }, /"a": \{"deep":1\} was given/],
  [{ a: 'x', count: 0 }, /"count": 0 was given/],
  [{ a: 'x', unit: 'parsec' }, /"unit".*km/],
  [{ a: 'x', tags: [{}] }, /"tags/],
  [{ a: 'x', place: { x: 'far' } }, /"place/],
])('arguments that do not fit a server’s schema never leave: %#', (given, words) => {
  expect(check(schema, given)).toMatchObject({ kind: 'bad', message: expect.stringMatching(words) })
})

test.each([
  [{}],
  [{ type: 'object', if: {}, then: false }],
  [{ type: 'object', allOf: [{ $ref: '#' }] }],
  [{ type: 'object', properties: 'none', required: 5 }],
  [{ type: 'object', properties: { text: { type: 'strange' }, __proto__: null } }],
])('a schema that says nothing, or nonsense, takes any object: %#', (given) => {
  expect(check(given, { text: 5 })).toEqual({ kind: 'ok', value: { text: 5 }, ignored: [] })
})
