import iconv from 'iconv-lite'

/** What Windows shows for the bytes 80 to 9f, where Latin-1 has nothing. */
const windows = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

function byteOf(character: string): number {
  const code = character.charCodeAt(0)
  if (code <= 0xff) return code
  const at = windows.indexOf(character)
  return at === -1 ? -1 : 0x80 + at
}

/**
 * Chinese whose bytes a font without a Unicode map shows as Latin-1 letters (`È«ÊÀ½ç` is 全世界), or null when it is not surely
 * that: every byte must fit, and most of the characters be of the common ones.
 */
export function repairedGbk(text: string): string | null {
  // Blanks between the halves of a character are only setting; a full-width one has none there.
  return decoded(text) ?? (/\s/.test(text) ? decoded(text.replace(/\s+/g, '')) : null)
}

function decoded(text: string): string | null {
  const bytes = Buffer.from(Array.from(text, byteOf).map((byte) => (byte === -1 ? 0xff : byte)))
  const high = bytes.filter((byte) => byte >= 0x80).length
  if (high < 4 || bytes.includes(0xff)) return null
  const result = iconv.decode(bytes, 'gb18030')
  if (result.includes('\ufffd') || /\p{Co}/u.test(result) || !iconv.encode(result, 'gb18030').equals(bytes)) return null
  let common = 0
  let wide = 0
  for (let index = 0; index < bytes.length; index++) {
    const lead = bytes[index]!
    if (lead < 0x81) continue
    wide += 1
    // The first level of GB 2312, its punctuation and its full-width letters.
    if ((lead >= 0xb0 && lead <= 0xd7 && bytes[index + 1]! >= 0xa1) || (lead >= 0xa1 && lead <= 0xa3)) common += 1
    index += 1
  }
  return common >= wide * 0.7 ? result : null
}
