import { Parser } from 'htmlparser2'
import { counted } from '../../../contract/counted.ts'
import type { OpenFile } from './file.ts'
import { createPageReader, type Paragraph } from './html-paragraphs.ts'
import { paragraphSections } from './paragraphs.ts'
import { failed, shortHeading, type Sections } from './reading.ts'
import { savedMessage, troubleOf } from './office-end.ts'
import { expandedOrNull } from './xml-entities.ts'
import { decodeXml, readXml } from './xml.ts'
import { openZip, type Zip } from './zip.ts'

interface Book {
  title: string
  /** Paths of the chapters in the order of reading. */
  chapters: string[]
  /** Titles by path, from the table of contents. */
  titles: ReadonlyMap<string, string>
}

/** EPUB 2 and 3: chapters in the order of the spine; a file may hold more than one book. */
export async function* readEpub(file: OpenFile): Sections {
  let zip: Zip
  try {
    zip = await openZip(file.bytes())
  } catch (error) {
    return troubleOf(error)
  }
  let chapters = 0
  let title: string | null = null
  let missing = 0
  try {
    if (await isLocked(zip)) return failed('encrypted', 'The book is protected against copying (DRM).')
    const books = await booksOf(zip)
    for (const book of books) {
      title ??= book.title === '' ? null : shortHeading(book.title)
      for (const [index, path] of book.chapters.entries()) {
        const bytes = await zip.bytes(path)
        if (bytes === null) {
          missing += 1
          continue
        }
        const paragraphs = paragraphsOf(bytes)
        if (paragraphs === null) missing += 1
        if (paragraphs === null || paragraphs.length === 0) continue
        chapters += 1
        const own = book.titles.get(path) ?? paragraphs.find((paragraph) => paragraph.level > 0)?.text ?? `${index + 1}`
        const chapter = shortHeading(books.length > 1 && book.title !== '' ? `${book.title} › ${own}` : own)
        yield* paragraphSections(paragraphs, chapter)
      }
    }
  } catch (error) {
    const trouble = troubleOf(error)
    return chapters === 0 ? trouble : { ...trouble, status: 'partial', title, pages: chapters }
  } finally {
    zip.close()
  }
  if (chapters === 0) return failed('damaged', 'There are no chapters in the book.')
  if (zip.damaged) return { status: 'partial', reason: { code: 'damaged', message: savedMessage }, title, pages: chapters }
  if (missing > 0) {
    const message = `${counted(missing, 'chapter that the book lists is', 'chapters that the book lists are')} not in it, or cannot be read.`
    return { status: 'partial', reason: { code: 'damaged', message }, title, pages: chapters }
  }
  return { status: 'ready', reason: null, title, pages: chapters }
}

/** Fonts may be obfuscated in any book; chapters that are encrypted cannot be read. */
async function isLocked(zip: Zip): Promise<boolean> {
  const source = await zip.bytes('META-INF/encryption.xml')
  if (source === null) return false
  let locked = false
  readXml(source, {
    open(_name, attributes) {
      if (/\.x?html?$/i.test(attributes['URI'] ?? '')) locked = true
    },
  })
  return locked
}

function local(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

function resolve(path: string, from: string): string {
  const base = new URL(`file:///${from.split('/').map(encodeURIComponent).join('/')}`)
  try {
    return decodeURIComponent(new URL(path, base).pathname.slice(1))
  } catch {
    return path
  }
}

async function booksOf(zip: Zip): Promise<Book[]> {
  const container = await zip.bytes('META-INF/container.xml')
  const roots: string[] = []
  if (container !== null)
    readXml(container, {
      open(name, attributes) {
        const path = attributes['full-path']
        if (local(name) === 'rootfile' && path !== undefined && !roots.includes(path)) roots.push(path)
      },
    })
  if (roots.length === 0) roots.push(...zip.names.filter((name) => name.endsWith('.opf')))
  const books: Book[] = []
  for (const root of roots) {
    const source = await zip.bytes(root)
    if (source !== null) books.push(await readPackage(zip, root, source))
  }
  // Renditions of one book list the same chapters: they are read once.
  const seen = new Set<string>()
  return books.map((book) => ({ ...book, chapters: book.chapters.filter((path) => !seen.has(path) && seen.add(path)) }))
}

async function readPackage(zip: Zip, root: string, source: Buffer): Promise<Book> {
  const items = new Map<string, { path: string; type: string; properties: string }>()
  const spine: string[] = []
  let title = ''
  let inTitle = false
  let toc = ''
  readXml(source, {
    open(name, attributes) {
      const tag = local(name)
      inTitle = tag === 'title' && title === ''
      if (tag === 'item')
        items.set(attributes['id'] ?? '', {
          path: resolve(attributes['href'] ?? '', root),
          type: attributes['media-type'] ?? '',
          properties: attributes['properties'] ?? '',
        })
      else if (tag === 'itemref') spine.push(attributes['idref'] ?? '')
      else if (tag === 'spine') toc = attributes['toc'] ?? ''
    },
    close: () => (inTitle = false),
    text: (data) => (title += inTitle ? data : ''),
  })
  const navigation = [...items.values()].find((item) => item.properties.split(' ').includes('nav'))
  const contents = navigation ?? items.get(toc) ?? [...items.values()].find((item) => item.type === 'application/x-dtbncx+xml')
  const read = spine.flatMap((id) => items.get(id) ?? []).filter((item) => /html|xml/.test(item.type) && item !== navigation)
  const bytes = contents === undefined ? null : await zip.bytes(contents.path)
  return {
    title: title.replace(/\s+/g, ' ').trim(),
    chapters: read.map((item) => item.path),
    titles: contents === undefined || bytes === null ? new Map() : titlesOf(bytes, contents.path),
  }
}

/** Of a navigation document or an NCX: the first title that leads to a chapter. */
function titlesOf(source: Buffer, from: string): Map<string, string> {
  const titles = new Map<string, string>()
  let text = ''
  let target: string | null = null
  readXml(source, {
    open(name, attributes) {
      const tag = local(name)
      if (tag === 'a' || tag === 'navPoint') text = ''
      if (tag === 'a') target = attributes['href'] ?? null
      else if (tag === 'content' && attributes['src'] !== undefined) note(attributes['src'])
    },
    close(name) {
      if (local(name) === 'a' && target !== null) {
        note(target)
        target = null
      }
    },
    text: (data) => (text += data),
  })
  function note(href: string): void {
    const path = resolve(href.replace(/#.*$/s, ''), from)
    const title = text.replace(/\s+/g, ' ').trim()
    if (title !== '' && !titles.has(path)) titles.set(path, title)
  }
  return titles
}

/** Null when its entities are refused. */
function paragraphsOf(bytes: Buffer): Paragraph[] | null {
  const page = createPageReader()
  const parser = new Parser(page.handler, { recognizeSelfClosing: true })
  const text = expandedOrNull(decodeXml(bytes))
  if (text === null) return null
  for (let at = 0; at < text.length; at += 1 << 16) parser.write(text.slice(at, at + (1 << 16)).replaceAll('\0', '\uFFFD'))
  parser.end()
  return page.end().paragraphs
}
