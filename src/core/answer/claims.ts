import { splitSentences } from './sentences.ts'
import { wordsOf } from './words.ts'

/** A sentence of an answer, without its markers. */
export interface Claim {
  text: string
  markers: number[]
  /** The markers that come next in its paragraph, when it has none. */
  borrowed: number[]
  /** It says something that a source could carry: no greeting, question, heading, or word about the library itself. */
  claims: boolean
}

const markerPattern = /\s*\[(\d{1,3})\]/g
const aboutItself =
  /\b(?:library|passages?|documents?|sources?|provided (?:text|context)|context)\b[^.]*\b(?:do(?:es)? not|don['’]t|doesn['’]t|no|not|cannot|nothing)\b|\b(?:I (?:can(?:not|['’]t)|could not|don['’]t|do not|did not)|there is no (?:information|mention|answer))|(?:资料库|文库|资料|文档|文件|段落|来源|上下文)[^。]*(?:没有|未|不|无)|(?:没有|未能?|无法|找不到)[^。]*(?:资料|文档|信息|段落|答案|内容|提及|说明)/i

export function claimsOf(answer: string): Claim[] {
  const claims: Claim[] = []
  for (const paragraph of answer.split(/\n{2,}/)) {
    const mine: Claim[] = []
    for (const { text } of splitSentences(paragraph)) {
      const markers = [...text.matchAll(markerPattern)].map((match) => Number(match[1]))
      const plain = text.replace(markerPattern, '').trim()
      const last = mine.at(-1)
      if (plain === '' || !/[\p{L}\p{N}]/u.test(plain)) {
        // Markers that stand by themselves belong to what comes before.
        if (last) last.markers.push(...markers.filter((marker) => !last.markers.includes(marker)))
        continue
      }
      mine.push({ text: plain, markers: [...new Set(markers)], borrowed: [], claims: isClaim(plain) })
    }
    let next: number[] = []
    for (const claim of mine.toReversed()) {
      if (claim.markers.length > 0) next = claim.markers
      else claim.borrowed = next
    }
    claims.push(...mine)
  }
  return claims
}

function isClaim(text: string): boolean {
  if (/[?？:：]["'”’」]?$/.test(text) || /^#{1,6}\s/.test(text) || /^\|?[\s|:-]+$/.test(text)) return false
  if (aboutItself.test(text)) return false
  return wordsOf(text).size >= 2 || /\d/.test(text)
}
