import type { SentenceSpan } from './sentences.ts'

const longestHeading = 80
const longestGreeting = 48

const amount = /[〇零一二两三四五六七八九十百千万亿\d](?:元|块|天|日内|个月|年内|周|小时|分钟|%|％|平方米|公里|人|次)/

/** A line that names what follows instead of saying something: marked as one, or short, without an end and with text below. */
export function isHeading({ text, start, end }: SentenceSpan, source: string, headings: readonly string[] = []): boolean {
  if (!isWholeLine(source, start, end)) return false
  if (/^#{1,6}\s/.test(text) || /^[=\-*_~]{3,}$/.test(text)) return true
  if (headings.some((heading) => keyOf(heading) === keyOf(text))) return true
  const below = source.slice(end)
  if (text.length > longestHeading || below.trim() === '') return false
  // A row of a sheet, below the names of its columns or another row.
  if (isRow(text) && isRow(/([^\n]*)\n\s*$/.exec(source.slice(0, start))?.[1] ?? '')) return false
  // A clause of a contract often ends without a mark: an entry with a number of its own, or an amount, says something.
  if (/^[（(]\s*(?:\d+|[a-z]|[ivx]+)\s*[)）]/i.test(text) || (amount.test(text) && !/^(?:第|§)/.test(text))) return false
  // "Dear neighbours," and "With kind regards,"; what was wrapped is longer.
  if (/[,，]$/.test(text)) return text.length <= longestGreeting
  return !/[.!?。！？…;；:：|"”」)）}]$|[:：]\s?\S|^(?:[-*•·+|]|\d+[.)、])|\t| {2}/.test(text)
}

/** Cells as sheets are read: parted by points, or by bars. */
export function isRow(line: string): boolean {
  return line.includes(' · ') || /^\s*\|.*\|\s*$/.test(line)
}

function isWholeLine(source: string, start: number, end: number): boolean {
  return /(?:^|\n)[^\S\n]*$/.test(source.slice(0, start)) && /^[^\S\n]*(?:\n|$)/.test(source.slice(end))
}

function keyOf(line: string): string {
  return line
    .replace(/^#{1,6}\s+/, '')
    .replace(/\s+/g, '')
    .toLowerCase()
}
