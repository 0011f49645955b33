import { z } from 'zod'
import { counted } from '../../../contract/counted.ts'
import { planItemSchema, type PlanItem } from '../../../contract/agent.ts'
import { defineTool, type Tool } from '../tool.ts'

const states = new Map<string, PlanItem['state']>([
  ['pending', 'open'],
  ['todo', 'open'],
  ['in_progress', 'doing'],
  ['in-progress', 'doing'],
  ['active', 'doing'],
  ['completed', 'done'],
  ['complete', 'done'],
  ['cancelled', 'dropped'],
])

/** Small models write a part as its text alone, and states in other words. */
const itemSchema = z.union([
  z.string().transform((text): PlanItem => ({ text, state: 'open' })),
  z.object({ text: z.string(), state: z.string().default('open') }).transform(({ text, state }): PlanItem => {
    const known = planItemSchema.shape.state.safeParse(state)
    return { text, state: known.success ? known.data : (states.get(state.toLowerCase()) ?? 'open') }
  }),
])

/** The agent's visible list of parts: whole each time. */
export function createUpdatePlan(onPlan: (items: PlanItem[]) => void): Tool {
  return defineTool({
    name: 'update_plan',
    description:
      'Keeps the list of parts of a task, shown to the user. Only for tasks of several parts: call it first with all parts, and again with the whole list when a part is done or the plan changes. Not for simple questions.',
    schema: z.object({ items: z.array(itemSchema).min(1).max(30) }),
    parameters: {
      type: 'object',
      properties: {
        items: {
          type: 'array',
          description: 'all parts, in order',
          items: {
            type: 'object',
            properties: {
              text: { type: 'string', description: 'the part in a few words' },
              state: { type: 'string', enum: planItemSchema.shape.state.options, description: 'open, doing, done or dropped' },
            },
            required: ['text', 'state'],
          },
        },
      },
      required: ['items'],
    },
    suits:
      /\b(?:plan|step by step|steps|parts|first|then|finally|in turn|each of)\b|计划|步骤|分步|一步一步|首先|然后|接着|最后|逐(?:个|一)|分别/iu,
    access: 'read',
    line: ({ items }, language) => (language === 'zh' ? `计划：${items.length} 项` : `Plan: ${counted(items.length, 'part')}`),
    run({ items }) {
      onPlan(items)
      const next = items.find((item) => item.state === 'doing') ?? items.find((item) => item.state === 'open')
      return next === undefined ? 'The plan is done. Answer now.' : `The plan is shown. Next: ${next.text}`
    },
  })
}
