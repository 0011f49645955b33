import type { Basis, Source } from '../../../contract/answer.ts'
import type { TurnRecorder } from '../../turns/turns.ts'
import { foldText } from '../../search/search.ts'
import { plainQuote } from '../nearest.ts'
import { splitSentences } from '../sentences.ts'
import { citationOf } from '../sources.ts'

export interface ToldLine {
  text: string
  sources?: Source[]
  /** One of a list. */
  item?: boolean
}

/**
 * Writes an overview as an answer: its lines with their markers, its places as citations, and how it was found as a note. `words`:
 * what was looked for, whose sentence is the quote of each place.
 */
export function tell(recorder: TurnRecorder, lines: ToldLine[], basis: Basis, words = ''): void {
  const sources: Source[] = []
  const numbered = lines.map((line) => {
    const markers = (line.sources ?? []).map((source) => {
      const same = sources.find(
        (each) =>
          each.documentId === source.documentId &&
          each.passageId === source.passageId &&
          JSON.stringify(each.place) === JSON.stringify(source.place),
      )
      if (same !== undefined) return same.marker
      sources.push({ ...source, marker: sources.length + 1 })
      return sources.length
    })
    return { ...line, citations: [...new Set(markers)] }
  })
  recorder.sources(sources)
  recorder.note({ code: 'basis', message: basisText(basis), basis })
  let text = ''
  for (const [index, line] of numbered.entries()) {
    const between = index === 0 ? '' : line.item === true && numbered[index - 1]?.item === true ? '\n' : '\n\n'
    const cites = line.citations.length === 0 ? '' : ` ${line.citations.map((marker) => `[${marker}]`).join('')}`
    text += `${between}${line.item === true ? '- ' : ''}${line.text}${cites}`
  }
  recorder.text(text)
  recorder.endText()
  recorder.checked(
    {
      answer: recorder.turn.answer,
      sentences: numbered.map(({ text: line, citations }) => ({ text: line, citations, supported: true })),
      citations: sources.map((source) => ({ ...citationOf(source, quoteOf(source.text, words)), place: source.place })),
    },
    0,
  )
}

/** The sentence that has the words; where none is known, what is told of may stand anywhere in the passage. */
function quoteOf(text: string, words: string): string {
  const wanted = foldText(words).trim()
  const found = wanted === '' ? undefined : splitSentences(text).find((sentence) => foldText(sentence.text).includes(wanted))
  return found?.text.slice(0, 600) ?? text.slice(0, 600)
}

/** The basis of what is no query: one sentence. */
export function plainBasis(of: Basis['of'], unit: Basis['unit'], message: string, lookedAt: number, total = lookedAt): Basis {
  return { of, unit, message, lookedAt, total, understood: null, query: null, sheets: [], counted: null, rows: [], remarks: [] }
}

function basisText({ message, query }: Basis): string {
  return query === null ? message : `${message.replace(/[.。]$/, (end) => (end === '。' ? '：' : ': '))}${query}`
}

/** Words of a document or of the question, as they may stand in an answer. */
export function plainWords(text: string, most = 120): string {
  const line = plainQuote(text)
  return line.length > most ? `${line.slice(0, most)}…` : line
}
