import iconv from 'iconv-lite'
import { commentLine, runningLine } from './docx-asides.ts'
import type { TextParagraph } from './paragraphs.ts'
import { createRaisedLine, markAfter, noteMark, type RaisedLine } from './raised.ts'
import { tableLines, type TableRow } from './table-rows.ts'

interface State {
  /** What stands here is not text of the document. */
  skip: boolean
  hidden: boolean
  deleted: boolean
  raised: boolean
  /** Bytes that stand for a Unicode character where it cannot be shown. */
  fallback: number
  font: number
  destination: 'text' | 'fonts' | 'styles' | 'title' | 'author'
  /** Text that stands beside the text: all groups in it share it. */
  aside: Aside | null
  /** The picture of it was shown before, in a newer way. */
  isAgain: boolean
}

interface Aside {
  kind: 'note' | 'comment' | 'header' | 'footer'
  line: RaisedLine
}

/** Windows code pages of the character sets that fonts name ([RTF 1.9.1], \fcharset). */
const charsets: Record<number, string> = {
  0: 'cp1252',
  128: 'shift_jis',
  129: 'euc-kr',
  134: 'gb18030',
  136: 'big5',
  161: 'cp1253',
  162: 'cp1254',
  163: 'cp1258',
  177: 'cp1255',
  178: 'cp1256',
  186: 'cp1257',
  204: 'cp1251',
  222: 'cp874',
  238: 'cp1250',
}
const pages: Record<number, string> = { 936: 'gb18030', 950: 'big5', 932: 'shift_jis', 949: 'euc-kr', 65001: 'utf-8', 10008: 'gb18030' }
const notText = new Set(
  (
    'pict object xmlnstbl listtable listoverridetable rsidtbl generator colortbl ' +
    'themedata colorschememapping datastore latentstyles fldinst filetbl revtbl bkmkstart bkmkend atnid atndate atnref atntime nonshppict ' +
    'author operator keywords comment doccomm company subject category manager hlinkbase creatim revtim printim buptim info'
  ).split(' '),
)
const characters: Record<string, string> = {
  tab: '\t',
  line: '\n',
  emdash: '—',
  endash: '–',
  emspace: ' ',
  enspace: ' ',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
}
const asides: Record<string, Aside['kind']> = {
  footnote: 'note',
  annotation: 'comment',
  header: 'header',
  headerl: 'header',
  headerr: 'header',
  headerf: 'header',
  footer: 'footer',
  footerl: 'footer',
  footerr: 'footer',
  footerf: 'footer',
}
const layout = new Set('par sect page pard intbl cell nestcell row nestrow trhdr s outlinelevel'.split(' '))
const deepest = 1000
/** In half points: less is only set right on its line. */
const leastRaise = 6
/** Smaller on the page, in twips, a picture is an ornament. */
const leastExtent = { width: 720, height: 288 }

export interface RtfText {
  paragraphs: TextParagraph[]
  title: string | null
  tracked: boolean
  /** It breaks off. */
  damaged: boolean
  /** Pictures that may show text: nothing looks at them. */
  picturesUnread: number
}

/** Rich Text Format 1.9.1, as far as text goes: paragraphs, headings, tables, text of every code page. */
export function readRtfText(bytes: Buffer): RtfText {
  const paragraphs: TextParagraph[] = []
  const states: State[] = [
    { skip: false, hidden: false, deleted: false, raised: false, fallback: 1, font: 0, destination: 'text', aside: null, isAgain: false },
  ]
  const fonts = new Map<number, string>()
  const styles = new Map<number, number>()
  let page = 'cp1252'
  const line = createRaisedLine()
  let pending: number[] = []
  let title = ''
  let tracked = false
  let level = 0
  let styleNumber = 0
  let styleName = ''
  let toSkip = 0
  let row: string[] = []
  let rows: TableRow[] = []
  let inTable = false
  let headerRow = false
  let pictures = 0
  let isWide = false
  let author = ''
  let noteCount = 0
  let notes: string[] = []
  const running = new Set<string>()

  const now = (): State => states.at(-1)!

  /** Bytes of one encoding are decoded together: a character may be two of them. */
  function decode(): void {
    if (pending.length === 0) return
    const encoding = fonts.get(now().font) ?? page
    const decoded = iconv.decode(Buffer.from(pending), iconv.encodingExists(encoding) ? encoding : 'cp1252')
    pending = []
    emit(decoded)
  }

  function emit(piece: string): void {
    const state = now()
    if (state.destination === 'title') title += piece
    else if (state.destination === 'styles') styleName += piece
    else if (state.destination === 'author') author += piece
    else if (state.skip || state.hidden || state.deleted || state.destination !== 'text') return
    else if (state.aside !== null) state.aside.line.add(piece, state.raised)
    else line.add(piece, state.raised)
  }

  function take(piece: string): void {
    decode()
    emit(piece)
  }

  function endTable(): void {
    for (const line of tableLines(rows)) paragraphs.push({ text: line, kind: 'row', level: 0 })
    rows = []
  }

  function endParagraph(): void {
    decode()
    const body = line.take().trim()
    if (!inTable && rows.length > 0) endTable()
    if (body === '') return endNotes()
    const item = /^[•·▪\-–]\t/.test(body)
    paragraphs.push({ text: item ? `- ${body.slice(2)}` : body, kind: level > 0 ? 'heading' : item ? 'item' : 'paragraph', level })
    endNotes()
  }

  function endNotes(): void {
    for (const note of notes) paragraphs.push({ text: note, kind: 'paragraph', level: 0 })
    notes = []
  }

  function endAside({ kind, line: own }: Aside): void {
    const said = own.take().replace(/\s+/g, ' ').trim()
    if (said === '') return
    if (kind === 'header' || kind === 'footer') {
      const shown = runningLine(kind, said)
      if (shown !== null) running.add(shown)
    } else if (kind === 'comment') {
      notes.push(commentLine(author, said))
      author = ''
    } else {
      const mark = noteMark(++noteCount)
      now().raised = false
      emit(markAfter((now().aside?.line ?? line).last(), mark))
      notes.push(`${mark} ${said}`)
    }
  }

  function control(word: string, parameter: number | null): void {
    const state = now()
    if (word === 'u' && parameter !== null) {
      take(String.fromCharCode(parameter < 0 ? parameter + 65_536 : parameter))
      toSkip = state.fallback
      return
    }
    if (characters[word] !== undefined) return take(characters[word])
    decode()
    const kind = asides[word]
    if (kind !== undefined) {
      state.aside = { kind, line: createRaisedLine() }
      state.skip = false
      state.raised = false
      return
    }
    // The layout of what stands beside the text is its own.
    if (state.aside !== null && layout.has(word)) {
      state.aside.line.add(' ', false)
      return
    }
    switch (word) {
      case 'par':
      case 'sect':
      case 'page':
        if (inTable) line.add('\n', false)
        else endParagraph()
        return
      case 'pard':
        level = 0
        inTable = false
        return
      case 'intbl':
        inTable = true
        return
      case 'cell':
      case 'nestcell':
        row.push(line.take().trim())
        inTable = true
        return
      case 'row':
      case 'nestrow':
        if (row.some((cell) => cell !== '')) rows.push({ cells: row, header: headerRow })
        row = []
        inTable = false
        headerRow = false
        return
      case 'trhdr':
        headerRow = true
        return
      case 'atnauthor':
        state.destination = 'author'
        state.skip = false
        return
      case 'ansicpg':
        page = pages[parameter ?? 0] ?? `cp${parameter}`
        return
      case 'f':
        state.font = parameter ?? 0
        return
      case 'fcharset':
        if (state.destination === 'fonts' && charsets[parameter ?? 0] !== undefined) fonts.set(state.font, charsets[parameter ?? 0]!)
        return
      case 'uc':
        state.fallback = Math.max(0, parameter ?? 1)
        return
      case 'v':
        state.hidden = parameter !== 0
        return
      case 'revised':
      case 'deleted':
        tracked = true
        if (word === 'deleted') state.deleted = parameter !== 0
        return
      case 'super':
        state.raised = parameter !== 0
        return
      case 'up':
        state.raised = (parameter ?? leastRaise) >= leastRaise
        return
      case 'sub':
      case 'dn':
      case 'nosupersub':
        state.raised = false
        return
      case 'plain':
        state.raised = false
        state.hidden = false
        state.deleted = false
        return
      case 'outlinelevel':
        level = (parameter ?? 8) < 9 ? (parameter ?? 0) + 1 : 0
        return
      case 's':
        if (state.destination === 'styles') styleNumber = parameter ?? 0
        else level = styles.get(parameter ?? 0) ?? 0
        return
      case 'fonttbl':
        state.destination = 'fonts'
        return
      case 'stylesheet':
        state.destination = 'styles'
        return
      case 'title':
        state.destination = 'title'
        return
      case 'picwgoal':
        isWide = (parameter ?? 0) >= leastExtent.width
        return
      case 'pichgoal':
        if (isWide && !state.isAgain && (parameter ?? 0) >= leastExtent.height) pictures += 1
        isWide = false
        return
      case 'bin':
        toSkip = Math.max(0, parameter ?? 0)
        return
      default:
        if (notText.has(word) && word !== 'info') state.skip = true
        if (word === 'nonshppict') state.isAgain = true
    }
  }

  function close(): void {
    decode()
    const closed = states.length > 1 ? states.pop()! : now()
    if (closed.aside !== null && closed.aside !== now().aside) endAside(closed.aside)
    if (closed.destination === 'styles' && styleName !== '') {
      const named = /(?:heading|标题|überschrift|titre)\s*([1-9])/i.exec(styleName)
      if (named !== null) styles.set(styleNumber, Number(named[1]))
      styleName = ''
      styleNumber = 0
    }
  }

  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!
    if (byte === 0x7b) {
      decode()
      if (states.length < deepest) states.push({ ...now() })
      toSkip = 0
    } else if (byte === 0x7d) {
      close()
      toSkip = 0
    } else if (byte === 0x5c) {
      const next = bytes[at + 1]
      if (next === 0x27) {
        const code = Number.parseInt(bytes.toString('latin1', at + 2, at + 4), 16)
        at += 3
        if (toSkip > 0) toSkip -= 1
        else if (!Number.isNaN(code)) pending.push(code)
      } else if (next !== undefined && isLetter(next)) {
        let end = at + 1
        while (end < bytes.length && end - at < 40 && isLetter(bytes[end]!)) end += 1
        const word = bytes.toString('latin1', at + 1, end)
        const number = /^-?\d{1,10}/.exec(bytes.toString('latin1', end, end + 12))?.[0] ?? ''
        end += number.length
        if (bytes[end] === 0x20) end += 1
        at = end - 1
        if (toSkip > 0 && word !== 'u' && word !== 'bin') toSkip -= 1
        else {
          toSkip = 0
          control(word, number === '' ? null : Number(number))
          if (word === 'bin') {
            at += toSkip
            toSkip = 0
          }
        }
      } else {
        at += 1
        if (next === 0x2a) now().skip = true
        else if (toSkip > 0) toSkip -= 1
        else if (next === 0x7e) take('\u00a0')
        else if (next === 0x5f) take('-')
        else if (next === 0x5c || next === 0x7b || next === 0x7d) take(String.fromCharCode(next))
        else if (next === 0x0a || next === 0x0d) control('par', null)
      }
    } else if (byte !== 0x0a && byte !== 0x0d) {
      if (toSkip > 0) toSkip -= 1
      else pending.push(byte)
    }
  }
  // A file that ends within a group of its text was cut off.
  const damaged = states.length > 1
  while (states.length > 1) close()
  endParagraph()
  endTable()
  endNotes()
  const lines = [...running].map((line) => ({ text: line, kind: 'paragraph' as const, level: 0 }))
  return {
    paragraphs: [...lines, ...paragraphs],
    title: title.trim() === '' ? null : title.trim(),
    tracked,
    damaged,
    picturesUnread: pictures,
  }
}

function isLetter(byte: number): boolean {
  return (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a)
}
