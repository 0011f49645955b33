import type { Chat, Turn } from '../../contract/answer.ts'
import { newestAfter, parentsOf, pathTo } from '../../contract/branches.ts'
import { fileName, placeText, plainTitle } from './place-text.ts'

/** A chat as Markdown: the branch that was asked last, with its citations as a list under each answer. */
export function chatMarkdown(chat: Chat): { fileName: string; markdown: string } {
  const parents = parentsOf(chat.history)
  const path = new Set(pathTo(parents, newestAfter(parents, null)))
  const shown = chat.history.filter(({ id }) => path.has(id))
  const parts = [`# ${plainTitle(chat.title)}`, ...shown.map(turnMarkdown)]
  return { fileName: `${safeName(chat.title)}.md`, markdown: `${parts.join('\n\n')}\n` }
}

function turnMarkdown(turn: Turn): string {
  const notes = turn.notes.map((note) => `> ${oneLine(note.message)}`)
  const citations = turn.citations.map(
    (citation) => `- [${citation.marker}] ${fileName(citation.path)}, ${placeText(citation.place)}: “${oneLine(citation.quote)}”`,
  )
  const asked = new Date(turn.askedAt).toISOString().slice(0, 16).replace('T', ' ')
  const model = turn.model === null ? '' : `, ${turn.model.model}`
  const calls = turn.calls.map((call) => `- ${oneLine(call.line)} (${call.status}, ${(call.elapsedMs / 1000).toFixed(1)} s)`)
  return [
    `## ${oneLine(turn.question)}`,
    `*${asked} UTC${model}*`,
    notes.join('\n'),
    calls.join('\n'),
    turn.answer.trim(),
    citations.join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** A name that every file system takes. */
export function safeName(title: string): string {
  const plain = plainTitle(title)
    .replace(/[\\/:*?"<>|]/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '')
  const short = [...plain].slice(0, 60).join('').trim()
  return short === '' || /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(short) ? 'chat' : short
}

/** The first line of the question, at most so long, cut between words. */
export function chatTitle(question: string): string {
  const line = plainTitle(question)
  const characters = [...line]
  if (characters.length <= 60) return line === '' ? '…' : line
  const cut = characters.slice(0, 59).join('')
  const space = cut.lastIndexOf(' ')
  return `${space > 30 ? cut.slice(0, space) : cut}…`
}
