import iconv from 'iconv-lite'

/** How well text has been decoded, told from its characters alone. */
export interface Quality {
  /** Letters and digits that belong where they stand. */
  good: number
  /** Replacement and private characters, controls, Latin-1 letters in numbers no language has, scripts that change from letter to letter. */
  bad: number
}

const scripts: readonly [name: string, letters: RegExp][] = [
  ['latin', /[A-Za-z\u00aa-\u024f\u1e00-\u1eff\ufb00-\ufb06\uff21-\uff5a]/],
  [
    'east',
    /[\u2e80-\u312f\u3190-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\u{20000}-\u{323af}\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff]/u,
  ],
  ['greek', /[\u0370-\u03ff\u1f00-\u1fff]/],
  ['cyrillic', /[\u0400-\u052f]/],
  ['hebrew', /[\u0590-\u05ff]/],
  ['arabic', /[\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\ufb50-\ufdff\ufe70-\ufeff]/],
  ['phonetic', /[\u0250-\u02af\u1d00-\u1dbf]/],
  ['south', /[\u0900-\u0dff]/],
  ['southeast', /[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff]/],
]

function scriptOf(character: string): string {
  for (const [name, letters] of scripts) if (letters.test(character)) return name
  return `other ${character.codePointAt(0)! >> 8}`
}

const broken = /[\p{Co}\p{Cn}\p{Cs}\ufffd\u0000-\u0008\u000e-\u001f\u007f-\u009f]/u
/** Letters and signs of Latin-1 beyond ASCII. */
const upper = /[\u00a1-\u00ff]/g

export function qualityOf(text: string): Quality {
  let good = 0
  let bad = 0
  for (const [word] of text.matchAll(/\S+/g)) {
    const { good: wordGood, bad: wordBad } = wordQuality(word)
    good += wordGood
    bad += wordBad
  }
  return { good, bad }
}

function wordQuality(word: string): Quality {
  const characters = [...word]
  if (/^[\x21-\x7e]*$/.test(word)) return { good: characters.length, bad: 0 }
  const uppers = word.match(upper)?.length ?? 0
  // `ÈÕÆÚ` is no word; `Ångström` and `déjà` are.
  if (uppers >= 3 && uppers > characters.length * 0.6) return { good: 0, bad: characters.length }
  let bad = 0
  let changes = 0
  let before = ''
  for (const character of characters) {
    if (broken.test(character)) bad += 1
    if (!/\p{L}/u.test(character)) {
      before = ''
      continue
    }
    const script = scriptOf(character)
    if (before !== '' && script !== before && isOdd(before, script)) changes += 1
    before = script
  }
  // Chinese and Japanese words are not parted by blanks and hold Latin ones; other scripts keep to themselves.
  if (changes >= 2 && changes > characters.length * 0.2) return { good: 0, bad: characters.length }
  return { good: characters.length - bad, bad }
}

function isOdd(one: string, other: string): boolean {
  const usual = ['latin', 'phonetic', 'east', 'greek', 'cyrillic']
  return !(usual.includes(one) && usual.includes(other))
}

/** So many of the characters are wrong that the page has to be read in another way. */
export function isGarbled(text: string): boolean {
  const { good, bad } = qualityOf(text)
  return bad >= 3 ? bad > (good + bad) * 0.12 : bad > good
}

/** Greater is better: a wrong character does more harm than a right one is worth. */
export function scoreOf(text: string): number {
  const { good, bad } = qualityOf(text)
  return good - bad * 2
}

/**
 * Whether guessed characters are words after all: enough vowels among plain Latin letters, enough common ones among Chinese
 * characters. Numbers of glyphs that are taken for characters have neither.
 */
export function readsLikeWords(text: string): boolean {
  const latin = text.match(/[A-Za-z]/g)?.length ?? 0
  const vowels = text.match(/[AEIOUaeiou]/g)?.length ?? 0
  const han = text.match(/[\u3400-\u9fff]/g) ?? []
  const common = han.filter(isCommonHan).length
  return (latin === 0 || vowels > latin * 0.22) && common >= han.length * 0.5
}

/** Of the first level of GB 2312 or of Big5. */
function isCommonHan(character: string): boolean {
  const [simplified = 0, traditional = 0] = ['gb2312', 'big5'].map((encoding) => iconv.encode(character, encoding)[0])
  return (simplified >= 0xb0 && simplified <= 0xd7) || (traditional >= 0xa4 && traditional <= 0xc6)
}
