import { describe, expect, it } from 'vitest'
import { settingsSchema } from '../../../contract/settings.ts'
import type { JsonSchema } from '../../models/models.ts'
import { callLine, toolSpec } from '../tool.ts'
import { createTools, type ToolParts } from './tools.ts'

const parts = {
  deps: { now: () => 0, log: () => {} },
  settings: () => settingsSchema.parse({}),
  store: {},
  search: {},
  net: {},
  memories: {},
}
const tools = createTools(parts as unknown as ToolParts)

/** Paths of parameters without a description, those within objects and lists included. */
function undescribed(schema: JsonSchema, path: string): string[] {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>)
  const own = properties.flatMap(([name, part]) => [
    ...(typeof part['description'] === 'string' && part['description'].trim() !== '' ? [] : [`${path}.${name}`]),
    ...undescribed(part, `${path}.${name}`),
  ])
  const items = schema['items']
  return [...own, ...(typeof items === 'object' && items !== null ? undescribed(items as JsonSchema, `${path}[]`) : [])]
}

describe.each(tools.map((tool) => [tool.name, tool] as const))('%s', (_name, tool) => {
  const { name, description, parameters } = toolSpec(tool)

  it('can be called by every model', () => {
    expect(name).toMatch(/^[a-z][a-z0-9_]{2,40}$/)
    expect(parameters).toMatchObject({ type: 'object' })
    expect(JSON.stringify(parameters)).not.toMatch(/"\$(?:ref|schema|defs|id)"/)
  })

  it('says what each parameter is', () => {
    expect(undescribed(parameters, name)).toEqual([])
  })

  it('is short enough for a small model: at most 400 tokens or so', () => {
    expect(description.length).toBeLessThanOrEqual(400)
    expect(JSON.stringify({ name, description, parameters }).length).toBeLessThanOrEqual(1600)
  })

  it('has a line for a person whatever it is called with', () => {
    for (const args of [{}, { title: 'x'.repeat(5000), query: 'y' }]) expect(callLine(tool, args, 'zh').length).toBeGreaterThan(0)
  })
})

it('no name and no alias means two tools', () => {
  const folded = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '')
  const names = tools.flatMap((tool) => [...new Set([tool.name, ...(tool.aliases ?? [])].map(folded))])
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

it('what reads the library says that it is private, and that anybody may have written it', () => {
  for (const name of ['search_library', 'read_document', 'list_documents']) {
    expect(tools.find((tool) => tool.name === name)?.gives).toEqual({ private: true, untrusted: true })
  }
})

it('only what stays on this machine and changes nothing runs without asking', () => {
  const reading = tools.filter((tool) => tool.access === 'read').map((tool) => tool.name)
  expect(reading).not.toContain('write_note')
  expect(tools.find((tool) => tool.name === 'write_note')?.access).toBe('write')
  expect(tools.find((tool) => tool.name === 'run_javascript')?.access).toBe('run')
})
