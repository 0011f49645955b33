import type { Approval, ApprovalDecision } from '../../src/contract/agent.ts'
import type { AskRequest, Turn, TurnEvent } from '../../src/contract/answer.ts'
import type { Message } from '../../src/contract/message.ts'
import type { SettingsPatch } from '../../src/contract/settings.ts'
import { createClient, type Client, type Core } from '../../src/core/core.ts'
import type { CoreDeps } from '../../src/core/deps.ts'
import type { Tool } from '../../src/core/agent/agent.ts'
import type { ChatModel } from '../../src/core/models/models.ts'
import { openTestCore } from './core.ts'
import { scriptedModel, type ScriptedModel, type ScriptedModelOptions, type Scripting } from './scripted-model.ts'

/** The user's word on what is asked; null leaves it waiting. */
export type Decide = (approval: Approval) => ApprovalDecision | null

export interface OpenAgentOptions extends ScriptedModelOptions {
  /** Left out: the core's own models answer, such as a fake Ollama's. */
  script?: Scripting
  /** Beside the built-in ones. */
  tools?: Tool[]
  settings?: SettingsPatch
  /** Who answers approvals; left out, everything is refused. */
  decide?: Decide
  deps?: Partial<CoreDeps>
}

export interface AgentRun {
  chatId: string
  turnId: string
  events: TurnEvent[]
  /** As it is stored. */
  turn: Turn
  messages: Message[]
  approvals: Approval[]
}

export interface TestAgent {
  core: Core
  client: Client
  /** Fails when no script was given. */
  model: ScriptedModel
  /** Asks and waits for the end, answering approvals meanwhile. */
  run(question: string, request?: Partial<AskRequest>, decide?: Decide): Promise<AgentRun>
  /** Asks and leaves the rest to the caller. */
  ask(question: string, request?: Partial<AskRequest>): Promise<{ chatId: string; turnId: string }>
  events(turnId: string, onEvent?: (event: TurnEvent) => void | Promise<void>): Promise<TurnEvent[]>
  end(): Promise<void>
}

/** A whole core, with its store, its net and its tools, whose chat model follows a script. */
export async function openAgent(options: OpenAgentOptions = {}): Promise<TestAgent> {
  const { core, end } = await openTestCore(options.deps)
  const client = createClient(core)
  const model = options.script === undefined ? null : scriptedModel(options.script, options)
  if (model !== null) {
    const scripted: ChatModel = model
    core.context.models.resolve = (ref) => Promise.resolve(ref === null ? null : scripted)
  }
  for (const tool of options.tools ?? []) core.addTool(tool)
  if (options.settings !== undefined) await client.settings.patch(options.settings)

  const ask: TestAgent['ask'] = (question, request = {}) => client.chats.ask({ question, mode: 'agent', ...request })

  async function events(turnId: string, onEvent?: (event: TurnEvent) => void | Promise<void>): Promise<TurnEvent[]> {
    const seen: TurnEvent[] = []
    for await (const event of await client.turns.watch({ turnId })) {
      seen.push(event)
      await onEvent?.(event)
    }
    return seen
  }

  return {
    core,
    client,
    get model() {
      if (model === null) throw new Error('this agent has no scripted model')
      return model
    },
    ask,
    events,
    async run(question, request = {}, decide = options.decide ?? (() => 'refuse')) {
      const { chatId, turnId } = await ask(question, request)
      const approvals: Approval[] = []
      const seen = await events(turnId, async (event) => {
        if (event.type !== 'approval-request') return
        const { approval } = event
        approvals.push(approval)
        const decision = decide(approval)
        if (decision !== null) await client.turns.approve({ turnId, approvalId: approval.approvalId, digest: approval.digest, decision })
      })
      const turn = (await client.chats.get({ chatId })).history.find((each) => each.id === turnId)
      if (turn === undefined) throw new Error('the turn is not stored')
      return { chatId, turnId, events: seen, turn, messages: await client.turns.messages({ turnId }), approvals }
    },
    end,
  }
}
