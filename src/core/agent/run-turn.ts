import { soon } from '../answer/answer.ts'
import type { AgentProfile } from '../../contract/agent.ts'
import type { Outcome, Turn } from '../../contract/answer.ts'
import { SikuError, toSikuError, type ErrorValue } from '../../contract/errors.ts'
import type { Memory } from '../../contract/memory.ts'
import { messageText } from '../../contract/message.ts'
import type { ChatModel } from '../models/models.ts'
import type { TurnInput, TurnRecorder } from '../turns/turns.ts'
import { createAgentTurn, type AgentTurn } from './agent-turn.ts'
import { agentWords } from './agent-words.ts'
import { questionMessage } from './attachments.ts'
import { createBudget } from './budget.ts'
import { expose, memoryGives, toolsGive } from './exposure.ts'
import { finishAnswer } from './finish-answer.ts'
import { createFitter } from './fit.ts'
import { fittingCharacters, fittingFirst } from './fit-text.ts'
import { hearingOf } from './hearing.ts'
import { historyMessages, pictures, wholeTexts } from './history.ts'
import { createLoop, type LoopEnd } from './loop.ts'
import { factless } from './deeds.ts'
import { hasSeveralParts } from './plan.ts'
import { systemText } from './system-text.ts'
import type { Tool } from './tool.ts'
import type { TurnParts } from './turn-parts.ts'
import { turnTools } from './turn-tools.ts'
import { createTranscript, type Transcript } from './transcript.ts'
import { createUsageSum } from './usage-sum.ts'
import { createAnswerVoice } from './voice.ts'

/** So long the first event waits for the name of the model that will answer: without one nothing can be done anyway. */
const modelNameMs = 2000

/** Of the window, what is remembered of the user, and the user's own words for an agent, take no more. */
const memoriesShare = 0.08
const wordsShare = 0.15

type Ended = [Outcome, ErrorValue | null]

/** One turn of the agent, from the question to its outcome. Never rejects: what goes wrong is the outcome. */
export async function runAgentTurn(recorder: TurnRecorder, input: TurnInput, parts: TurnParts, signal: AbortSignal): Promise<void> {
  const { store, deps } = parts
  const turnId = recorder.turn.id
  const append = store.mode === 'writer' ? store.messages.add.bind(null, turnId) : null
  const transcript = createTranscript(deps.now, deps.log, append)
  let end: Ended
  try {
    end = await prepareAndRun(recorder, input, parts, transcript, signal)
  } catch (thrown) {
    const error = toSikuError(thrown)
    end = signal.aborted || error.code === 'cancelled' ? ['stopped', null] : ['failed', error.toValue()]
  }
  if (transcript.messages.length === 0) transcript.add({ role: 'user', content: recorder.turn.question })
  await transcript.settled()
  recorder.finish(...end)
}

/** Of an agent that came with a file, nothing counts but its wish to leave memories alone: anybody may have written it. */
function seenAgent(agent: AgentProfile | null): AgentProfile | null {
  return agent?.imported === true ? { name: '', system: '', tools: null, memory: agent.memory } : agent
}

/** Finds out what the turn works with: model, memories, tools, what was given along. */
async function prepareAndRun(
  recorder: TurnRecorder,
  given: TurnInput,
  parts: TurnParts,
  transcript: Transcript,
  signal: AbortSignal,
): Promise<Ended> {
  const { question } = recorder.turn
  const input = { ...given, agent: seenAgent(given.agent) }
  const choosing = chooseModel(input, parts, signal)
  const gathering = Promise.all([recall(question, input, parts, signal), parts.toolSet.forTurn(input.agent, signal)])
  // It is awaited below; until then its failure must not count as nobody's.
  gathering.catch(() => undefined)
  const soonest = await soon(choosing, modelNameMs)
  recorder.start(soonest instanceof SikuError ? (input.model ?? null) : (soonest?.info.ref ?? input.model ?? null))
  if (input.agent !== given.agent) {
    const message = 'This chat’s agent came with a file and is left out until you have looked at it and saved it.'
    recorder.note({ code: 'agent-imported', message })
  }
  const model = await choosing
  const [recalled, offered] = await gathering
  if (signal.aborted) return ['stopped', null]
  if (model instanceof SikuError) return ['failed', model.toValue()]
  recorder.setModel(model.info.ref)
  if (model.info.remote) {
    const message = `What the agent is given is sent to ${model.info.ref.model}, which runs on somebody else’s machine.`
    recorder.note({ code: 'remote-model', message })
  }
  const windowTokens = await model.window(signal)
  const turn = createAgentTurn(recorder, input, parts, model, windowTokens, signal)
  const memories = fittingFirst(recalled, windowTokens * memoriesShare, ({ text }) => model.estimateTokens(text))
  if (memories.length > 0) {
    recorder.memoriesUsed(memories.map(({ id, text }) => ({ id, text })))
    for (const memory of memories) expose(turn.exposure, memoryGives(memory))
  }
  expose(turn.exposure, toolsGive(offered))
  transcript.add(
    await questionMessage(question, input.attachments, {
      canSee: canSee(model),
      canHear: model.info.capabilities.includes('audio'),
      model: model.info.ref.model,
      hear: stepOf(recorder, hearingOf(parts.models, signal)),
      language: turn.language,
      results: turn.results,
      unread: (message) => recorder.note({ code: 'attachment-unread', message }),
      cut: (message) => recorder.note({ code: 'attachment-cut', message }),
      before: input.before.reduce((sum, { attachments }) => sum + attachments.length, 0),
    }),
  )
  return answer(turn, input, parts, { transcript, memories, offered, windowTokens })
}

interface Prepared {
  transcript: Transcript
  memories: Memory[]
  offered: Tool[]
  windowTokens: number
}

async function answer(
  turn: AgentTurn,
  input: TurnInput,
  parts: TurnParts,
  { transcript, memories, offered, windowTokens }: Prepared,
): Promise<Ended> {
  const { recorder, language, signal, model, deps } = turn
  const settings = turn.settings()
  const budget = createBudget(
    {
      steps: input.agent?.maxSteps ?? settings.agentMaxSteps,
      calls: settings.agentMaxCalls,
      tokens: settings.agentMaxTokens,
      ms: settings.agentMaxMs,
    },
    deps.now,
  )
  const usage = createUsageSum(recorder.usage)
  const before = (input.before.at(-1)?.calls ?? []).map(({ tool }) => tool)
  const tools = turnTools(turn, offered, input.agent, { budget, usage, windowTokens, before })
  const history = historyMessages(input.before, parts.store.messages.list, canSee(model))
  noteUnseen(turn, input.before.at(-1), parts)
  for (const { id, text } of history.flatMap(wholeTexts)) turn.results.keep(id, text)
  const system = systemText({
    profile: profileThatFits(input.agent, windowTokens, turn),
    language,
    memories,
    at: deps.now(),
    hasTools: tools.told().length > 0,
    needsPlan: tools.told().some((tool) => tool.name === 'update_plan') && hasSeveralParts(recorder.turn.question),
  })
  const voice = createAnswerVoice(turn)
  const fitter = createFitter(turn, parts.summaries, input.before)
  const loop = createLoop({ turn, tools, system, history, transcript, voice, budget, usage, fitter })
  const end = await loop.run()
  if (end.kind === 'limit') {
    const said = agentWords(language).limit(end.limit, openParts(recorder))
    if (end.text.trim() === '') {
      voice.reset()
      recorder.text(said)
      recorder.endText()
      transcript.add({ role: 'assistant', content: said })
    }
    recorder.note({ code: end.limit, message: said })
  }
  if ((end.kind === 'answered' || end.kind === 'limit') && end.cut && end.text.trim() !== '') {
    recorder.note({ code: 'cut-off', message: agentWords(language).cutOff })
  }
  await finishAnswer({
    turn,
    transcript,
    voice,
    loop,
    earlier: input.before.flatMap(({ calls }) => calls),
    others: [system, ...history.map(messageText)],
    mayRepair: end.kind === 'answered' && budget.over() !== 'budget',
    embedder: end.kind === 'answered' || end.kind === 'limit' ? parts.embedder : null,
  })
  const open = end.kind === 'answered' ? leftOpen(recorder) : []
  if (open.length > 0) recorder.note({ code: 'plan-open', message: agentWords(language).planOpen(open), count: open.length })
  return signal.aborted ? ['stopped', null] : outcomeOf(end)
}

/** The user's own words for the agent stand in each request: they may not take the room of all else. */
function profileThatFits(profile: AgentProfile | null, windowTokens: number, { model, noteOnce }: AgentTurn): AgentProfile | null {
  if (profile === null) return null
  const length = fittingCharacters(profile.system, windowTokens * wordsShare, model.estimateTokens)
  if (length >= profile.system.length) return profile
  const message = `The agent’s own words have ${profile.system.length} characters; the model’s window has room for ${length} of them, and the rest was left out.`
  noteOnce({ code: 'instructions-shortened', message, count: length, of: profile.system.length })
  return { ...profile, system: `${profile.system.slice(0, length)}…` }
}

function outcomeOf(end: LoopEnd): Ended {
  if (end.kind === 'answered') return ['answered', null]
  if (end.kind === 'limit') return ['incomplete', null]
  return end.kind === 'stopped' ? ['stopped', null] : ['failed', end.error.toValue()]
}

/** The model, or why there is none. */
async function chooseModel(input: TurnInput, { models }: TurnParts, signal: AbortSignal): Promise<ChatModel | SikuError> {
  try {
    const model = await models.resolve(input.model, signal)
    if (model !== null) return model
    const why = models.whyNone()
    return SikuError.fromValue({ ...why.toValue(), message: `The agent needs a chat model. ${why.message}` })
  } catch (error) {
    return toSikuError(error)
  }
}

/** Memories are a help, never a reason to fail. */
async function recall(question: string, { agent }: TurnInput, { memories, store }: TurnParts, signal: AbortSignal): Promise<Memory[]> {
  if (!store.settings.read().memory || !(agent?.memory ?? true)) return []
  try {
    return await memories.recall(question, { signal })
  } catch {
    return []
  }
}

type Hear = ReturnType<typeof hearingOf>

/** It can take minutes, so it is a step that is seen. */
function stepOf(recorder: TurnRecorder, hear: Hear): Hear {
  if (hear === null) return null
  return (attachment) =>
    recorder.step('hear', (step) => {
      step.detail = attachment.name
      return hear(attachment)
    })
}

/** A picture that the turn before was asked about, and that this turn's model cannot see. */
function noteUnseen({ recorder, model, language }: AgentTurn, before: Turn | undefined, { store }: TurnParts): void {
  if (before === undefined || before.mode !== 'agent' || canSee(model) || before.model?.model === model.info.ref.model) return
  for (const { name } of store.messages.list(before.id).flatMap(pictures))
    recorder.note({
      code: 'attachment-unread',
      message: agentWords(language)
        .imageUnread(name ?? '', model.info.ref.model)
        .trim(),
    })
}

/** Where a server does not say what a model can do, it is tried. */
function canSee({ info }: ChatModel): boolean {
  return info.capabilities.length === 0 || info.capabilities.includes('vision')
}

/** Parts that were never begun; begun ones too where nothing was done: small models seldom say of the last that it is done. */
function leftOpen(recorder: TurnRecorder): string[] {
  const { calls, plan } = recorder.turn
  const didSomething = calls.some(({ tool, status }) => status === 'ok' && !factless.has(tool))
  return didSomething ? plan.filter(({ state }) => state === 'open').map(({ text }) => text) : openParts(recorder)
}

function openParts(recorder: TurnRecorder): string[] {
  return recorder.turn.plan.filter((item) => item.state === 'open' || item.state === 'doing').map((item) => item.text)
}
