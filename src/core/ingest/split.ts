import type { ReadSection } from './read/read.ts'
import { isOnlyHeading, separator, splitGroup, startGroup, type Group, type SplitPassage } from './split-group.ts'
import type { SplitTokenizer } from './split-tokenised.ts'

export { splitByLines, type LinePiece } from './split-lines.ts'
export { loadLineTokenizer, type LineTokenizer } from './split-tokens.ts'
export type { SplitPassage } from './split-group.ts'
export type { SplitTokenizer } from './split-tokenised.ts'

export interface StructureOptions {
  /** What the model's window leaves for the embedded text, heading path included. */
  maxTokens: number
  aim?: number
  overlap?: number
}

/** Takes sections one after the other and gives passages as soon as they are certain. */
export interface StructureSplitter {
  push(section: ReadSection): SplitPassage[]
  end(): SplitPassage[]
}

/** Sections below this look for company under the same heading, up to `companyTokens` together. */
const tinyTokens = 64
const companyTokens = 256
/** In characters; what is longer has more than one. */
const longestToken = 16

/** Follows headings, blocks and sentences, sized by the embedding model's tokenizer. No input or output but its arguments. */
export function createStructureSplitter(tokenizer: SplitTokenizer, options: StructureOptions): StructureSplitter {
  const aim = Math.min(options.aim ?? 350, options.maxTokens)
  const overlap = Math.min(options.overlap ?? 50, Math.floor(aim / 3))
  const complete = { ...options, aim, overlap }
  /** Where the last section ends. */
  let end: number | null = null
  let group: Group | null = null

  function push(section: ReadSection): SplitPassage[] {
    const start = end === null ? 0 : end + (section.joint ?? separator).length
    end = start + section.text.length
    if (group !== null && section.joint !== undefined) {
      group.parts.push({ section, start })
      // What is split before more is known would end in a passage that is too short.
      const { passages, rest } = splitGroup(group, tokenizer, complete, 2 * aim)
      group = rest
      return passages
    }
    if (group !== null && mayJoin(group, section)) {
      group.parts.push({ section, start })
      return []
    }
    const passages = flush()
    group = startGroup({ section, start })
    return passages
  }

  function mayJoin({ parts }: Group, next: ReadSection): boolean {
    const last = parts.at(-1)!.section
    if (!mayBeJoined(last.positions, next.positions)) return false
    // A heading with nothing under it belongs to what comes next.
    if (parts.every((part) => isOnlyHeading(part.section))) return startsWith(next.heading, last.heading)
    // Longer ones need not be counted.
    if (last.text.length > tinyTokens * longestToken || next.text.length > tinyTokens * longestToken) return false
    const count = (section: ReadSection): number => tokenizer.encode(section.text).length
    const tokens = parts.reduce((sum, part) => sum + count(part.section), 0)
    const added = count(next)
    return tokens < companyTokens / 2 && count(last) < tinyTokens && added < tinyTokens && tokens + added <= companyTokens
  }

  function flush(): SplitPassage[] {
    const passages = group === null ? [] : splitGroup(group, tokenizer, complete, 0).passages
    group = null
    return passages
  }
  return { push, end: flush }
}

/** The whole of a document at once. */
export function splitByStructure(sections: Iterable<ReadSection>, tokenizer: SplitTokenizer, options: StructureOptions): SplitPassage[] {
  const splitter = createStructureSplitter(tokenizer, options)
  const passages: SplitPassage[] = []
  for (const section of sections) passages.push(...splitter.push(section))
  passages.push(...splitter.end())
  return passages
}

function startsWith(path: readonly string[], beginning: readonly string[]): boolean {
  return beginning.every((part, index) => path[index] === part)
}

/** Because they are small. Pages, slides, messages, runs of rows and chapters each stand alone. */
function mayBeJoined(last: ReadSection['positions'], next: ReadSection['positions']): boolean {
  if (last.kind === 'chapter' && next.kind === 'chapter') return last.chapter === next.chapter
  return last.kind === next.kind && (last.kind === 'lines' || last.kind === 'paragraphs')
}
