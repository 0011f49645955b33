import type { Place } from '../../contract/place.ts'
import { embeddedText } from '../search/search.ts'
import type { ReadSection } from './read/read.ts'
import { pack, type Range } from './split-pack.ts'
import { placeOf, type PlacedSection } from './split-place.ts'
import { tokeniseSections, type SplitTokenizer, type TokenisedText } from './split-tokenised.ts'
import { cutUnit, unitsOf } from './split-units.ts'

export { splitByLines, type LinePiece } from './split-lines.ts'
export { loadLineTokenizer, type LineTokenizer } from './split-tokens.ts'
export type { SplitTokenizer } from './split-tokenised.ts'

export interface StructureOptions {
  /** What the model's window leaves for the embedded text, heading path included. */
  maxTokens: number
  aim?: number
  overlap?: number
}

export interface SplitPassage {
  /** Verbatim: the document's text from `start` to `end`, its sections joined by a blank line. */
  text: string
  heading: string[]
  place: Place
  start: number
  end: number
  /** Of `text` alone. */
  tokens: number
  /** Of exactly the embedded text, heading path included, without prefix and special tokens. */
  tokenIds: Int32Array
}

/** Takes sections one after the other and gives passages as soon as they are certain. */
export interface StructureSplitter {
  push(section: ReadSection): SplitPassage[]
  end(): SplitPassage[]
}

const separator = '\n\n'
/** Sections below this look for company under the same heading, up to `companyTokens` together. */
const tinyTokens = 64
const companyTokens = 256
/** So many characters may stand above a heading without having a heading of their own. */
const runningHead = 80

interface Pending {
  section: ReadSection
  start: number
  tokenised: TokenisedText
}

/** Follows headings, blocks and sentences, sized by the embedding model's tokenizer. No input or output but its arguments. */
export function createStructureSplitter(tokenizer: SplitTokenizer, options: StructureOptions): StructureSplitter {
  const aim = Math.min(options.aim ?? 350, options.maxTokens)
  const overlap = Math.min(options.overlap ?? 50, Math.floor(aim / 3))
  let documentOffset = 0
  let group: Pending[] = []

  function push(section: ReadSection): SplitPassage[] {
    const next: Pending = { section, start: documentOffset, tokenised: tokeniseSections([section.text], separator, tokenizer) }
    documentOffset += section.text.length + separator.length
    if (group.length > 0 && mayJoin(group, next)) {
      group.push(next)
      return []
    }
    const passages = flush()
    group = [next]
    return passages
  }

  function flush(): SplitPassage[] {
    if (group.length === 0) return []
    const passages = splitGroup(group, tokenizer, { ...options, aim, overlap })
    group = []
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

function isOnlyHeading(section: ReadSection): boolean {
  return section.blocks.length > 0 && section.blocks.every((block) => block.kind === 'heading')
}

function startsWith(path: readonly string[], beginning: readonly string[]): boolean {
  return beginning.every((part, index) => path[index] === part)
}

/** Pages, slides, messages, runs of rows and chapters each stand alone. */
function mayBeJoined(last: ReadSection['positions'], next: ReadSection['positions']): boolean {
  if (last.kind === 'chapter' && next.kind === 'chapter') return last.chapter === next.chapter
  return last.kind === next.kind && (last.kind === 'lines' || last.kind === 'paragraphs')
}

function mayJoin(group: readonly Pending[], next: Pending): boolean {
  const last = group.at(-1)!
  if (!mayBeJoined(last.section.positions, next.section.positions)) return false
  // A heading with nothing under it belongs to what comes next.
  if (group.every((part) => isOnlyHeading(part.section))) return startsWith(next.section.heading, last.section.heading)
  const tokens = group.reduce((sum, part) => sum + part.tokenised.total, 0)
  return (
    tokens < companyTokens / 2 &&
    last.tokenised.total < tinyTokens &&
    next.tokenised.total < tinyTokens &&
    tokens + next.tokenised.total <= companyTokens
  )
}

/** The headings that all sections stand under; one that is nothing but a heading says no more than its own line. */
function headingOf(group: readonly Pending[]): string[] {
  const speaking = group.filter((part) => !isOnlyHeading(part.section))
  return commonPath((speaking.length === 0 ? group : speaking).map((part) => part.section.heading))
}

function commonPath([first = [], ...others]: string[][]): string[] {
  let common = first
  for (const path of others) {
    let shared = 0
    while (shared < common.length && common[shared] === path[shared]) shared += 1
    common = common.slice(0, shared)
  }
  return common
}

interface EmbeddedHeading {
  heading: string[]
  ids: Int32Array
}

/** Paths as they are embedded: their innermost headings, as many as leave most of the window to the text. */
function createHeadings(tokenizer: SplitTokenizer, most: number): (path: string[]) => EmbeddedHeading {
  const known = new Map<string, EmbeddedHeading>()
  function fit(path: string[]): EmbeddedHeading {
    for (let from = 0; from < path.length; from++) {
      const heading = path.slice(from)
      const ids = tokenizer.encode(embeddedText(heading, '').trimEnd())
      if (ids.length <= most) return { heading, ids }
    }
    return { heading: [], ids: new Int32Array(0) }
  }
  return (path) => {
    const key = path.join('\n')
    const found = known.get(key) ?? fit(path)
    known.set(key, found)
    return found
  }
}

/** The headings that all of a stretch of a page stands under. */
function pathWithin(section: ReadSection, start: number, end: number): string[] {
  let first = section.heading
  const within: string[][] = []
  for (const { offset, path } of section.headings ?? []) {
    // A running head above the first heading of a page belongs to no heading.
    if (offset <= start || (within.length === 0 && offset < Math.min(end, start + runningHead))) first = path
    else if (offset < end) within.push(path)
  }
  return commonPath([first, ...within])
}

function splitGroup(group: readonly Pending[], tokenizer: SplitTokenizer, options: Required<StructureOptions>): SplitPassage[] {
  const headings = createHeadings(tokenizer, Math.floor(options.maxTokens / 3))
  const page = group[0]!.section
  const paged = page.headings !== undefined && page.headings.length > 0
  const common = headingOf(group)
  const headingTokens = Math.max(headings(common).ids.length, ...(page.headings ?? []).map(({ path }) => headings(path).ids.length))
  const limit = options.maxTokens - headingTokens
  const tokenised =
    group.length === 1
      ? group[0]!.tokenised
      : tokeniseSections(
          group.map((part) => part.section.text),
          separator,
          tokenizer,
        )
  const { text } = tokenised
  const base = group[0]!.start
  const placed: PlacedSection[] = group.map((part) => ({ section: part.section, offset: part.start - base }))

  // Counts of stretches that begin or end inside a word are off by a little.
  const safe = Math.max(1, limit - 4)
  const units = placed
    .flatMap(({ section, offset }) => unitsOf(text, section.blocks, offset, (start, end) => tokenised.count(start, end) <= safe))
    .flatMap((unit) =>
      tokenised.count(unit.start, unit.end) <= safe
        ? [unit]
        : cutUnit(text, unit, (from) => tokenised.offsetAfter(from, Math.min(safe, options.aim))),
    )
  const ranges = pack(units, tokenised, {
    limit: safe,
    whole: Math.min(safe, Math.round(options.aim * 1.3)),
    aim: options.aim,
    overlap: options.overlap,
  })

  const passages: SplitPassage[] = []
  const queue: Range[] = [...ranges].reverse()
  for (let range = queue.pop(); range !== undefined; range = queue.pop()) {
    const ids = tokenised.ids(range.start, range.end)
    if (ids.length > limit && range.end - range.start > 1) {
      queue.push(...halves(text, range).reverse())
      continue
    }
    const { heading, ids: headingIds } = headings(paged ? pathWithin(page, range.start, range.end) : common)
    const tokenIds = new Int32Array(headingIds.length + ids.length)
    tokenIds.set(headingIds)
    tokenIds.set(ids, headingIds.length)
    passages.push({
      text: text.slice(range.start, range.end),
      heading,
      place: placeOf(placed, range.start, range.end, heading),
      start: base + range.start,
      end: base + range.end,
      tokens: ids.length,
      tokenIds,
    })
  }
  return passages
}

/** The last resort for text whose parts have more tokens by themselves than within the whole. */
function halves(text: string, range: Range): Range[] {
  const middle = range.start + Math.ceil((range.end - range.start) / 2)
  const parts = cutUnit(text, { ...range, border: 'anywhere', block: 'paragraph' }, (from) => (from < middle ? middle : range.end))
  return parts.length > 1
    ? parts
    : [
        { start: range.start, end: middle },
        { start: middle, end: range.end },
      ]
}
