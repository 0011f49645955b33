import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { decode } from './decode.ts'
import { kindOf } from './kind.ts'

function read(bytes: Uint8Array, size = 4096): { text: string; encoding: string; guessed: boolean } {
  const chunks = function* (): Iterable<Uint8Array> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const { encoding, guessed, parts } = decode(chunks)
  return { text: [...parts].join(''), encoding, guessed }
}

const simplified = [
  '测试',
  '合同',
  '租金每月三千元',
  '你好，世界！',
  '关于印发《档案管理办法》的通知',
  '会议纪要：张三、李四参加。',
  '姓名,性别,籍贯\n王小明,男,江苏南京\n',
  '乙方应当于收到发票后七个工作日内支付货款。',
  'README 说明\n本软件仅供内部使用。Version 2.1\n',
  '床前明月光，疑是地上霜。举头望明月，低头思故乡。',
  '二〇二六年十一月三十日',
  '键盘和鼠标坏了，请尽快更换。',
]
const traditional = [
  '測試檔案的內容',
  '租賃契約書',
  '您好，歡迎光臨本公司網站',
  '乙方應於收到發票後七個工作日內支付貨款。',
  '臺北市政府教育局公文',
  '這是一個繁體中文的檔案，請確認編碼是否正確。',
  '姓名,性別,電話\n陳大文,男,02-2345\n',
  '會議紀錄：出席人員如附件',
]
const japanese = [
  'これは日本語のテストです。',
  '東京都千代田区',
  '契約書の第一条に定める。',
  'ご利用ありがとうございます。',
  'カタカナとひらがな',
  '会議は月曜日の午前十時から始まります。',
]
const korean = [
  '안녕하세요',
  '이 문서는 한국어로 작성되었습니다.',
  '계약서',
  '보증금은 두 달 안에 돌려준다.',
  '서울특별시 강남구',
  '회의는 월요일 오전에 시작합니다.',
]

const written: [string, readonly string[]][] = [
  ['gb18030', simplified],
  ['big5', traditional],
  ['shift_jis', japanese],
  ['euc-jp', japanese.filter((text) => text.length > 6)],
  ['euc-kr', korean],
  ['utf-16le', [...simplified, ...traditional, ...korean].filter((text) => /[\n ,:]/.test(text))],
  ['utf-16be', [...simplified, ...japanese, ...korean].filter((text) => /[\n ,:]/.test(text))],
]

describe('encodings by content', () => {
  it.each(written.flatMap(([encoding, texts]) => texts.map((text) => [encoding, text] as const)))('%s: %j', (encoding, text) => {
    const bytes = iconv.encode(text, encoding, { addBOM: false })
    expect(iconv.decode(bytes, encoding)).toBe(text)
    expect(read(bytes).text).toBe(text)
  })

  it.each(written)('%s: long, mixed, late and cut at any border, and never called a guess', (encoding, texts) => {
    const lines = [...texts, 'plain English between, 1,234.50 and more', '<p>', '{"a": 1}'].join('\n')
    for (const text of [lines.repeat(40), `${'plain ascii line\n'.repeat(600)}${texts.join('\n')}`]) {
      const bytes = iconv.encode(text, encoding, { addBOM: false })
      for (const size of [bytes.length, 4096, 1021]) {
        const found = read(bytes, size)
        expect([found.text === text, found.encoding, found.guessed]).toEqual([true, encoding, false])
      }
    }
  })

  it('one broken byte in a long file spoils one character, not the file', () => {
    const text = simplified.join('\n').repeat(50)
    for (const encoding of ['gb18030', 'utf-8']) {
      const whole = iconv.encode(text, encoding)
      const broken = Buffer.concat([whole, Buffer.from([0xff, 0x0a]), whole])
      const found = read(broken)
      expect([found.encoding, found.guessed, found.text.startsWith(text)]).toEqual([encoding, true, true])
    }
  })

  it.each(['caf\xe9 au lait, d\xe9j\xe0 vu, na\xefve', 'He said \x93hello\x94 \x96 and left. It\x92s over.', 'Gr\xf6\xdfe und M\xfcnchen'])(
    'Western text of one byte a letter is not taken for Chinese: %j',
    (text) => expect(read(Buffer.from(text, 'latin1')).encoding).toBe('windows-1252'),
  )

  it.each([
    'Le bail prend effet le 1er février ; la clé est à rendre à la fin, c’est-à-dire en août.',
    'Où êtes-vous ? L’été est déjà là et les élèves sont à l’école.',
    'Die Miete beträgt 1.200 € und ist bis zum dritten Werktag fällig.',
    'El señor Muñoz firmó el contrato de alquiler en España.',
    'Não há avaliação para a proposta com preço.',
    'La città è più bella che non sia la verità.',
    'He said “hello” – and left. It’s over.',
  ])('Western text is read for certain: %s', (text) => {
    const bytes = iconv.encode(text, 'windows-1252')
    for (const whole of [bytes, Buffer.concat([Buffer.from('plain words and more\n'.repeat(3000)), bytes])])
      expect(read(whole)).toMatchObject({ encoding: 'windows-1252', guessed: false })
    expect(read(bytes).text).toBe(text)
  })

  it.each([
    ['Příliš žluťoučký kůň úpěl ďábelské ódy', 'windows-1250'],
    ['Zażółć gęślą jaźń, proszę bardzo', 'windows-1250'],
    ['Bugün hava çok güzel, değil mi? Işık şaşırdı', 'windows-1254'],
  ])('what is in none of the known encodings is called a guess: %s', (text, encoding) => {
    expect(read(iconv.encode(text, encoding)).guessed).toBe(true)
  })

  const short: [string, string[]][] = [
    ['big5', '測試 合約 契約 會議 資料 臺灣 公司 文件 檔案 電話 地址 姓名 發票 銀行 時間 問題 學校 國家 經濟 報告'.split(' ')],
    ['gb18030', '测试 合同 会议 资料 公司 文件 电话 地址 姓名 发票 银行 时间 问题 学校 国家 经济 报告 联通 中文 说明'.split(' ')],
    ['utf-8', '测试 合同 會議 テスト 회의 été 中'.split(' ')],
    ['utf-16le', '测试 合同 会议 公司文件 測試 這是中文'.split(' ')],
    ['utf-16be', '测试 合同 会议 公司文件 測試 這是中文'.split(' ')],
  ]
  it.each(short.flatMap(([encoding, words]) => words.map((word) => [encoding, word] as const)))(
    'so little is enough, or called a guess: %s %s',
    (encoding, word) => {
      const found = read(iconv.encode(word, encoding, { addBOM: false }), 1)
      expect(found.text === word || found.guessed, found.text).toBe(true)
    },
  )

  it('most words of two characters are read rightly', () => {
    const wrong = short.flatMap(([encoding, words]) =>
      words.filter((word) => read(iconv.encode(word, encoding, { addBOM: false })).text !== word),
    )
    // In Big5 it is two letters of Japanese as well.
    expect(wrong).toEqual(['文件'])
  })

  it.each(written)('%s: every length from its first characters on', (encoding, texts) => {
    const text = texts.join('，')
    for (let length = 6; length <= 60; length += 3) {
      const part = text.slice(0, length)
      const found = read(iconv.encode(part, encoding, { addBOM: false }), 5)
      expect(found.text === part || found.guessed, `${length}: ${found.text}`).toBe(true)
    }
  })

  it('Russian of one byte a letter is read', () => {
    const text = 'Договор аренды вступает в силу с первого дня месяца.'
    expect(read(iconv.encode(text, 'windows-1251'))).toMatchObject({ text, encoding: 'windows-1251' })
  })

  it('wide text without a mark is text, and zeros and noise are not', () => {
    const peek = (bytes: Buffer) => ({
      name: 'a',
      sizeBytes: bytes.length,
      at: (from: number, count: number) => bytes.subarray(from, from + count),
    })
    for (const encoding of ['utf-16le', 'utf-16be']) {
      for (const text of ['plain English words', 'mixed 中文 and words\n']) {
        expect(kindOf('a', peek(iconv.encode(text, encoding, { addBOM: false })))).toBe('text')
      }
    }
    let seed = 7
    const noise = Buffer.from(Array.from({ length: 4096 }, () => ((seed = (seed * 1103515245 + 12345) & 0x7fffffff) >> 16) & 255))
    const words = Buffer.alloc(4000)
    for (let at = 0; at < words.length; at += 4) words.writeUInt32LE(at * 7, at)
    for (const bytes of [noise, words, Buffer.alloc(512), Buffer.from('abc\0\0\0def\0\0')]) expect(kindOf('a', peek(bytes))).toBe('unknown')
  })
})
