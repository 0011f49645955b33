import { z } from 'zod'
import { counted } from '../../../contract/counted.ts'
import { defineTool, type Tool } from '../tool.ts'
import { findNames } from './library-scope.ts'
import { fenced } from './library-text.ts'
import type { ToolParts } from './tools.ts'

const schema = z.object({
  document: z.union([z.int(), z.string().min(1).max(1000)]).describe('its id, or part of its name or path'),
})
const longestMs = 600_000

export function createSummariseDocument({ overview, store }: Pick<ToolParts, 'overview' | 'store'>): Tool {
  return defineTool({
    name: 'summarise_document',
    description:
      'Summarises a whole document piece by piece. Use it for what a document is about; it takes long for a long one. To read a part, use read_document.',
    schema,
    suits:
      /\b(?:summar\w+|overview|gist|abstract|tl;?dr|in short|key points|main points|about)\b|摘要|总结|概括|概述|概要|要点|大意|讲(?:了|的是)什么|主要内容/iu,
    access: 'read',
    gives: { private: true, untrusted: true },
    limits: { timeoutMs: longestMs },
    aliases: ['summarize_document'],
    line: ({ document }, language) => (language === 'zh' ? `概括 ${document}` : `Summarise ${document}`),
    async run({ document }, { scope, signal, language }) {
      const wanted = String(document).trim()
      const id = /^\d+$/.test(wanted) ? Number(wanted) : null
      const query = { scope, sort: 'name' as const, offset: 0, limit: 10 }
      const among = id === null ? { ...query, name: wanted } : { ...query, scope: { ...scope, documentIds: seen(scope.documentIds, id) } }
      const { names, total } = findNames(store, among)
      const exact = names.filter(({ path }) => path.toLowerCase().endsWith(wanted.toLowerCase()))
      const [found] = total === 1 ? names : exact.length === 1 ? exact : []
      if (found === undefined) {
        const list = names.map(({ id: each, path }) => fenced(`- id ${each}: ${path}`))
        const text = total === 0 ? `There is no document “${fenced(wanted)}”.` : [`${total} documents fit; which one?`, ...list].join('\n')
        return { failed: true, text }
      }
      for await (const event of overview.summarise({ documentId: found.id, language: language === 'zh' ? 'zh' : 'en' }, signal)) {
        if (event.type !== 'summary-end') continue
        const { text, model, basis } = event.summary
        const made = model === null ? ' It is made of its own sentences, without a model.' : ''
        return fenced(
          `Summary of ${found.path}, from ${basis.lookedAt} of ${counted(basis.total, basis.unit.slice(0, -1))}.${made}\n\n${text}`,
        )
      }
      return { failed: true, text: 'There is no summary: nothing was read in this document.' }
    },
  })
}

function seen(allowed: readonly number[] | undefined, id: number): number[] {
  return allowed === undefined || allowed.includes(id) ? [id] : []
}
