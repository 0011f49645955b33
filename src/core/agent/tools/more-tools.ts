import { z } from 'zod'
import { findTool, defineTool, toolSpec, type Tool } from '../tool.ts'

/** Tells of the tools that a small window has no room for, the first of them by name. `open`: from the next round on they are told as the others are. */
export function createMoreTools(leftOut: readonly Tool[], mostNames: number, open: (names: readonly string[]) => void): Tool {
  const names = leftOut.map(({ name }) => name)
  const rest = names.length - mostNames
  const listed = `${names.slice(0, mostNames).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
  return defineTool({
    name: 'more_tools',
    description:
      names.length === 0
        ? 'Tells of the tools that a small window has no room for.'
        : `There was no room to tell of all tools. Name those you need: ${listed}.`,
    schema: z.object({ names: z.array(z.string()).min(1).max(10).describe('names of tools') }),
    access: 'read',
    line: ({ names: wanted }, language) => (language === 'zh' ? `查看工具：${wanted.join('、')}` : `Look up tools: ${wanted.join(', ')}`),
    run({ names: wanted }) {
      const found = [...new Set(wanted.flatMap((name) => findTool(leftOut, name) ?? []))]
      const unknown = wanted.filter((name) => findTool(leftOut, name) === null)
      const missing = unknown.length === 0 ? '' : `There is no further tool ${unknown.join(', ')}. There are: ${names.join(', ')}.`
      if (found.length === 0) return { text: missing, failed: true }
      open(found.map(({ name }) => name))
      const told = found.map((tool) => {
        const { name, description, parameters } = toolSpec(tool)
        return `${name}: ${description}\nIts arguments: ${JSON.stringify(parameters)}`
      })
      return [...told, missing, 'You can call them now.'].filter((line) => line !== '').join('\n\n')
    },
  })
}
