import type { AgentProfile } from '../../contract/agent.ts'
import type { AgentTurn } from './agent-turn.ts'
import type { Budget } from './budget.ts'
import { chooseTools } from './choose-tools.ts'
import { createHelper } from './helper.ts'
import { toolSpec, type Tool } from './tool.ts'
import { createDelegate } from './tools/delegate.ts'
import { createReadResult } from './tools/read-result.ts'
import { createUpdatePlan } from './tools/update-plan.ts'
import type { UsageSum } from './usage-sum.ts'

/**
 * The tools of a turn with the agent's own: a plan and a helper where there is something to plan with, and reading on once
 * something was cut. A profile that names no tool has none of them.
 */
export function turnTools(
  turn: AgentTurn,
  offered: Tool[],
  agent: AgentProfile | null,
  { windowTokens, ...spending }: { budget: Budget; usage: UsageSum; windowTokens: number },
): () => Tool[] {
  const { disabledTools, agentMaxSteps } = turn.settings()
  const maxSteps = agent?.maxSteps ?? agentMaxSteps
  const named = agent?.tools ?? null
  const reading = createReadResult(turn.results)
  const whenCut = (tools: Tool[]): (() => Tool[]) => {
    const withReading = [...tools, reading]
    return () => (turn.results.hasCut ? withReading : tools)
  }
  if (named?.length === 0) return whenCut([])
  const own = [
    createUpdatePlan((items) => turn.recorder.plan(items)),
    createDelegate(createHelper(turn, () => forHelper(), { ...spending, maxSteps })),
  ]
  const isOffered = ({ name }: Tool): boolean =>
    !disabledTools.includes(name) && (name !== 'delegate' || (offered.length > 0 && (named?.includes(name) ?? true)))
  const { tools, leftOut } = chooseTools([...offered, ...own.filter(isOffered)], windowTokens, (tool) =>
    turn.model.estimateTokens(JSON.stringify(toolSpec(tool))),
  )
  if (leftOut > 0) {
    const message = `${leftOut} of ${tools.length + leftOut} tools were left out: the model’s window is too small for all of them.`
    turn.noteOnce({ code: 'prompt-cut', message, count: leftOut })
  }
  const forHelper = whenCut(tools.filter((tool) => offered.includes(tool)))
  return whenCut(tools)
}
