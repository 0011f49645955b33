import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { collect, outputEvents, readingOf } from '../../../../test/fixtures/model-outputs/corpus.ts'
import { python, withTrailingCommas } from '../../../../test/fixtures/model-outputs/notation.ts'
import type { ToolSpec } from '../chat-model.ts'
import { readOutput } from './output.ts'

const tool: ToolSpec = {
  name: 'make_thing',
  description: 'Makes a thing.',
  parameters: { type: 'object', properties: { a: { type: 'string' }, b: {}, c: { type: 'array' } }, required: ['a'] },
}
const other: ToolSpec = {
  name: 'other_thing',
  description: 'Other.',
  parameters: { type: 'object', properties: { x: { type: 'number' } } },
}

type Arguments = Record<string, unknown>

const call = (args: Arguments): string => JSON.stringify({ name: 'make_thing', arguments: args })

/** Every way in which models write a right call. */
const styles: Record<string, (args: Arguments) => string> = {
  json: call,
  pretty: (args) => JSON.stringify({ name: 'make_thing', arguments: args }, null, 2),
  parameters: (args) => JSON.stringify({ name: 'make_thing', parameters: args }),
  openai: (args) => JSON.stringify([{ id: 'x', type: 'function', function: { name: 'make_thing', arguments: JSON.stringify(args) } }]),
  'arguments twice encoded': (args) => JSON.stringify({ name: 'make_thing', arguments: JSON.stringify(JSON.stringify(args)) }),
  'tool and args': (args) => JSON.stringify({ tool: 'make_thing', args }),
  'name as key': (args) => JSON.stringify({ make_thing: args }),
  array: (args) => `[${call(args)}]`,
  tag: (args) => `<tool_call>\n${call(args)}\n</tool_call>`,
  'tag after thoughts and words': (args) => `<think>\nhm\n</think>\n\nI will.\n<tool_call>\n${call(args)}\n</tool_call>`,
  'tag unclosed': (args) => `<tool_call>\n${call(args)}`,
  'a brace too many': (args) => `${call(args)}}`,
  fence: (args) => `\`\`\`json\n${call(args)}\n\`\`\``,
  'fence after words': (args) => `I will:\n\n\`\`\`json\n${call(args)}\n\`\`\`\n`,
  mistral: (args) => `[TOOL_CALLS] [${call(args)}]`,
  'mistral, name and arguments': (args) => `[TOOL_CALLS]make_thing[ARGS]${JSON.stringify(args)}`,
  llama: (args) => `<|python_tag|>${JSON.stringify({ name: 'make_thing', parameters: args })}`,
  'function tag': (args) => `<function=make_thing>${JSON.stringify(args)}</function>`,
  deepseek: (args) =>
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>make_thing\n\`\`\`json\n${JSON.stringify(args)}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  kimi: (args) =>
    `<|tool_calls_section_begin|><|tool_call_begin|>functions.make_thing:0<|tool_call_argument_begin|>${JSON.stringify(args)}<|tool_call_end|><|tool_calls_section_end|>`,
  harmony: (args) => `<|channel|>commentary to=functions.make_thing <|constrain|>json<|message|>${JSON.stringify(args)}<|call|>`,
  'trailing commas': (args) => withTrailingCommas(call(args)),
  'python dict': (args) => python({ name: 'make_thing', arguments: args }),
  react: (args) => `Thought: so\nAction: make_thing\nAction Input: ${JSON.stringify(args)}`,
  'react with an invented observation': (args) =>
    `思考：好\n行动：make_thing\n行动输入：${JSON.stringify(args, null, 2)}\n观察：一\n最终答案：一`,
  'bare python call': (args) =>
    `make_thing(${Object.entries(args)
      .map(([key, value]) => `${key}=${python(value)}`)
      .join(', ')})`,
  'python call': (args) =>
    `[make_thing(${Object.entries(args)
      .map(([key, value]) => `${key}=${python(value)}`)
      .join(', ')})]`,
}

const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    'It\'s "so"',
    '}}',
    '</tool_call>',
    '```\ncode\n```',
    'a\nb',
    '\\d+',
    '南京：｛晴｝',
    '<think>',
    '{"name": "make_thing", "arguments": {}}',
    ', "b": 1',
    '[TOOL_CALLS]',
  ),
)
const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('k', 'l m', '键'), tie('value'), { maxKeys: 2 }),
  ),
})).value
const someArguments: fc.Arbitrary<Arguments> = fc.record(
  { a: text, b: value, c: fc.array(value, { maxLength: 3 }) },
  { requiredKeys: ['a'] },
)
const plain = (args: Arguments): Arguments => JSON.parse(JSON.stringify(args)) as Arguments

describe('a right call reaches the tool unchanged, however it is written and cut', () => {
  test.each(Object.keys(styles))('%s', async (style) => {
    await fc.assert(
      fc.asyncProperty(someArguments, fc.integer({ min: 1, max: 40 }), async (args, size) => {
        const written = styles[style]?.(args) ?? ''
        const pieces = Array.from({ length: Math.ceil(written.length / size) }, (_, at) => written.slice(at * size, (at + 1) * size))
        const reading = readingOf(await collect(readOutput(outputEvents(pieces), { tools: [tool, other] })))
        expect({ written, calls: reading.calls, broken: reading.broken }).toEqual({
          written,
          calls: [{ name: 'make_thing', arguments: plain(args) }],
          broken: [],
        })
      }),
      { numRuns: 150 },
    )
  })
})

test('a call that was cut off at the limit is never a call with other arguments', async () => {
  await fc.assert(
    fc.asyncProperty(someArguments, fc.nat(), fc.constantFrom('<tool_call>', '', '[TOOL_CALLS]'), async (args, at, mark) => {
      const whole = call(args)
      const cut = whole.slice(0, 1 + (at % whole.length))
      const { calls } = readingOf(await collect(readOutput(outputEvents([mark + cut], 'length'), { tools: [tool, other] })))
      for (const one of calls) expect({ cut, arguments: one.arguments }).toEqual({ cut, arguments: plain(args) })
    }),
    { numRuns: 1000 },
  )
})

/** The object that the text begins with, as JSON has it but for raw line breaks; null when it is none. */
function wholeBeginning(written: string): { arguments: Arguments } | null {
  for (let end = written.indexOf('}'); end !== -1; end = written.indexOf('}', end + 1)) {
    const whole = written.slice(0, end + 1)
    for (const text of [whole, whole.replaceAll('\n', '\\n')]) {
      try {
        return JSON.parse(text) as { arguments: Arguments }
      } catch {
        // Not yet whole.
      }
    }
  }
  return null
}

test('a model that forgets to escape quotes is understood rightly or not at all', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('"', ',', ' ', 'a', 'b:', '}', '\n', '{', 'x"y', ': "'), { maxLength: 10 }),
      async (parts) => {
        const a = parts.join('')
        const written = `{"name": "make_thing", "arguments": {"a": "${a}", "b": "end"}}`
        const { calls } = readingOf(
          await collect(readOutput(outputEvents([`<tool_call>${written}</tool_call>`]), { tools: [tool, other] })),
        )
        // What was meant is `a`, unless what was written begins with an object that JSON itself allows.
        const allowed = wholeBeginning(written)?.arguments ?? { a, b: 'end' }
        for (const one of calls) expect({ written, arguments: one.arguments }).toEqual({ written, arguments: allowed })
      },
    ),
    // Always the same texts: among all that chance can make, a few can be told from what was meant by nobody.
    { numRuns: 2000, seed: 7 },
  )
})
