import { z } from 'zod'
import type { CallContext } from '../agent-turn.ts'
import { defineTool, type Tool, type ToolOutput } from '../tool.ts'

export interface HelperTask {
  task: string
  /** Names; null: all that the agent itself has. */
  tools: string[] | null
  callId: string
  signal: AbortSignal
}

const sideBySide = 3

/** Gives an independent part to a helper with a small context of its own. What it does asks for approval as the agent's own calls do. */
export function createDelegate(runHelper: (task: HelperTask) => Promise<ToolOutput>): Tool {
  let running = 0
  const waiting: (() => void)[] = []
  return defineTool({
    name: 'delegate',
    description:
      'Gives one independent part of a big task to a helper, which works with the same tools and answers with its result. The helper knows nothing but the task: say in it all that it needs. Not for simple questions.',
    schema: z.object({
      task: z.string().min(1).max(8000).describe('what to do, complete in itself'),
      tools: z.array(z.string()).optional().describe('names of the tools it may use; left out: all'),
    }),
    suits: /\b(?:delegate|helper|assistant agent|sub-?task|in parallel|divide the work)\b|委派|委托|助手|子任务|分头|并行/iu,
    access: 'read',
    // Its own budget ends it.
    limits: { timeoutMs: Infinity },
    line: ({ task }, language) => (language === 'zh' ? `交给助手：${task}` : `Helper: ${task}`),
    async run({ task, tools }, context) {
      const { callId } = context as CallContext
      if (running >= sideBySide) await new Promise<void>((resolve) => waiting.push(resolve))
      running += 1
      try {
        return await runHelper({ task, tools: tools ?? null, callId, signal: context.signal })
      } finally {
        running -= 1
        waiting.shift()?.()
      }
    },
  })
}
