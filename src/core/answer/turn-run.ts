import type { Outcome, Source, Turn } from '../../contract/answer.ts'
import { cancelled, toSikuError, type ErrorValue, type SikuError } from '../../contract/errors.ts'
import type { Language } from '../../contract/library.ts'
import type { Settings } from '../../contract/settings.ts'
import type { Embedder } from '../embed/embed.ts'
import type { ChatModel, Models } from '../models/models.ts'
import { languageOfQuestion, type DetailedResult, type Search } from '../search/search.ts'
import type { TurnInput, TurnRecorder } from '../turns/turns.ts'
import { answerWords } from './answer-words.ts'
import { check } from './check.ts'
import { evidenceFor } from './evidence.ts'
import { extractAnswer } from './extract.ts'
import { generate } from './generate.ts'
import type { PastTurn } from './prompt.ts'
import { rewriteQuestion, withQuestionBefore } from './rewrite.ts'
import { plainQuote, showNearest } from './nearest.ts'
import { answerOverview } from './overview/overview.ts'
import type { OverviewParts } from './overview/run.ts'
import { soon } from './soon.ts'
import { chooseSources } from './sources.ts'

export interface RunParts {
  search: Search
  models: Models
  embedder: () => Embedder
  settings: () => Settings
  /** Left out: every question is one for passages. */
  overview?: OverviewParts
}

const searchedPassages = 16
/** What a prompt with passages and some history comes to. */
const usualPromptTokens = 5000
/** So long the first event waits for the name of the model that will answer. */
const modelNameMs = 150

interface Found {
  result: DetailedResult
  sources: Source[]
  /** What was searched for. */
  query: string
}

/** One turn, from the question to its outcome. Never rejects: what goes wrong is the outcome. */
export async function runTurn(recorder: TurnRecorder, input: TurnInput, parts: RunParts, signal: AbortSignal): Promise<void> {
  try {
    const [outcome, error] = await answer(recorder, input, parts, signal)
    recorder.finish(outcome, error)
  } catch (thrown) {
    const error = toSikuError(thrown)
    const isStopped = signal.aborted || error.code === 'cancelled'
    if (recorder.turn.answer !== '') await check(recorder, 0, null).catch(() => undefined)
    recorder.finish(isStopped ? 'stopped' : 'failed', isStopped ? null : error.toValue())
  }
}

async function answer(
  recorder: TurnRecorder,
  input: TurnInput,
  parts: RunParts,
  signal: AbortSignal,
): Promise<[Outcome, ErrorValue | null]> {
  const { question } = recorder.turn
  const language = languageOfQuestion(question)
  const choosing = chooseModel(input, parts, signal)
  const chosen = await soon(choosing, modelNameMs)
  recorder.start(chosen?.model?.info.ref ?? input.model ?? null)

  if (parts.overview !== undefined) {
    const outcome = await answerOverview(recorder, input, parts.overview, async () => (await choosing).model, signal)
    if (outcome !== null) return [outcome, null]
  }

  const found = await find(recorder, input, parts, choosing, signal)
  recorder.sources(found.sources)
  for (const note of found.result.result.notes) if (note.code !== 'exact-scan') recorder.note({ code: note.code, message: note.message })

  const isWeak = found.sources.length === 0 || evidenceFor(found.query, found.result).weak
  if (isWeak) recorder.note({ code: 'not-in-library', message: 'Nothing in the library seems to answer this question.' })
  if (isWeak && !input.anyway) {
    showNearest(recorder, found.sources, language)
    return ['not-found', null]
  }

  const { model, error } = await choosing
  if (signal.aborted) throw cancelled(signal.reason)
  recorder.setModel(model?.info.ref ?? null)
  if (model === null) {
    if (error === null) {
      const why = input.model === null ? '' : ` ${parts.models.whyNone().message}`
      recorder.note({ code: 'no-model', message: `No chat model answers, so these are the best sentences of the library.${why}` })
    } else noteFailure(recorder, error)
    await extract(recorder, found, language, parts)
    return [found.sources.length === 0 ? 'not-found' : 'extractive', error?.toValue() ?? null]
  }
  if (model.info.remote)
    recorder.note({
      code: 'remote-model',
      message: `The passages are sent to ${model.info.ref.model}, which runs on somebody else’s machine.`,
    })

  const { temperature, maxAnswerTokens } = parts.settings()
  const generated = await recorder.step('generate', async (end) => {
    end.detail = model.info.ref.model
    return generate(recorder, {
      model,
      question,
      sources: found.sources,
      history: pastTurns(input.before, question),
      language,
      temperature,
      maxAnswerTokens,
      signal,
    })
  })
  if (signal.aborted) {
    if (recorder.turn.answer !== '') await check(recorder, generated.droppedMarkers, null)
    return ['stopped', null]
  }
  if (generated.error !== null && recorder.turn.answer.trim() === '') {
    noteFailure(recorder, generated.error)
    await extract(recorder, found, language, parts)
    return ['extractive', generated.error.toValue()]
  }
  await check(recorder, generated.droppedMarkers, generated.kind === 'done' ? parts.embedder : null, signal)
  return generated.error === null ? ['answered', null] : ['failed', generated.error.toValue()]
}

interface Chosen {
  model: ChatModel | null
  error: SikuError | null
}

async function chooseModel(input: TurnInput, { models }: RunParts, signal: AbortSignal): Promise<Chosen> {
  try {
    return { model: await models.resolve(input.model, signal), error: null }
  } catch (error) {
    return { model: null, error: toSikuError(error) }
  }
}

async function find(
  recorder: TurnRecorder,
  input: TurnInput,
  parts: RunParts,
  choosing: Promise<Chosen>,
  signal: AbortSignal,
): Promise<Found> {
  const { question } = recorder.turn
  const query = pastTurns(input.before, question).length === 0 ? question : await selfContained(recorder, input, parts, choosing, signal)
  return recorder.step('search', async (end) => {
    const result = await parts.search.query({ query, k: searchedPassages, scope: input.scope }, { signal })
    if (signal.aborted) throw cancelled(signal.reason)
    const sources = chooseSources(result.hits)
    end.count = sources.length
    return { result, sources, query }
  })
}

async function selfContained(
  recorder: TurnRecorder,
  { before }: TurnInput,
  parts: RunParts,
  choosing: Promise<Chosen>,
  signal: AbortSignal,
): Promise<string> {
  const { question } = recorder.turn
  const history = pastTurns(before, question)
  const { model } = await choosing
  if (model === null) return withQuestionBefore(question, history)
  const { maxAnswerTokens } = parts.settings()
  const rewritten = await recorder.step('rewrite', async (end) => {
    const text = await rewriteQuestion(model, question, history, usualPromptTokens + maxAnswerTokens, signal)
    if (text !== null) end.detail = text
    return text
  })
  if (signal.aborted) throw cancelled(signal.reason)
  return rewritten ?? withQuestionBefore(question, history)
}

function noteFailure(recorder: TurnRecorder, error: SikuError): void {
  if (error.code === 'cancelled') return
  const hint = error.hint === undefined ? '' : ` ${error.hint}`
  recorder.note({ code: 'model-failed', message: `${error.message}${hint} These are the best sentences of the library instead.` })
}

async function extract(recorder: TurnRecorder, found: Found, language: Language, parts: RunParts): Promise<void> {
  await recorder.step('extract', async (end) => {
    const extracted = extractAnswer({ question: found.query, sources: found.sources, language })
    end.count = extracted.sentences.length
    const text = extracted.sentences.map((sentence) => `${shownExtract(sentence.text)}[${sentence.marker}]`).join('\n\n')
    recorder.text(text === '' ? answerWords(language).nothing : text)
    recorder.endText()
  })
  await check(recorder, 0, parts.embedder)
}

/** Code keeps its lines. */
function shownExtract(text: string): string {
  return text.includes('\n') ? `\`\`\`\n${text.replaceAll('```', "'''")}\n\`\`\`\n` : `${plainQuote(text)} `
}

/**
 * What of a stored chat counts for a question: the same question, asked again, does not follow on itself, and the words
 * with which nothing was found are no answer, though the question may be followed up.
 */
function pastTurns(turns: Turn[], question: string): PastTurn[] {
  return turns
    .filter((turn) => turn.outcome !== null && turn.answer.trim() !== '' && turn.question.trim() !== question.trim())
    .map((turn) => ({ question: turn.question, answer: turn.outcome === 'not-found' ? '' : turn.answer }))
}
