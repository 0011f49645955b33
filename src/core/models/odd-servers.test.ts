import { afterEach, expect, test } from 'vitest'
import { startHttpFake } from '../../../test/fakes/http-fake.ts'
import { hear, makeModels } from '../../../test/fakes/models.ts'

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
})

const tools = [
  { name: 'calculate', description: 'Calculates', parameters: { type: 'object', properties: { expression: { type: 'string' } } } },
]

function chunk(choice: object, more: object = {}): string {
  return `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, ...choice }], ...more })}\n\n`
}

const done = 'data: [DONE]\n\n'
const stop = chunk({ delta: {}, finish_reason: 'stop' })

/** What is heard of a server that answers with this, byte for byte. */
async function heardOf(body: string, { stays = false, offered = tools }: { stays?: boolean; offered?: typeof tools } = {}) {
  const server = await startHttpFake('odd', {}, ({ path }, response) => {
    if (path.endsWith('/models')) response.end('{"data":[{"id":"odd"}]}')
    else {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(body)
      if (!stays) response.end()
    }
    return true
  })
  const made = makeModels({ providers: [{ id: 'own', kind: 'openai', name: 'Own', address: server.url, hasKey: false }] })
  open.push(server, made)
  const model = await made.models.resolve({ providerId: 'own', model: 'odd' })
  if (model === null) throw new Error('no model')
  return hear(model, 'x', undefined, { tools: offered })
}

test.each([
  ['text', { prompt_tokens: '12', completion_tokens: '3', total_tokens: '15' }, [12, 3, 15]],
  ['fractions', { prompt_tokens: 10.5, completion_tokens: 3.5, total_tokens: 14 }, [11, 4, 14]],
  ['out of reach or below nothing', { prompt_tokens: 1e300, completion_tokens: -3, total_tokens: null }, [null, null, null]],
  ['under other names', { input_tokens: 5, output_tokens: 6 }, [5, 6, null]],
  ['no numbers', { prompt_tokens: {}, completion_tokens: 'many' }, [null, null, null]],
])('counts of tokens that are %s', async (_case, usage, [promptTokens, completionTokens, totalTokens]) => {
  const heard = await heardOf(chunk({ delta: { content: 'yes' } }) + chunk({ delta: {}, finish_reason: 'stop' }, { usage }) + done)
  expect(heard).toMatchObject({ text: 'yes', last: { type: 'end', usage: { promptTokens, completionTokens, totalTokens } } })
})

test('an answer ends at its [DONE], also where the server leaves the connection open or goes on', async () => {
  const heard = await heardOf(chunk({ delta: { content: 'yes' } }) + stop + done, { stays: true })
  expect(heard).toMatchObject({ text: 'yes', last: { type: 'end', reason: 'stop' } })
  expect(await heardOf(chunk({ delta: { content: 'say data: [DONE]\ndata: [DONE] twice' } }) + stop + done)).toMatchObject({
    text: 'say data: [DONE]\ndata: [DONE] twice',
  })
})

test.each([
  [
    'parts',
    chunk({
      delta: {
        content: [
          { type: 'text', text: 'fo' },
          { type: 'text', text: 'ur' },
        ],
      },
    }) + stop,
  ],
  ['the whole message', chunk({ message: { role: 'assistant', content: 'four' }, finish_reason: 'stop' })],
  ['a refusal', chunk({ delta: { refusal: 'four' } }) + stop],
])('text that comes as %s', async (_case, body) => {
  expect(await heardOf(body + done)).toMatchObject({ text: 'four', last: { type: 'end', reason: 'stop' } })
})

test('thoughts that come as parts are thoughts', async () => {
  const parts = [
    { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
    { type: 'text', text: 'four' },
  ]
  expect(await heardOf(chunk({ delta: { content: parts } }) + stop + done)).toMatchObject({ text: 'four', thinking: 'hm' })
})

test.each([
  [
    'as calls were once',
    chunk({ delta: { function_call: { name: 'calculate', arguments: '' } } }) +
      chunk({ delta: { function_call: { arguments: '{"expression":"20+1"}' } } }),
  ],
  [
    'in the whole message',
    chunk({
      message: {
        content: null,
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'calculate', arguments: '{"expression":"20+1"}' } }],
      },
    }),
  ],
])('a call that comes %s', async (_case, body) => {
  const { events } = await heardOf(body + chunk({ delta: {}, finish_reason: 'tool_calls' }) + done)
  expect(events.flatMap((event) => (event.type === 'tool-call' ? [[event.call.name, event.call.arguments]] : []))).toEqual([
    ['calculate', { expression: '20+1' }],
  ])
})

test.each([
  ['content_filter', 'half'],
  ['sensitive', ''],
])('an answer that the provider filtered (%s) says so', async (finish_reason, content) => {
  const { events } = await heardOf(chunk({ delta: { content } }) + chunk({ delta: {}, finish_reason }) + done)
  expect(events).toContainEqual(expect.objectContaining({ type: 'warning', code: 'filtered' }))
})

test('a reason that comes as an event of its own shape is told', async () => {
  const { last } = await heardOf('event: error\ndata: {"code":"Arrearage","message":"余额不足"}\n\n')
  expect(last).toMatchObject({ type: 'error', error: { code: 'model-call', message: expect.stringContaining('余额不足') as string } })
})
