import { z } from 'zod'
import { counted } from '../../../contract/counted.ts'
import type { Memory } from '../../../contract/memory.ts'
import { defineTool, type Tool, type Unavailable } from '../tool.ts'
import type { ToolParts } from './tools.ts'

export const memoriesOff: Unavailable = { code: 'memories-off', text: 'Memories are switched off in the settings.' }

const mostNewest = 20

/** Looks memories up. Those that fit the question are given to the model anyway: this is for what comes up on the way. */
export function createRecall({ memories, settings }: Pick<ToolParts, 'memories' | 'settings'>): Tool {
  return defineTool({
    name: 'recall',
    description:
      'Looks up what is remembered of the user from earlier chats: facts and preferences, each with its id and date. Without a query it gives the newest ones.',
    schema: z.object({
      query: z.string().max(2000).optional().describe('what to look for, in a few words or as a question; left out: the newest memories'),
    }),
    suits:
      /\b(?:remember(?:ed)?|recall|about me|know of me|told you|i (?:said|told)|my (?:name|birthday|wife|husband|daughter|son|favou?rite|preferences?))\b|记得|还记|记忆|告诉过|说过|我的(?:名字|生日|喜好|女儿|儿子)|关于我|我叫什么|了解我/iu,
    access: 'read',
    aliases: ['search_memory', 'recall_memory', 'list_memories'],
    // Memories that came with a file are among them.
    gives: { private: true, untrusted: true },
    unavailable: () => (settings().memory ? null : memoriesOff),
    async run({ query = '' }, { signal }) {
      if (query.trim() !== '') {
        const found = await memories.recall(query, { limit: 10, signal, manner: false })
        return found.length === 0 ? 'No memory fits this.' : found.map(memoryLine).join('\n')
      }
      const { total, memories: newest } = memories.list({ offset: 0, limit: mostNewest })
      if (total === 0) return 'Nothing is remembered yet.'
      const more =
        total > newest.length ? `\n(${counted(total - newest.length, 'older one is', 'older ones are')} not shown; give a query.)` : ''
      return newest.map(memoryLine).join('\n') + more
    },
  })
}

export function memoryLine({ id, text, kind, updatedAt }: Memory): string {
  return `- ${text} (${kind}, ${new Date(updatedAt).toISOString().slice(0, 10)}, id ${id})`
}
