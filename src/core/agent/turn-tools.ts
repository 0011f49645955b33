import type { AgentProfile } from '../../contract/agent.ts'
import type { AgentTurn } from './agent-turn.ts'
import type { Budget } from './budget.ts'
import { chooseTools, speaksForTools, type ChosenTools } from './choose-tools.ts'
import { createHelper } from './helper.ts'
import { hasSeveralParts } from './plan.ts'
import type { LoopTools } from './loop.ts'
import type { Tool } from './tool.ts'
import { createDelegate } from './tools/delegate.ts'
import { createMoreTools } from './tools/more-tools.ts'
import { createReadResult } from './tools/read-result.ts'
import { createUpdatePlan } from './tools/update-plan.ts'
import type { UsageSum } from './usage-sum.ts'
import { toldTools } from '../models/models.ts'

interface TurnToolsDeps {
  budget: Budget
  usage: UsageSum
  windowTokens: number
  /** Names of tools that the turn before called. */
  before: readonly string[]
}

/**
 * The tools of a turn with the agent's own: a plan and a helper where there is something to plan with, and reading on once
 * something was cut. A profile that names no tool has none of them.
 */
export function turnTools(
  turn: AgentTurn,
  offered: Tool[],
  agent: AgentProfile | null,
  { windowTokens, before, ...spending }: TurnToolsDeps,
): LoopTools {
  const { disabledTools, agentMaxSteps } = turn.settings()
  const maxSteps = agent?.maxSteps ?? agentMaxSteps
  const named = agent?.tools ?? null
  const reading = createReadResult(turn.results)
  /** The same array as long as the tools are the same. */
  const withReading = new WeakMap<Tool[], Tool[]>()
  const whenCut = (tools: () => Tool[], leftOut: readonly Tool[] = []): LoopTools => ({
    told() {
      const now = tools()
      if (!turn.results.hasCut) return now
      const longer = withReading.get(now) ?? [...now, reading]
      withReading.set(now, longer)
      return longer
    },
    leftOut,
  })
  if (named?.length === 0) return whenCut(() => [])
  const own = [
    createUpdatePlan((items) => turn.recorder.plan(items)),
    createDelegate(createHelper(turn, () => forHelper, { ...spending, maxSteps })),
  ]
  const isOffered = ({ name }: Tool): boolean =>
    !disabledTools.includes(name) && (name !== 'delegate' || (offered.length > 0 && (named?.includes(name) ?? true)))
  const task = turn.recorder.turn.question
  const all = [...offered, ...own.filter(isOffered)]
  const opened = new Set<string>()
  const choose = (): ChosenTools =>
    chooseTools(all, {
      task,
      before: hasSeveralParts(task) ? [...before, 'update_plan'] : before,
      windowTokens,
      tokensOf: (spec) => turn.model.estimateTokens(JSON.stringify(toldTools([spec]))),
      keep: [...opened, ...(opened.size === 0 ? [] : turn.recorder.turn.calls.map(({ tool }) => tool))],
      more: (others, most) =>
        disabledTools.includes('more_tools')
          ? null
          : createMoreTools(others, most, (names) => {
              for (const name of names) opened.add(name)
              chosen = choose()
            }),
    })
  let chosen = choose()
  const { tools, leftOut } = chosen
  // To a greeting it would be said each time, and mean nothing.
  if (leftOut.length > 0 && speaksForTools(all, task)) {
    const of = all.length
    const message = `${leftOut.length} of ${of} tools ${leftOut.length === 1 ? 'was' : 'were'} left out: the model’s window is too small for all of them.`
    turn.noteOnce({ code: 'tools-left-out', message, count: leftOut.length, of })
  }
  const isOwn = ({ name }: Tool): boolean => name === 'more_tools' || own.some((tool) => tool.name === name)
  const forHelpers = tools.filter((tool) => !isOwn(tool))
  const forHelper = whenCut(
    () => forHelpers,
    leftOut.filter((tool) => !isOwn(tool)),
  )
  // What was told at first and gave way to what was asked for can still be called.
  return whenCut(() => chosen.tools, all)
}
