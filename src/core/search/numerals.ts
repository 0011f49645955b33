const digits: Record<string, number> = { 〇: 0, 零: 0, 一: 1, 二: 2, 两: 2, 三: 3, 四: 4, 五: 5, 六: 6, 七: 7, 八: 8, 九: 9 }
const small: Record<string, number> = { 十: 10, 百: 100, 千: 1000 }
const large: Record<string, number> = { 万: 10_000, 亿: 100_000_000 }

/** Numerals of cheques and contracts, and short forms, under the plain ones. */
const plainForms: Record<string, string> = {
  ...{ 壹: '一', 贰: '二', 貳: '二', 叁: '三', 參: '三', 肆: '四', 伍: '五', 陆: '六', 陸: '六', 柒: '七', 捌: '八', 玖: '九' },
  ...{ 拾: '十', 佰: '百', 仟: '千', 萬: '万', 億: '亿', 兩: '两', 廿: '二十', 卅: '三十', '○': '〇' },
}

export const hanNumeral = /[〇○零一二两兩三四五六七八九十百千万萬亿億壹贰貳叁參肆伍陆陸柒捌玖拾佰仟廿卅]+/gu

/**
 * The value of a Chinese numeral, read by place (二〇二六) or by unit (一百五十万); null when it is neither, or could be read in
 * two ways (一百二万). A last digit right after a unit of a hundred or more counts the next lower unit: 一百二 is 120 and
 * 一万五 is 15,000, while 一百零二 is 102.
 */
export function valueOfHanNumeral(text: string): number | null {
  const characters = [...text].flatMap((character) => [...(plainForms[character] ?? character)])
  if (characters.length === 0) return null
  if (characters.every((character) => digits[character] !== undefined)) {
    return characters.length > 15 ? null : Number(characters.map((character) => digits[character]).join(''))
  }
  let total = 0
  let section = 0
  let sectionUnit = Infinity
  let lastGroup = Infinity
  let digit: number | null = null
  /** The unit right before the digit; 0 when a zero stands between. */
  let before = 0
  /** 一百万五: five of what, cannot be told. */
  let mayBeShort = true
  for (const character of characters) {
    const value = digits[character]
    const unit = small[character]
    const group = large[character]
    if (value !== undefined) {
      if (digit !== null && digit !== 0) return null
      digit = value
      if (value === 0) before = 0
    } else if (unit !== undefined) {
      if (unit >= sectionUnit || (digit === 0 && section + total === 0)) return null
      section += (digit === null || digit === 0 ? 1 : digit) * unit
      digit = null
      sectionUnit = before = unit
      mayBeShort = true
    } else if (group !== undefined) {
      const inner = section + (digit ?? 0)
      if ((inner === 0 && total === 0) || group === lastGroup) return null
      const isShort = digit !== null && digit !== 0 && before >= 100
      if (isShort && (before < 10_000 || group > before)) return null
      mayBeShort = digit !== null || before < 100
      total = group > 10_000 && total > 0 ? (total + inner) * group : total + inner * group
      section = 0
      digit = null
      sectionUnit = Infinity
      lastGroup = before = group
    } else return null
  }
  if (digit === null || digit === 0 || before < 100) return total + section + (digit ?? 0)
  return mayBeShort ? total + section + (digit * before) / 10 : null
}
