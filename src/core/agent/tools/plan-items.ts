import { z } from 'zod'
import { planItemSchema, type PlanItem } from '../../../contract/agent.ts'

type State = PlanItem['state']

const stateWords: Record<State, string[]> = {
  open: [
    ...['open', 'pending', 'todo', 'notstarted', 'notdone', 'undone', 'unfinished', 'incomplete', 'notcomplete', 'notcompleted'],
    ...['waiting', 'queued', 'planned', 'upcoming', 'next', 'new', 'later', 'false', 'no', '☐', '⬜', '⏳'],
    ...[
      '待办',
      '待处理',
      '待完成',
      '待进行',
      '待做',
      '未开始',
      '未完成',
      '未进行',
      '未做',
      '没做',
      '还没做',
      '等待',
      '等待中',
      '计划中',
      '否',
    ],
  ],
  doing: [
    ...['doing', 'inprogress', 'progress', 'active', 'started', 'ongoing', 'current', 'running', 'working', 'workingonit', 'wip'],
    ...[
      'processing',
      'now',
      '🔄',
      '进行中',
      '正在进行',
      '进行',
      '处理中',
      '执行中',
      '正在做',
      '正在执行',
      '正在处理',
      '在做',
      '当前',
      '已开始',
    ],
  ],
  done: [
    ...['done', 'completed', 'complete', 'finished', 'finish', 'closed', 'resolved', 'succeeded', 'success', 'successful', 'checked'],
    ...[
      'ok',
      'true',
      'yes',
      'x',
      '✅',
      '✓',
      '✔',
      '☑',
      '完成',
      '已完成',
      '完成了',
      '做完',
      '已做完',
      '做完了',
      '已做',
      '完毕',
      '已结束',
      '结束',
      '成功',
      '是',
    ],
  ],
  dropped: [
    ...['dropped', 'drop', 'cancelled', 'canceled', 'cancel', 'skipped', 'skip', 'abandoned', 'removed', 'obsolete', 'notneeded'],
    ...['取消', '已取消', '放弃', '已放弃', '跳过', '已跳过', '不需要', '不做', '不做了', '作废'],
  ],
}
const states = new Map(planItemSchema.shape.state.options.flatMap((state) => stateWords[state].map((word) => [word, state] as const)))

const textKeys = ['text', 'title', 'step', 'task', 'part', 'item', 'name', 'content', 'description', '内容', '步骤', '任务', '标题']
const stateKeys = ['state', 'status', 'progress', '状态', '进度']
/** True for what is done. */
const flagKeys = ['done', 'completed', 'complete', 'finished', 'checked', 'isdone', 'iscompleted', 'iscomplete', '完成', '已完成']

/** A mark of a list of things to do before a part that is a mere text. */
const mark = /^\s*(?:[-*•]\s*)?(?:\[([ xX✓✔]?)\]|([✅✓✔☑☐⬜]))\uFE0F?\s*/u

export type GivenItem = Omit<PlanItem, 'state'> & { state: State | null }

/**
 * A part as models write it: the text alone, its state under other names and in other words. `state` is null where nothing is said of
 * it; a state that cannot be read is an issue, never a guess.
 */
export const givenItemSchema = z.unknown().transform((given, context): GivenItem => {
  const wrong = (message: string, path: string[] = []): GivenItem => {
    context.addIssue({ code: 'custom', message, path })
    return z.NEVER
  }
  if (typeof given === 'string') {
    const found = mark.exec(given)
    const text = given.slice(found?.[0].length ?? 0).trim()
    if (text === '') return wrong('a part needs a text')
    return { text, state: found === null ? null : stateOf((found[1] ?? found[2] ?? '').trim() || 'open') }
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return wrong('an object with "text" and "state" is wanted')
  const entries = Object.entries(given).filter(([, value]) => value !== null && value !== undefined)
  const find = (keys: string[]) => keys.map((key) => entries.find(([name]) => folded(name) === key)).find((entry) => entry !== undefined)
  const [textKey, text] = find(textKeys) ?? ['text', undefined]
  if ((typeof text !== 'string' && typeof text !== 'number') || String(text).trim() === '') return wrong('a part needs a text', [textKey])
  const [stateKey, said] = find(stateKeys) ?? find(flagKeys) ?? ['state', undefined]
  if (said === undefined) return { text: String(text).trim(), state: null }
  const state = typeof said === 'string' || typeof said === 'boolean' ? stateOf(String(said)) : null
  if (state === null) return wrong(`one of ${planItemSchema.shape.state.options.join(', ')} is wanted`, [stateKey])
  return { text: String(text).trim(), state }
})

function stateOf(word: string): State | null {
  return states.get(folded(word)) ?? null
}

function folded(text: string): string {
  return text.toLowerCase().replace(/[\s_\-.。!！()（）"'“”\uFE0F]/gu, '')
}
