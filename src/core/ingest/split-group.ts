import type { Place } from '../../contract/place.ts'
import { embeddedText } from '../search/search.ts'
import type { Block, ReadSection } from './read/read.ts'
import { pack, type Range } from './split-pack.ts'
import { placeWithPages, type PlacedSection } from './split-place.ts'
import { tokeniseSections, type SplitTokenizer } from './split-tokenised.ts'
import { cutUnit, unitsOf } from './split-units.ts'

export interface SplitPassage {
  /** Verbatim: the document's text from `start` to `end`, its sections joined by their joints. */
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

/** Sections that may share passages. */
export interface Group {
  parts: Part[]
  /** The offset in the document's text up to which it is in passages; before it, there is only what the next one repeats. */
  done: number
}

interface Part {
  section: ReadSection
  /** In the document's text. */
  start: number
}

interface GroupOptions {
  maxTokens: number
  aim: number
  overlap: number
}

/** Between two sections, where nothing else is said. */
export const separator = '\n\n'
/** So many characters may stand above a heading without having a heading of their own. */
const runningHead = 80

/** In tokens. A mail tells of many things in few words, and is found late by passages that hold several: they follow its paragraphs. */
const messageAims = { least: 64, most: 200, paragraphs: 1.5 }

function messageAim(blocks: readonly Block[], count: (start: number, end: number) => number): number {
  const { least, most, paragraphs } = messageAims
  const tokens = blocks.map(({ start, end }) => count(start, end)).sort((one, other) => one - other)
  return Math.round(Math.min(most, Math.max(least, paragraphs * (tokens[tokens.length >> 1] ?? 0))))
}

export function startGroup(part: Part): Group {
  return { parts: [part], done: part.start }
}

export function isOnlyHeading(section: ReadSection): boolean {
  return section.blocks.length > 0 && section.blocks.every((block) => block.kind === 'heading')
}

/** The headings that all sections stand under; one that is nothing but a heading says no more than its own line. */
function headingOf(group: readonly Part[]): string[] {
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

interface PathFrom {
  offset: number
  path: string[]
}

/** The headings that all of a stretch of pages stands under. */
function pathWithin(paths: readonly PathFrom[], start: number, end: number): string[] {
  let first: string[] = []
  const within: string[][] = []
  for (const { offset, path } of paths) {
    // A running head above the first heading of a page belongs to no heading.
    if (offset <= start || (within.length === 0 && offset < Math.min(end, start + runningHead))) first = path
    else if (offset < end) within.push(path)
  }
  return commonPath([first, ...within])
}

/** The paths of pages, from each offset on. */
function pathsOf(placed: readonly PlacedSection[]): PathFrom[] {
  return placed.flatMap(({ section, offset }) => [
    { offset, path: section.heading },
    ...(section.headings ?? []).map((from) => ({ offset: offset + from.offset, path: from.path })),
  ])
}

/** A paragraph that runs on over the border of two sections is one. */
function blocksOf(placed: readonly PlacedSection[]): Block[] {
  const all: Block[] = []
  for (const [index, { section, offset }] of placed.entries()) {
    const blocks = section.blocks.map(({ kind, start, end }) => ({ kind, start: start + offset, end: end + offset }))
    const [last, first] = [all.at(-1), blocks[0]]
    const goesOn = index > 0 && section.joint !== undefined && section.joint !== separator
    if (goesOn && last !== undefined && first?.kind === 'paragraph') {
      last.end = first.end
      blocks.shift()
    }
    all.push(...blocks)
  }
  return all
}

/**
 * Splits a group of sections. While more of it may come, `hold` tokens or less are left: passages of one size need to know how
 * much there is.
 */
export function splitGroup(
  group: Group,
  tokenizer: SplitTokenizer,
  options: GroupOptions,
  hold: number,
): { passages: SplitPassage[]; rest: Group | null } {
  const { parts } = group
  const headings = createHeadings(tokenizer, Math.floor(options.maxTokens / 3))
  const base = parts[0]!.start
  const placed: PlacedSection[] = parts.map((part) => ({ section: part.section, offset: part.start - base }))
  const paths = parts[0]!.section.positions.kind === 'page' ? pathsOf(placed) : [{ offset: 0, path: headingOf(parts) }]
  const limit = options.maxTokens - Math.max(...paths.map(({ path }) => headings(path).ids.length))
  const tokenised = tokeniseSections(
    parts.map((part) => part.section.text),
    parts.map((part) => part.section.joint ?? separator),
    tokenizer,
  )
  const { text } = tokenised
  const blocks = blocksOf(placed)
  const isMessage = parts[0]!.section.positions.kind === 'message'
  const aim = isMessage
    ? Math.min(
        options.aim,
        messageAim(blocks, (start, end) => tokenised.count(start, end)),
      )
    : options.aim
  const overlap = Math.min(options.overlap, Math.floor(aim / 3))

  // Counts of stretches that begin or end inside a word are off by a little.
  const safe = Math.max(1, limit - 4)
  const units = unitsOf(text, blocks, (start, end) => tokenised.count(start, end) <= safe).flatMap((unit) =>
    tokenised.count(unit.start, unit.end) <= safe
      ? [unit]
      : cutUnit(text, unit, (from) => tokenised.offsetAfter(from, Math.min(safe, aim))),
  )
  const packed = pack(units, tokenised, {
    limit: safe,
    whole: Math.min(safe, Math.round(aim * 1.3)),
    aim,
    overlap,
    done: Math.max(0, group.done - base),
    hold,
  })

  const passages: SplitPassage[] = []
  const queue: Range[] = [...packed.ranges].reverse()
  for (let range = queue.pop(); range !== undefined; range = queue.pop()) {
    const ids = tokenised.ids(range.start, range.end)
    if (ids.length > limit && range.end - range.start > 1) {
      queue.push(...halves(text, range).reverse())
      continue
    }
    const { heading, ids: headingIds } = headings(pathWithin(paths, range.start, range.end))
    const tokenIds = new Int32Array(headingIds.length + ids.length)
    tokenIds.set(headingIds)
    tokenIds.set(ids, headingIds.length)
    passages.push({
      text: text.slice(range.start, range.end),
      heading,
      place: placeWithPages(placed, range.start, range.end, heading),
      start: base + range.start,
      end: base + range.end,
      tokens: ids.length,
      tokenIds,
    })
  }
  const { left } = packed
  return { passages, rest: left === null ? null : { parts: partsFrom(placed, left.from, base), done: base + left.done } }
}

/** What is left of pages from an offset on. */
function partsFrom(placed: readonly PlacedSection[], from: number, base: number): Part[] {
  return placed.flatMap(({ section, offset }) => {
    const cut = from - offset
    if (cut >= section.text.length) return []
    const part = { section, start: base + offset }
    return cut <= 0 ? [part] : [{ section: sectionFrom(section, cut), start: part.start + cut }]
  })
}

function sectionFrom(section: ReadSection, cut: number): ReadSection {
  function shifted<Stretch extends { start: number; end: number }>(stretches: readonly Stretch[]): Stretch[] {
    return stretches
      .filter((stretch) => stretch.end > cut)
      .map((stretch) => ({ ...stretch, start: Math.max(0, stretch.start - cut), end: stretch.end - cut }))
  }
  const { positions } = section
  const headings = section.headings ?? []
  return {
    ...section,
    text: section.text.slice(cut),
    heading: headings.findLast(({ offset }) => offset <= cut)?.path ?? section.heading,
    blocks: shifted(section.blocks),
    headings: headings.filter(({ offset }) => offset > cut).map(({ offset, path }) => ({ offset: offset - cut, path })),
    positions: positions.kind === 'page' ? { ...positions, lines: shifted(positions.lines) } : positions,
  }
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
