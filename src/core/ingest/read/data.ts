import { decode } from './decode.ts'
import type { OpenFile } from './file.ts'
import { encodingEnd } from './encoding.ts'
import { jsonLineEvents } from './json-lines.ts'
import { jsonEvents, type JsonEvent } from './json-events.ts'
import { readCode } from './plain.ts'
import type { Block, BlockKind, ReadSection, Sections } from './reading.ts'
import { readLinesWith } from './text-lines.ts'

interface NumberedLine {
  /** Of the file's line that it comes from. Several may come from one. */
  number: number
  text: string
  kind: BlockKind
  /** Begins a block of its own. */
  begins: boolean
}

const sectionSize = 6000
const brokenOff = 'The file breaks off: what is there was read.'

/** json, jsonl and ipynb without their marks; yaml and toml as they are. */
export async function* readData(file: OpenFile): Sections {
  const ending = /\.([a-z0-9]+)$/i.exec(file.name)?.[1]?.toLowerCase() ?? ''
  if (ending === 'yaml' || ending === 'yml' || ending === 'toml') return yield* readLinesWith(file, readCode)
  const decoded = decode(() => file.chunks())
  const end = encodingEnd({ status: 'ready', reason: null, title: null, pages: null }, decoded)
  const findings: Findings = { pictures: 0, cut: false, open: false }
  const broken: number[] = []
  const isLines = ending === 'jsonl' || ending === 'ndjson'
  const events = isLines ? jsonLineEvents(decoded.parts, (line) => broken.push(line)) : jsonEvents(decoded.parts, findings)
  yield* sectionsOf(ending === 'ipynb' ? notebookLines(events, findings) : plainLines(events, findings))
  if (end.reason !== null) return end
  if (broken.length > 0) return { ...end, status: 'partial', reason: { code: 'damaged', message: brokenMessage(broken) } }
  if (findings.open) return { ...end, status: 'partial', reason: { code: 'damaged', message: brokenOff } }
  if (findings.cut)
    return { ...end, status: 'partial', reason: { code: 'too-large', message: 'What is very long in it was read in part.' } }
  if (findings.pictures > 0) return { ...end, reason: { code: 'pictures-not-read', message: picturesMessage(findings.pictures) } }
  return end
}

function* sectionsOf(lines: Iterable<NumberedLine>): Generator<ReadSection> {
  let open: NumberedLine[] = []
  let size = 0
  for (const line of lines) {
    if (size > sectionSize && line.begins) {
      yield section(open)
      open = []
      size = 0
    }
    open.push(line)
    size += line.text.length
  }
  if (open.length > 0) yield section(open)
}

function section(lines: NumberedLine[]): ReadSection {
  const first = lines[0]!.number
  let text = ''
  const starts: number[] = []
  const blocks: Block[] = []
  for (const line of lines) {
    if (text !== '') text += line.begins ? '\n\n' : '\n'
    while (starts.length <= line.number - first) starts.push(text.length)
    const open = blocks.at(-1)
    if (open === undefined || line.begins || open.kind !== line.kind) blocks.push({ kind: line.kind, start: text.length, end: text.length })
    text += line.text
    blocks.at(-1)!.end = text.length
  }
  const place = { kind: 'lines' as const, from: first, to: lines.at(-1)!.number }
  return { text, place, heading: [], blocks, positions: { kind: 'lines', first, starts } }
}

const mostIndent = 8
/** So many lines that are no JSON are named. */
const mostNamed = 10

/** A line for each value, under the names that lead to it: what is quoted, braced and parted by commas in the file is not. */
function* plainLines(events: Iterable<JsonEvent>, findings: Pick<Findings, 'cut'>): Generator<NumberedLine> {
  let any = false
  for (const event of events) {
    const indent = '  '.repeat(Math.min(Math.max(0, event.depth - 1), mostIndent))
    const name = event.key === null ? '' : `${event.key}:`
    if (event.kind === 'begin' && event.key === null) continue
    if (event.kind === 'broken') {
      yield { number: event.line, text: event.text, kind: 'code', begins: !any }
      any = true
      continue
    }
    const value = event.kind === 'begin' ? '' : event.text
    if (event.kind === 'value' && event.isCut) findings.cut = true
    if (value === '' && name === '') continue
    const mark = event.key === null && event.depth > 0 ? '- ' : ''
    const text = `${indent}${mark}${name}${name !== '' && value !== '' ? ' ' : ''}${value}`
    yield { number: event.line, text, kind: 'row', begins: event.first && isRecord(event) }
    any = true
  }
}

/** The first value of a whole text, or of an object in a list. */
function isRecord({ depth, path }: JsonEvent): boolean {
  return depth <= 1 || (depth <= 4 && /^\d+$/.test(path[depth - 2] ?? ''))
}

function brokenMessage(lines: readonly number[]): string {
  if (lines.length === 1) return `Line ${lines[0]} is no JSON: it is kept as it stands.`
  const more = lines.length > mostNamed ? ` and ${lines.length - mostNamed} more` : ''
  return `Lines ${lines.slice(0, mostNamed).join(', ')}${more} are no JSON: they are kept as they stand.`
}

function picturesMessage(count: number): string {
  return count === 1 ? 'A picture among its outputs was not read.' : `${count} pictures among its outputs were not read.`
}

interface Findings {
  /** Pictures among the outputs. */
  pictures: number
  cut: boolean
  /** It breaks off. */
  open: boolean
}

/** So much of what one cell put out is read. */
const longestOutput = 20_000
const outputLabel = 'Output: '
/** What a picture or a widget says in words of itself is only its name. */
const objectName = /^<[\w.]+(?: [^<>]*)?>$/

/** Cells of a notebook: what was written, and what came out as text, marked as such. */
function* notebookLines(events: Iterable<JsonEvent>, findings: Findings): Generator<NumberedLine> {
  let kind: BlockKind = 'code'
  let begins = true
  let cell = ''
  let output = ''
  let outputCharacters = 0
  let isIn = false
  for (const event of events) {
    if (event.kind !== 'value' || event.path[0] !== 'cells') continue
    const [, index, field, number] = event.path
    if (field === 'cell_type') kind = event.text === 'code' ? 'code' : 'paragraph'
    if (field === 'outputs') {
      const what = outputKind(event.path)
      if (what === 'picture') findings.pictures += 1
      if (what !== 'text' || objectName.test(event.text.trim())) continue
      const own = `${index} ${number} ${event.path[4] === 'data' ? event.path[5] : event.path[4]}`
      const isNew = own !== output
      if (isNew) outputCharacters = 0
      output = own
      outputCharacters += event.text.length
      if (outputCharacters > longestOutput) {
        findings.cut = true
        continue
      }
      const [first = '', ...others] = event.text.replace(/\n$/, '').replace(escapes, '').split('\n')
      yield { number: event.line, text: isNew ? outputLabel + first : first, kind: 'code', begins: isNew }
      for (const text of others) yield { number: event.line, text, kind: 'code', begins: false }
      isIn = true
      continue
    }
    if (field !== 'source') continue
    begins = cell !== index || isIn
    isIn = false
    cell = index ?? ''
    for (const text of event.text.replace(/\n$/, '').split('\n')) {
      yield { number: event.line, text, kind, begins }
      begins = false
    }
  }
}

/** Colours of a terminal. */
const escapes = /\u001b\[[\d;]*m/g

/** Of `cells/0/outputs/1/data/text/plain` and its like (nbformat 4). */
function outputKind(path: readonly string[]): 'text' | 'picture' | null {
  const [, , , , field, type = ''] = path
  if (field === 'text' || field === 'ename' || field === 'evalue') return 'text'
  if (field !== 'data') return null
  if (/^image\//.test(type)) return path[6] === undefined || path[6] === '0' ? 'picture' : null
  return /^text\/(?:plain|markdown|latex)$/.test(type) ? 'text' : null
}
