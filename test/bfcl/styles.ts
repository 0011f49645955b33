import { python, withTrailingCommas } from '../fixtures/model-outputs/notation.ts'
import type { Call } from './questions.ts'

/** A way in which models write calls into their text. `calls` are those of one turn; a piece a list entry when cut. */
export type Style = (calls: Call[]) => string | string[]

const plain = ({ name, arguments: args }: Call): string => JSON.stringify({ name, arguments: args })
const inText = ({ name, arguments: args }: Call): string => JSON.stringify({ name, arguments: JSON.stringify(args) })
const each =
  (write: (call: Call) => string, between = '\n'): Style =>
  (calls) =>
    calls.map(write).join(between)

function pieces(text: string, size: number): string[] {
  const characters = Array.from(text)
  return Array.from({ length: Math.ceil(characters.length / size) }, (_each, at) => characters.slice(at * size, (at + 1) * size).join(''))
}

const tag = (call: Call): string => `<tool_call>\n${plain(call)}\n</tool_call>`
const deepseek = ({ name, arguments: args }: Call): string =>
  `<｜tool▁call▁begin｜>function<｜tool▁sep｜>${name}\n\`\`\`json\n${JSON.stringify(args)}\n\`\`\`<｜tool▁call▁end｜>`

/** Every malformed or odd style of the corpus in which a right call can be read in one way only. */
export const textStyles: Record<string, Style> = {
  'JSON in the content': each(plain),
  'two objects in a row': each(plain, ''),
  'an array of calls': (calls) => `[${calls.map(plain).join(', ')}]`,
  'pretty JSON, letter by letter': (calls) =>
    pieces(calls.map((call) => JSON.stringify({ name: call.name, arguments: call.arguments }, null, 2)).join('\n'), 1),
  'parameters for arguments': each(({ name, arguments: args }) => JSON.stringify({ name, parameters: args })),
  'arguments as a string': each(inText),
  'the whole OpenAI shape': (calls) =>
    JSON.stringify(
      calls.map(({ name, arguments: args }, at) => ({
        id: `call_${at}`,
        type: 'function',
        function: { name, arguments: JSON.stringify(args) },
      })),
    ),
  'the name as key': each(({ name, arguments: args }) => JSON.stringify({ [name]: args })),
  'tags, split': (calls) => pieces(calls.map(tag).join('\n'), 5),
  'tags after thoughts and words': (calls) =>
    `<think>\nI should call ${calls[0]?.name ?? 'nothing'}.\n</think>\n\nI will.\n${calls.map(tag).join('\n')}`,
  'a lone end of thoughts': (calls) => `The user wants this done.\n</think>\n${calls.map(tag).join('\n')}`,
  'tags unclosed at the end': (calls) =>
    calls
      .map(tag)
      .join('\n')
      .replace(/\n<\/tool_call>$/, ''),
  'a fence': (calls) => `\`\`\`json\n${calls.length === 1 ? plain(calls[0]!) : `[${calls.map(plain).join(', ')}]`}\n\`\`\``,
  'a fence for each after words': (calls) => `I will:\n\n${calls.map((call) => `\`\`\`json\n${plain(call)}\n\`\`\``).join('\n\n')}\n`,
  'trailing commas': (calls) => calls.map((call) => withTrailingCommas(plain(call))).join('\n'),
  'a Python dict': each(({ name, arguments: args }) => python({ name, arguments: args })),
  'Python calls': (calls) =>
    `[${calls
      .map(
        ({ name, arguments: args }) =>
          `${name}(${Object.entries(args)
            .map(([key, value]) => `${key}=${python(value)}`)
            .join(', ')})`,
      )
      .join(', ')}]`,
  Mistral: (calls) => `[TOOL_CALLS] [${calls.map(plain).join(', ')}]`,
  Llama: (calls) => `<|python_tag|>${calls.map(({ name, arguments: args }) => JSON.stringify({ name, parameters: args })).join('; ')}`,
  'function tags': each(({ name, arguments: args }) => `<function=${name}>${JSON.stringify(args)}</function>`),
  DeepSeek: (calls) => `<｜tool▁calls▁begin｜>${calls.map(deepseek).join('\n')}<｜tool▁calls▁end｜>`,
}

/** The calls by the text protocol, one a round; then the answer. */
export function reactRound(calls: Call[], round: number, reply: string): string {
  const call = calls[round]
  if (call === undefined) return `Thought: I know it now.\nFinal Answer: ${reply}`
  return `Thought: I need ${call.name}.\nAction: ${call.name}\nAction Input: ${JSON.stringify(call.arguments)}\nObservation: made up by the model itself`
}
