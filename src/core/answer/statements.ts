import { isHeading } from './headings.ts'
import { splitSentences, type SentenceSpan } from './sentences.ts'

/** A part of a source that can be said by itself. */
export interface Statement extends SentenceSpan {
  /** As it reads without what stands around it; else the text without its line breaks. */
  shown: string
  /** A heading, a divider, the head of a table: nothing is said by it alone. */
  bare: boolean
}

const longestBlock = 6

/** Sentences of prose; of a table its rows, each with the names of its columns; of code its blocks of whole lines. */
export function statementsOf(text: string, headings: readonly string[] = []): Statement[] {
  if (isCode(text)) return blocks(text)
  let columns: string[] | null = null
  return splitSentences(tableLines(text)).map((span) => {
    const original = { ...span, text: text.slice(span.start, span.end) }
    const row = original.text.startsWith('|') ? cellsOf(original.text) : null
    if (row === null) {
      columns = null
      return {
        ...original,
        shown: original.text.replace(/^[-*•·+]\s+/, '').replace(/\s*\n\s*/g, ' '),
        bare: isHeading(original, text, headings),
      }
    }
    const isDivider = row.every((cell) => /^:?-{2,}:?$/.test(cell))
    const isHead = /^[^\S\n]*\n[^\S\n]*\|[\s|:-]+(?:\n|$)/.test(text.slice(span.end))
    if (isHead) columns = row
    return { ...original, shown: rowText(row, columns), bare: isDivider || isHead }
  })
}

/** The same length, with rows of tables kept whole: a full stop in a cell ends no sentence. */
function tableLines(text: string): string {
  return text.replace(/^[^\S\n]*\|.*\|[^\S\n]*$/gm, (line) => line.replace(/[.!?。！？…]/g, '-'))
}

function cellsOf(row: string): string[] {
  return row
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim())
}

function rowText(cells: string[], columns: string[] | null): string {
  return cells
    .map((cell, index) => (cell === '' ? '' : columns?.[index] ? `${columns[index]}: ${cell}` : cell))
    .filter(Boolean)
    .join(' · ')
}

/** Most lines end or begin as lines of programs do. */
function isCode(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (lines.length < 2) return false
  const like = lines.filter((line) =>
    /[;{}]\s*$|^\s*[)\]}]|^\s*(?:import|export|from|const|let|var|def|class|return|if|for|while|else|elif|try|except|raise|function|public|private|static|async|await|fn|func|struct|package|use|#include)\b.*[:({=;]|^\s*(?:\/\/|\/?\*{1,2}|#!|@\w)|^\s*[\w.[\]]+\s*(?:=|\+=|-=)\s*\S|^\s+[\w.]+\(.*\)\s*,?$/.test(
      line,
    ),
  ).length
  return like / lines.length >= 0.5
}

function blocks(text: string): Statement[] {
  const found: Statement[] = []
  let lines: { start: number; end: number }[] = []
  const flush = (): void => {
    const [first, last] = [lines[0], lines.at(-1)]
    lines = []
    if (first === undefined || last === undefined) return
    const block = text.slice(first.start, last.end)
    if (/[\p{L}\p{N}]/u.test(block)) found.push({ text: block, start: first.start, end: last.end, shown: block, bare: false })
  }
  let start = 0
  for (const line of text.split('\n')) {
    if (line.trim() === '') flush()
    else {
      lines.push({ start, end: start + line.trimEnd().length })
      if (lines.length === longestBlock) flush()
    }
    start += line.length + 1
  }
  flush()
  return found
}
