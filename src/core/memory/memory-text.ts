import { failure } from '../../contract/errors.ts'
import type { Memory } from '../../contract/memory.ts'
import { foldText, questionUnits } from '../search/search.ts'

export const longestMemory = 1000

/**
 * As it is kept: one line, without characters that nobody sees (control, direction, tag and other format characters; the
 * joiners of emoji and scripts stay). Throws `bad-input` when nothing is left, or too much.
 */
export function cleanMemory(text: string): string {
  const clean = text
    .normalize('NFC')
    .replace(/\p{Cs}/gu, '')
    .replace(/[\p{Cf}\p{Co}]/gu, (character) => (character === '\u200c' || character === '\u200d' ? character : ''))
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
  if (!/[\p{L}\p{N}]/u.test(clean)) throw failure('memory-empty')
  if (clean.length > longestMemory) {
    throw failure('memory-long', { most: longestMemory, count: clean.length })
  }
  return clean
}

/** The same for texts that differ in nothing but case, width, script form of Han, spaces and punctuation. */
export function foldedMemory(text: string): string {
  return foldText(text).replace(/[^\p{L}\p{N}+#%$€¥£°-]+/gu, '')
}

const negation = /\b(?:not|no|never|none|without|neither|nor|cannot|stopped|former(?:ly)?|no longer)\b|n['’]t\b|[不没未无勿别非]/giu

/** True when two texts have the same words in the same order but for words that say nothing, the same numbers and the same "not"s. */
export function saysTheSame(a: string, b: string): boolean {
  const [one, two] = [a, b].map((text) => [
    questionUnits(text).map((unit) => unit.terms[0]),
    text.match(/\p{Nd}+(?:[.,:/-]\p{Nd}+)*/gu) ?? [],
    text.match(negation)?.length ?? 0,
  ])
  return JSON.stringify(one) === JSON.stringify(two)
}

const ofManner =
  /\b(?:answer(?:s|ed)?|repl(?:y|ies)|respond|responses?|explain(?:s|ed)?|explanations?|tone|concise(?:ly)?|brief(?:ly)?|bullets?|emojis?|jargon|call (?:me|the user|him|her)|address(?:ed)? (?:me|as)|(?:speak|write|talk) to (?:me|the user))\b|回答|回复|答复|语气|称呼|简洁|简短|要点|叫我|请用(?:中文|英文)|表情符号/iu

/** A preference about how to be answered, in which language and manner: it fits whatever is asked. */
export function isOfManner({ kind, text }: Pick<Memory, 'kind' | 'text'>): boolean {
  return kind === 'preference' && ofManner.test(text)
}
