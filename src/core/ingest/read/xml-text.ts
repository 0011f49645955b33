import { Parser } from 'htmlparser2'
import { decode } from './decode.ts'
import { declaredEncoding, encodingEnd } from './encoding.ts'
import type { OpenFile } from './file.ts'
import { createPageReader } from './html-paragraphs.ts'
import { paragraphSections, type TextParagraph } from './paragraphs.ts'
import { failed, shortHeading, type Sections } from './reading.ts'
import { expandEntities } from './xml-entities.ts'
import { readXml, XmlProblem, type XmlHandler } from './xml.ts'

/** XML that is no page: texts as paragraphs, and what is rather a record as names and values. */
export async function* readXmlText(file: OpenFile): Sections {
  const decoded = decode(() => file.chunks(), declaredEncoding(file.first(2048)))
  const reader = createXmlText()
  let trouble: string | null = null
  let external: string[] = []
  try {
    const expanded = expandEntities([...decoded.parts].join(''))
    external = expanded.external
    readXml(expanded.text, reader.handler)
  } catch (error) {
    if (!(error instanceof XmlProblem)) throw error
    trouble = error.message
  }
  const { title, paragraphs } = reader.end()
  if (trouble !== null && paragraphs.length === 0) return failed('damaged', trouble)
  yield* paragraphSections(paragraphs)
  if (trouble !== null) return { status: 'partial', reason: { code: 'damaged', message: trouble }, title, pages: null }
  if (external.length > 0) {
    const message = `It draws in other files, which are not fetched: ${external.slice(0, 5).join(', ')}.`
    return { status: 'partial', reason: { code: 'parts-unread', message }, title, pages: null }
  }
  return encodingEnd({ status: 'ready', reason: null, title, pages: null }, decoded)
}

interface Field {
  label: string
  text: string
  /** Of the element itself, as names and values. */
  attributes: string
}

interface Frame {
  name: string
  /** What it is called to a reader: its name without prefix, or its key in a property list. */
  label: string
  attributes: string
  /** Its own words, with those of elements that stand among them. */
  text: string
  hasWords: boolean
  /** Elements in it that hold nothing but words. */
  fields: Field[]
  fieldCharacters: number
  /** Holds elements that came out as paragraphs of their own, or too many to hold back. */
  isBroken: boolean
  /** No text since the last element in it. */
  endsInElement: boolean
  isEmpty: boolean
  key: string | null
}

const recordCharacters = 2000
/** Names that say nothing about what the element holds. */
const proseNames = new Set(
  'p para simpara paragraph text t span title subtitle head heading body string li item-text line l s seg b i u em strong emphasis'.split(
    ' ',
  ),
)
/** Attributes that are there for programs. */
const technical = /^(?:xmlns(?::.*)?|xsi:.*|xml:(?:space|base|id)|style)$/i
const amongWords = /^(?:id|class|href|src|rel|role|type|lang|.*:.*)$/i

/** Where escaped markup is a page by convention. */
const feeds = new Set(['rss', 'feed', 'RDF', 'rdf:RDF'])
const pageMarks = new Set(
  (
    'a abbr b big blockquote br center cite code col dd del div dl dt em figcaption figure font h1 h2 h3 h4 h5 h6 hr i iframe img ins kbd li mark ol p pre ' +
    's script section small span strike strong style sub sup table tbody td tfoot th thead tr tt u ul video audio source picture article'
  ).split(' '),
)

function flat(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

function attributesText(attributes: Record<string, string>, left: RegExp): string {
  return Object.entries(attributes)
    .map(([name, value]) => [name, flat(value)] as const)
    .filter(([name, value]) => value !== '' && !technical.test(name) && !left.test(name))
    .map(([name, value]) => `${localName(name)}: ${value}`)
    .join(' · ')
}

function fieldText({ text, attributes }: Field): string {
  return text === '' ? attributes : attributes === '' ? text : `${text} (${attributes})`
}

/** Text that is a page of its own, its unknown tags kept as words; null when it has no marks of one. */
function pageIn(text: string): TextParagraph[] | null {
  let isPage = false
  const safe = text.replace(/<(?=(\/?)([a-z][\w:-]{0,30}))|</gi, (mark, slash: string | undefined, name: string | undefined) => {
    const known = slash !== undefined && name !== undefined && pageMarks.has(name.toLowerCase())
    isPage ||= known
    return known ? mark : '&lt;'
  })
  if (!isPage) return null
  const page = createPageReader()
  new Parser(page.handler).end(safe)
  return page.end().paragraphs
}

/** Gathers texts and records from the events of a document whose names nobody knows. */
function createXmlText(): { handler: XmlHandler; end(): { title: string | null; paragraphs: TextParagraph[] } } {
  const paragraphs: TextParagraph[] = []
  const stack: Frame[] = []
  let title: string | null = null

  function paragraph(text: string): void {
    if (text !== '') paragraphs.push({ text, kind: 'paragraph', level: 0 })
  }

  /** What a frame holds so far, as paragraphs. */
  function flush(index: number): void {
    const frame = stack[index]!
    if (frame.fields.length > 0 || frame.attributes !== '') writeRecord(frame, index)
    if (!frame.hasWords) return
    writeText(flat(frame.text))
    frame.text = ''
    frame.hasWords = false
  }

  function writeRecord(frame: Frame, index: number): void {
    const path = stack.slice(index === 0 ? 0 : Math.max(1, index - 1), index + 1).map(({ label }) => label)
    const head = `${path.join(' › ')}:${frame.attributes === '' ? '' : ` ${frame.attributes}`}`
    let lines = frame.attributes === '' ? [] : [head]
    const end = (): void => {
      paragraph(lines.join('\n'))
      lines = []
    }
    for (const field of frame.fields) {
      const page = isFeed() ? pageIn(field.text) : null
      if (page !== null) {
        end()
        paragraphs.push(...page)
        continue
      }
      if (proseNames.has(field.label.toLowerCase())) {
        end()
        paragraph(fieldText(field))
        continue
      }
      if (lines.length === 0) lines.push(head)
      lines.push(`  ${field.label}: ${fieldText(field)}`)
    }
    end()
    frame.fields = []
    frame.fieldCharacters = 0
    frame.attributes = ''
  }

  function isFeed(): boolean {
    return feeds.has(stack[0]?.name ?? '')
  }

  function writeText(text: string): void {
    const page = isFeed() ? pageIn(text) : null
    if (page === null) paragraph(text)
    else paragraphs.push(...page)
  }

  /** All that came before, outermost first. */
  function flushAll(): void {
    for (let index = 0; index < stack.length; index += 1) {
      flush(index)
      stack[index]!.isBroken = true
    }
  }

  function addField(parent: Frame, field: Field): void {
    if (title === null && field.label.toLowerCase() === 'title') title = shortHeading(field.text) || null
    parent.fields.push(field)
    parent.fieldCharacters += field.label.length + field.text.length + field.attributes.length
    if (parent.fieldCharacters > recordCharacters) flushAll()
  }

  function close(): void {
    const frame = stack.at(-1)
    if (frame === undefined) return
    const parent = stack.at(-2)
    if (parent === undefined || frame.isBroken || frame.fields.length > 0) {
      flushAll()
      stack.pop()
      return
    }
    stack.pop()
    const isKeyed = parent.key !== null
    const text = isKeyed && frame.isEmpty && frame.text === '' ? localName(frame.name) : flat(frame.text)
    if (frame.name === 'key' && stack[0]?.name === 'plist') {
      parent.key = text
      return
    }
    parent.key = null
    if (text === '' && frame.attributes === '') {
      if (parent.hasWords) parent.text += ' '
      return
    }
    if (parent.hasWords) {
      parent.text += `${parent.endsInElement ? ' ' : ''}${fieldText({ label: '', text, attributes: frame.attributes })}`
      parent.endsInElement = true
    } else addField(parent, { label: frame.label, text, attributes: frame.attributes })
  }

  return {
    handler: {
      open(name, attributes) {
        const parent = stack.at(-1)
        if (parent !== undefined) parent.isEmpty = false
        stack.push({
          name,
          label: parent?.key ?? localName(name),
          attributes: attributesText(attributes, parent?.hasWords === true ? amongWords : technical),
          text: '',
          hasWords: false,
          fields: [],
          fieldCharacters: 0,
          isBroken: false,
          endsInElement: false,
          isEmpty: true,
          key: null,
        })
      },
      close,
      text(data) {
        const frame = stack.at(-1)
        if (frame === undefined) return
        if (!frame.hasWords && /\S/.test(data)) {
          frame.hasWords = true
          // Elements before the first word stand among words after all.
          frame.text = frame.fields.map(fieldText).join(' ')
          frame.fields = []
          frame.fieldCharacters = 0
        }
        if (!frame.hasWords) return
        frame.text += data
        frame.endsInElement = false
      },
    },
    end() {
      while (stack.length > 0) close()
      return { title, paragraphs }
    },
  }
}
