import { z } from 'zod'
import { counted } from '../../../contract/counted.ts'
import { defineTool, type Tool } from '../tool.ts'
import { withinFolder } from './library-scope.ts'
import { dataSentence, fenced, passageText } from './library-text.ts'
import type { ToolParts } from './tools.ts'

const schema = z.object({
  words: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .describe('the word or phrase to count; case, width, traditional and simplified forms are the same'),
  folder: z.string().max(1000).optional().describe('only in this folder: its name or path'),
})
const listed = 40
const shown = 6

export function createCountInLibrary({ overview, store }: Pick<ToolParts, 'overview' | 'store'>): Tool {
  return defineTool({
    name: 'count_in_library',
    description:
      'Counts how often a phrase stands in the whole text of the library, and in which documents: exact, over everything. Use it for how many documents mention something, or to list all that do.',
    schema,
    suits:
      /\bhow (?:many|often)\b.{0,40}\b(?:documents?|files?|papers?|times|mention\w*|contain\w*)\b|\bhow often\b|\b(?:occurrences?|count)\b|多少次|几次|出现|多少(?:份|篇|个)?.{0,6}(?:提到|包含|文档|文件)|提到.{0,12}(?:多少|几)/iu,
    access: 'read',
    gives: { private: true, untrusted: true },
    line: ({ words }, language) => (language === 'zh' ? `在全部文档中统计“${words}”` : `Count “${words}” in all documents`),
    async run({ words, folder }, { scope: given, cite, signal }) {
      const narrowed =
        folder === undefined || folder.trim() === '' ? { kind: 'ok' as const, scope: given } : withinFolder(store, given, folder)
      if (narrowed.kind === 'no') return { failed: true, text: narrowed.message }
      const looked = await overview.countInLibrary({ words, scope: narrowed.scope, limit: shown }, signal)
      const { occurrences, documents, places, lookedAt, total, unread, complete } = looked
      const basis = [
        `Looked at ${lookedAt} of ${counted(total, 'document')}.`,
        ...(complete ? [] : ['Time ran out before the end: the counts are of these only.']),
        ...(unread === 0 ? [] : [`The text of ${unread} more is not known.`]),
      ].join(' ')
      if (occurrences === 0) return `“${fenced(words)}” stands nowhere. ${basis}`
      const rest = documents.length > listed ? [`… and ${counted(documents.length - listed, 'more document')}`] : []
      const list = documents.slice(0, listed).map(({ path, count }) => fenced(`- ${path}: ${count}`))
      const markers = cite(places.map((place) => ({ ...place, score: 1 })))
      const passages = places.map((place, index) => passageText({ ...place, marker: markers[index] ?? index + 1 }))
      return [
        `“${fenced(words)}” stands ${occurrences === 1 ? 'once' : `${occurrences} times`} in ${counted(documents.length, 'document')}. ${basis} Say this basis in the answer.`,
        ...list,
        ...rest,
        '',
        dataSentence,
        ...passages,
      ].join('\n')
    },
  })
}
