import type { CallStatus } from '../../contract/agent.ts'
import { SikuError } from '../../contract/errors.ts'
import type { Message, ToolCall } from '../../contract/message.ts'
import type { AgentTurn } from './agent-turn.ts'
import type { Budget } from './budget.ts'
import { canonicalJson, deepFreeze } from './canonical.ts'
import { fenced } from './fence.ts'
import type { Asked } from './round.ts'
import { allow, cancelledText, failedResult, offlineText, runCall, timeoutOf, type CallResult, type ReadyCall } from './run-call.ts'
import { argumentsText, readableLine } from './tool-line.ts'
import { callLine, checkArguments, findTool, siteOf, type Tool } from './tool.ts'

export interface CallsInput {
  turn: AgentTurn
  tools: Tool[]
  budget: Budget
  repeats: Repeats
  parentCallId: string | null
}

/** Counts equal calls: the same tool with the same arguments. */
export interface Repeats {
  /** How often it was made, this time included. */
  count(tool: string, args: unknown): number
  /** Set once a call was made too often. */
  tooMany: boolean
}

const mostEqualCalls = 3
/** Its point is to be called again and again. */
const uncounted = new Set(['update_plan'])

export function createRepeats(): Repeats {
  const counts = new Map<string, number>()
  return {
    tooMany: false,
    count(tool, args) {
      if (uncounted.has(tool)) return 1
      const key = canonicalJson([tool, args])
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      return count
    },
  }
}

type Prepared = { kind: 'ready'; call: ReadyCall } | { kind: 'settled'; start: Start; result: CallResult }
type Start = Pick<ReadyCall, 'callId' | 'line' | 'shown'> & { name: string; tool: Tool | null }

/** The calls of a round, each under an id that is its own in the turn. What could not be read as a call has one as well. */
export function toolCallsOf(turn: AgentTurn, asked: Asked[]): ToolCall[] {
  return asked.map((each, index) =>
    each.kind === 'call'
      ? { ...each.call, id: turn.callId(each.call.id) }
      : { id: turn.callId(`broken_${index}`), name: each.name ?? 'unknown', arguments: {} },
  )
}

/**
 * Makes the calls of a round and gives their messages in call order. Calls that only look (`read`, and built-in tools of the
 * network once they are allowed) run side by side; any other waits for those before it and is waited for.
 */
export async function runCalls(input: CallsInput, asked: Asked[], calls: ToolCall[]): Promise<Message[]> {
  const prepared = calls.map((call, index) => prepare(input, call, asked[index]!))
  const results: (CallResult | Promise<CallResult>)[] = []
  for (const each of prepared) {
    if (each.kind === 'settled') {
      start(input, each.start)
      results.push(finish(input, each.start.callId, each.result))
      continue
    }
    const { call } = each
    if (!onlyLooks(call.tool)) await Promise.all(results)
    start(input, { ...call, name: call.tool.name })
    const refused = await mayRun(input, call)
    const result = refused === null ? runCall(input.turn, call, input.budget) : Promise.resolve(refused)
    results.push(result.then((ended) => finish(input, call.callId, ended)))
    if (!onlyLooks(call.tool)) await Promise.all(results)
  }
  const ended = await Promise.all(results)
  return ended.map((result, index) => messageOf(prepared[index]!, result))
}

/** Why not, or null. Whatever goes wrong while it is asked, it did not run. */
async function mayRun({ turn, budget }: CallsInput, call: ReadyCall): Promise<CallResult | null> {
  try {
    if (turn.signal.aborted) return stopped
    const refused = (await allow(turn, call, budget)) ?? changed(call)
    if (refused !== null || call.tool.access === 'read') return refused
    // A kill from here on leaves a trace of what may have happened.
    await turn.recorder.keep()
    return turn.signal.aborted ? stopped : null
  } catch (error) {
    return failedResult(call.tool, error, 0)
  }
}

const stopped: CallResult = { status: 'cancelled', text: cancelledText, cutFrom: null, elapsedMs: 0 }

/** What a call touches may hang on more than its arguments: a yes counts for what was shown. */
function changed({ tool, args, site }: ReadyCall): CallResult | null {
  if (tool.access === 'read' || siteOf(tool, args) === site) return null
  const text = 'What this call touches has changed since it was shown, so it was not made. Look again, then make it anew.'
  return { status: 'error', text, cutFrom: null, elapsedMs: 0 }
}

function onlyLooks(tool: Tool): boolean {
  return tool.access === 'read' || (tool.access === 'network' && (tool.source ?? 'built-in') === 'built-in')
}

function start({ turn, parentCallId, budget }: CallsInput, { callId, name, line, shown, tool }: Start): void {
  const limitMs = tool === null ? Infinity : timeoutOf(tool, budget)
  turn.recorder.callStart({
    callId,
    tool: name,
    line,
    arguments: shown,
    access: tool?.access ?? null,
    parentCallId,
    ...(Number.isFinite(limitMs) && { limitMs }),
  })
}

function finish({ turn }: CallsInput, callId: string, result: CallResult): CallResult {
  const { status, elapsedMs, text, cutFrom } = result
  turn.recorder.callEnd(callId, { status, elapsedMs, result: text, cutFrom })
  return result
}

function messageOf(prepared: Prepared, { text, status, elapsedMs }: CallResult): Message {
  const { callId, name } = prepared.kind === 'ready' ? { callId: prepared.call.callId, name: prepared.call.tool.name } : prepared.start
  return { role: 'tool', name, toolCallId: callId, content: text, metadata: { elapsedMs, status } }
}

function prepare(input: CallsInput, { id, name, arguments: given }: ToolCall, asked: Asked): Prepared {
  const { turn, tools, repeats, budget } = input
  const tool = findTool(tools, name)
  const settled = (status: CallStatus, text: string, shown: ReadyCall['shown'] = given): Prepared => ({
    kind: 'settled',
    start: { callId: id, name: tool?.name ?? name, line: plainLine(tool?.name ?? name, shown), shown, tool },
    result: { status, text, cutFrom: null, elapsedMs: 0 },
  })
  // What is no right call counts as well: a model may make such for ever.
  if (!turn.signal.aborted && !budget.takeCall())
    return settled('error', 'The limit of calls for this question is reached. Answer with what you have.')
  if (asked.kind === 'broken') {
    const text = `This call could not be read: ${asked.problem} Write it again as one JSON object. You wrote:\n${asked.text.slice(0, 600)}`
    return settled('bad-arguments', text, asked.text.slice(0, 4000))
  }
  if (tool === null) {
    if (countsAsRepeat(repeats, name, given)) return settled('unknown-tool', repeatedText(name))
    const names = tools.map((each) => each.name).join(', ')
    const why = turn.whyNot(name)
    if (why !== null)
      return settled(
        why.status,
        `${name.slice(0, 80)} cannot be used now. There are: ${names}. Tell the user what would be needed, or go on without.\n${fenced({ tool: name.slice(0, 80) }, why.text)}`,
      )
    return settled('unknown-tool', `There is no tool “${name.slice(0, 80)}”. There are: ${names}. Call one of these, or answer without.`)
  }
  const checked = checkedArguments(tool, given)
  if (checked.kind === 'failed') return settled('error', checked.result.text)
  if (checked.kind === 'bad') {
    return settled('bad-arguments', countsAsRepeat(repeats, tool.name, given) ? repeatedText(tool.name) : checked.message)
  }
  const { args, shown } = checked
  if (countsAsRepeat(repeats, tool.name, shown)) return settled('error', repeatedText(tool.name), shown)
  if (turn.signal.aborted) return settled('cancelled', cancelledText, shown)
  if (tool.access === 'network' && turn.settings().offline) return settled('offline', offlineText(tool.name), shown)
  try {
    const why = tool.refuses?.(args) ?? null
    if (why !== null) return settled('error', failedResult(tool, new SikuError('refused', why), 0).text, shown)
    return {
      kind: 'ready',
      call: {
        callId: id,
        tool,
        args,
        shown,
        ignored: checked.ignored,
        line: callLine(tool, args, turn.language),
        site: siteOf(tool, args),
      },
    }
  } catch (error) {
    return settled('bad-arguments', `${tool.name} was not run. ${error instanceof Error ? error.message : String(error)}`, shown)
  }
}

type Checked =
  | { kind: 'ok'; args: unknown; shown: ReadyCall['shown']; ignored: string[] }
  | { kind: 'bad'; message: string }
  /** The tool's own code failed. */
  | { kind: 'failed'; result: CallResult }

function checkedArguments(tool: Tool, given: unknown): Checked {
  try {
    const checked = checkArguments(tool, given)
    if (checked.kind === 'bad') return checked
    const args = deepFreeze(checked.value)
    return { kind: 'ok', args, shown: JSON.parse(canonicalJson(args)) as ReadyCall['shown'], ignored: checked.ignored }
  } catch (error) {
    return { kind: 'failed', result: failedResult(tool, error, 0) }
  }
}

function countsAsRepeat(repeats: Repeats, tool: string, args: unknown): boolean {
  if (repeats.count(tool, args) < mostEqualCalls) return false
  repeats.tooMany = true
  return true
}

function repeatedText(tool: string): string {
  return `The same call of ${tool} was made ${mostEqualCalls} times. It is not made again: its result stays the same. Answer with what you have, and say what is missing.`
}

function plainLine(name: string, shown: unknown): string {
  return readableLine(typeof shown === 'string' ? `${name}: ${shown}` : `${name}${argumentsText(shown)}`)
}
