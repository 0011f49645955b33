import { z } from 'zod'
import { defineTool, type Tool, type ToolContext } from '../../src/core/agent/agent.ts'

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
