import type { TurnMode } from '../contract/answer.ts'
import type { ModelRef } from '../contract/models.ts'

const leaving = new Set(['exit', 'quit', '退出'])

export type ChatInput =
  | { kind: 'nothing' }
  | { kind: 'leave' }
  | { kind: 'help' }
  | { kind: 'new' }
  | { kind: 'mode'; mode: TurnMode }
  | { kind: 'model'; name: string }
  | { kind: 'unknown'; name: string }
  | { kind: 'question'; text: string }

/** What a line of a conversation means. A path is a question: no command has a second slash. */
export function readInput(line: string): ChatInput {
  const text = line.trim()
  if (text === '') return { kind: 'nothing' }
  if (leaving.has(text.toLowerCase())) return { kind: 'leave' }
  const command = /^\/(\p{L}+)(?:\s+(.*))?$/u.exec(text)
  if (command === null) return { kind: 'question', text }
  const [, name = '', rest = ''] = command
  switch (name.toLowerCase()) {
    case 'exit':
    case 'quit':
    case '退出':
      return { kind: 'leave' }
    case 'help':
    case '帮助':
      return { kind: 'help' }
    case 'new':
      return { kind: 'new' }
    case 'agent':
      return { kind: 'mode', mode: 'agent' }
    case 'answer':
      return { kind: 'mode', mode: 'answer' }
    case 'model':
      return rest === '' ? { kind: 'unknown', name: '/model' } : { kind: 'model', name: rest }
    default:
      return { kind: 'unknown', name: `/${name}` }
  }
}

/** What the next question is asked with. */
export interface ChatState {
  chatId: string | undefined
  mode: TurnMode
  model: ModelRef | undefined
}
