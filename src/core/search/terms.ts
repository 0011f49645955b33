import { foldedFrom, foldedTo } from './han-folding.ts'
import { hanNumeral, valueOfHanNumeral } from './numerals.ts'
import { stemOf } from './stem.ts'

const enum Kind {
  None = 0,
  Letter = 1,
  Digit = 2,
  Joined = 3,
  Ideograph = 4,
}

const longestTerm = 64
const circleZero = /(?<=[〇零一二三四五六七八九])[○◯](?=[〇零一二三四五六七八九○◯])/g
const kinds = new Uint8Array(0x10000)
const folded = new Map<string, string>()
for (let index = 0; index < foldedFrom.length; index++) folded.set(foldedFrom.charAt(index), foldedTo.charAt(index))

/** What a term came from: a query takes some and leaves others. */
export type TermKind = 'word' | 'stem' | 'part' | 'pair' | 'single' | 'value'
type Emit = (term: string, kind: TermKind) => void

/** The terms of a passage for the keyword index, parted by spaces. FTS5's tokenizer leaves them as they are. */
export function makeTerms(text: string): string {
  const terms: string[] = []
  scanTerms(text, (term) => terms.push(term))
  return terms.join(' ')
}

/** Simplified and traditional Chinese, full and half width, upper and lower case in one form. */
export function foldText(text: string): string {
  const normal = text.normalize('NFKC').toLowerCase()
  return foldHan(normal)
}

export function foldHan(text: string): string {
  return text.replace(/[\u3400-\u9fff]/g, (character) => folded.get(character) ?? character)
}

/** `onSentenceEnd` is called between terms where a sentence or a line ends. */
export function scanTerms(text: string, emit: Emit, onSentenceEnd?: () => void): void {
  // Official documents write the zero of a year as a circle.
  const normal = text.normalize('NFKC').replace(circleZero, '〇')
  const length = normal.length
  let index = 0
  let number: string | null = null
  while (index < length) {
    const kind = kindAt(normal, index)
    if (kind === Kind.None) {
      number = null
      if (onSentenceEnd && endsSentence(normal, index)) onSentenceEnd()
      index++
    } else if (kind === Kind.Ideograph) {
      const start = index
      while (index < length && kindAt(normal, index) === Kind.Ideograph) index++
      ideographTerms(normal.slice(start, index), number, emit)
      number = null
    } else {
      const start = index
      index = endOfChain(normal, index)
      number = chainTerms(normal.slice(start, index), emit)
    }
  }
}

function endsSentence(text: string, index: number): boolean {
  switch (text.charCodeAt(index)) {
    case 0x0a: // line break
    case 0x21: // !
    case 0x3b: // ; also the full-width one, which is folded to it
      return true
    case 0x2e: // .
    case 0x3f: // ?
      return index + 1 >= text.length || text.charCodeAt(index + 1) <= 0x20 || text.charCodeAt(index + 1) > 0x2000
    case 0x3002: // 。
      return true
    default:
      return false
  }
}

/** Words held together by hyphens, points, thousand separators or apostrophes. */
function endOfChain(text: string, from: number): number {
  let index = from
  for (;;) {
    while (index < text.length && isWord(kindAt(text, index))) index++
    const before = kindAt(text, index - 1)
    const after = index + 1 < text.length ? kindAt(text, index + 1) : Kind.None
    const joint = text.charAt(index)
    const holds =
      (joint === '-' && isWord(after)) ||
      ((joint === '.' || joint === ',') && before === Kind.Digit && after === Kind.Digit) ||
      ((joint === "'" || joint === '’') && before === Kind.Letter && after === Kind.Letter)
    if (!holds) return index
    index++
  }
}

/** Returns the number as digits when the chain is one, for the unit that may follow in Chinese. */
function chainTerms(chain: string, emit: Emit): string | null {
  if (!/[-.,'’]/.test(chain)) {
    wordTerms(chain, emit)
    return /^\d+$/.test(chain) ? chain : null
  }
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(chain)) return chainTerms(chain.replaceAll(',', ''), emit)
  const parts = chain.replace(/['’]s$/i, '').split(/[-.,'’]/)
  for (const part of parts) wordTerms(part, emit)
  if (parts.length > 1 && parts.length < 5) emit(cut(plain(parts.join('_'))), 'word')
  return /^\d+\.\d+$/.test(chain) ? chain : null
}

function wordTerms(word: string, emit: Emit): void {
  const whole = plain(word).replace(/^_+|_+$/g, '')
  if (whole === '') return
  emit(cut(whole), 'word')
  if (whole.length > longestTerm) return
  if (/^[a-z]{3,}$/.test(whole)) emit(`_${stemOf(whole)}`, 'stem')
  const parts = partsOf(word)
  if (parts.length < 2) return
  for (const part of parts) {
    const small = plain(part)
    if (small.length < 2 && !/\d/.test(small)) continue
    emit(small, 'part')
    if (/^[a-z]{3,}$/.test(small)) emit(`_${stemOf(small)}`, 'stem')
  }
}

/** An identifier's parts: parted by underscores, digits and changes of case (`parseHTMLText2` is parse, HTML, Text, 2). */
function partsOf(word: string): string[] {
  if (/^(?:[a-z]+|[A-Z]?[a-z]+|[A-Z]+|\d+)$/.test(word)) return [word]
  return word.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{Lt}\p{M}]+|\p{N}+/gu) ?? []
}

/** Lower case without the accents of Latin letters. */
function plain(word: string): string {
  const lower = word.toLowerCase()
  return /[\u00c0-\u024f]/.test(lower)
    ? lower
        .normalize('NFD')
        .replace(/\p{Mn}+/gu, '')
        .normalize('NFC')
    : lower
}

function ideographTerms(run: string, numberBefore: string | null, emit: Emit): void {
  const characters = /[\ud800-\udfff]/.test(run) ? [...run] : run.split('')
  let last = ''
  for (const character of characters) {
    const current = folded.get(character) ?? character
    emit(current, 'single')
    if (last !== '') emit(last + current, 'pair')
    last = current
  }
  if (numberBefore !== null) unitTerms(Number(numberBefore), run, emit)
  for (const match of run.matchAll(hanNumeral)) numeralTerms(match[0], run.slice(match.index + match[0].length), emit)
}

/** 二〇二六年 is found by 2026年, 一百五十万 by 150万, and the other way round. */
function numeralTerms(numeral: string, after: string, emit: Emit): void {
  const dated = /^[年月日号]/.test(after)
  if (!dated && numeral.length < 2) return
  const value = valueOfHanNumeral(numeral)
  if (value === null || !Number.isSafeInteger(value) || (!dated && value < 10)) return
  emit(String(value), 'value')
  if (dated) emit(`${value}${after.charAt(0) === '号' ? '日' : after.charAt(0)}`, 'value')
}

function unitTerms(value: number, after: string, emit: Emit): void {
  const unit = after.charAt(0)
  if (/[年月日号]/.test(unit)) emit(`${value}${unit === '号' ? '日' : unit}`, 'value')
  const factor = unit === '万' || unit === '萬' ? 1e4 : unit === '亿' || unit === '億' ? 1e8 : 0
  const whole = Math.round(value * factor)
  if (factor > 0 && Number.isSafeInteger(whole)) emit(String(whole), 'value')
}

function cut(term: string): string {
  return term.length > longestTerm ? term.slice(0, longestTerm).replace(/[\ud800-\udbff]$/, '') : term
}

function isWord(kind: Kind): boolean {
  return kind === Kind.Letter || kind === Kind.Digit || kind === Kind.Joined
}

function kindAt(text: string, index: number): Kind {
  const code = text.charCodeAt(index)
  const known = kinds[code]
  if (known !== undefined && known !== 0) return known - 1
  if (code >= 0xd800 && code <= 0xdfff) return kindOfSurrogate(text, index, code)
  const kind = kindOf(String.fromCharCode(code))
  kinds[code] = kind + 1
  return kind
}

function kindOfSurrogate(text: string, index: number, code: number): Kind {
  const whole = code < 0xdc00 ? text.codePointAt(index) : text.codePointAt(index - 1)
  if (whole === undefined || whole < 0x10000) return Kind.None
  return kindOf(String.fromCodePoint(whole))
}

function kindOf(character: string): Kind {
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]/u.test(character)) return Kind.Ideograph
  if (/\p{Nd}/u.test(character)) return Kind.Digit
  if (/[\p{L}\p{N}]/u.test(character)) return Kind.Letter
  return character === '_' || /\p{M}/u.test(character) ? Kind.Joined : Kind.None
}
