import type { Reading, Source } from './source.ts'

/** The parts of an answer as ReAct names them; `text` is what stands before the first label. */
export type Section = 'text' | 'thought' | 'action' | 'input' | 'observation' | 'final'

export interface Label {
  section: Exclude<Section, 'text'>
  /** In small letters, words joined by one space. */
  name: string
  length: number
  /** Bold was opened before it and is closed only behind it. */
  bold: boolean
}

const labels: Record<Label['section'], string[]> = {
  thought: ['thought', 'thoughts', '思考', '想法'],
  action: ['action', '动作', '行动'],
  input: ['action input', 'input', 'arguments', '动作输入', '行动输入', '输入', '参数'],
  observation: ['observation', '观察', '观察结果'],
  final: ['final answer', 'answer', '最终答案', '最终回答', '答案', '回答'],
}
/** Everyday words: labels only where one is awaited. */
const everyday: Record<string, Section> = {
  input: 'action',
  arguments: 'action',
  输入: 'action',
  参数: 'action',
  answer: 'thought',
  答案: 'thought',
  回答: 'thought',
}
const longestLabel = 60

export function isEverydayLabel({ name }: Label): boolean {
  return Object.hasOwn(everyday, name)
}

/** The label that a line begins with, in any dress; not taken. */
export function* findLabel(source: Source, section: Section): Reading<Label | null> {
  for (let count = 1; count <= longestLabel; count += 1) {
    const seen = yield* source.peek(count)
    if (seen.length < count) return null
    const prefix = /^[ \t]*[*_#]{0,3}[ \t]*/.exec(seen)?.[0] ?? ''
    const rest = seen.slice(prefix.length).toLowerCase().replace('_', ' ')
    let maybe = rest === ''
    for (const kind of Object.keys(labels) as Label['section'][]) {
      for (const name of labels[kind]) {
        if (everyday[name] !== undefined && everyday[name] !== section) continue
        const tail = rest.startsWith(name) ? rest.slice(name.length) : null
        if (tail !== null && /^ ?\d{0,3} ?\*{0,2} ?[:：]$/.test(tail)) {
          return { section: kind, name, length: count, bold: prefix.includes('*') && !tail.includes('*') }
        }
        maybe ||= tail === null ? name.startsWith(rest) : /^ ?\d{0,3} ?\*{0,2} ?$/.test(tail)
      }
    }
    if (!maybe) return null
  }
  return null
}
