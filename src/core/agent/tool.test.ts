import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { callLine, checkArguments, defineTool, findTool, siteOf, toolSpec } from './tool.ts'

const look = defineTool({
  name: 'look_up',
  description: 'Looks something up.',
  schema: z.object({
    query: z.string().min(1).describe('what to look for'),
    max_results: z.int().min(1).max(20).default(5).describe('how many'),
    folder: z.string().nullable().optional().describe('a folder'),
    kind: z.enum(['pdf', 'text']).nullable().optional().describe('only this kind'),
    names: z.array(z.string()).optional().describe('only these'),
    exact: z.boolean().optional().describe('no other words'),
    weights: z.record(z.string(), z.number()).optional().describe('by word'),
    where: z
      .object({ page: z.int().describe('from 1') })
      .optional()
      .describe('one page'),
  }),
  access: 'read',
  aliases: ['find'],
  run: () => '',
})

function valueOf(given: unknown): unknown {
  const checked = checkArguments(look, given)
  return checked.kind === 'ok' ? checked.value : checked.message
}

describe('the JSON schema for models', () => {
  it('says each kind of parameter as models know it, without noise', () => {
    expect(toolSpec(look)).toEqual({
      name: 'look_up',
      aliases: ['find'],
      description: 'Looks something up.',
      parameters: {
        type: 'object',
        required: ['query'],
        properties: {
          query: { type: 'string', minLength: 1, description: 'what to look for' },
          max_results: { type: 'integer', minimum: 1, maximum: 20, default: 5, description: 'how many' },
          folder: { type: ['string', 'null'], description: 'a folder' },
          kind: { type: ['string', 'null'], enum: ['pdf', 'text', null], description: 'only this kind' },
          names: { type: 'array', items: { type: 'string' }, description: 'only these' },
          exact: { type: 'boolean', description: 'no other words' },
          weights: { type: 'object', additionalProperties: { type: 'number' }, description: 'by word' },
          where: {
            type: 'object',
            required: ['page'],
            properties: { page: { type: 'integer', description: 'from 1' } },
            description: 'one page',
          },
        },
      },
    })
  })

  it('writes a thing that is used twice out twice: many models cannot follow a reference', () => {
    const city = z.object({ name: z.string() })
    const tool = defineTool({ name: 't', description: '', schema: z.object({ a: city, b: city }), access: 'read', run: () => '' })
    expect(JSON.stringify(toolSpec(tool))).not.toContain('$')
  })

  it('is an object even when there is nothing to give', () => {
    const tool = defineTool({ name: 't', description: '', schema: z.object({}), access: 'read', run: () => '' })
    expect(toolSpec(tool).parameters).toEqual({ type: 'object', properties: {} })
  })

  it('takes the parameters that a server gave as they are', () => {
    const parameters = { type: 'object', properties: { x: { $ref: '#/y' } } }
    const tool = defineTool({ name: 't', description: '', schema: z.looseObject({}), parameters, access: 'read', run: () => '' })
    expect(toolSpec(tool).parameters).toBe(parameters)
    expect(checkArguments(tool, { x: 1 })).toEqual({ kind: 'ok', value: { x: 1 }, ignored: [] })
  })
})

describe('checking arguments', () => {
  it('takes what can be read in one way only', () => {
    const whole = { query: 'lease', max_results: 3 }
    expect(valueOf({ query: 'lease', max_results: '3' })).toEqual(whole)
    expect(valueOf('{"query":"lease","max_results":3}')).toEqual(whole)
    expect(valueOf([whole])).toEqual(whole)
    expect(valueOf({ query: 'lease', maxResults: ' 3 ' })).toEqual(whole)
    expect(valueOf(' the lease ')).toEqual({ query: 'the lease', max_results: 5 })
    expect(valueOf({ query: 2024, max_results: null })).toEqual({ query: '2024', max_results: 5 })
    expect(valueOf({ query: 'a', kind: 'PDF', exact: 'False' })).toEqual({ query: 'a', max_results: 5, kind: 'pdf', exact: false })
    expect(valueOf({ query: 'a', names: 'b' })).toEqual({ query: 'a', max_results: 5, names: ['b'] })
    expect(valueOf({ query: 'a', names: '["b", "c"]' })).toEqual({ query: 'a', max_results: 5, names: ['b', 'c'] })
    expect(valueOf({ query: ['a'], where: '{"page":"2"}' })).toEqual({ query: 'a', max_results: 5, where: { page: 2 } })
    expect(valueOf({ query: 'a', weights: '{"b":"0.5"}' })).toEqual({ query: 'a', max_results: 5, weights: { b: 0.5 } })
  })

  it('keeps a null that the schema takes', () => {
    expect(valueOf({ query: 'a', folder: null })).toEqual({ query: 'a', max_results: 5, folder: null })
  })

  it('names a parameter that is not there and runs the call', () => {
    expect(checkArguments(look, { query: 'a', limit: 3 })).toEqual({
      kind: 'ok',
      value: { query: 'a', max_results: 5 },
      ignored: ['limit'],
    })
  })

  it.each([
    [
      'a missing parameter',
      { q: 'lease' },
      '"query" is missing; a text of 1 characters or more is wanted (what to look for); there is no parameter "q"',
    ],
    [
      'a number that is none',
      { query: 'a', max_results: 'many' },
      '"max_results": "many" was given; a whole number from 1 to 20 is wanted',
    ],
    ['a number out of range', { query: 'a', max_results: 50 }, '"max_results": 50 was given; a whole number from 1 to 20 is wanted'],
    ['half a number', { query: 'a', max_results: '2.5' }, '"max_results": 2.5 was given; a whole number from 1 to 20 is wanted'],
    ['an option that is none', { query: 'a', kind: 'doc' }, '"kind": "doc" was given; one of "pdf", "text", null is wanted'],
    ['something within a list', { query: 'a', names: ['b', { c: 1 }] }, '"names[2]": {"c":1} was given; a text is wanted'],
    ['something within an object', { query: 'a', where: { page: 'last' } }, '"where.page": "last" was given; a whole number is wanted'],
    ['broken JSON', '{"query": "lease"', 'The arguments must be an object with "query", "max_results"'],
    ['no object at all', 42, 'The arguments must be an object with "query", "max_results"'],
  ])('says how to mend %s', (_what, given, words) => {
    const checked = checkArguments(look, given)
    expect(checked.kind).toBe('bad')
    expect(checked.kind === 'bad' && checked.message).toContain('look_up was not run.')
    expect(checked.kind === 'bad' && checked.message).toContain(words)
  })

  it('never throws, never changes what it was given, and gives what the schema takes', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.json(), fc.jsonValue(), fc.record({ query: fc.jsonValue(), max_results: fc.jsonValue(), names: fc.jsonValue() })),
        (given) => {
          const before = JSON.stringify(given)
          const checked = checkArguments(look, given)
          expect(JSON.stringify(given)).toBe(before)
          if (checked.kind === 'ok') expect(look.schema.safeParse(checked.value).success).toBe(true)
        },
      ),
    )
  })

  it('does not let a key reach the prototype', () => {
    const checked = checkArguments(look, '{"query":"a","__proto__":{"folder":"/etc"},"where":{"page":1,"__proto__":{"x":1}}}')
    expect(checked).toEqual({ kind: 'ok', value: { query: 'a', max_results: 5, where: { page: 1 } }, ignored: [] })
    expect(Object.prototype).not.toHaveProperty('folder')
  })
})

describe('finding a tool', () => {
  const other = defineTool({ name: 'read', description: '', schema: z.object({}), access: 'read', aliases: ['Find It'], run: () => '' })
  const tools = [look, other]

  it.each(['look_up', ' look_up', 'functions.look_up', 'lookUp', 'LOOK-UP', 'tool:look_up', 'look_up()', 'find', 'Functions.find'])(
    'takes %j',
    (name) => {
      expect(findTool(tools, name)?.name).toBe('look_up')
    },
  )

  it('says by which alias it was found', () => {
    expect(findTool(tools, 'functions.find')?.calledAs).toBe('find')
    expect(findTool(tools, 'look_up')).toBe(look)
  })

  it.each(['', 'look', 'constructor', '__proto__', 'look_up_more'])('knows no %j', (name) => {
    expect(findTool(tools, name)).toBeNull()
  })

  it('does not choose between two', () => {
    expect(findTool([look, { ...other, name: 'LookUp' }], 'lookup')).toBeNull()
  })
})

describe('the line for a person', () => {
  it('shows the whole call when the tool has no words of its own', () => {
    expect(callLine(look, { query: 'the lease', max_results: 3, folder: null }, 'en')).toBe('look_up(query: “the lease”, max_results: 3)')
    expect(callLine({ ...look, line: (_args, language) => `looks (${language})` }, {}, 'zh')).toBe('looks (zh)')
  })

  it('cannot be turned round, hidden or broken by what the model wrote', () => {
    const line = callLine(look, { query: 'a\u202Egpj.exe\u2028\n\u0007\u200Bb\u{E0041}c\uD800' }, 'en')
    expect(line).toBe('look_up(query: “a gpj.exe b c”)')
  })

  it('is bounded, whatever its length and marks', () => {
    expect(
      Array.from(callLine(look, { query: 'x'.repeat(1e6), [`k${'\u0301'.repeat(500)}`]: ['y'.repeat(1e5)] }, 'en')).length,
    ).toBeLessThanOrEqual(200)
    expect(Array.from(callLine({ ...look, line: () => '长'.repeat(5000) }, {}, 'zh')).length).toBe(200)
  })

  it('falls back when the tool fails at its own line', () => {
    const failing = { ...look, line: () => JSON.parse('{') as string }
    expect(callLine(failing, { query: 'a' }, 'en')).toBe('look_up(query: “a”)')
  })
})

it('touches nothing unless the tool says so', () => {
  expect(siteOf(look, { query: 'a' })).toBe('')
  expect(siteOf({ ...look, site: () => 'example.org' }, {})).toBe('example.org')
})
