import { expect, test } from 'vitest'
import { readInput } from './chat-loop.ts'

test('exit, quit and 退出 leave; commands are commands; everything else is a question, paths too', () => {
  const kinds = (lines: string[]) => lines.map((line) => readInput(line).kind)
  expect(kinds(['exit', ' QUIT ', '退出', '/exit', '/退出'])).toEqual(Array(5).fill('leave'))
  expect(kinds(['', '   ', '\t'])).toEqual(Array(3).fill('nothing'))
  expect(kinds(['exit the program how?', '退出登录怎么办', '/etc/hosts 是什么', '/home/me/a.txt', '1/2?'])).toEqual(
    Array(5).fill('question'),
  )
  expect(readInput('/model qwen3:4b')).toEqual({ kind: 'model', name: 'qwen3:4b' })
  expect(readInput('/agent')).toEqual({ kind: 'mode', mode: 'agent' })
  expect(readInput('/answer')).toEqual({ kind: 'mode', mode: 'answer' })
  expect(kinds(['/new', '/help', '/model', '/nonsense now'])).toEqual(['new', 'help', 'unknown', 'unknown'])
})
