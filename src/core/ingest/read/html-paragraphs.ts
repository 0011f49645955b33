import type { Parser } from 'htmlparser2'
import type { BlockKind } from './reading.ts'

export interface Paragraph {
  text: string
  kind: BlockKind
  /** Of a heading, 1 to 6; else 0. */
  level: number
  /** Stands in the part of the page that calls itself its content. */
  main: boolean
}

const left = new Set(
  'script style noscript template nav svg iframe object canvas select button input textarea dialog audio video datalist'.split(' '),
)
const blocks = new Set(
  (
    'address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html ' +
    'legend li main ol p pre section summary table tbody tfoot thead tr ul'
  ).split(' '),
)
const empty = new Set('area base br col embed hr img link meta param source track wbr input'.split(' '))

function isHidden(attributes: Record<string, string>): boolean {
  return (
    'hidden' in attributes ||
    attributes['aria-hidden'] === 'true' ||
    attributes['role'] === 'navigation' ||
    (attributes['style'] !== undefined && /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attributes['style']))
  )
}

export interface PageReader {
  readonly handler: NonNullable<ConstructorParameters<typeof Parser>[0]>
  end(): { title: string; paragraphs: Paragraph[] }
}

function trimLines(text: string): string {
  return text.includes('\n')
    ? text
        .split('\n')
        .map((line) => line.trim())
        .join('\n')
        .trim()
    : text.trim()
}

/** Gathers paragraphs from a parser's events, without a tree: a list gives an item each, a table a row each. */
export function createPageReader(): PageReader {
  const paragraphs: Paragraph[] = []
  let title = ''
  let inTitle = false
  let inHead = false
  let text = ''
  /** Open elements inside the first hidden one, it included. */
  let hidden = 0
  let preformatted = 0
  let main = 0
  let level = 0
  let rows = 0
  let cellsInRow = 0
  let mark = ''
  const lists: { ordered: boolean; count: number }[] = []

  /** What the text ends with is kept beside it: to look would join all its pieces each time. */
  let endsBlank = true
  function append(piece: string): void {
    if (piece === '') return
    text += piece
    endsBlank = /\s/.test(piece.charAt(piece.length - 1))
  }

  function close(): void {
    const body = preformatted > 0 ? text.replace(/^\n+/, '').trimEnd() : trimLines(text)
    text = ''
    endsBlank = true
    if (body === '') return
    const kind: BlockKind = level > 0 ? 'heading' : rows > 0 ? 'row' : mark !== '' ? 'item' : preformatted > 0 ? 'fence' : 'paragraph'
    paragraphs.push({ text: kind === 'item' ? mark + body : body, kind, level, main: main > 0 })
    // What else stands in this item belongs under its mark.
    if (mark !== '') mark = '  '
  }

  function edge(name: string, entering: boolean): void {
    if (name === 'td' || name === 'th') {
      if (!entering) return
      if (cellsInRow > 0) {
        // Cutting joins all pieces: not for a row of a hundred thousand cells.
        if (endsBlank && cellsInRow < 1000) text = text.trimEnd()
        append(' | ')
      }
      cellsInRow += 1
      return
    }
    if (!blocks.has(name)) return
    if (rows > 0 && name !== 'tr' && name !== 'table') {
      if (!endsBlank) append(' ')
      return
    }
    close()
    if (name === 'pre') preformatted = Math.max(0, preformatted + (entering ? 1 : -1))
    else if (name === 'main') main = Math.max(0, main + (entering ? 1 : -1))
    else if (/^h[1-6]$/.test(name)) level = entering ? Number(name[1]) : 0
    else if (name === 'tr') {
      rows = Math.max(0, rows + (entering ? 1 : -1))
      cellsInRow = 0
    } else if (name === 'ul' || name === 'ol') {
      if (entering) lists.push({ ordered: name === 'ol', count: 0 })
      else lists.pop()
      mark = ''
    } else if (name === 'li') {
      const list = lists.at(-1)
      if (entering && list !== undefined) list.count += 1
      mark = !entering ? '' : list?.ordered === true ? `${list.count}. ` : '- '
    }
  }

  return {
    handler: {
      onopentag(name, attributes) {
        if (hidden > 0 || left.has(name) || isHidden(attributes)) {
          if (!empty.has(name)) hidden += 1
          return
        }
        if (name === 'head') inHead = true
        if (name === 'title' && title === '') inTitle = true
        if (name === 'body') inHead = false
        if (name === 'br') append('\n')
        else if (name === 'hr') close()
        else edge(name, true)
      },
      onclosetag(name) {
        if (empty.has(name)) return
        if (hidden > 0) {
          hidden -= 1
          return
        }
        if (name === 'head') inHead = false
        if (name === 'title') inTitle = false
        edge(name, false)
      },
      ontext(data) {
        if (hidden > 0) return
        if (inTitle) title += data
        else if (inHead) return
        else if (preformatted > 0) append(data.replace(/\r\n?/g, '\n'))
        else {
          const flat = data.replace(/[ \t\r\n\f]+/g, ' ')
          append(endsBlank ? flat.replace(/^ /, '') : flat)
        }
      },
    },
    end() {
      close()
      return { title, paragraphs }
    },
  }
}
