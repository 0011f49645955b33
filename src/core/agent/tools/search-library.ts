import { z } from 'zod'
import { counted } from '../../../contract/counted.ts'
import { documentKindSchema, type Scope } from '../../../contract/library.ts'
import { defineTool, type Tool } from '../tool.ts'
import { withinFolder } from './library-scope.ts'
import { dataSentence, passageText } from './library-text.ts'
import type { ToolParts } from './tools.ts'

const schema = z.object({
  query: z.string().min(1).max(1000).describe('what to look for, as a question or a few words'),
  k: z.int().min(1).max(20).default(6).describe('how many passages'),
  folder: z.string().max(1000).optional().describe('only in this folder: its name or path'),
  kind: documentKindSchema.optional().describe('only documents of this kind'),
})

export function createSearchLibrary({ store, search }: Pick<ToolParts, 'store' | 'search'>): Tool {
  return defineTool({
    name: 'search_library',
    description:
      'Searches the user’s own documents by words and by meaning. Gives passages with numbers to cite. Use it first for every question that the documents may answer.',
    schema,
    suits:
      /\b(?:documents?|files?|notes?|papers?|contracts?|lease|letters?|reports?|manuals?|books?|clauses?|say|says|said|mention\w*|according|my|our|library|find|where|who|when)\b|文档|文件|资料|合同|租约|条款|报告|手册|书|笔记|文库|库里|里面|写(?:着|了|的)|提到|查|找|规定|我的|我们|谁|哪/iu,
    access: 'read',
    gives: { private: true, untrusted: true },
    aliases: ['library_search', 'search_documents', 'search'],
    limits: { timeoutMs: 60_000, maxCharacters: 40_000 },
    line: ({ query }, language) => (language === 'zh' ? `在书库中查找“${query}”` : `Search the library for “${query}”`),
    async run({ query, k, folder, kind }, { scope: given, signal, cite }) {
      let scope: Scope = given
      if (folder !== undefined && folder.trim() !== '') {
        const narrowed = withinFolder(store, scope, folder)
        if (narrowed.kind === 'no') return { failed: true, text: narrowed.message }
        scope = narrowed.scope
      }
      if (kind !== undefined) scope = { ...scope, kinds: (scope.kinds ?? [kind]).filter((each) => each === kind) }
      const { result, hits } = await search.query({ query, k, scope }, { signal })
      const notes = result.notes.map((note) => note.message).join(' ')
      if (hits.length === 0) {
        const narrow = folder === undefined && kind === undefined ? '' : ' or search without folder and kind'
        return `Nothing in the library was found for this. Try other words${narrow}. ${notes}`.trim()
      }
      const markers = cite(
        hits.map(({ documentId, passageId, path, place, heading, text, contentHash, score }) => {
          return { documentId, passageId, path, place, heading, text, contentHash, score }
        }),
      )
      const passages = hits.map((hit, index) => passageText({ ...hit, marker: markers[index]! }))
      const head = `${counted(hits.length, 'passage')}${hits.length === 1 ? '' : ', the best first'}. Cite ${hits.length === 1 ? 'it' : 'them'} by number, like [${markers[0]}]. ${dataSentence}`
      return [head, ...passages, notes].filter((part) => part !== '').join('\n')
    },
  })
}
