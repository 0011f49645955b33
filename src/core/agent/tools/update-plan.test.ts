import { expect, test } from 'vitest'
import type { PlanItem } from '../../../contract/agent.ts'
import { checkArguments, type ToolContext } from '../tool.ts'
import { createUpdatePlan } from './update-plan.ts'

function planOf(given: unknown): { items: PlanItem[]; said: string } | string {
  let items: PlanItem[] = []
  const tool = createUpdatePlan((plan) => (items = plan))
  const checked = checkArguments(tool, given)
  if (checked.kind === 'bad') return checked.message
  const said = String(tool.run(checked.value, {} as ToolContext))
  return { items, said }
}

const state = (item: unknown): unknown => {
  const plan = planOf({ items: [item] })
  return typeof plan === 'string' ? plan : plan.items[0]?.state
}

test.each<[PlanItem['state'], unknown[]]>([
  ['open', ['open', 'pending', 'To do', 'TODO', 'not_started', 'not started', '未开始', '待办', '未完成', '待处理']],
  ['doing', ['doing', 'in progress', 'in_progress', 'IN-PROGRESS', 'active', '进行中', '正在进行', '处理中']],
  ['done', ['done', 'Done.', 'completed', 'COMPLETE', 'finished', '完成', '已完成', '✅', '做完了']],
  ['dropped', ['dropped', 'cancelled', 'canceled', 'skipped', '取消', '已取消', '跳过']],
])('a part is %s in other words, under other names too', (expected, words) => {
  for (const word of words) {
    for (const key of ['state', 'status', 'Status', '状态'])
      expect([word, key, state({ text: 'a', [key]: word })]).toEqual([word, key, expected])
  }
})

test('a flag and a mark before the text say it as well', () => {
  expect(state({ text: 'a', done: true })).toBe('done')
  expect(state({ text: 'a', completed: false })).toBe('open')
  expect(state({ title: 'a', is_completed: true })).toBe('done')
  expect(state({ step: '查租约', status: 'completed' })).toBe('done')
  expect(planOf({ items: ['- [x] read', '[ ] sum', '✅ 查租约'] })).toMatchObject({
    items: [
      { text: 'read', state: 'done' },
      { text: 'sum', state: 'open' },
      { text: '查租约', state: 'done' },
    ],
    said: 'The plan is shown. Next: sum',
  })
  expect(planOf({ steps: [{ text: 'a', status: 'done' }] })).toMatchObject({ said: 'The plan is done. Answer now.' })
})

test('a state that nobody said is open, and the model is told', () => {
  expect(planOf({ items: ['a', 'b'] })).toMatchObject({
    items: [
      { text: 'a', state: 'open' },
      { text: 'b', state: 'open' },
    ],
    said: 'The plan is shown. Next: a No part has a state, so each is taken as open.',
  })
  expect(planOf({ items: [{ text: 'a', state: 'done' }, { text: 'b' }] })).toMatchObject({
    said: expect.stringContaining('1 part without a state is taken as open') as string,
  })
})

test.each([
  [{ items: [{ text: 'a', state: 'purple' }] }, /"items\[1\]\.state": "purple" was given; one of open, doing, done, dropped is wanted/],
  [{ items: [{ text: 'a', status: '也许' }] }, /"items\[1\]\.status": "也许" was given; one of open/],
  [{ items: [{ text: 'a', state: 3 }] }, /one of open/],
  [{ items: [{ text: ' ', state: 'open' }] }, /a part needs a text/],
  [{ items: [{ state: 'open' }] }, /"items\[1\]\.text" is missing; a part needs a text/],
  [{ items: [''] }, /a part needs a text/],
  [{ items: [] }, /a plan has at least one part/],
  [{ items: Array.from({ length: 200 }, (_, index) => ({ text: `${index}`, state: 'open' })) }, /at most 30 parts, this one has 200/],
  [{}, /"items" is missing/],
])('what cannot be read is refused with the real reason: %j', (given, words) => expect(planOf(given)).toMatch(words))
