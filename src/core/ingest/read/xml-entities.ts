import { Parser } from 'htmlparser2'
import { XmlProblem } from './xml.ts'

/** Chains of entities that stand for each other end here. */
const deepest = 64
/** Characters that all entities of a document together may become. */
const mostGrowth = 8 << 20

interface Entity {
  /** With its character references resolved; null: it stands for another file, which is never fetched. */
  value: string | null
}

export interface Expanded {
  /** The document without its DOCTYPE, with every named reference resolved but those that XML itself has. */
  text: string
  /** Names of the entities in it that stand for other files. */
  external: string[]
}

/**
 * Resolves what a document declares itself, and names that only its outer DTD would declare as HTML knows them. Throws an
 * `XmlProblem` when entities stand for themselves or grow beyond `mostGrowth`.
 */
export function expandEntities(source: string): Expanded {
  const { declared, rest } = splitDoctype(source)
  const external = new Set<string>()
  const known = new Map<string, string | null>()
  let growth = 0

  function sizeOf(name: string, depth: number, sizes: Map<string, number>): number {
    const value = declared.get(name)?.value ?? ''
    const found = sizes.get(name)
    if (found !== undefined) {
      if (found < 0) throw new XmlProblem('An entity of this document stands for itself.')
      return found
    }
    if (depth > deepest) throw new XmlProblem('The entities of this document are nested too deeply.')
    sizes.set(name, -1)
    let size = value.length
    for (const inner of namesIn(value)) if (declared.has(inner)) size += sizeOf(inner, depth + 1, sizes)
    if (size > mostGrowth) throw new XmlProblem('The entities of this document grow too large.')
    sizes.set(name, size)
    return size
  }

  function expand(name: string): string | null {
    const seen = known.get(name)
    if (seen !== undefined) return seen
    const entity = declared.get(name)
    let text: string | null
    if (entity === undefined) text = htmlCharacter(name)
    else if (entity.value === null) {
      external.add(name)
      text = null
    } else {
      sizeOf(name, 0, new Map())
      text = replaceNames(entity.value, expand)
      // In an attribute a quote would end it; in markup it has to.
      if (!text.includes('<')) text = text.replaceAll('"', '&quot;')
    }
    known.set(name, text)
    return text
  }

  const text = replaceOutsideLiterals(rest, (name) => {
    const found = expand(name)
    growth += found?.length ?? 0
    if (growth > mostGrowth) throw new XmlProblem('The entities of this document grow too large.')
    return found
  })
  return { text, external: [...external] }
}

/** Of a page that may declare entities; null when they are refused. */
export function expandedOrNull(source: string): string | null {
  try {
    return expandEntities(source).text
  } catch (error) {
    if (error instanceof XmlProblem) return null
    throw error
  }
}

const reference = /&([A-Za-z_:\u0080-\uFFFF][\w:.\u0080-\uFFFF-]{0,100});/g
/** Resolved by any parser. */
const ownNames = new Set(['amp', 'lt', 'gt', 'quot', 'apos'])

function namesIn(value: string): string[] {
  return Array.from(value.matchAll(reference), (match) => match[1]!)
}

function replaceNames(text: string, expand: (name: string) => string | null): string {
  return text.replace(reference, (whole, name: string) => (ownNames.has(name) ? whole : (expand(name) ?? whole)))
}

/** References mean nothing within comments and CDATA. */
function replaceOutsideLiterals(text: string, expand: (name: string) => string | null): string {
  const pieces: string[] = []
  let at = 0
  for (const [start, end] of literals(text)) {
    pieces.push(replaceNames(text.slice(at, start), expand), text.slice(start, end))
    at = end
  }
  pieces.push(replaceNames(text.slice(at), expand))
  return pieces.join('')
}

function* literals(text: string): Generator<[start: number, end: number]> {
  const opening = /<!--|<!\[CDATA\[/g
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const close = match[0] === '<!--' ? '-->' : ']]>'
    const end = text.indexOf(close, opening.lastIndex)
    yield [match.index, end === -1 ? text.length : end + close.length]
    if (end === -1) return
    opening.lastIndex = end + close.length
  }
}

/** As it would stand in the source; null when HTML has no such name either. */
function htmlCharacter(name: string): string | null {
  let text = ''
  const parser = new Parser({ ontext: (data) => (text += data) })
  parser.end(`&${name};`)
  if (text.startsWith('&') && text.length > 1) return null
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

interface Split {
  declared: ReadonlyMap<string, Entity>
  rest: string
}

/** Takes the DOCTYPE off. One that never ends stays: what it hides is damaged anyway. */
function splitDoctype(source: string): Split {
  const none = { declared: new Map<string, Entity>(), rest: source }
  const start = afterProlog(source)
  if (source.slice(start, start + 9).toUpperCase() !== '<!DOCTYPE') return none
  const declared = new Map<string, Entity>()
  const opens = skipTo(source, start + 9, '[>')
  if (opens === -1) return none
  let end = opens
  if (source[opens] === '[') {
    const subsetEnd = readSubset(source, opens + 1, declared)
    end = subsetEnd === -1 ? -1 : source.indexOf('>', subsetEnd)
  }
  return end === -1 ? none : { declared, rest: source.slice(0, start) + source.slice(end + 1) }
}

function afterProlog(source: string): number {
  const part = /\uFEFF?\s*(?:<\?|<!--|)/y
  for (let at = 0; ;) {
    part.lastIndex = at
    const found = part.exec(source)![0]
    const close = found.endsWith('<?') ? '?>' : found.endsWith('<!--') ? '-->' : null
    if (close === null) return part.lastIndex
    const end = source.indexOf(close, part.lastIndex)
    if (end === -1) return source.length
    at = end + close.length
  }
}

/** Where one of the characters stands next outside quotes; -1: nowhere. */
function skipTo(source: string, from: number, characters: string): number {
  for (let at = from; at < source.length; at += 1) {
    const character = source[at]!
    if (characters.includes(character)) return at
    if (character !== '"' && character !== "'") continue
    at = source.indexOf(character, at + 1)
    if (at === -1) return -1
  }
  return -1
}

/** Gathers the general entities of an internal subset; the first declaration of a name counts. Gives where the subset's `]` stands. */
function readSubset(source: string, from: number, declared: Map<string, Entity>): number {
  const declaration = /<!ENTITY\s+(%\s+)?([^\s%'"<>]+)\s+(?:"([^"]*)"|'([^']*)'|SYSTEM\b|PUBLIC\b)/y
  for (let at = from; ;) {
    at = skipTo(source, at, '<]')
    if (at === -1 || source[at] === ']') return at
    const close = source.startsWith('<!--', at) ? '-->' : source.startsWith('<?', at) ? '?>' : null
    if (close !== null) {
      const end = source.indexOf(close, at)
      if (end === -1) return -1
      at = end + close.length
      continue
    }
    declaration.lastIndex = at
    const found = declaration.exec(source)
    if (found !== null) {
      const value = found[3] ?? found[4]
      const name = found[2]!
      if (found[1] === undefined && !declared.has(name)) declared.set(name, { value: value === undefined ? null : withCharacters(value) })
      at = declaration.lastIndex
    }
    at = skipTo(source, at, '>')
    if (at === -1) return -1
    at += 1
  }
}

function withCharacters(value: string): string {
  return value.replace(/&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/gi, (whole, hex: string | undefined, decimal: string | undefined) => {
    const code = hex === undefined ? Number(decimal) : parseInt(hex, 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
