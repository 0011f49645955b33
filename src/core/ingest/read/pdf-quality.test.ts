import { describe, expect, it } from 'vitest'
import { isGarbled, readsLikeWords, scoreOf } from './pdf-quality.ts'
import { repairedGbk } from './pdf-repair.ts'

const latin1 = (bytes: string): string => Buffer.from(bytes, 'hex').toString('latin1')

describe('text that no font explained', () => {
  it.each([
    ['Chinese bytes as Latin-1', 'È«ÊÀ½çÎÞ²úÕßÁªºÏÆðÀ´'],
    ['them below a good heading', 'Annual report 2018\nÈ«ÊÀ½çÎÞ²úÕß ÁªºÏÆðÀ´'],
    ['replacement characters', 'a\ufffd\ufffdb\ufffd c\ufffd\ufffd'],
    ['private characters', '\ue012\ue013\ue014 \ue015\ue016'],
    ['control characters', 'T\u0003\u0004\u0005 \u0006\u0007\u0001'],
    ['scripts that change from letter to letter', 'ਇก࿆ཋਇ กΩཋ࿆ਇ'],
  ])('%s', (_what, text) => {
    expect(isGarbled(text)).toBe(true)
  })

  it.each([
    ['English', 'The tenant pays the rent on the first day of each month.'],
    ['French', 'Déjà à l’été, où l’âme naïve rêve ; « ça ira ».'],
    ['Swedish and German', 'Ångström, Öl, Äpfel, Übergrößen, Öläußerungen'],
    ['Vietnamese', 'Cộng hòa xã hội chủ nghĩa Việt Nam'],
    ['Czech', 'Příliš žluťoučký kůň úpěl ďábelské ódy'],
    ['Chinese with Latin words', '本公司2018年使用iPhone和WiFi，α系数为0.5。'],
    ['Japanese', 'あいうえお日本語テキスト'],
    ['Korean', '코로나바이러스감염증-19(COVID-19)'],
    ['Russian', 'Договор аренды № 5'],
    ['Arabic', 'عقد الإيجار ٢٠١٨'],
    ['Thai', 'สัญญาเช่า'],
    ['a formula', 'λ = ∑ αᵢ·xᵢ ± √β, ∀x ∈ ℝ'],
    ['one sign that is unknown in a page of text', `Copyright \ufffd 2009. ${'All rights are reserved. '.repeat(4)}`],
  ])('is not %s', (_what, text) => {
    expect(isGarbled(text)).toBe(false)
  })

  it('is worth less than what is read rightly, and than nothing', () => {
    expect(scoreOf('全世界无产者')).toBeGreaterThan(scoreOf('È«ÊÀ½çÎÞ²úÕß'))
    expect(scoreOf('\ufffd\ufffd\ufffd')).toBeLessThan(scoreOf(''))
    expect(scoreOf('abc def')).toBeGreaterThan(scoreOf('abc'))
  })
})

it.each([
  ['The tenant pays the rent', true],
  ['7KH WHQDQW SD\\V WKH UHQW', false],
  ['承租人应当于每月支付租金', true],
  ['承租人應當於每月支付租金', true],
  ['㐁㑳㒪㓏䎱䏝䓣䌸', false],
  ['1,234.50', true],
])('%s: words or numbers of glyphs', (text, are) => {
  expect(readsLikeWords(text)).toBe(are)
})

describe('Chinese bytes that were shown as Latin-1 letters', () => {
  it.each([
    ['È«ÊÀ½çÎÞ²úÕßÁªºÏÆðÀ´', '全世界无产者联合起来'],
    ['µÚ3Õ Ô¼¶¨', null],
    [latin1('b5da33d5c220d4bcb6a8'), '第3章 约定'],
    ['È« ÊÀ ½ç ÎÞ', '全 世 界 无'],
    ['È\u00ab Ê À', '全世'],
    // Windows shows these bytes otherwise than Latin-1.
    ['\u0152\u201eÖÐ¹úÈËÃñ', '寗中国人民'],
  ])('%s', (shown, meant) => {
    const repaired = repairedGbk(shown)
    if (meant === '寗中国人民') expect(repaired?.endsWith('中国人民')).toBe(true)
    else expect(repaired).toBe(meant)
  })

  it.each([
    ['a word of Latin letters', 'Übergrößen'],
    ['French', 'déjà vu'],
    ['rare characters only, which are no text', latin1('8140a0a1fefe9c9d')],
    ['a byte that is missing', latin1('c8abcac0bde7ce')],
    ['Chinese', '全世界'],
  ])('is not %s', (_what, text) => {
    expect(repairedGbk(text)).toBeNull()
  })
})
