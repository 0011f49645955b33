import { messageText, type Message } from '../../../contract/message.ts'
import type { ToolChoice, ToolSpec } from '../chat-model.ts'

const format = `To use a tool, write:
Thought: why you need it
Action: the name of the tool
Action Input: its arguments as one JSON object
Then stop. Its result comes as "Observation:". Never write an observation yourself.
When you know enough, or need no tool, write:
Thought: what you know
Final Answer: the answer, in the language of the question`

const forced = `Use a tool now. Write its call and nothing else, as one JSON object:
{"name": "the name of the tool", "arguments": {its arguments}}`

/** What a model without tools of its own is told of tools and of how to call them. */
export function describeTools(tools: ToolSpec[], choice: ToolChoice): string {
  const listed = `You have these tools:\n\n${tools.map(describeTool).join('\n\n')}`
  if (choice === 'auto' || choice === 'none') return `${listed}\n\n${format}`
  const wanted = choice === 'required' ? 'a tool' : `the tool ${choice.tool}`
  return `${listed}\n\n${forced.replace('a tool', wanted)}`
}

function describeTool({ name, description, parameters }: ToolSpec): string {
  const properties = isRecord(parameters['properties']) ? parameters['properties'] : {}
  const required = Array.isArray(parameters['required']) ? parameters['required'] : []
  const lines = Object.entries(properties).map(([key, schema]) => describeParameter(key, schema, required.includes(key)))
  return [`${name}: ${description}`, ...(lines.length === 0 ? ['  no arguments: {}'] : lines)].join('\n')
}

function describeParameter(key: string, schema: unknown, required: boolean): string {
  if (!isRecord(schema)) return `  "${key}"`
  const { type, description, enum: choices, ...rest } = schema
  // A plain type is a word; anything inside it is given as it is.
  const inner = ['items', 'properties', 'anyOf', 'oneOf', 'additionalProperties', 'minimum', 'maximum', 'default'].filter(
    (part) => part in rest,
  )
  const kind = Array.isArray(type) ? type.join(' or ') : typeof type === 'string' ? type : 'any'
  const details = inner.length === 0 ? '' : ` ${JSON.stringify(Object.fromEntries(inner.map((part) => [part, rest[part]])))}`
  const among = Array.isArray(choices) ? `, one of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}` : ''
  const text = typeof description === 'string' && description !== '' ? `: ${description}` : ''
  return `  "${key}" (${kind}${among}${required ? ', required' : ', may be left out'})${details}${text}`
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The conversation as such a model reads it: calls as actions, results as observations of the user. */
export function asText(messages: Message[], instructions: string | null): Message[] {
  const all: Message[] = []
  let results: Message[] = []
  const flush = (): void => {
    if (results.length > 0) all.push({ role: 'user', content: results.map((one) => observation(one, results.length > 1)).join('\n') })
    results = []
  }
  for (const message of messages) {
    if (message.role === 'tool') {
      results.push(message)
      continue
    }
    // Templates want user and assistant by turns: what the user says right after results stands in the same message.
    const joined = results.length > 0 && message.role === 'user'
    flush()
    if (joined) {
      const before = all.pop() as Message
      all.push({ ...message, content: joinContent(messageText(before), message.content) })
    } else all.push(message.role === 'assistant' ? assistant(message, instructions !== null) : message)
  }
  flush()
  if (instructions === null) return all
  const system = all.findIndex(({ role }) => role === 'system')
  if (system === -1) return [{ role: 'system', content: instructions }, ...all]
  const told = all[system] as Message
  return all.with(system, { ...told, content: `${messageText(told)}\n\n${instructions}` })
}

function observation(message: Message, several: boolean): string {
  return `Observation${several && message.name !== undefined ? ` of ${message.name}` : ''}: ${messageText(message)}`
}

function joinContent(before: string, content: Message['content']): Message['content'] {
  return typeof content === 'string' ? `${before}\n\n${content}` : [{ type: 'text', text: before }, ...content]
}

function assistant(message: Message, labelled: boolean): Message {
  const { toolCalls, thinking: _thinking, ...rest } = message
  const text = messageText(message).trim()
  if (toolCalls === undefined || toolCalls.length === 0)
    return labelled && text !== '' ? { ...rest, content: `Final Answer: ${text}` } : rest
  const actions = toolCalls.map((call) => `Action: ${call.name}\nAction Input: ${JSON.stringify(call.arguments)}`)
  return { ...rest, content: [...(text === '' ? [] : [`Thought: ${text}`]), ...actions].join('\n') }
}
