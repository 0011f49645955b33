import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  collect,
  outputCases,
  outputEvents,
  outputTools,
  readingOf,
  type OutputCase,
  type OutputPiece,
} from '../../../../test/fixtures/model-outputs/corpus.ts'
import type { ModelEvent } from '../chat-model.ts'
import { readArguments, readOutput } from './output.ts'
import { createTextReader } from './text-reader.ts'

const cases = [...outputCases('calls'), ...outputCases('more')]

async function read(pieces: OutputPiece[], { tools, end, expectThinking }: Pick<OutputCase, 'tools' | 'end' | 'expectThinking'>) {
  return collect(readOutput(outputEvents(pieces, end), { tools, expectThinking }))
}

const plain = { tools: outputTools, end: 'stop' as const, expectThinking: false }

/** Neighbouring texts as one, so that it can be cut elsewhere. */
function joined(pieces: OutputPiece[]): OutputPiece[] {
  const all: OutputPiece[] = []
  for (const piece of pieces) {
    if (typeof piece === 'string' && typeof all.at(-1) === 'string') all.push(`${all.pop() as string}${piece}`)
    else all.push(piece)
  }
  return all
}

function cutAt(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size))
}

test('the corpus is as large as promised, and each case is there once', () => {
  expect(cases.length).toBeGreaterThanOrEqual(140)
  expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length)
})

describe('the corpus is read rightly', () => {
  test.each(cases)('$id', async (one) => {
    expect(readingOf(await read(one.pieces, one)), one.why).toEqual(one.reading)
  })
})

test.each([1, 2, 3, 5, 8, 13, 100_000])('pieces of %i characters are read like the whole', async (size) => {
  for (const one of cases) {
    const pieces = joined(one.pieces).flatMap<OutputPiece>((piece) => (typeof piece === 'string' ? cutAt(piece, size) : [piece]))
    const { text, thinking, calls, broken } = readingOf(await read(pieces, one))
    // Where a native call stands between pieces, calls of the text may come before or after it.
    const order = (all: typeof calls) => (one.family === 'native' ? all.map(({ name }) => name).sort() : all)
    expect({ id: one.id, text, thinking, calls: order(calls), broken }).toEqual({
      id: one.id,
      ...one.reading,
      calls: order(one.reading.calls),
    })
  }
})

/** Scraps that outputs are made of, so that chance meets the rare turns. */
const scraps = fc.oneof(
  fc.constantFrom(
    ...['<tool_call>', '</tool_call>', '<think>', '</think>', '```json\n', '```', '`', '\n', '\n\n', ' ', ',', '}', ']', '[', '{'],
    ...[
      '{"name": "calculate", "arguments": {"expression": "1"}}',
      '{"name": "',
      '"arguments": {',
      '"a": 1',
      'words',
      '"',
      "'",
      '\\',
      '你好。',
    ],
    ...[
      '[TOOL_CALLS]',
      '<function=',
      '<|channel|>',
      '<|message|>',
      'analysis',
      '<|start|>',
      '<|end|>',
      'calculate(expression="1")',
      'Okay, so ',
    ],
    ...[
      'Thought: so\n',
      'Action: calculate\n',
      'Action Input: {"expression": "1"}',
      '\nObservation: ',
      'Final Answer: ',
      '思考：',
      'calculate(expression=',
      ')',
      '<invoke name="calculate">',
      '<parameter name="expression">',
      '</parameter>',
      '<|tool_call_begin|>',
      '[calculate(',
      '~~~',
      '> ',
      '<|python_tag|>',
    ],
  ),
  fc.string({ maxLength: 6 }),
)
const outputs = fc.array(scraps, { maxLength: 14 }).map((parts) => parts.join(''))

test('however an output is cut, its reading is the same', async () => {
  await fc.assert(
    fc.asyncProperty(outputs, fc.array(fc.nat(), { maxLength: 6 }), async (text, cuts) => {
      const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((one, other) => one - other), text.length]
      const pieces = places.slice(1).map((place, at) => text.slice(places[at], place))
      const whole = readingOf(await read([text], plain))
      expect(readingOf(await read(pieces, plain))).toEqual(whole)
      expect(readingOf(await read([...text], plain))).toEqual(whole)
    }),
    { numRuns: 1500 },
  )
})

test('an output without tools and thoughts comes out byte for byte', async () => {
  const unmarked = outputs.filter((text) => !/think|<\|/i.test(text) && !/^\s*analysis/.test(text))
  await fc.assert(
    fc.asyncProperty(unmarked, async (text) => {
      expect(readingOf(await read([...text], { ...plain, tools: [] }))).toEqual({ text, thinking: '', calls: [], broken: [] })
    }),
    { numRuns: 500 },
  )
})

test('with tools, words, code and JSON that are no calls come out byte for byte', async () => {
  const harmless = fc.oneof(
    fc.constantFrom(
      '{"a": [1, {"b": "}"}]}',
      '```js\nf({})\n```',
      'x < y',
      '[1]',
      '\n\n',
      '{',
      '}',
      '"',
      '`code`',
      ' - ',
      '<b>',
      '你好，{甲}。',
      '| a |',
    ),
    fc.string({ maxLength: 8 }),
  )
  const texts = fc.array(harmless, { maxLength: 12 }).map((parts) => parts.join(''))
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      expect(readingOf(await read(cutAt(text, 3), plain))).toEqual({ text, thinking: '', calls: [], broken: [] })
    }),
    { numRuns: 1000 },
  )
})

test('an answer is not held back: each word is said when the next one comes', () => {
  const reader = createTextReader(outputTools, false)
  const words = 'Norway has one capital, Oslo, a city of {many} hills [1] and `code` < here.'.split(/(?<= )/)
  let said = ''
  words.forEach((word, at) => {
    for (const piece of reader.push(word)) if (piece.kind === 'text') said += piece.text
    expect(said).toBe(
      words
        .slice(0, at + 1)
        .join('')
        .replace(/\s$/, ''),
    )
  })
})

test('JSON that is the answer is held no longer than its first foreign key', () => {
  const reader = createTextReader(outputTools, false)
  const said = reader.push('{"title": "A long answer", "part')
  expect(said).toEqual([
    { kind: 'text', text: '{"title":' },
    { kind: 'text', text: ' "A long answer", "part' },
  ])
})

test('a call is given as soon as it is whole, and before a native one that comes later', async () => {
  const events = await read(
    ['{"name": "calculate", "arguments": {"expression": "1"}}', { call: { id: 'text_call_1', name: 'get_weather', arguments: {} } }],
    plain,
  )
  expect(events.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []))).toEqual([
    { id: 'text_call_1', name: 'calculate', arguments: { expression: '1' } },
    { id: 'text_call_1_2', name: 'get_weather', arguments: {} },
  ])
})

test('ids are unique, also where a server gives every call the same or none', async () => {
  const native = (id: string, city: string): OutputPiece => ({ call: { id, name: 'get_weather', arguments: { city } } })
  const events = await read(
    [native('call', 'a'), native('call', 'b'), native('', 'c'), '<tool_call>{"name": "calculate"}</tool_call>'],
    plain,
  )
  const ids = events.flatMap((event) => (event.type === 'tool-call' ? [event.call.id] : []))
  expect(new Set(ids).size).toBe(4)
  expect(ids).not.toContain('')
})

test('a broken call says what is wrong, and what was written', async () => {
  const events = await read(['<tool_call>{"name": "get_weather", "arguments": {"city": Oslo}}</tool_call>'], plain)
  const broken = events.find((event): event is Extract<ModelEvent, { type: 'broken-call' }> => event.type === 'broken-call')
  expect(broken).toEqual({
    type: 'broken-call',
    name: 'get_weather',
    text: '{"name": "get_weather", "arguments": {"city": Oslo}}',
    problem: '"Oslo}}" is no JSON value: put text in double quotes.',
  })
})

test('what is open when the stream fails is no call, and the failure comes last', async () => {
  async function* failing(): AsyncGenerator<ModelEvent> {
    yield* outputEvents(['Text. <tool_call>{"name": "calculate", "arguments": {"expression": "1"'], 'stop') as AsyncGenerator<never>
  }
  const open = (await collect(failing())).filter((event) => event.type !== 'end')
  async function* cut(): AsyncGenerator<ModelEvent> {
    yield* open
    yield { type: 'error', error: { code: 'model-call', message: 'gone', retryable: true } }
  }
  const events = await collect(readOutput(cut(), { tools: outputTools }))
  expect(readingOf(events)).toEqual({ text: 'Text.', thinking: '', calls: [], broken: [{ name: 'calculate' }] })
  expect(events.at(-1)?.type).toBe('error')
})

test.each([
  ['{"city": "Oslo"}', { kind: 'ok', value: { city: 'Oslo' } }],
  ['', { kind: 'ok', value: {} }],
  [' null ', { kind: 'ok', value: {} }],
  ['"{\\"city\\": \\"Oslo\\"}"', { kind: 'ok', value: { city: 'Oslo' } }],
  ["{'city': 'Oslo',}", { kind: 'ok', value: { city: 'Oslo' } }],
  ['```json\n{"city": "Oslo"}\n```', { kind: 'ok', value: { city: 'Oslo' } }],
  ['{"city": "Oslo"}}', { kind: 'ok', value: { city: 'Oslo' } }],
  ['{"city": "Oslo"} {"city": "Bergen"}', { kind: 'broken', problem: 'After the arguments something else follows: give one JSON object.' }],
  ['{"city": "Os', { kind: 'broken', problem: 'It was cut off inside a text.' }],
  ['Oslo', { kind: 'broken', problem: '"Oslo" is no JSON value: put text in double quotes.' }],
])('arguments %s', (text, result) => {
  expect(readArguments(text)).toEqual(result)
})

test('valid JSON is read as JSON.parse reads it, wherever its numbers are exact', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      const value: unknown = JSON.parse(json)
      if (/\d{16}/.test(json)) return
      if (typeof value !== 'object' || value === null || (Array.isArray(value) && value.length === 0)) return
      expect(readArguments(json)).toEqual({ kind: 'ok', value })
    }),
    { numRuns: 1000 },
  )
})

test('a megabyte of one mark is read to its end and little of it is held: a quadratic reader would not come back', () => {
  const marks = [
    '{',
    '[',
    '<',
    '`',
    '"',
    '{"name": {',
    '[{',
    '<tool_call>',
    '<tool_call>{"a',
    '{"name":"\n\n',
    '<think>',
    '<think></think>',
    '<|channel|>',
    ' ',
    '```json\n{"name": "x",',
    '<function=a>',
    '<tool_call>[calculate(',
    'analysisA',
    "{'",
    '<|tool_call_begin|>',
  ]
  for (const one of marks) {
    const size = ['{', '<', '[', '[{', '{"name": {'].includes(one) ? 1_000_000 : 100_000
    const text = one.repeat(Math.ceil(size / one.length))
    const reader = createTextReader(outputTools, false)
    let most = 0
    let given = 0
    let taken = 0
    for (const piece of cutAt(text, 4096)) {
      taken += piece.length
      for (const out of reader.push(piece)) given += 'text' in out ? out.text.length : 0
      most = Math.max(most, taken - given)
    }
    reader.end(false)
    expect({ one, held: given === 0 || most <= 600_000 }).toEqual({ one, held: true })
  }
}, 120_000)
