import { expect, test } from 'vitest'
import type { Message } from '../../contract/message.ts'
import { estimateRequest, isTelling } from './token-estimate.ts'

const user = (content: Message['content']): Message => ({ role: 'user', content })
const size = (messages: Message[], tools?: Parameters<typeof estimateRequest>[0]['tools']): number =>
  estimateRequest({ messages, ...(tools === undefined ? {} : { tools }) }, null)

test('tools, calls, documents, pictures and sound count, so that no window is planned too small', () => {
  const plain = size([user('What is in it?')])
  const document = { type: 'document' as const, name: 'a.md', text: 'word '.repeat(400) }
  const image = { type: 'image' as const, mediaType: 'image/png', data: 'A'.repeat(4_000_000) }
  const tool = { name: 'search', description: 'Searches the library. '.repeat(20), parameters: { type: 'object', properties: {} } }
  const called: Message = {
    role: 'assistant',
    content: '',
    toolCalls: [{ id: 'a', name: 'search', arguments: { query: 'notice period '.repeat(50) } }],
  }
  expect(size([user('What is in it?')], [tool])).toBeGreaterThan(plain + 80)
  expect(size([user([{ type: 'text', text: 'What is in it?' }, document])])).toBeGreaterThan(plain + 400)
  expect(size([user('What is in it?'), called])).toBeGreaterThan(plain + 150)
  // A fixed number, not the four million characters of its bytes.
  const seen = size([user([{ type: 'text', text: 'What is in it?' }, image])]) - plain
  expect(seen).toBeGreaterThan(500)
  expect(seen).toBeLessThan(3000)
})

test('thoughts count only where they are sent along: with a call', () => {
  const thinking = 'so then '.repeat(300)
  const said: Message = { role: 'assistant', content: 'Yes.' }
  expect(size([{ ...said, thinking }])).toBe(size([said]))
  const toolCalls = [{ id: 'a', name: 'x', arguments: {} }]
  expect(size([{ ...said, thinking, toolCalls }])).toBeGreaterThan(size([{ ...said, toolCalls }]) + 300)
})

test('a request with a picture teaches nothing about the tokens of a text', () => {
  expect(isTelling({ messages: [user('x')] })).toBe(true)
  expect(isTelling({ messages: [user([{ type: 'image', mediaType: 'image/png', data: '' }])] })).toBe(false)
})
