import { expect, test } from 'vitest'
import { z } from 'zod'
import { chooseTools } from './choose-tools.ts'
import { defineTool, type Tool } from './tool.ts'

const tool = (name: string): Tool => defineTool({ name, description: '', schema: z.object({}), access: 'read', run: () => '' })
const tools = ['delegate', 'mine', 'search_library', 'calculate', 'run_javascript'].map(tool)
const names = (windowTokens: number): string[] => chooseTools(tools, windowTokens, () => 200).tools.map(({ name }) => name)

test('in a window that is large enough nothing is left out', () => {
  expect(chooseTools(tools, 8192, () => 200)).toEqual({ tools, leftOut: 0 })
})

test('in a small window the least needed go first, and what was added stays longest', () => {
  expect(names(2000)).toEqual(['mine', 'search_library', 'calculate', 'run_javascript'])
  expect(names(1500)).toEqual(['mine', 'search_library', 'calculate'])
  expect(names(1000)).toEqual(['mine', 'search_library'])
  expect(names(500)).toEqual(['mine'])
  expect(names(100)).toEqual([])
})
