import { z } from 'zod'
import { counted } from '../../../contract/counted.ts'
import { foldText } from '../../search/search.ts'
import { defineTool, withNames, type Tool } from '../tool.ts'

const schema = z.object({
  text: z.string().max(100_000).describe('the text to count in'),
  letter: z.string().min(1).max(100).optional().describe('the letter, character or word to count; left out: everything is counted'),
  case_sensitive: z.boolean().default(false).describe('true: "R" and "r" are different'),
})

const mostPositions = 50

export function createCountLetters(): Tool {
  return defineTool({
    name: 'count_letters',
    description:
      'Counts how often a letter or word stands in a text, with positions; without one, counts characters, letters, words, lines and Chinese characters. Use it for every question on spelling and length.',
    schema,
    suits:
      /\b(?:letters?|characters?|spell\w*|vowels?|words? (?:in|are)|how many (?:\w )?[a-z]['’]?s?\b|palindrome|length of)\b|字母|拼写|几个字|多少(?:个)?字|字数|字符|数一数|第几个字/iu,
    access: 'read',
    aliases: ['count_characters', 'count_words', 'letter_count'],
    adapt: (given) => withNames(given, { text: ['word', 'string', 'sentence', 'input'], letter: ['char', 'character', 'substring'] }),
    line: ({ text, letter }, language) =>
      language === 'zh'
        ? `数${letter === undefined ? '字数' : `“${letter}”`}：${text}`
        : `Count ${letter === undefined ? 'characters and words' : `“${letter}”`} in: ${text}`,
    run: ({ text, letter, case_sensitive }) => (letter === undefined ? countAll(text) : countOne(text, letter, case_sensitive)),
  })
}

/** What a person calls a character: an emoji with its modifiers, a letter with its accents. */
function charactersOf(text: string): string[] {
  return Array.from(new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text.normalize('NFC')), (part) => part.segment)
}

function countOne(text: string, letter: string, isExact: boolean): string {
  const fold = (character: string): string => (isExact ? character : character.toLowerCase())
  const characters = charactersOf(text).map(fold)
  const wanted = charactersOf(letter).map(fold)
  const found = positionsOf(wanted, characters)
  // What is found once is not found again within itself.
  let end = 0
  const positions = found.filter((at) => {
    if (at < end) return false
    end = at + wanted.length
    return true
  })
  const alike = positionsOf(wanted.map(plainForm), characters.map(plainForm)).length
  const remarks = [
    ...(found.length > positions.length ? [` Counted without overlaps; with them it stands ${found.length} times.`] : []),
    ...(alike > found.length
      ? [` With accents, skin tones, and traditional and simplified forms taken for the same, it stands ${counted(alike, 'time')}.`]
      : []),
  ]
  const shown = text.length > 60 ? 'The text' : `"${text}"`
  const listed = positions.slice(0, mostPositions).join(', ') + (positions.length > mostPositions ? ', …' : '')
  const where = positions.length === 0 ? '' : `, at character ${listed}`
  const how = isExact ? 'upper and lower case are different' : 'upper and lower case are the same'
  return `${shown} has "${letter}" ${positions.length} ${positions.length === 1 ? 'time' : 'times'}${where} of ${characters.length} (${how}).${remarks.join('')}`
}

/** Where it begins, from 1, overlaps included. */
function positionsOf(wanted: string[], characters: string[]): number[] {
  const positions: number[] = []
  for (let at = 0; at + wanted.length <= characters.length; at++)
    if (wanted.every((character, index) => characters[at + index] === character)) positions.push(at + 1)
  return positions
}

/** A letter without its accents, an emoji without its skin tone, a character in its simplified form. */
function plainForm(character: string): string {
  const plain = character.normalize('NFD').replace(/(?<=.)[\p{M}\p{Emoji_Modifier}\uFE0F]/gu, '')
  return /^\p{Script=Han}/u.test(plain) ? foldText(plain) : plain
}

function countAll(text: string): string {
  const characters = charactersOf(text)
  const count = (pattern: RegExp): number => characters.filter((character) => pattern.test(character)).length
  const words = Array.from(new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)).filter((part) => part.isWordLike).length
  const lines = text === '' ? 0 : text.replace(/\r?\n$/, '').split(/\r\n|\r|\n/).length
  return [
    `characters: ${characters.length}`,
    `without spaces: ${characters.length - count(/^\s+$/u)}`,
    `letters: ${count(/^\p{L}/u)}`,
    `Chinese characters: ${count(/^\p{Script=Han}/u)}`,
    `digits: ${count(/^\p{Nd}/u)}`,
    `words: ${words}`,
    `lines: ${lines}`,
    `bytes in UTF-8: ${new TextEncoder().encode(text).length}`,
  ].join('\n')
}
