import { wrong } from './calculate-numbers.ts'

/** What stands for a currency beside a number, in the order in which it is looked for. */
const currencies: [RegExp, string][] = [
  [/(?:US\$|\$|\bUSD\b|美元|美金|(?<=\d\s*)(?:US )?dollars?\b)/giu, 'USD'],
  [
    /(?:[¥￥]|\b(?:CNY|RMB)\b|人民币|(?<![美欧日港澳台新加])(?<=[\d一二两三四五六七八九十百千万亿半]\s*)(?:元|块钱?)|(?<=\d\s*)yuan\b)/giu,
    '¥',
  ],
  [/(?:€|\bEUR\b|欧元|(?<=\d\s*)euros?\b)/giu, '€'],
  [/(?:£|\bGBP\b|英镑|(?<=\d\s*)pounds sterling\b)/giu, '£'],
  [/(?:\bJPY\b|日元)/giu, 'JPY'],
  [/(?:HK\$|\bHKD\b|港元|港币)/giu, 'HKD'],
  [/(?:₩|\bKRW\b|韩元)/giu, 'KRW'],
  [/(?:₹|\bINR\b|卢比)/giu, 'INR'],
  [/(?:\bCHF\b|瑞士法郎)/giu, 'CHF'],
  [/(?:\bAUD\b|\bCAD\b|\bSGD\b|\bTWD\b|新台币)/giu, 'that currency'],
]

/** The expression without the signs of its one currency. Throws where there are several: no rate is known here. */
export function withoutCurrency(expression: string): { expression: string; currency: string | null } {
  let plain = expression.normalize('NFC')
  const found: string[] = []
  // Hong Kong dollars hold the sign of dollars.
  for (const [pattern, name] of [...currencies].sort((one, other) => Number(other[1] === 'HKD') - Number(one[1] === 'HKD'))) {
    const without = plain.replace(pattern, ' ')
    if (without !== plain) found.push(name)
    plain = without
  }
  if (found.length > 1)
    throw wrong(
      `${found.join(' and ')} are different currencies, and no exchange rate is known here. Calculate each alone, or multiply by a rate from a source.`,
    )
  return found.length === 0 ? { expression, currency: null } : { expression: plain, currency: found[0]! }
}
