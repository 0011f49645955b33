import { z } from 'zod'
import { counted } from '../../../contract/counted.ts'
import { planItemSchema, type PlanItem } from '../../../contract/agent.ts'
import { defineTool, withNames, type Tool } from '../tool.ts'
import { givenItemSchema } from './plan-items.ts'

const mostItems = 30

const itemsSchema = z.array(givenItemSchema).superRefine((items, context) => {
  if (items.length === 0) context.addIssue({ code: 'custom', message: 'a plan has at least one part' })
  else if (items.length > mostItems)
    context.addIssue({ code: 'custom', message: `a plan has at most ${mostItems} parts, this one has ${items.length}: put parts together` })
})

/** The agent's visible list of parts: whole each time. */
export function createUpdatePlan(onPlan: (items: PlanItem[]) => void): Tool {
  return defineTool({
    name: 'update_plan',
    description:
      'Keeps the list of parts of a task, shown to the user. Only for tasks of several parts: call it first with all parts, and again with the whole list when a part is done or the plan changes. Not for simple questions.',
    schema: z.object({ items: itemsSchema }),
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
    adapt: (given) =>
      Array.isArray(given) ? { items: given } : withNames(given, { items: ['plan', 'parts', 'steps', 'tasks', 'todos', 'list'] }),
    run({ items: given }) {
      const items = given.map(({ text, state }): PlanItem => ({ text, state: state ?? 'open' }))
      onPlan(items)
      const next = items.find((item) => item.state === 'doing') ?? items.find((item) => item.state === 'open')
      const unsaid = given.filter(({ state }) => state === null).length
      const said =
        unsaid === 0
          ? ''
          : unsaid === given.length
            ? ' No part has a state, so each is taken as open.'
            : ` ${counted(unsaid, 'part')} without a state ${unsaid === 1 ? 'is' : 'are'} taken as open.`
      return next === undefined ? 'The plan is done. Answer now.' : `The plan is shown. Next: ${next.text}${said}`
    },
  })
}
