import type { CallRecord } from '../../contract/agent.ts'
import { messageText } from '../../contract/message.ts'
import type { Embedder } from '../embed/embed.ts'
import { noteDropped, splitSentences } from '../answer/answer.ts'
import type { TurnRecorder } from '../turns/turns.ts'
import type { AgentTurn } from './agent-turn.ts'
import { checkAnswer } from './check-answer.ts'
import {
  admitsFailure,
  claimedDeed,
  factless,
  failedCalls,
  failedWords,
  saysSomething,
  undoneDeeds,
  undoneWords,
  type FailedCalls,
} from './deeds.ts'
import type { Loop } from './loop.ts'
import { groundsOf, repairWords, ungrounded, type Grounds } from './reflect.ts'
import { sumWords, wrongSums, type WrongSum } from './sums.ts'
import type { Transcript } from './transcript.ts'
import type { AnswerVoice } from './voice.ts'

export interface FinishInput {
  turn: AgentTurn
  transcript: Transcript
  voice: AnswerVoice
  loop: Loop
  /** Of the turns before: what they did may be told again. */
  earlier: readonly CallRecord[]
  /** What the answer may rest on beside this turn's messages: system text, earlier turns. */
  others: string[]
  mayRepair: boolean
  /** Null: checked by words alone. */
  embedder: (() => Embedder) | null
}

/**
 * What comes after the last word: where tools gave facts, or should have, the answer is held against them, written again once
 * when something in it stands in none, and checked sentence by sentence. An answer without calls passes as it is.
 */
export async function finishAnswer(input: FinishInput): Promise<void> {
  const { turn, transcript, voice, mayRepair, embedder } = input
  const { recorder, language, signal } = turn
  const results = factResults(transcript)
  const failed = failedCalls(recorder.turn.calls)
  const isBare = results.length === 0 && recorder.turn.sources.length === 0 && failed === null
  if (recorder.turn.answer.trim() !== '' && isBare && mayRepair) await repairSums(input)
  if (recorder.turn.answer.trim() === '' || isBare) {
    noteSums(input)
    noteUndone(recorder, undoneIn(input))
    noteDropped(recorder, voice.dropped)
    return
  }
  const grounds = groundsOf(
    groundTexts(transcript),
    results.filter((text) => !hasMarker(text)),
    input.others,
  )
  const claims = (): Claims => claimsOf(recorder.turn.answer, language, grounds, failed === null ? undoneIn(input) : [], failed)
  if (mayRepair && (results.length > 0 || failed !== null)) await repair(input, claims(), failed)
  const left = claims()
  noteSums(input)
  if (failed === null) noteUndone(recorder, undoneIn(input))
  if (failed !== null) noteFailed(recorder, failed, left)
  const allCitable = results.length > 0 && results.every(hasMarker)
  const worked = results.filter((text) => !hasMarker(text)).join('\n')
  await checkAnswer({ recorder, worked, droppedMarkers: voice.dropped, embedder, grounds, language, allCitable, failed, signal })
}

/** What the answer works out wrongly itself: not what a result or the question says so. */
function sumsIn({ turn: { recorder }, transcript }: FinishInput): WrongSum[] {
  const wrong = wrongSums(recorder.turn.answer)
  if (wrong.length === 0) return []
  const given = groundTexts(transcript).join('\n').replace(/\s/g, '')
  return wrong.filter(({ said }) => !given.includes(said.replace(/\s/g, '')))
}

async function repairSums(input: FinishInput): Promise<void> {
  const sums = sumsIn(input)
  if (sums.length > 0)
    await again(
      input,
      sumWords(sums),
      sums.map(({ said }) => said),
      'did not come out',
    )
}

function noteSums(input: FinishInput): void {
  const sums = sumsIn(input).slice(0, 5)
  if (sums.length === 0) return
  const message = `The answer calculates wrongly: ${sums.map(({ said, value }) => `${said} (it is ${value})`).join('; ')}.`
  input.turn.recorder.note({ code: 'wrong-sum', message, count: sums.length, sums })
}

/** "I have saved it", where nothing was called that could. Of calls that failed more is known: see `noteFailed`. */
function undoneIn({ turn: { recorder }, earlier }: FinishInput): string[] {
  const { answer, calls } = recorder.turn
  const sentences = splitSentences(answer.replace(/```[\s\S]*?(?:```|$)/g, ' ')).map(({ text }) => text)
  return undoneDeeds(answer, sentences, [...earlier, ...calls])
}

function noteUndone(recorder: TurnRecorder, deeds: readonly string[]): void {
  if (deeds.length === 0) return
  const message = `The answer says that something was done (${deeds.slice(0, 5).join(', ')}), and no tool was called that could do it.`
  recorder.note({ code: 'not-done', message, count: deeds.length })
}

/**
 * Whatever the answer says: a tool that was called and never gave anything is no ground for it. Said unless the answer says so
 * itself, and also then when it claims what only that tool could give.
 */
function noteFailed(recorder: TurnRecorder, failed: FailedCalls, { deeds, missing, hidesFailure }: Claims): void {
  const claimed = failed.all ? [...deeds, ...missing] : deeds
  const which = `These did not work: ${failed.tools.join(', ')}.`
  if (claimed.length > 0) {
    const message = `The answer claims what no call gave: ${claimed.slice(0, 5).join(', ')}. ${which}`
    recorder.note({ code: 'calls-failed', message, count: deeds.length + missing.length })
  } else if (hidesFailure) {
    recorder.note({ code: 'calls-failed', message: `The answer does not say that calls failed. ${which}`, count: failed.tools.length })
  }
}

/** What of an answer stands in nothing that a call gave. */
interface Claims {
  /** Numbers, dates and names. */
  missing: string[]
  /** Words of what was not done. */
  deeds: string[]
  /** Calls failed and the answer, which says something, does not say it. */
  hidesFailure: boolean
}

function claimsOf(answer: string, language: AgentTurn['language'], grounds: Grounds, undone: string[], failed: FailedCalls | null): Claims {
  const missing = ungrounded(answer, language, grounds)
  if (failed === null) return { missing, deeds: undone, hidesFailure: false }
  const sentences = splitSentences(answer).map(({ text }) => text)
  const deeds = sentences.flatMap((text) => claimedDeed(text, failed) ?? [])
  return { missing, deeds: [...new Set(deeds)], hidesFailure: failed.lost && !admitsFailure(answer) && saysSomething(sentences) }
}

/** Once, and only when a number, a date, a name or a deed stands in no result. */
async function repair(input: FinishInput, { missing, deeds }: Claims, failed: FailedCalls | null): Promise<void> {
  const first = input.turn.recorder.turn.answer
  const isFalse = failed !== null && (failed.all || deeds.length > 0)
  const claimed = isFalse && admitsFailure(first) ? [] : [...deeds, ...missing]
  const sums = sumsIn(input)
  const all = [...claimed, ...sums.map(({ said }) => said)]
  if (all.length === 0) return
  const checks: string[] = []
  if (claimed.length > 0 && isFalse) checks.push(failedWords(failed, claimed))
  else if (claimed.length > 0) {
    if (deeds.length > 0) checks.push(undoneWords(deeds))
    if (missing.length > 0) checks.push(repairWords(missing))
  }
  if (sums.length > 0) checks.push(sumWords(sums))
  const words = checks.join('\n')
  await again(input, words, all, 'stood in no result')
}

async function again({ turn, voice, loop }: FinishInput, words: string, claims: readonly string[], why: string): Promise<void> {
  const { recorder } = turn
  const first = recorder.turn.answer
  voice.reset()
  const repaired = await loop.once(words)
  // Half a repair is worth less than the whole that it was to mend.
  if (repaired.text.trim() === '' || repaired.cut || repaired.error !== null) {
    voice.reset()
    voice.begin()
    voice.text(first)
    voice.end()
    return
  }
  const list = claims.slice(0, 5).join(', ')
  recorder.note({ code: 'repaired', message: `The answer was written again: ${list} ${why}.`, count: claims.length })
}

function hasMarker(result: string): boolean {
  return /\[\d{1,3}\]/.test(result)
}

function factResults({ messages }: Transcript): string[] {
  return messages.flatMap((message) =>
    message.role === 'tool' && message.metadata?.status === 'ok' && !factless.has(message.name ?? '') ? [messageText(message)] : [],
  )
}

/** All but the model's own words, and those of a helper that had nothing itself. */
function groundTexts({ messages }: Transcript): string[] {
  return messages
    .filter(({ role, name, metadata }) => role !== 'assistant' && (name !== 'delegate' || metadata?.status === 'ok'))
    .map((message) => messageText(message))
}
