import { setMaxListeners } from 'node:events'
import { counted } from '../../contract/counted.ts'
import type { Approval, ApprovalDecision, CallStatus } from '../../contract/agent.ts'
import type { ToolGrant } from '../../contract/tools.ts'
import { toSikuError } from '../../contract/errors.ts'
import type { AgentTurn, CallContext } from './agent-turn.ts'
import { policyFor } from './approval.ts'
import type { Budget } from './budget.ts'
import { digestOf } from './canonical.ts'
import { expose, exposeSource } from './exposure.ts'
import { fenced } from './fence.ts'
import { usualCharacters } from './results.ts'
import type { Tool, ToolOutput } from './tool.ts'

/** A call whose tool is known and whose arguments are right. Arguments are frozen: what was shown is what runs. */
export interface ReadyCall {
  callId: string
  tool: Tool
  args: unknown
  /** The arguments as JSON: what is shown, stored and bound. */
  shown: Approval['arguments']
  line: string
  site: string
  /** Parameters that the tool does not have. */
  ignored: string[]
}

export interface CallResult {
  status: CallStatus
  /** What the model is given. */
  text: string
  cutFrom: number | null
  /** Of the tool alone, without waiting for the user. */
  elapsedMs: number
}

const usualTimeoutMs = 60_000

/** Whether it may run: by policy, else by the user's word. Resolves to the reason why not, or null. */
export async function allow(turn: AgentTurn, call: ReadyCall, budget: Budget): Promise<CallResult | null> {
  const { tool, site } = call
  const policy = policyFor({
    tool: tool.name,
    access: tool.access,
    site,
    exposure: turn.exposure,
    version: tool.version,
    grants: turn.settings().toolGrants,
    chatGrants: turn.chatGrants(),
  })
  if (policy.kind === 'run') return null
  const approval: Approval = {
    approvalId: turn.deps.newId(),
    callId: call.callId,
    tool: tool.name,
    access: tool.access,
    line: call.line,
    arguments: call.shown,
    site,
    digest: digestOf({ tool: tool.name, site, arguments: call.shown }),
    dangerous: policy.dangerous,
  }
  const askedAt = turn.deps.now()
  const decision = await turn.ask(approval)
  budget.waited(turn.deps.now() - askedAt)
  return refusal(turn, decision, { tool: tool.name, site, version: tool.version })
}

async function refusal(turn: AgentTurn, decision: ApprovalDecision | null, grant: ToolGrant): Promise<CallResult | null> {
  if (decision === null) return { status: 'cancelled', text: cancelledText, cutFrom: null, elapsedMs: 0 }
  if (decision === 'refuse') return { status: 'refused', text: refusedText, cutFrom: null, elapsedMs: 0 }
  if (decision !== 'once') await turn.grant(decision, grant)
  return null
}

function ignoredText(names: string[]): string {
  const shown = names.slice(0, 5).map((name) => `“${name.slice(0, 60)}”`)
  return `There is no parameter ${shown.join(', ')}; it was ignored.`
}

export const cancelledText = 'The user stopped this turn before the call ended. There is no result.'
const refusedText =
  'The user did not allow this call. Do not make it again. Go on without it, or say plainly what it would have been needed for.'

/** Runs it within its limits and the turn's time. Never rejects: what goes wrong is its result. */
export async function runCall(turn: AgentTurn, call: ReadyCall, budget: Budget): Promise<CallResult> {
  const startedAt = turn.deps.now()
  try {
    return await ranCall(turn, call, budget, startedAt)
  } catch (error) {
    turn.deps.log('warn', 'a call failed after its tool', { code: toSikuError(error).code })
    return failedResult(call.tool, error, turn.deps.now() - startedAt)
  }
}

async function ranCall(turn: AgentTurn, call: ReadyCall, budget: Budget, startedAt: number): Promise<CallResult> {
  const { tool, callId } = call
  const timeoutMs = timeoutOf(tool, budget)
  const ended = await within(timeoutMs, turn.signal, (signal) => tool.run(call.args, contextOf(turn, callId, signal)))
  const elapsedMs = turn.deps.now() - startedAt
  // What came out may have come from anywhere, an error's words too.
  expose(turn.exposure, tool.gives)
  if (ended.kind === 'stopped') return { status: 'cancelled', text: cancelledText, cutFrom: null, elapsedMs }
  if (ended.kind === 'timeout') {
    const text = `${tool.name} gave no result within ${counted(Math.ceil(timeoutMs / 1000), 'second')} and was ended. Ask for less at once, or go on without it.`
    return { status: 'timeout', text, cutFrom: null, elapsedMs }
  }
  if (ended.kind === 'thrown') return failedResult(tool, ended.error, elapsedMs)
  const given = outputOf(ended.value)
  if (given === null) {
    const text = `${tool.name} failed: it ended without a result. Try another way, or say that it failed.`
    return { status: 'error', text, cutFrom: null, elapsedMs }
  }
  const output = call.ignored.length === 0 ? given : { ...given, text: `${ignoredText(call.ignored)}\n${given.text}` }
  const cut = turn.results.cut(callId, output.text, tool.limits?.maxCharacters ?? usualCharacters)
  const body = cut.text.trim() === '' ? `${tool.name} gave an empty result.` : fenced({ tool: tool.name }, cut.text)
  const text = cut.note === null ? body : `${body}\n${cut.note}`
  return { status: output.failed === true ? 'error' : 'ok', text, cutFrom: cut.cutFrom, elapsedMs }
}

/** Milliseconds. A helper's own budget ends it: its time stands still while the user is asked. */
export function timeoutOf(tool: Tool, budget: Budget): number {
  const own = tool.limits?.timeoutMs ?? usualTimeoutMs
  return own === Infinity ? own : Math.max(1, Math.min(own, budget.remainingMs()))
}

/** A tool may be anybody's: what it gives is looked at. Plain JSON values become their JSON; null for anything else. */
function outputOf(value: unknown): ToolOutput | null {
  if (typeof value === 'string') return { text: value }
  if (typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string')
    return { text: value.text, failed: 'failed' in value && value.failed === true }
  if (value === undefined || value === null || typeof value === 'function') return null
  const text: unknown = JSON.stringify(value)
  return typeof text === 'string' ? { text } : null
}

export function failedResult(tool: Tool, thrown: unknown, elapsedMs: number): CallResult {
  const error = toSikuError(thrown)
  if (error.code === 'offline') return { status: 'offline', text: offlineText(tool.name), cutFrom: null, elapsedMs }
  const hint = error.hint === undefined ? '' : ` ${error.hint}`
  const text = `${tool.name} failed. Mend the call, try another way, or say that it failed.\n${fenced({ tool: tool.name }, `${error.message}${hint}`)}`
  return { status: error.code === 'timeout' ? 'timeout' : 'error', text, cutFrom: null, elapsedMs }
}

export function offlineText(tool: string): string {
  return `${tool} needs the network, and the offline switch is on: network tools are off. Do not call them again. Answer without them, or say that the switch would have to be turned off in Settings.`
}

function contextOf(turn: AgentTurn, callId: string, signal: AbortSignal): CallContext {
  const { recorder, language, scope, sources, deps } = turn
  return {
    signal,
    now: deps.now,
    language,
    chatId: recorder.turn.chatId,
    turnId: recorder.turn.id,
    scope,
    cite(given) {
      // A tool that was left behind changes nothing any more.
      signal.throwIfAborted()
      for (const source of given) exposeSource(turn.exposure, source)
      return sources.cite(given)
    },
    callId,
  }
}

type Ended<T> = { kind: 'done'; value: T } | { kind: 'thrown'; error: unknown } | { kind: 'timeout' } | { kind: 'stopped' }

/** A tool that does not listen to its signal is left behind. */
async function within<T>(timeoutMs: number, stop: AbortSignal, work: (signal: AbortSignal) => T | Promise<T>): Promise<Ended<T>> {
  const controller = new AbortController()
  let end: (ended: Ended<T>) => void = () => undefined
  const early = new Promise<Ended<T>>((resolve) => (end = resolve))
  const abort = (ended: Ended<T>): void => {
    end(ended)
    controller.abort()
  }
  const onStop = (): void => abort({ kind: 'stopped' })
  const timer = Number.isFinite(timeoutMs) ? setTimeout(() => abort({ kind: 'timeout' }), timeoutMs) : undefined
  // As many listen as calls run side by side; Node would take more than ten for a leak, and say so on the terminal.
  setMaxListeners(0, stop, controller.signal)
  if (stop.aborted) onStop()
  else stop.addEventListener('abort', onStop, { once: true })
  try {
    if (stop.aborted) return { kind: 'stopped' }
    const working = (async (): Promise<Ended<T>> => {
      try {
        return { kind: 'done', value: await work(controller.signal) }
      } catch (error) {
        return { kind: 'thrown', error }
      }
    })()
    return await Promise.race([working, early])
  } finally {
    clearTimeout(timer)
    stop.removeEventListener('abort', onStop)
  }
}
