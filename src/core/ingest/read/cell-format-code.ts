/** Number formats of spreadsheets (ECMA-376 part 1, 18.8.31), with what the Chinese and Japanese Excel and WPS write. */

export type Token =
  | { kind: 'text'; text: string }
  | { kind: 'digit'; text: string }
  | { kind: 'exponent'; text: string }
  | { kind: 'point' | 'comma' | 'percent' | 'slash' | 'general' | 'value'; text: string }
  /** `text` is the run of letters in lower case: `yyyy`. */
  | { kind: 'date'; text: string }
  /** Hours, minutes or seconds that are not taken round: `hh`. */
  | { kind: 'elapsed'; text: string }
  | { kind: 'half-day'; text: string }

export interface Condition {
  operator: '<' | '<=' | '>' | '>=' | '=' | '<>'
  limit: number
}

export interface Section {
  kind: 'number' | 'date' | 'text'
  tokens: Token[]
  condition: Condition | null
  /** As in `zh-CN`; null: the format names none. */
  locale: string | null
  /** 1: 一二三, 2: 壹贰叁, 3: １２３; 0: as usual. */
  numerals: 0 | 1 | 2 | 3
}

const pattern =
  /"(?<quoted>[^"]*)"?|\\(?<escaped>.)|!(?<marked>[^;])|_(?<space>.)?|\*(?<fill>.)?|\[(?<bracket>[^\]]*)\]|(?<general>General|Standard|G\/(?:通用格式|標準|标准|표준))|(?<half>AM\/PM|A\/P|上午\/下午|午前\/午後)|(?<exponent>E[+-])|(?<date>y+|m+|d+|h+|s+|e+|g+|b{2,4}|a{3,4})|(?<other>.)/gisu

const signs: Record<string, Exclude<Token['kind'], 'date' | 'elapsed' | 'half-day' | 'text' | 'exponent'>> = {
  '0': 'digit',
  '#': 'digit',
  '?': 'digit',
  '.': 'point',
  ',': 'comma',
  '%': 'percent',
  '/': 'slash',
  '@': 'value',
}

/** The parts of a format code in order; where it is short of parts, the rest is as the first ones say. */
export function parseFormat(code: string): Section[] {
  const sections: Section[] = []
  let section = emptySection()
  for (const { groups = {} } of code.matchAll(pattern)) {
    const { quoted, escaped, marked, space, bracket, general, half, exponent, date, other } = groups
    const text = quoted ?? escaped ?? marked
    if (other === ';') {
      sections.push(ended(section))
      section = emptySection()
    } else if (text !== undefined) section.tokens.push({ kind: 'text', text })
    else if (space !== undefined) section.tokens.push({ kind: 'text', text: ' ' })
    else if (bracket !== undefined) takeBracket(section, bracket)
    else if (general !== undefined) section.tokens.push({ kind: 'general', text: general })
    else if (half !== undefined) section.tokens.push({ kind: 'half-day', text: half.toUpperCase() })
    else if (exponent !== undefined) section.tokens.push({ kind: 'exponent', text: exponent })
    else if (date !== undefined) section.tokens.push({ kind: 'date', text: date })
    else if (other !== undefined) section.tokens.push({ kind: signs[other] ?? 'text', text: other })
  }
  return [...sections, ended(section)]
}

function emptySection(): Section {
  return { kind: 'number', tokens: [], condition: null, locale: null, numerals: 0 }
}

function takeBracket(section: Section, inside: string): void {
  const condition = /^(<=|>=|<>|[<>=])\s*([-+]?[\d.]+(?:e[-+]?\d+)?)$/i.exec(inside)
  const named = /^\$([^-]*)(?:-(.*))?$/s.exec(inside)
  const numerals = /^DBNum([123])$/i.exec(inside)
  if (condition !== null) section.condition = { operator: operatorOf(condition[1]), limit: Number(condition[2]) }
  else if (/^(?:h+|m+|s+)$/i.test(inside)) section.tokens.push({ kind: 'elapsed', text: inside.toLowerCase() })
  else if (numerals !== null) section.numerals = numerals[1] === '1' ? 1 : numerals[1] === '2' ? 2 : 3
  else if (named !== null) {
    if (named[1] !== undefined && named[1] !== '') section.tokens.push({ kind: 'text', text: named[1] })
    section.locale = localeOf(named[2] ?? '') ?? section.locale
  }
}

function operatorOf(text = ''): Condition['operator'] {
  return text === '<' || text === '<=' || text === '>' || text === '>=' || text === '<>' ? text : '='
}

/** By the primary language of a Windows language identifier ([MS-LCID]). */
const languages: Record<number, string> = {
  0x01: 'ar',
  0x02: 'bg',
  0x04: 'zh-CN',
  0x05: 'cs',
  0x06: 'da',
  0x07: 'de',
  0x08: 'el',
  0x09: 'en',
  0x0a: 'es',
  0x0b: 'fi',
  0x0c: 'fr',
  0x0d: 'he',
  0x0e: 'hu',
  0x10: 'it',
  0x11: 'ja',
  0x12: 'ko',
  0x13: 'nl',
  0x14: 'nb',
  0x15: 'pl',
  0x16: 'pt',
  0x18: 'ro',
  0x19: 'ru',
  0x1d: 'sv',
  0x1e: 'th',
  0x1f: 'tr',
  0x21: 'id',
  0x22: 'uk',
  0x2a: 'vi',
}
const traditional = new Set([0x0404, 0x0c04, 0x1404])

/** Of `804`, `zh-CN` or `ja-JP-x-gannen`; null where only the system's own order is meant. */
function localeOf(named: string): string | null {
  const tag = /^([a-z]{2})(?:-([A-Z][a-z]{3}))?(?:-([A-Z]{2}))?(?![a-z])/.exec(named)
  if (tag !== null) return [tag[1], tag[2], tag[3]].filter((part) => part !== undefined).join('-')
  if (!/^[0-9a-f]{1,8}$/i.test(named)) return null
  const id = Number.parseInt(named, 16) & 0xffff
  if (id === 0xf800 || id === 0xf400) return null
  return traditional.has(id) ? 'zh-TW' : (languages[id & 0x3ff] ?? null)
}

/** What a section is for is seen in its signs: letters of dates are only letters among the digits of a number. */
function ended(section: Section): Section {
  const { tokens } = section
  const isNumber = tokens.some(
    ({ kind, text }, at) => kind === 'general' || (kind === 'digit' && !(text === '0' && isSecondsFraction(tokens, at))),
  )
  const isDate = !isNumber && tokens.some(({ kind }) => kind === 'date' || kind === 'elapsed' || kind === 'half-day')
  const isText = !isNumber && !isDate && tokens.some(({ kind }) => kind === 'value')
  const foreign = new Set<Token['kind']>(isDate ? [] : ['date', 'elapsed', 'half-day'])
  const read = tokens.map((token): Token => (foreign.has(token.kind) ? { kind: 'text', text: token.text } : token))
  return { ...section, kind: isDate ? 'date' : isText ? 'text' : 'number', tokens: read }
}

/** As in `ss.00`. */
function isSecondsFraction(tokens: readonly Token[], at: number): boolean {
  let before = at - 1
  while (tokens[before]?.kind === 'digit') before -= 1
  const [seconds, point] = [tokens[before - 1], tokens[before]]
  return point?.kind === 'point' && (seconds?.kind === 'date' || seconds?.kind === 'elapsed') && /^s/i.test(seconds.text)
}
