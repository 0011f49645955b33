/** Of Western languages, and not of those of Central Europe, whose letters stand at the same bytes. */
const commonWords = new Set(
  (
    'les des est une dans pour que qui sur aux avec pas ce cette nous vous sont au leur plus ' +
    'der die das und ist nicht ein eine mit von zu auf für im dem ' +
    'los las por para con del una como el es se lo su ' +
    'che per non della sono il di ' +
    'os uma com dos não em ' +
    'the and of that with for was this from ' +
    'het een voor niet dat ' +
    'og och det att som på af ikke til för med'
  ).split(' '),
)
/** Signs that never stand within a word: there they are letters of another language. */
const signInWord = /[A-Za-z][\u00a1-\u00b6\u00b8-\u00bf\u00d7\u00f7][A-Za-z]/
const fewWords = 40

/** Whether a text that was read as windows-1252 is in a language of it: the bytes alone would as well be Polish or Czech. */
export function isWestern(text: string): boolean {
  if (signInWord.test(text)) return false
  let words = 0
  let common = 0
  for (const [word] of text.toLowerCase().matchAll(/\p{L}+/gu)) {
    words += 1
    if (commonWords.has(word)) common += 1
  }
  return common > 0 && (words <= fewWords || common * 40 >= words)
}
