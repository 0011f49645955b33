import type { Source } from '../../contract/answer.ts'
import type { Language } from '../../contract/library.ts'
import { answerWords } from './answer-words.ts'
import { isHeading } from './headings.ts'
import { splitSentences } from './sentences.ts'
import { citationOf } from './sources.ts'
import type { TurnRecorder } from '../turns/turns.ts'

const nearestShown = 3
const nearestCharacters = 240

/** The beginning of each of the nearest passages: a note, and something to look at, never a bare refusal. */
export function showNearest(recorder: TurnRecorder, sources: Source[], language: Language): void {
  const words = answerWords(language)
  const nearest = sources
    .slice(0, nearestShown)
    .map((source) => ({ source, quote: beginning(source.text), shown: beginning(withoutHeadings(source)) }))
  if (nearest.length === 0) {
    recorder.text(words.nothing)
    recorder.checked(
      { answer: recorder.turn.answer, sentences: [{ text: words.nothing, citations: [], supported: true }], citations: [] },
      0,
    )
    return
  }
  const lines = nearest.map(({ source, shown }) => ({ text: plainQuote(shown), citations: [source.marker], supported: true }))
  const list = lines.map((line) => `- ${line.text} [${line.citations.join('][')}]`)
  recorder.text(`${words.notInLibrary}\n\n${words.nearest}\n\n${list.join('\n')}`)
  const sentences = [
    { text: words.notInLibrary, citations: [], supported: true },
    { text: words.nearest, citations: [], supported: true },
    ...lines,
  ]
  const citations = nearest.map(({ source, quote }) => citationOf(source, quote))
  recorder.checked({ answer: recorder.turn.answer, sentences, citations }, 0)
}

/** From the first line that says something: a heading before it would look like its beginning. */
function withoutHeadings({ text, heading }: Source): string {
  const spans = splitSentences(text)
  const first = spans.find((span) => !isHeading(span, text, heading))
  return first === undefined ? text : text.slice(first.start)
}

/** Verbatim, to the end of a sentence where one ends in time. */
function beginning(text: string): string {
  const trimmed = text.trim()
  if (trimmed.length <= nearestCharacters) return trimmed
  const cut = [...trimmed.slice(0, nearestCharacters)].join('')
  const end = Math.max(cut.lastIndexOf('。'), cut.lastIndexOf('. '), cut.lastIndexOf('！'), cut.lastIndexOf('？'), cut.lastIndexOf('\n'))
  return (end > nearestCharacters / 3 ? cut.slice(0, end + 1) : cut).trim()
}

/** A passage's own headings, lists and its own numbers in brackets must not look like the answer's. */
export function plainQuote(quote: string): string {
  return withoutMarkers(
    quote
      .replace(/^\s*(?:#{1,6}|[-*•·+])\s+/gm, '')
      .replace(/^[\s|:]*-{2,}[\s|:-]*$/gm, '')
      .replace(/\s+/g, ' ')
      .trim(),
  )
}

/** Shown as nothing; between a bracket and a number it says that they are no citation. */
export const wordJoiner = '\u2060'

/** References of the quoted text, such as [12] or flats[0], would be taken for citations. The words stay as they are. */
function withoutMarkers(text: string): string {
  return text.replace(/([[［【])(?=\d{1,3}(?:\s*[,，、–-]\s*\d{1,3})*[\]］】])/g, `$1${wordJoiner}`)
}
