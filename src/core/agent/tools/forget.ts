import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Memory } from '../../../contract/memory.ts'
import type { Memories } from '../../memory/memory.ts'
import { defineTool, type Tool } from '../tool.ts'
import { readableLine } from '../tool-line.ts'
import { memoriesOff, memoryLine } from './recall.ts'
import type { ToolParts } from './tools.ts'

const mostShown = 10

/** The memories that are meant, at most a few: by id, else those that have the text. */
function meant(memories: Memories, memory: string): Memory[] {
  const wanted = memory.trim()
  const byId = memories.get(wanted)
  if (byId !== null) return [byId]
  if (wanted === '') return []
  const found = memories.list({ text: wanted, offset: 0, limit: mostShown }).memories
  const exact = found.find(({ text }) => text === wanted)
  return exact === undefined ? found : [exact]
}

/**
 * Removes one memory, at the user's word; the page of memories can bring it back until the next start. An "always" counts for
 * just this memory as it is.
 */
export function createForget({ memories, settings }: Pick<ToolParts, 'memories' | 'settings'>): Tool {
  return defineTool({
    name: 'forget',
    description:
      'Removes one memory, when the user asks for it. Give its id as recall shows it, or words that stand in it and in no other.',
    schema: z.object({ memory: z.string().trim().min(1).max(1000).describe('the id of the memory, or some of its text') }),
    suits:
      /\b(?:forget (?:that|about|my|the|what|everything)|delete .{0,20}memor\w+|remove .{0,20}memor\w+)\b|忘(?:掉|记|了)|删(?:掉|除).{0,12}(?:记忆|记住)|别再记/iu,
    access: 'write',
    aliases: ['delete_memory', 'remove_memory'],
    // Memories that came with a file are among them.
    gives: { private: true, untrusted: true },
    site({ memory }) {
      const targets = meant(memories, memory).map(({ id, text }) => `${id}\n${text}`)
      return `memory ${createHash('sha256')
        .update(targets.join('\n') || memory)
        .digest('hex')
        .slice(0, 16)}`
    },
    line({ memory }, language) {
      const [one, second] = meant(memories, memory)
      const text = readableLine(one === undefined || second !== undefined ? memory : one.text, 1000)
      return language === 'zh' ? `忘掉：“${text}”` : `Forget: “${text}”`
    },
    unavailable: () => (settings().memory ? null : memoriesOff),
    async run({ memory }) {
      const [one, ...others] = meant(memories, memory)
      if (one === undefined) return { text: 'There is no such memory. Look it up with recall and give its id.', failed: true }
      if (others.length > 0) {
        const list = [one, ...others].map(memoryLine).join('\n')
        return { text: `Several memories have this text; nothing was removed. Give the id of one:\n${list}`, failed: true }
      }
      await memories.remove(one.id)
      return `Forgotten: ${one.text}`
    },
  })
}
