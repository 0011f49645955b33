/** Chinese numerals as spreadsheets write numbers with `[DBNum1]` to `[DBNum3]`. */
export type Numerals = 1 | 2 | 3

const digits: Record<Numerals, string> = { 1: '〇一二三四五六七八九', 2: '零壹贰叁肆伍陆柒捌玖', 3: '０１２３４５６７８９' }
const units: Record<Numerals, readonly string[]> = { 1: ['', '十', '百', '千'], 2: ['', '拾', '佰', '仟'], 3: ['', '十', '百', '千'] }
const groups = ['', '万', '亿', '万亿', '亿亿']

/** Each digit as its numeral. */
export function digitNumerals(text: string, numerals: Numerals): string {
  return text.replace(/\d/g, (digit) => digits[numerals][Number(digit)] ?? digit)
}

/** With its units: 1234 is 一千二百三十四. `isShort`: ten is 十, as in dates, and not 一十. */
export function numeralsOf(whole: string, numerals: Numerals, isShort = false): string {
  const plain = whole.replace(/^0+(?=\d)/, '')
  if (plain.length > groups.length * 4) return digitNumerals(plain, numerals)
  const zero = digits[numerals].charAt(0)
  if (plain === '0') return zero
  let text = ''
  let isGap = false
  for (let left = Math.ceil(plain.length / 4); left > 0; left -= 1) {
    const group = plain.slice(Math.max(0, plain.length - left * 4), plain.length - (left - 1) * 4)
    const before = text.length
    for (const [index, digit] of [...group].entries()) {
      if (digit === '0') {
        isGap = text !== ''
        continue
      }
      if (isGap) text += zero
      isGap = false
      text += digitNumerals(digit, numerals) + (units[numerals][group.length - 1 - index] ?? '')
    }
    if (text.length > before) text += groups[left - 1] ?? ''
  }
  const [one, ten] = [digits[numerals].charAt(1), units[numerals][1] ?? '']
  return isShort && numerals !== 2 && text.startsWith(one + ten) ? text.slice(one.length) : text
}
