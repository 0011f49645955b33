import iconv from 'iconv-lite'
import { afterAll, describe, expect, it } from 'vitest'
import { fileReader } from '../../../../test/fixtures/read-file.ts'
import { decode } from './decode.ts'

const files = fileReader()
afterAll(() => files.close())

function read(bytes: Uint8Array, size = bytes.length, declared?: string) {
  const chunks = function* (): Iterable<Uint8Array> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const { encoding, guessed, mixed, parts } = decode(chunks, declared)
  return { text: [...parts].join(''), encoding, guessed, mixed }
}

const chinese = '乙方应当于收到发票后七个工作日内支付货款，逾期每日加收万分之五。'
const lines = ['甲方：张三', chinese, 'plain English between', '房屋租金每月三千元', '中']

describe('a file of two encodings', () => {
  it.each([
    ['gb18030', lines],
    ['big5', ['乙方應於收到發票後七個工作日內支付貨款。', '會議紀錄：出席人員如附件', 'plain']],
    ['shift_jis', ['会議は月曜日の午前十時から始まります。', 'これは日本語のテストです。']],
    ['euc-kr', ['회의는 월요일 오전에 시작합니다.', '보증금은 두 달 안에 돌려준다.']],
    ['windows-1252', ['Le bail finit en février, et la clé est à rendre.', 'Größe und Gewicht der Pakete', 'é']],
    ['windows-1251', ['Договор аренды вступает в силу с первого дня месяца.', 'Срок договора']],
  ])('is read truly, line by line: UTF-8 and %s', (encoding, texts) => {
    for (const count of [1, 30, 4000]) {
      const whole: string[] = []
      const bytes: Buffer[] = []
      for (let index = 0; index < count; index += 1) {
        for (const [at, text] of texts.entries()) {
          for (const as of at % 2 === index % 2 ? [encoding, 'utf-8'] : ['utf-8', encoding]) {
            whole.push(`${text}\n`)
            bytes.push(iconv.encode(`${text}\n`, as))
          }
        }
      }
      const all = Buffer.concat(bytes)
      for (const size of count > 30 ? [all.length, 1 << 16] : [all.length, 1021, 64, 7]) {
        const found = read(all, size)
        expect([found.text === whole.join(''), found.mixed, found.guessed]).toEqual([true, true, false])
      }
    }
  })

  it('is read truly within one line, and where the parts meet without a break', () => {
    const line = (between: string): Buffer =>
      Buffer.concat([Buffer.from(`${chinese}${between}`), iconv.encode(`${chinese}${between}`, 'gb18030'), Buffer.from(chinese)])
    for (const between of [' | ', ',', ''])
      expect(read(line(between))).toMatchObject({ text: `${chinese}${between}`.repeat(2) + chinese, mixed: true })
  })

  it('is read truly when a page declares one of them', () => {
    const page = Buffer.concat([iconv.encode(`<p>${chinese}</p>\n`, 'gb18030'), Buffer.from(`<p>${chinese}</p>\n`)])
    for (const declared of ['gb18030', 'utf-8', undefined])
      expect(read(page, page.length, declared).text).toBe(`<p>${chinese}</p>\n`.repeat(2))
  })

  it('says so, and is ready', async () => {
    const bytes = Buffer.concat([Buffer.from('合同一\n甲方张三\n'), iconv.encode('合同二\n乙方李四\n', 'gb18030')])
    for (const name of ['notes.txt', 'notes.md', 'notes.csv', 'notes.py']) {
      const { text, end } = await files.read(bytes, name)
      for (const words of ['合同一', '甲方张三', '合同二', '乙方李四']) expect(text).toContain(words)
      expect(end).toMatchObject({ status: 'ready', reason: { code: 'mixed-encodings' } })
    }
  })
})

describe('a file of one encoding', () => {
  const texts = ['联通', '械', '中文', '奶', '镑', '薄熙', '一', '码', '瘰疬', ...chinese]
  it('is never taken for two, though some of its lines would be UTF-8 as well', () => {
    const text = texts.join('\n')
    expect(read(iconv.encode(text, 'gb18030'))).toMatchObject({ text, encoding: 'gb18030', mixed: false })
    const long = `${texts.join('\n')}\n${chinese}\n`.repeat(2000)
    expect(read(iconv.encode(long, 'gb18030'), 1 << 16)).toMatchObject({ mixed: false, guessed: false })
  })

  it('is UTF-8 whatever a page declares', () => {
    for (const declared of ['gb18030', 'iso-8859-1', 'big5', 'shift_jis'])
      expect(read(Buffer.from(chinese), 9, declared).text).toBe(chinese)
  })
})
