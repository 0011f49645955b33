const steps = /(?:^|\n)\s*(?:\d{1,2}[.)、．]|[-*•]|[①-⑳]|[（(]\d{1,2}[)）]|第[一二三四五六七八九十]步)\s*\S/g
const connectives =
  /\b(?:and then|then|after that|afterwards|and also|as well as|finally|first(?:ly)?|second(?:ly)?|third(?:ly)?|next)\b|然后|接着|之后再|再(?!见|说|次)|最后|首先|其次|同时|另外|并且|以及|还要/gi
const each = /\b(?:for each|each of|respectively|step by step)\b|分别|逐一|逐个|依次|一步一步|先.{1,40}再/i

/** Whether a question plainly has several parts, by cheap rules: then a plan is asked for before anything else. */
export function hasSeveralParts(question: string): boolean {
  if ((question.match(steps) ?? []).length >= 2) return true
  const words = question.match(connectives) ?? []
  if (words.length >= 2) return true
  if (each.test(question) && question.length >= 12) return true
  const asked = question.match(/[?？]/g) ?? []
  return asked.length >= 3
}
