import { createPageReader, declaredEncoding, decode, type Paragraph } from '../../ingest/ingest.ts'

interface ReadablePage {
  title: string
  text: string
  /** Too long, or nested too deeply, to be read to its end. */
  cut: boolean
}

/** Bytes as text: by the byte-order mark, what the server or the page says, and what they are. `isCut`: they may end inside a character. */
export function decodeBytes(bytes: Uint8Array, charset: string | null, isCut: boolean): string {
  const whole = isCut ? bytes.subarray(0, lastBorder(bytes)) : bytes
  const { parts } = decode(() => [whole], charset ?? declaredEncoding(whole.subarray(0, 4096)))
  return [...parts].join('').replaceAll('\0', '\uFFFD')
}

/** Behind the last line end, space or `<`: none of them is part of a longer character in any encoding of the web but UTF-16. */
function lastBorder(bytes: Uint8Array): number {
  for (let at = bytes.length - 1; at > Math.max(0, bytes.length - 10_000); at -= 1) {
    if (bytes[at] === 0x0a || bytes[at] === 0x20 || bytes[at] === 0x3c) return bytes[at] === 0x3c ? at : at + 1
  }
  return bytes.length - (bytes.length % 2)
}

export function charsetOf(contentType: string): string | null {
  const label = /charset\s*=\s*["']?\s*([\w-]{1,40})/i.exec(contentType)?.[1]?.toLowerCase() ?? null
  return label === 'gb2312' || label === 'gbk' ? 'gb18030' : label
}

/** Left out with all that is in them: what the reader leaves out itself, and what goes round a page rather than into it. */
const leftOut = new Set(
  'script style noscript template nav svg iframe object canvas select button input textarea dialog audio video datalist footer menu rp'.split(
    ' ',
  ),
)
const aroundRoles = new Set(['navigation', 'contentinfo', 'banner', 'search', 'menu', 'menubar', 'toolbar', 'dialog', 'alertdialog'])
const empty = new Set('area base br col embed hr img link meta param source track wbr input'.split(' '))
/** Ways to hide a text from people and not from programs. */
const unseen =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0*\.?0*\s*(?:;|$|!)|font-size\s*:\s*0(?!\.?\d*[1-9])|(?:max-)?(?:width|height)\s*:\s*0(?:px)?\s*(?:;|$)|text-indent\s*:\s*-\d{3}|(?:left|top|right|bottom)\s*:\s*-\d{3}|color\s*:\s*transparent|clip(?:-path)?\s*:\s*(?:rect\(\s*0|inset\(\s*(?:50|100)%))/i
/** Characters that nobody sees: zero width, direction, tags. Joiners stay, some scripts need them. */
const invisible = /[\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]|\uDB40[\uDC00-\uDC7F]/g

function isLeftOut(name: string, attributes: Record<string, string>): boolean {
  if (leftOut.has(name) || 'hidden' in attributes || attributes['aria-hidden'] === 'true') return true
  return aroundRoles.has(attributes['role'] ?? '') || unseen.test((attributes['style'] ?? '').slice(0, 2000))
}

const partCharacters = 8_192
/** A paragraph is ended here at the latest: the reader looks at its whole length with every piece of text. */
const paragraphCharacters = 4_000
const mostCharacters = 1_000_000
const mostDepth = 1_000

/**
 * A page as Markdown-like text: headings, lists, tables, code, and where links lead. It runs in the main process on what
 * anybody may have made, so its work grows with the page's size and no faster, and it gives way to others between parts.
 */
export async function readablePage(html: string, base: string, signal: AbortSignal): Promise<ReadablePage> {
  const { Parser } = await import('htmlparser2')
  const page = createPageReader()
  const { handler } = page
  const told = new Set<string>()
  let link: { href: string; hasText: boolean } | null = null
  /** Open elements; those inside the first one that is left out, it included; open rows. */
  let depth = 0
  let hidden = 0
  let rows = 0
  /** What the reader's paragraph has by now, at most. */
  let length = 0
  let characters = 0

  function grow(by: number): void {
    if (length > 0 && length + by > paragraphCharacters) {
      handler.onopentag?.('hr', {}, false)
      length = 0
    }
    length += by
    characters += by
  }

  function give(data: string): void {
    for (let at = 0; at < data.length; at += paragraphCharacters) {
      const piece = data.slice(at, at + paragraphCharacters)
      grow(piece.length)
      handler.ontext?.(piece)
    }
  }

  const parser = new Parser({
    onopentag(name, attributes, isImplied) {
      if (!empty.has(name)) depth += 1
      if (hidden > 0 || isLeftOut(name, attributes)) {
        if (!empty.has(name)) hidden += 1
        return
      }
      if (name === 'a') link = { href: attributes['href'] ?? '', hasText: false }
      if (name === 'td' || name === 'th' || name === 'br') grow(3)
      handler.onopentag?.(name, attributes, isImplied)
      if (name === 'tr') rows += 1
      if (name === 'tr' || (rows === 0 && borders.has(name))) length = 0
    },
    onclosetag(name, isImplied) {
      if (empty.has(name)) return
      depth -= 1
      if (hidden > 0) {
        hidden -= 1
        return
      }
      if (name === 'a' && link !== null) {
        const address = link.hasText ? linkAddress(link.href, base) : null
        link = null
        if (address !== null && !told.has(address)) {
          told.add(address)
          give(` (${address})`)
        }
      }
      handler.onclosetag?.(name, isImplied)
      if (name === 'tr') rows -= 1
      if (name === 'tr' || (rows === 0 && borders.has(name))) length = 0
    },
    ontext(data) {
      if (hidden > 0) return
      const seen = data.replace(invisible, '').replace(/\s{200,}/g, (run) => run.slice(0, 200))
      if (link !== null && seen.trim() !== '') link.hasText = true
      give(seen)
    },
  })
  let at = 0
  for (; at < html.length && characters < mostCharacters && depth < mostDepth; at += partCharacters) {
    signal.throwIfAborted()
    parser.write(html.slice(at, at + partCharacters))
    await new Promise((resolve) => setImmediate(resolve))
  }
  parser.end()
  const { title, paragraphs } = page.end()
  const body = mostlyContent(paragraphs)
  const name = oneLine(title) || oneLine(body.find((each) => each.level > 0)?.text ?? '')
  return { title: name, text: markdownOf(body), cut: at < html.length }
}

/** Elements at which the reader ends a paragraph wherever they stand. */
const borders = new Set(['p', 'div', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'section', 'article', 'ul', 'ol', 'table'])

function linkAddress(href: string, base: string): string | null {
  if (href === '' || href.startsWith('#') || href.length > 500 || !URL.canParse(href, base)) return null
  const url = new URL(href, base)
  return (url.protocol === 'http:' || url.protocol === 'https:') && url.username === '' ? url.href : null
}

/** The part that calls itself the content is taken when it is most of what there is to read. */
function mostlyContent(paragraphs: Paragraph[]): Paragraph[] {
  const size = (list: Paragraph[]): number => list.reduce((sum, each) => sum + each.text.length, 0)
  const content = paragraphs.filter((each) => each.main)
  return size(content) * 2 > size(paragraphs) ? content : paragraphs
}

function markdownOf(paragraphs: Paragraph[]): string {
  let text = ''
  let before: Paragraph['kind'] | null = null
  for (const { text: body, kind, level } of paragraphs) {
    const isNear = kind === before && (kind === 'item' || kind === 'row')
    if (text !== '') text += isNear ? '\n' : '\n\n'
    text += kind === 'heading' ? `${'#'.repeat(level)} ${oneLine(body)}` : kind === 'fence' ? `\`\`\`\n${body}\n\`\`\`` : body
    before = kind
  }
  return text
}

export function oneLine(text: string, most = 200): string {
  const line = text
    .slice(0, most * 4)
    .replace(invisible, '')
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > most ? `${line.slice(0, most - 1)}…` : line
}

/** As Markdown has links. A title cannot end its brackets, nor an address its own. */
export function linkTo(title: string, address: string): string {
  const name = oneLine(title).replace(/[[\]]/g, (bracket) => (bracket === '[' ? '(' : ')'))
  return `[${name === '' ? address : name}](${address.replace(/[()\s<>]/g, (each) => encodeURIComponent(each).replace('(', '%28').replace(')', '%29'))})`
}
