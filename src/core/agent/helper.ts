import type { AgentTurn } from './agent-turn.ts'
import type { Budget } from './budget.ts'
import { factless } from './deeds.ts'
import { createLoop, type LoopTools } from './loop.ts'
import { helperText } from './system-text.ts'
import { findTool, type Tool, type ToolOutput } from './tool.ts'
import type { HelperTask } from './tools/delegate.ts'
import { createTranscript } from './transcript.ts'
import type { UsageSum } from './usage-sum.ts'
import { silentVoice } from './voice.ts'

const mostSteps = 6
/** Of what the turn has left, a helper may use so much. */
const share = 1 / 3

/** Runs helpers of a turn: a loop with a small context and a part of the budget; its calls ask as the agent's own do. */
export function createHelper(
  turn: AgentTurn,
  tools: () => LoopTools,
  { budget, usage, maxSteps }: { budget: Budget; usage: UsageSum; maxSteps: number },
): (task: HelperTask) => Promise<ToolOutput> {
  return async ({ task, tools: names, callId, signal }) => {
    const { deps, language } = turn
    const { told, leftOut } = tools()
    const isNamed = (tool: Tool): boolean => names === null || names.some((name) => findTool([tool], name) !== null)
    // What is named is told, though there was no room for it among all.
    const named = names === null ? [] : leftOut.filter(isNamed)
    const chosen = (): Tool[] =>
      names === null ? told() : [...told().filter((tool) => isNamed(tool) || tool.name === 'read_result'), ...named]
    if (names !== null && chosen().length === 0) {
      const there = [...told(), ...leftOut].map((tool) => tool.name)
      return { text: `None of these tools is there: ${names.join(', ')}. There are: ${there.join(', ')}.`, failed: true }
    }
    const transcript = createTranscript(deps.now, deps.log)
    transcript.add({ role: 'user', content: task })
    const loop = createLoop({
      turn: { ...turn, signal },
      tools: { told: chosen, leftOut: names === null ? leftOut : [] },
      system: helperText(language, deps.now()),
      history: [],
      transcript,
      voice: silentVoice,
      budget: budget.part({ steps: Math.min(mostSteps, maxSteps), of: share }),
      usage,
      parentCallId: callId,
    })
    const end = await loop.run()
    const results = transcript.messages.filter(({ role, name }) => role === 'tool' && !factless.has(name ?? ''))
    const failed = results.length > 0 && results.every(({ metadata }) => metadata?.status !== 'ok')
    if (failed) {
      const why = results.map(({ name, metadata }) => `${name ?? 'a tool'} (${metadata?.status ?? 'error'})`).join(', ')
      const said = end.kind === 'answered' || end.kind === 'limit' ? end.text : ''
      return { text: `None of the helper’s calls gave a result: ${why}. What it says rests on nothing:\n${said}`, failed: true }
    }
    if (end.kind === 'answered')
      return { text: end.cut ? `${end.text}\n(The helper’s answer was cut off here: it may not be whole.)` : end.text }
    if (end.kind === 'limit') {
      const said = end.text.trim() === '' ? 'It came to no result.' : end.text
      return { text: `The helper came to its limit (${end.limit}).\n${said}`, failed: end.text.trim() === '' }
    }
    if (end.kind === 'stopped') return { text: 'The helper was stopped.', failed: true }
    return { text: `The helper failed: ${end.error.message}`, failed: true }
  }
}
