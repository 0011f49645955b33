import type { Attachment } from '../../contract/agent.ts'
import type { Turn } from '../../contract/answer.ts'
import type { Memory } from '../../contract/memory.ts'
import type { Tool, ToolSource } from './tool.ts'

/** What the model has before it: text that is the user's own, and text that anybody may have written. Never taken back. */
export interface Exposure {
  private: boolean
  untrusted: boolean
}

type Gives = Tool['gives']

/**
 * What a chat's earlier turns and this one's beginning bring into the context. Passages of the library count as both: the
 * files are the user's, and who wrote them is not known. A tool that is no longer there may have brought anything.
 */
export function exposureOf(
  before: Turn[],
  attachments: Attachment[],
  gives: (tool: string) => Gives | 'unknown',
  memoryGives: (memoryId: string) => Gives,
): Exposure {
  const exposure: Exposure = { private: attachments.length > 0, untrusted: attachments.length > 0 }
  for (const turn of before) {
    if (turn.attachments.length > 0 || turn.imported) expose(exposure, { private: true, untrusted: true })
    for (const { id } of turn.memories) expose(exposure, memoryGives(id))
    for (const { path } of turn.sources) exposeSource(exposure, { path })
    for (const call of turn.calls) {
      if (call.status !== 'ok' && call.status !== 'error') continue
      const given = gives(call.tool)
      expose(exposure, given === 'unknown' ? { private: true, untrusted: true } : given)
    }
  }
  return exposure
}

export function expose(exposure: Exposure, gives: Gives): void {
  exposure.private ||= gives?.private ?? false
  exposure.untrusted ||= gives?.untrusted ?? false
}

/** A memory is the user's own. One that came with a file, or is no longer there, may have been written by anybody. */
export function memoryGives(memory: Memory | null): NonNullable<Gives> {
  return { private: true, untrusted: memory === null || memory.source.from === 'import' }
}

/** Tools of servers bring words of others with their descriptions, before any is called. */
export function toolsGive(tools: Tool[]): NonNullable<Gives> {
  return { untrusted: tools.some(({ source = 'built-in' }) => source !== 'built-in') }
}

/** A source counts whatever its tool says of itself: a web page as untrusted, a file as both. */
export function exposeSource(exposure: Exposure, { path }: Pick<ToolSource, 'path'>): void {
  expose(exposure, { private: !/^https?:\/\//i.test(path), untrusted: true })
}
