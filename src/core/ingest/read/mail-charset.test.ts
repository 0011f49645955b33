import iconv from 'iconv-lite'
import { afterAll, expect, test } from 'vitest'
import { fileReader } from '../../../../test/fixtures/read-file.ts'
import { legibleMessage } from './mail-charset.ts'

const files = fileReader()
const { read } = files
afterAll(() => files.close())

const body = '正文没有声明编码，全部是国标码。请在三月五日之前查收这封信，并回复是否收到。'
const head = (...lines: string[]): string => ['From: a@b.c', 'Date: Tue, 5 Mar 2024 10:00:00 +0800', ...lines, '', ''].join('\r\n')

async function mail(bytes: Buffer): Promise<string> {
  const { text } = await read(bytes, 'a.eml')
  return text.split('\n\n').slice(1).join('\n\n')
}

test('a head and a text that declare nothing are read by their content', async () => {
  const message = iconv.encode(head('Subject: 没有编码的主题') + body, 'gbk')
  const { text, end } = await read(message, 'a.eml')
  expect(end).toMatchObject({ status: 'ready', title: '没有编码的主题' })
  expect(text).toContain(body)
})

test.each([
  ['Latin-1 that is UTF-8', 'Content-Type: text/plain; charset=iso-8859-1', 'utf-8'],
  ['ASCII that is UTF-8', 'Content-Type: text/plain; charset="us-ascii"', 'utf-8'],
  ['Latin-1 that is GBK', 'Content-Type: text/plain; charset=iso-8859-1', 'gbk'],
  ['UTF-8 that is GBK', 'Content-Type: text/plain; charset=utf-8', 'gbk'],
  ['GBK that is UTF-8', 'Content-Type: text/plain; charset=gb2312', 'utf-8'],
  ['a name that nobody knows', 'Content-Type: text/plain; charset=x-strange', 'gbk'],
])('declared is %s', async (_what, type, encoding) => {
  expect(await mail(iconv.encode(head('Subject: s', type) + body, encoding))).toBe(body)
  const packed = iconv.encode(body, encoding).toString('base64')
  expect(await mail(Buffer.from(head('Subject: s', type, 'Content-Transfer-Encoding: base64') + packed))).toBe(body)
})

test('Latin-1 that is Latin-1 stays it', async () => {
  const letter = 'Der Vertrag läuft bis zum 31. März, die Kündigungsfrist beträgt drei Monate für beide Seiten.'
  expect(await mail(iconv.encode(head('Subject: s', 'Content-Type: text/plain; charset=iso-8859-1') + letter, 'latin1'))).toBe(letter)
})

test('parts are told one by one, quoted-printable as well; an attachment and what is right stay byte for byte', async () => {
  const quoted = [...iconv.encode(body, 'gbk')].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
  const message = Buffer.concat([
    Buffer.from(`${head('Subject: s', 'MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary="b"')}before\r\n--b\r\n`),
    Buffer.from(`Content-Type: text/plain\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${quoted}\r\n--b\r\n`),
    iconv.encode(`Content-Type: text/html\r\n\r\n<meta charset="gbk"><p>网页的正文在这里</p>\r\n--b\r\n`, 'gbk'),
    iconv.encode(
      `Content-Type: text/plain; name=a.txt\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\n${body}\r\n--b--\r\n`,
      'gbk',
    ),
  ])
  const { bytes } = legibleMessage(message)
  expect(bytes.toString()).toContain(body)
  expect(bytes.toString()).toContain('网页的正文在这里')
  expect(bytes.includes(iconv.encode(`filename=a.txt\r\n\r\n${body}\r\n--b--\r\n`, 'gbk'))).toBe(true)
  const right = Buffer.from(`${head('Subject: s', 'Content-Type: text/plain; charset=utf-8')}${body}`)
  expect(legibleMessage(right).bytes).toBe(right)
  expect(legibleMessage(Buffer.alloc(0)).bytes).toHaveLength(0)
})

test('a subject that says another encoding than it is in', async () => {
  const subject = `=?iso-8859-1?B?${Buffer.from('租约续期').toString('base64')}?=`
  expect((await read(head(`Subject: ${subject}`) + 'x', 'a.eml')).end.title).toBe('租约续期')
})

test('Chinese in seven bits, and a quotation that goes on in its next line', async () => {
  expect(await mail(Buffer.from(head('Subject: s', 'Content-Type: text/plain; charset=hz-gb-2312') + 'a ~{::WV1`Bk~} b ~~'))).toBe(
    'a 汉字编码 b ~',
  )
  const flowed =
    head('Subject: s', 'Content-Type: text/plain; charset=utf-8; format=flowed') + '> quoted text \r\n> goes on\r\nmine 我 \r\nas well'
  expect(await mail(Buffer.from(flowed))).toBe('> quoted text goes on\nmine 我 as well')
})

test('a saved page is read in the encoding that the page itself declares', async () => {
  const saved = `MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="b"\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<html><head><meta charset="gbk"></head><body><p>网页标题</p></body></html>\r\n--b--\r\n`
  expect((await read(iconv.encode(saved, 'gbk'), 'a.mhtml')).text).toBe('网页标题')
})

test.each([
  ['您的邮件客户端不支持HTML，请使用支持HTML的客户端查看。', true],
  ['To view this message, please use an HTML compatible email viewer.', true],
  ['Dear customer, your bill of this month is ready, please look at it.', true],
  ['Due: 3456.78, to be paid by 2024-03-25. See you.', false],
])('of two versions of a message the one that says something is read: %s', async (plain, isPage) => {
  const message = `${head('Subject: s', 'Content-Type: multipart/alternative; boundary=b')}--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${plain}\r\n--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>Your bill of this month: 3,456.78 in all, to be paid by the day 2024-03-25.</p>\r\n--b--\r\n`
  expect((await mail(Buffer.from(message))).startsWith('Your bill')).toBe(isPage)
})
