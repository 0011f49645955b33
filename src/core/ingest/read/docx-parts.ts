import { readXml } from './xml.ts'

export interface DocxStyle {
  /** 1 to 9; 0 is no heading. */
  level: number
  /** A line of a table of contents. */
  contents: boolean
  numbering: { id: string; level: number } | null
}

interface RawStyle {
  name: string
  basedOn: string
  outline: number | null
  numbering: { id: string; level: number } | null
}

const headingName = /^(?:heading|标题|überschrift|titre|título|заголовок|見出し|제목)\s*([1-9])$/i

/** Styles by their id, inheritance resolved. */
export function readStyles(source: Buffer | null): ReadonlyMap<string, DocxStyle> {
  const raw = new Map<string, RawStyle>()
  let open: RawStyle | null = null
  if (source !== null)
    readXml(source, {
      open(name, attributes) {
        const value = attributes['w:val'] ?? ''
        if (name === 'w:style' && attributes['w:type'] === 'paragraph') {
          open = { name: '', basedOn: '', outline: null, numbering: null }
          raw.set(attributes['w:styleId'] ?? '', open)
        } else if (open === null) return
        else if (name === 'w:name') open.name = value
        else if (name === 'w:basedOn') open.basedOn = value
        else if (name === 'w:outlineLvl') open.outline = Number(value)
        else if (name === 'w:numId') open.numbering = { id: value, level: open.numbering?.level ?? 0 }
        else if (name === 'w:ilvl') open.numbering = { id: open.numbering?.id ?? '', level: Number(value) }
      },
      close(name) {
        if (name === 'w:style') open = null
      },
    })
  const styles = new Map<string, DocxStyle>()
  for (const [id, style] of raw) {
    const chain = chainOf(raw, style)
    const named = headingName.exec(style.name.trim())
    const outline = chain.map((each) => each.outline).find((each) => each !== null) ?? null
    const level =
      named !== null
        ? Number(named[1])
        : /^(?:title|标题)$/i.test(style.name.trim())
          ? 1
          : outline === null || outline > 8
            ? 0
            : outline + 1
    const numbering = chain.map((each) => each.numbering).find((each) => each !== null && each.id !== '') ?? null
    styles.set(id, { level, contents: /^(?:toc|目录)\s*\d$/i.test(style.name.trim()), numbering })
  }
  return styles
}

function chainOf(raw: ReadonlyMap<string, RawStyle>, style: RawStyle): RawStyle[] {
  const chain = [style]
  for (let next = raw.get(style.basedOn); next !== undefined && chain.length < 20 && !chain.includes(next); next = raw.get(next.basedOn))
    chain.push(next)
  return chain
}

interface Level {
  start: number
  format: string
  text: string
  /** All numbers in it are shown as 1, 2, 3. */
  legal: boolean
}

/** Gives the mark before a paragraph: `3.2`, `第四条`, `(b)`, `-`. Counts as the document is read, from its first paragraph on. */
export interface Numbering {
  mark(id: string, level: number): string
}

export function readNumbering(source: Buffer | null): Numbering {
  const abstracts = new Map<string, Map<number, Level>>()
  const numbers = new Map<string, { abstract: string; starts: Map<number, number> }>()
  let levels: Map<number, Level> | null = null
  let level: Level | null = null
  let number: { abstract: string; starts: Map<number, number> } | null = null
  let override = 0
  if (source !== null)
    readXml(source, {
      open(name, attributes) {
        const value = attributes['w:val'] ?? ''
        if (name === 'w:abstractNum') abstracts.set(attributes['w:abstractNumId'] ?? '', (levels = new Map()))
        else if (name === 'w:num') numbers.set(attributes['w:numId'] ?? '', (number = { abstract: '', starts: new Map() }))
        else if (name === 'w:abstractNumId' && number !== null) number.abstract = value
        else if (name === 'w:lvlOverride') override = Number(attributes['w:ilvl'])
        else if (name === 'w:startOverride' && number !== null) number.starts.set(override, Number(value))
        else if (name === 'w:lvl' && levels !== null)
          levels.set(Number(attributes['w:ilvl']), (level = { start: 1, format: 'decimal', text: '', legal: false }))
        else if (level === null) return
        else if (name === 'w:isLgl') level.legal = true
        else if (name === 'w:start') level.start = Number(value)
        else if (name === 'w:numFmt') level.format = value
        else if (name === 'w:lvlText') level.text = value
      },
      close(name) {
        if (name === 'w:abstractNum') levels = null
        else if (name === 'w:num') number = null
        else if (name === 'w:lvl') level = null
      },
    })
  /** Lists that share an abstract numbering go on counting each other. */
  const counters = new Map<string, number[]>()
  const restarted = new Set<string>()
  return {
    mark(id, at) {
      const own = numbers.get(id)
      const known = own === undefined ? undefined : abstracts.get(own.abstract)
      const here = known?.get(at)
      if (own === undefined || known === undefined || here === undefined) return id === '0' || id === '' ? '' : '-'
      const counts = counters.get(own.abstract) ?? []
      counters.set(own.abstract, counts)
      const start = own.starts.get(at)
      if (start !== undefined && !restarted.has(`${id} ${at}`)) {
        restarted.add(`${id} ${at}`)
        counts[at] = start
      } else counts[at] = counts[at] === undefined ? here.start : counts[at] + 1
      counts.length = at + 1
      if (here.format === 'bullet') return '-'
      if (here.format === 'none') return ''
      return here.text.replace(/%([1-9])/g, (_all, digit: string) => {
        const other = Number(digit) - 1
        const format = known.get(other)
        return numeral(counts[other] ?? format?.start ?? 1, here.legal ? 'decimal' : (format?.format ?? 'decimal'))
      })
    },
  }
}

const romans: [number, string][] = [
  [1000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
]
const hanDigits = '〇一二三四五六七八九'

function numeral(value: number, format: string): string {
  switch (format) {
    case 'lowerLetter':
      return letters(value).toLowerCase()
    case 'upperLetter':
      return letters(value)
    case 'lowerRoman':
      return roman(value).toLowerCase()
    case 'upperRoman':
      return roman(value)
    case 'chineseCounting':
    case 'chineseCountingThousand':
    case 'ideographTraditional':
    case 'taiwaneseCountingThousand':
    case 'japaneseCounting':
      return hanCount(value)
    case 'ideographDigital':
    case 'taiwaneseDigital':
    case 'japaneseDigitalTenThousand':
      return [...`${value}`].map((digit) => hanDigits[Number(digit)] ?? digit).join('')
    case 'decimalEnclosedCircleChinese':
    case 'decimalEnclosedCircle':
      return value >= 1 && value <= 20 ? String.fromCodePoint(0x2460 + value - 1) : `${value}`
    case 'decimalZero':
      return `${value}`.padStart(2, '0')
    default:
      return `${value}`
  }
}

function letters(value: number): string {
  const letter = String.fromCharCode(65 + ((Math.max(1, value) - 1) % 26))
  return letter.repeat(Math.min(10, Math.floor((Math.max(1, value) - 1) / 26) + 1))
}

function roman(value: number): string {
  if (value < 1 || value > 3999) return `${value}`
  let rest = value
  let text = ''
  for (const [amount, sign] of romans)
    while (rest >= amount) {
      text += sign
      rest -= amount
    }
  return text
}

/** 1 to 9999 as Chinese counts: 十二, 一百零三. */
function hanCount(value: number): string {
  if (value < 1 || value > 9999 || !Number.isInteger(value)) return `${value}`
  const places = ['', '十', '百', '千']
  const digits = [...`${value}`].map(Number)
  let text = ''
  let gap = false
  for (const [index, digit] of digits.entries()) {
    const place = digits.length - 1 - index
    if (digit === 0) {
      gap = true
      continue
    }
    if (gap && text !== '') text += '零'
    gap = false
    text += `${digit === 1 && place === 1 && text === '' ? '' : hanDigits[digit]}${places[place]}`
  }
  return text
}
