import type { Language } from '../../contract/library.ts'

const looked = 4000

/** So a name with its ending, an address or what stands in quotes is written, whatever language the question is in. */
const named = /https?:\/\/\S+|[\p{L}\p{N}_.()[\]/\\-]*\.[a-z][a-z0-9]{1,5}(?![a-z0-9])|[《“「"][^《》“”「」"]*[》”」"]/giu

/** The language of a question, which is not that of the names in it. */
export function languageOfQuestion(question: string): Language {
  const own = languageOf(question.replace(named, ' '))
  return own === 'other' ? languageOf(question) : own
}

/**
 * The language group of a text, by script alone: Latin of any kind counts as `en`, a text without letters as `other`.
 * A Han character weighs as much as four Latin letters, since English names and code are common in Chinese text
 * while Chinese hardly ever stands in English text.
 */
export function languageOf(text: string): Language {
  let han = 0
  let latin = 0
  let kana = 0
  let hangul = 0
  let cyrillic = 0
  let arabic = 0
  let other = 0
  const length = Math.min(text.length, looked)
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index)
    if (code < 0x41) continue
    if (code < 0x250) {
      if ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) latin++
      else if (code >= 0xc0) latin++
    } else if (code >= 0x4e00 && code <= 0x9fff) han++
    else if (code >= 0x3040 && code <= 0x30ff) kana++
    else if (code >= 0xac00 && code <= 0xd7a3) hangul++
    else if (code >= 0x400 && code <= 0x52f) cyrillic++
    else if (code >= 0x600 && code <= 0x6ff) arabic++
    else if ((code >= 0x3400 && code <= 0x4dbf) || (code >= 0xd840 && code <= 0xd887) || (code >= 0xf900 && code <= 0xfaff)) han++
    else if (code >= 0xff21 && code <= 0xff5a) latin++
    else if (code >= 0x370 && code < 0x2000) other++
  }
  const weights: [Language, number][] = [
    ['en', latin],
    ['zh', kana > han * 0.15 ? 0 : han * 4],
    ['ja', kana > han * 0.15 ? (han + kana) * 3 : 0],
    ['ko', hangul * 3],
    ['ru', cyrillic],
    ['ar', arabic],
    ['other', other],
  ]
  let best: [Language, number] = ['other', 0]
  for (const weight of weights) if (weight[1] > best[1]) best = weight
  return best[0]
}
