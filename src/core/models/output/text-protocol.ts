import type { ErrorValue } from '../../../contract/errors.ts'
import { noUsage, toldTools, type ChatModel, type ChatRequest, type JsonSchema, type ModelEvent, type ToolSpec } from '../chat-model.ts'
import { findTool } from './call-shape.ts'
import { readOutput } from './read-output.ts'
import { asText, describeTools } from './react-prompt.ts'
import { createReactReader } from './react-reader.ts'
import type { Piece } from './text-state.ts'

/**
 * A model without tools of its own gets them by text: thought, action, observation (ReAct, Yao et al. 2022,
 * arXiv:2210.03629). The same requests and events as a model that has them; a warning says once that it is so.
 */
export function withTextProtocol(model: ChatModel): ChatModel {
  let said = false

  async function* stream(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void> {
    const choice = request.toolChoice ?? 'auto'
    const offered = (request.tools ?? []).filter((tool) => (typeof choice === 'object' ? tool.name === choice.tool : choice !== 'none'))
    const spoken = offered.length > 0 || request.messages.some(({ role, toolCalls }) => role === 'tool' || toolCalls !== undefined)
    const inner = textRequest(model, request, offered)
    if (!spoken) {
      yield* model.stream(inner, { signal })
      return
    }
    if (!said && offered.length > 0) {
      said = true
      yield {
        type: 'warning',
        code: 'text-protocol',
        message: `${model.info.ref.model} has no tools of its own: it is given them as text.`,
      }
    }
    // With a choice of its own the model need not call; when it must, an answer without a call is a failure.
    const must = offered.length > 0 && mustCall(choice)
    let called = false
    for await (const event of readOutput(readReact(model, inner, offered, signal), { tools: offered })) {
      if (event.type === 'tool-call') called ||= typeof choice !== 'object' || findTool(offered, event.call.name)?.name === choice.tool
      if (event.type === 'broken-call') called = true
      if (event.type === 'end' && must && !called) yield { type: 'error', error: noCall(choice) }
      else yield event
    }
  }

  return {
    info: model.info,
    window: (signal) => model.window(signal),
    estimateTokens: (text) => model.estimateTokens(text),
    stream: (request, { signal }) => stream(request, signal),
  }
}

function textRequest(model: ChatModel, request: ChatRequest, offered: ToolSpec[]): ChatRequest {
  const { tools: _tools, toolChoice, ...rest } = request
  const instructions = offered.length === 0 ? null : describeTools(offered, toolChoice ?? 'auto')
  const listed = model.estimateTokens(JSON.stringify(toldTools(offered)))
  const more = instructions === null ? 0 : Math.max(0, model.estimateTokens(instructions) - listed)
  const bound =
    offered.length > 0 && mustCall(toolChoice) && rest.responseSchema === undefined ? { responseSchema: callSchema(offered) } : {}
  return { ...rest, ...bound, messages: asText(request.messages, instructions), promptTokens: request.promptTokens + more }
}

function mustCall(choice: ChatRequest['toolChoice']): boolean {
  return choice === 'required' || typeof choice === 'object'
}

/** A call that has to be made is bound to its shape, where the server can: small models would rather chat. */
function callSchema(tools: ToolSpec[]): JsonSchema {
  const calls = tools.map(({ name, parameters }) => ({
    type: 'object',
    properties: { name: { type: 'string', enum: [name] }, arguments: { type: 'object', ...parameters } },
    required: ['name', 'arguments'],
    additionalProperties: false,
  }))
  return calls.length === 1 && calls[0] !== undefined ? calls[0] : { anyOf: calls }
}

function noCall(choice: ChatRequest['toolChoice']): ErrorValue {
  const wanted = typeof choice === 'object' ? `the tool ${choice.tool}` : 'a tool'
  return { code: 'model-call', message: `The model was to call ${wanted} and did not.`, retryable: true }
}

/** The model's labels read; its stream is closed as soon as it writes an observation of its own. */
async function* readReact(
  model: ChatModel,
  request: ChatRequest,
  tools: ToolSpec[],
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void> {
  let reader = createReactReader(tools)
  const enough = new AbortController()
  let count = 0
  const toEvents = (piece: Piece): ModelEvent[] => {
    if (piece.kind === 'text') return [{ type: 'text-delta', text: piece.text }]
    if (piece.kind === 'was-thinking') return [{ type: 'text-was-thinking' }]
    if (piece.kind === 'thinking') return [{ type: 'thinking-delta', text: piece.text }]
    const { found } = piece
    if (found.kind === 'broken') return [{ type: 'broken-call', name: found.name, text: found.text, problem: found.problem }]
    count += 1
    return [{ type: 'tool-call', call: { id: `text_call_${count}`, name: found.name, arguments: found.arguments } }]
  }
  const events = model.stream(request, { signal: AbortSignal.any([signal, enough.signal]) })
  for await (const event of readOutput(events, { tools: [] })) {
    if (event.type === 'text-delta') {
      yield* reader.push(event.text).flatMap(toEvents)
      if (!reader.over) continue
      enough.abort()
      yield { type: 'end', reason: 'stop', usage: noUsage, contextTokens: null }
      return
    }
    // Labels among thoughts are none.
    if (event.type === 'text-was-thinking') reader = createReactReader(tools)
    if (event.type === 'end' || event.type === 'error')
      yield* reader.end(event.type === 'error' || event.reason === 'length').flatMap(toEvents)
    yield event
  }
  yield* reader.end(false).flatMap(toEvents)
}
