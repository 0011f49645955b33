import { z } from 'zod'
import type { ToolGrant, ToolInfo } from '../../src/contract/tools.ts'
import { defineTool, type Tool, type ToolContext } from '../../src/core/agent/agent.ts'
import { toolVersion, wholeTool } from '../../src/core/agent/whole-tool.ts'

type ToolChanges = Partial<Omit<Tool, 'run' | 'schema'>>

/** A tool that takes one text, keeps what it was called with, and answers as told. */
export interface RecordedTool {
  tool: Tool
  readonly calls: string[]
  /** How many ran at once, at most. */
  readonly mostAtOnce: number
}

export function recordedTool(
  name: string,
  run: (text: string, context: ToolContext) => string | Promise<string> = (text) => `${name} of ${text}`,
  changes: ToolChanges = {},
): RecordedTool {
  const calls: string[] = []
  let running = 0
  let mostAtOnce = 0
  const tool = defineTool({
    name,
    description: `The tool ${name}.`,
    schema: z.object({ text: z.string().describe('what') }),
    access: 'read',
    ...changes,
    async run({ text }, context) {
      calls.push(text)
      running += 1
      mostAtOnce = Math.max(mostAtOnce, running)
      try {
        return await run(text, context)
      } finally {
        running -= 1
      }
    },
  })
  return {
    tool,
    calls,
    get mostAtOnce() {
      return mostAtOnce
    },
  }
}

/** Resolves when it is opened. */
export function gate(): { open: () => void; passed: Promise<void> } {
  let open: () => void = () => undefined
  const passed = new Promise<void>((resolve) => (open = resolve))
  return { open, passed }
}

/** "Always" for a tool as it is. */
export function grantOf(tool: Tool, site = ''): ToolGrant {
  const { name, version } = wholeTool(tool)
  return { tool: name, site, ...(version === undefined ? {} : { version }) }
}

/** The same for a built-in tool, by what is listed of it. */
export function grantOfListed(listed: readonly ToolInfo[], tool: string, site: string): ToolGrant {
  const info = listed.find(({ name }) => name === tool)
  if (info === undefined) throw new Error(`there is no tool ${tool}`)
  return { tool, site, version: toolVersion({ ...info, parameters: info.schema }) }
}
