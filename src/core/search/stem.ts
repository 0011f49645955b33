/**
 * A light English stem: the key under which a word and its regular inflections meet. It need not be a word itself
 * (make, makes, making: mak; city, cities: citi; run, running, fall, falling: one final consonant).
 */
export function stemOf(word: string): string {
  let stem = word
  if (stem.length < 4) return stem.endsWith('e') && stem.length === 3 ? stem : stem
  if (stem.endsWith("'s")) stem = stem.slice(0, -2)
  if (stem.endsWith('ies') && stem.length > 4) stem = `${stem.slice(0, -3)}y`
  else if (/(?:ss|x|z|ch|sh)es$/.test(stem)) stem = stem.slice(0, -2)
  else if (stem.endsWith('s') && !/[su]s$|is$/.test(stem)) stem = stem.slice(0, -1)
  if (stem.endsWith('ied') && stem.length > 4) stem = `${stem.slice(0, -3)}y`
  else if (stem.endsWith('ing') && stem.length > 5 && hasVowel(stem.slice(0, -3))) stem = stem.slice(0, -3)
  else if (stem.endsWith('ed') && stem.length > 4 && hasVowel(stem.slice(0, -2))) stem = stem.slice(0, -2)
  if (stem.endsWith('e') && stem.length > 3) stem = stem.slice(0, -1)
  if (stem.length > 3 && stem.at(-1) === stem.at(-2) && !/[aeiou]$/.test(stem)) stem = stem.slice(0, -1)
  return stem.endsWith('y') && stem.length > 3 ? `${stem.slice(0, -1)}i` : stem
}

function hasVowel(text: string): boolean {
  return /[aeiouy]/.test(text)
}
