import type { Outcome } from '../../contract/answer.ts'
import { SikuError, toSikuError, type ErrorValue } from '../../contract/errors.ts'
import type { Memory } from '../../contract/memory.ts'
import { messageText, type Message } from '../../contract/message.ts'
import type { ToolGrant } from '../../contract/tools.ts'
import type { CoreDeps } from '../deps.ts'
import type { Embedder } from '../embed/embed.ts'
import type { Memories } from '../memory/memory.ts'
import type { ChatModel, Models } from '../models/models.ts'
import { languageOf } from '../search/search.ts'
import type { Store } from '../store/store.ts'
import type { TurnInput, TurnRecorder } from '../turns/turns.ts'
import type { AgentTurn } from './agent-turn.ts'
import { agentWords } from './agent-words.ts'
import type { Approvals } from './approvals.ts'
import { questionMessage } from './attachments.ts'
import { createBudget } from './budget.ts'
import { checkAnswer } from './check-answer.ts'
import { exposeSource, exposureOf } from './exposure.ts'
import { createFitter, type Summaries } from './fit.ts'
import { createHelper } from './helper.ts'
import { historyMessages } from './history.ts'
import { createLoop, createUsageSum, type LoopEnd } from './loop.ts'
import { hasSeveralParts } from './plan.ts'
import { groundsOf, repairWords, ungrounded } from './reflect.ts'
import { createResults } from './results.ts'
import { createSourceBook } from './source-book.ts'
import { systemText } from './system-text.ts'
import type { Tool } from './tool.ts'
import type { ToolSet } from './tool-set.ts'
import { createDelegate } from './tools/delegate.ts'
import { createReadResult } from './tools/read-result.ts'
import { createUpdatePlan } from './tools/update-plan.ts'
import { createTranscript, type Transcript } from './transcript.ts'
import { createAnswerVoice, type AnswerVoice } from './voice.ts'

export interface TurnParts {
  deps: Pick<CoreDeps, 'now' | 'newId' | 'log'>
  store: Store
  models: Models
  memories: Memories
  embedder: () => Embedder
  toolSet: ToolSet
  approvals: Approvals
  summaries: Summaries
}

/** So long the first event waits for the name of the model that will answer. */
const modelNameMs = 150
/** Of the plan alone nothing can be said: its results are the model's own words. */
const factless = new Set(['update_plan'])

/** One turn of the agent, from the question to its outcome. Never rejects: what goes wrong is the outcome. */
export async function runAgentTurn(recorder: TurnRecorder, input: TurnInput, parts: TurnParts, signal: AbortSignal): Promise<void> {
  const { store, deps } = parts
  const { turn } = recorder
  const canStore = store.mode === 'writer'
  const transcript = createTranscript(deps.now, deps.log, canStore ? (from, messages) => store.messages.add(turn.id, from, messages) : null)
  let end: [Outcome, ErrorValue | null]
  try {
    end = await answer(recorder, input, parts, transcript, signal)
  } catch (thrown) {
    const error = toSikuError(thrown)
    end = signal.aborted || error.code === 'cancelled' ? ['stopped', null] : ['failed', error.toValue()]
  }
  await transcript.settled()
  recorder.finish(...end)
}

async function answer(
  recorder: TurnRecorder,
  input: TurnInput,
  parts: TurnParts,
  transcript: Transcript,
  signal: AbortSignal,
): Promise<[Outcome, ErrorValue | null]> {
  const { question } = recorder.turn
  const language = languageOf(question)
  const words = agentWords(language)
  const [choosing, remembering, offering] = [
    chooseModel(input, parts, signal),
    recall(recorder, input, parts, signal),
    parts.toolSet.forTurn(input.agent, signal),
  ]
  const soonest = await soon(choosing, modelNameMs)
  recorder.start(soonest instanceof SikuError ? (input.model ?? null) : (soonest?.info.ref ?? input.model ?? null))
  const model = await choosing
  const [memories, offered] = await Promise.all([remembering, offering])
  if (signal.aborted) return ['stopped', null]
  if (model instanceof SikuError) {
    transcript.add({ role: 'user', content: question })
    return ['failed', model.toValue()]
  }
  recorder.setModel(model.info.ref)
  if (model.info.remote) {
    const message = `What the agent is given is sent to ${model.info.ref.model}, which runs on somebody else’s machine.`
    recorder.note({ code: 'remote-model', message })
  }

  const turn = createAgentTurn(recorder, input, parts, model, signal)
  if (memories.length > 0) {
    recorder.memoriesUsed(memories.map(({ id, text }) => ({ id, text })))
    turn.exposure.private = true
  }
  const canSee = model.info.capabilities.includes('vision')
  transcript.add(
    await questionMessage(question, input.attachments, {
      canSee,
      model: model.info.ref.model,
      hear: hearing(parts, signal),
      language,
      results: turn.results,
      unread: (message) => recorder.note({ code: 'attachment-unread', message }),
    }),
  )

  const settings = turn.settings()
  const budget = createBudget(
    { steps: settings.agentMaxSteps, calls: settings.agentMaxCalls, tokens: settings.agentMaxTokens, ms: settings.agentMaxMs },
    parts.deps.now,
  )
  const usage = createUsageSum(recorder.usage)
  const tools = turnTools(turn, offered, { budget, usage, agent: input.agent, settings })
  const history = historyMessages(input.before, (turnId) => parts.store.messages.list(turnId), canSee)
  const system = systemText({
    profile: input.agent,
    language,
    memories,
    at: parts.deps.now(),
    hasTools: tools().length > 0,
    needsPlan: tools().some((tool) => tool.name === 'update_plan') && hasSeveralParts(question),
  })
  const voice = createAnswerVoice(turn)
  const fitter = createFitter(turn, parts.summaries)
  const loop = createLoop({ turn, tools, system, history, transcript, voice, budget, usage, fitter })
  const end = await loop.run()
  const resting = groundTexts(transcript, [system, ...history.map(messageText)])
  const grounds = once(() => groundsOf(resting()))

  if (end.kind === 'limit') {
    if (end.text.trim() === '') recorder.text(words.limit(end.limit, openParts(recorder)))
    recorder.endText()
    recorder.note({ code: end.limit, message: words.limit(end.limit, openParts(recorder)) })
  }
  if (end.kind === 'answered' && usedTools(transcript) && budget.over() !== 'budget') await repair()
  if (recorder.turn.answer.trim() !== '' && (usedTools(transcript) || recorder.turn.sources.length > 0)) {
    const isWhole = !signal.aborted && end.kind !== 'failed'
    await checkAnswer({
      recorder,
      droppedMarkers: voice.dropped,
      embedder: isWhole ? parts.embedder : null,
      grounds: grounds(),
      language,
      allCitable: allCited(transcript),
      signal,
    })
  } else if (voice.dropped > 0) {
    noteDropped(recorder, voice)
  }
  return signal.aborted ? ['stopped', null] : outcomeOf(end)

  /** Once, and only when a number, a date or a name stands in no result. */
  async function repair(): Promise<void> {
    const first = recorder.turn.answer
    const missing = ungrounded(first, language, grounds())
    if (missing.length === 0) return
    voice.reset()
    const repaired = await loop.once(repairWords(missing))
    if (repaired.text.trim() === '' || repaired.error !== null) {
      if (signal.aborted && repaired.text.trim() !== '') return
      voice.reset()
      voice.begin()
      voice.text(first)
      voice.end()
      return
    }
    const list = missing.slice(0, 5).join(', ')
    recorder.note({ code: 'repaired', message: `The answer was written again: ${list} stood in no result.`, count: missing.length })
  }
}

function outcomeOf(end: LoopEnd): [Outcome, ErrorValue | null] {
  if (end.kind === 'answered') return ['answered', null]
  if (end.kind === 'limit') return ['incomplete', null]
  return end.kind === 'stopped' ? ['stopped', null] : ['failed', end.error.toValue()]
}

/** The model, or why there is none. */
async function chooseModel(input: TurnInput, { models }: TurnParts, signal: AbortSignal): Promise<ChatModel | SikuError> {
  try {
    const model = await models.resolve(input.model, signal)
    if (model !== null) return model
    return new SikuError('model-unreachable', 'The agent needs a chat model, and none answers.', {
      hint: 'Start Ollama, or choose a model in Models.',
      retryable: true,
    })
  } catch (error) {
    return toSikuError(error)
  }
}

/** Memories are a help, never a reason to fail. */
async function recall(
  recorder: TurnRecorder,
  { agent }: TurnInput,
  { memories, store }: TurnParts,
  signal: AbortSignal,
): Promise<Memory[]> {
  if (!store.settings.read().memory || !(agent?.memory ?? true)) return []
  try {
    return await memories.recall(recorder.turn.question, { signal })
  } catch {
    return []
  }
}

function createAgentTurn(recorder: TurnRecorder, input: TurnInput, parts: TurnParts, model: ChatModel, signal: AbortSignal): AgentTurn {
  const { approvals, store, toolSet, deps } = parts
  const { id: turnId, chatId } = recorder.turn
  const exposure = exposureOf(input.before, input.attachments, toolSet.gives)
  const callIds = new Set<string>()
  const noted = new Set<string>()
  let asking: Promise<unknown> = Promise.resolve()
  return {
    recorder,
    model,
    signal,
    language: languageOf(recorder.turn.question),
    scope: input.scope,
    settings: store.settings.read,
    deps,
    exposure,
    sources: createSourceBook((sources, added) => {
      for (const source of added) exposeSource(exposure, source)
      recorder.sources(sources)
    }),
    results: createResults(),
    ask(approval) {
      const answered = asking.then(async () => {
        if (signal.aborted) return null
        const waiting = approvals.wait(turnId, approval, signal)
        recorder.approvalRequest(approval)
        const decision = await waiting
        recorder.approvalEnd(approval, decision)
        return decision
      })
      asking = answered
      return answered
    },
    chatGrants: () => approvals.chatGrants(chatId),
    async grant(decision, grant) {
      approvals.grantChat(chatId, grant)
      if (decision === 'always') await keepGrant(store, grant).catch(() => deps.log('warn', 'a grant could not be kept'))
    },
    callId(wanted) {
      const base = wanted.slice(0, 100)
      let callId = base
      for (let count = 2; callIds.has(callId); count += 1) callId = `${base}_${count}`
      callIds.add(callId)
      return callId
    },
    noteOnce(note) {
      if (noted.has(note.code)) return
      noted.add(note.code)
      recorder.note(note)
    },
  }
}

async function keepGrant(store: Store, grant: ToolGrant): Promise<void> {
  const { toolGrants } = store.settings.read()
  if (!toolGrants.some((each) => each.tool === grant.tool && each.site === grant.site))
    await store.settings.patch({ toolGrants: [...toolGrants, grant] })
}

/** The tools of a turn with the agent's own, each while it makes sense. */
function turnTools(
  turn: AgentTurn,
  offered: Tool[],
  { agent, settings, ...loop }: Pick<TurnInput, 'agent'> & Parameters<typeof createHelper>[2] & { settings: { disabledTools: string[] } },
): () => Tool[] {
  const isOn = (name: string): boolean => !settings.disabledTools.includes(name)
  if (offered.length === 0 && agent?.tools !== null && agent !== null) {
    const reading = createReadResult(turn.results)
    return () => (turn.results.hasCut ? [reading] : [])
  }
  const plan = createUpdatePlan((items) => turn.recorder.plan(items))
  const reading = createReadResult(turn.results)
  const forHelper = (): Tool[] => (turn.results.hasCut ? [...offered, reading] : offered)
  const delegate = createDelegate(createHelper(turn, forHelper, loop))
  const mayDelegate = offered.length > 0 && isOn('delegate') && (agent?.tools?.includes('delegate') ?? true)
  const always = [...offered, ...(isOn('update_plan') ? [plan] : []), ...(mayDelegate ? [delegate] : [])]
  const withReading = [...always, reading]
  return () => (turn.results.hasCut ? withReading : always)
}

function hearing(_parts: TurnParts, _signal: AbortSignal): null {
  return null
}

function usedTools({ messages }: Transcript): boolean {
  return messages.some((message) => message.role === 'tool' && message.metadata?.status === 'ok' && !factless.has(message.name ?? ''))
}

/** Whether every result that says something could be cited. */
function allCited({ messages }: Transcript): boolean {
  const results = messages.filter((message) => message.metadata?.status === 'ok' && !factless.has(message.name ?? ''))
  return results.length > 0 && results.every((message) => /\[\d{1,3}\]/.test(messageText(message)))
}

/** What the answer may rest on: all but the model's own words of this turn. */
function groundTexts({ messages }: Transcript, others: string[]): () => string[] {
  return () => [...others, ...messages.filter((message) => message.role !== 'assistant').map((message: Message) => messageText(message))]
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null
  return () => (made ??= { value: make() }).value
}

function openParts(recorder: TurnRecorder): string[] {
  return recorder.turn.plan.filter((item) => item.state === 'open' || item.state === 'doing').map((item) => item.text)
}

function noteDropped(recorder: TurnRecorder, { dropped }: AnswerVoice): void {
  const message = `${dropped} citations pointed at no passage and were removed.`
  recorder.note({ code: 'markers-dropped', message, count: dropped })
}

/** Waits for the promise, but no longer than that. */
async function soon<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => (timer = setTimeout(resolve, ms, null)))
  const first = await Promise.race([promise, late])
  clearTimeout(timer)
  return first
}
