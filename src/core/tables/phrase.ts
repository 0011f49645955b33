import { SikuError } from '../../contract/errors.ts'
import { foldText } from '../search/search.ts'

const wordCharacter = '[\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\p{N}_]'
const han = /^[\u3400-\u9fff]$/

/**
 * Finds a phrase in folded text: whole words where it begins or ends with letters of an alphabet, any blank for a blank, and a
 * line's end between two Chinese characters.
 */
export function phraseFinder(words: string): RegExp {
  const characters = [...foldText(words).trim()]
  const [first, last] = [characters[0], characters.at(-1)]
  if (first === undefined || last === undefined) throw new SikuError('bad-input', 'there is nothing to count')
  let source = ''
  for (const [index, character] of characters.entries()) {
    const before = characters[index - 1]
    if (/\s/.test(character)) {
      if (before !== undefined && !/\s/.test(before)) source += '\\s+'
      continue
    }
    if (before !== undefined && han.test(before) && han.test(character)) source += '\\n?'
    source += character.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
  }
  const isWord = new RegExp(wordCharacter, 'u')
  return new RegExp(`${isWord.test(first) ? `(?<!${wordCharacter})` : ''}${source}${isWord.test(last) ? `(?!${wordCharacter})` : ''}`, 'gu')
}

/** A pattern of the caller's. It may never come to an end: run it where it can be ended. */
export function patternFinder(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'giu')
  } catch (error) {
    throw new SikuError('bad-input', error instanceof Error ? error.message : 'this is no pattern', { cause: error })
  }
}

/** Times that it stands there; what matches nothing does not count. */
export function countIn(folded: string, finder: RegExp): number {
  finder.lastIndex = 0
  let count = 0
  for (let found = finder.exec(folded); found !== null; found = finder.exec(folded)) {
    if (found[0] === '') finder.lastIndex += 1
    else count += 1
  }
  return count
}

const ascii = /^[\x00-\x7f]*$/

/** `foldText`, quick where there is little to fold. */
export function folded(text: string): string {
  return ascii.test(text) ? text.toLowerCase() : foldText(text)
}
