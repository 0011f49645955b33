import { counted } from '../../contract/counted.ts'
import { SikuError, toSikuError } from '../../contract/errors.ts'
import type { Source } from '../../contract/answer.ts'
import type { Language } from '../../contract/library.ts'
import type { ChatModel, ChatRequest, ModelEvent } from '../models/models.ts'
import { createCiter } from './cite.ts'
import { buildPrompt, type PastTurn, type Prompt } from './prompt.ts'
import type { TurnRecorder } from '../turns/turns.ts'

export interface GenerateInput {
  model: ChatModel
  question: string
  sources: Source[]
  history: PastTurn[]
  language: Language
  temperature: number
  maxAnswerTokens: number
  signal: AbortSignal
}

/** Markers in one form, from here on. */
interface Cite {
  push(text: string): string
  /** Anew; gives what was held. */
  begin(): string
}

export type Generated = { kind: 'done' | 'failed'; droppedMarkers: number; error: SikuError | null }

/** Streams the model's answer into the recorder. `failed` with an error; what was written until then is in the turn. */
export async function generate(recorder: TurnRecorder, input: GenerateInput): Promise<Generated> {
  const newCiter = (): ReturnType<typeof createCiter> => createCiter((marker) => marker >= 1 && marker <= input.sources.length)
  let citer = newCiter()
  const cite: Cite = {
    push: (text) => citer.push(text),
    begin() {
      const rest = citer.flush()
      citer = newCiter()
      return rest
    },
  }
  const end = (kind: Generated['kind'], error: SikuError | null): Generated => {
    recorder.text(citer.flush())
    recorder.endText()
    return { kind, droppedMarkers: citer.dropped, error }
  }
  try {
    const prompt = await plan(input, 1)
    for (let attempt = 0, current = prompt; ; attempt += 1) {
      tell(recorder, current, input)
      recorder.contextUse({ ...current.use, windowTokens: await input.model.window(input.signal, requestOf(input, current)) })
      const error = await stream(recorder, input, current, cite)
      if (error === null) break
      // The window turned out smaller than thought, or the prompt longer: planned once more, tighter.
      if (error.code !== 'context-exceeded' || attempt > 0 || recorder.turn.answer !== '') return end('failed', error)
      current = await plan(input, 0.7)
    }
  } catch (error) {
    return end('failed', toSikuError(error))
  }
  const result = end('done', null)
  if (recorder.turn.answer.trim() !== '') return result
  return { ...result, kind: 'failed', error: new SikuError('model-call', 'The model gave no answer.', { retryable: true }) }
}

async function plan({ model, signal, ...input }: GenerateInput, share: number): Promise<Prompt> {
  const windowTokens = Math.floor((await model.window(signal)) * share)
  return buildPrompt({ ...input, windowTokens, estimateTokens: model.estimateTokens })
}

/** Nothing is left out of a prompt without being said. */
function tell(recorder: TurnRecorder, prompt: Prompt, { sources }: GenerateInput): void {
  const said = (code: string): number => recorder.turn.notes.findLast((note) => note.code === code)?.count ?? 0
  const droppedSources = sources.length - prompt.usedSources
  if (droppedSources > said('passages-left-out')) {
    const message = `${droppedSources} of ${counted(sources.length, 'passage')} did not fit the model’s window and ${droppedSources === 1 ? 'was' : 'were'} not given to it.`
    recorder.note({ code: 'passages-left-out', message, count: droppedSources, of: sources.length })
  }
  if (prompt.droppedTurns > said('history-cut')) {
    const message = `${counted(prompt.droppedTurns, 'earlier question')} of this chat did not fit and ${prompt.droppedTurns === 1 ? 'was' : 'were'} not given to the model.`
    recorder.note({ code: 'history-cut', message, count: prompt.droppedTurns })
  }
}

function requestOf({ temperature }: GenerateInput, { messages, maxTokens, promptTokens }: Prompt): ChatRequest {
  return { messages, temperature, maxTokens, promptTokens }
}

async function stream(recorder: TurnRecorder, input: GenerateInput, prompt: Prompt, cite: Cite): Promise<SikuError | null> {
  const { model, signal } = input
  for await (const event of model.stream(requestOf(input, prompt), { signal })) {
    if (event.type === 'error') return SikuError.fromValue(event.error)
    if (event.type === 'text-delta') recorder.text(cite.push(event.text))
    else if (event.type === 'text-was-thinking') {
      const thought = recorder.turn.answer + cite.begin()
      recorder.resetText()
      recorder.thinking(thought)
    } else if (event.type === 'thinking-delta') recorder.thinking(event.text)
    else hear(recorder, event)
  }
  return null
}

function hear(recorder: TurnRecorder, event: Extract<ModelEvent, { type: 'warning' | 'end' | 'tool-call' | 'broken-call' }>): void {
  if (event.type === 'end') {
    recorder.usage(event.usage)
    const use = recorder.turn.contextUse
    if (use !== null && event.contextTokens !== null && event.contextTokens !== use.windowTokens)
      recorder.contextUse({ ...use, windowTokens: event.contextTokens })
    if (event.reason === 'length') noteCut(recorder)
  } else if (event.type === 'warning') {
    const { code } = event
    if (code === 'no-done') noteCut(recorder)
    else if (code !== 'text-protocol')
      recorder.note({ code, message: event.message, ...(event.count === undefined ? {} : { count: event.count }) })
  }
}

function noteCut(recorder: TurnRecorder): void {
  if (recorder.turn.notes.some(({ code }) => code === 'cut-off')) return
  recorder.note({ code: 'cut-off', message: 'The model’s answer was cut off: it may not be whole.' })
}
