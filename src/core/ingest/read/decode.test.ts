import fc from 'fast-check'
import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { decode } from './decode.ts'
import { linesOf } from './lines.ts'

function read(bytes: Uint8Array, size = bytes.length || 1, declared?: string): { text: string; encoding: string; guessed: boolean } {
  const chunks = function* (): Iterable<Uint8Array> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const decoded = decode(chunks, declared)
  return { text: [...decoded.parts].join(''), encoding: decoded.encoding, guessed: decoded.guessed }
}

describe('decoding', () => {
  it('reads a file of four GB18030 bytes', () => {
    expect(read(Buffer.from('b2e2cad4', 'hex'))).toEqual({ text: '测试', encoding: 'gb18030', guessed: false })
  })

  it.each(['utf-8', 'gb18030', 'utf-16le', 'utf-16be'])('reads %s whatever the chunks cut', (encoding) => {
    const text = '合同第1条：租金 1,200 元。𠮷 and plain English…\n'
    const bytes = iconv.encode(text, encoding, { addBOM: encoding.startsWith('utf-16') })
    for (const size of [1, 2, 3, 7, 1000]) expect(read(bytes, size)).toEqual({ text, encoding, guessed: false })
  })

  it('looks at the whole file, not at its first bytes', () => {
    const late = Buffer.concat([Buffer.from('plain ascii\n'.repeat(10_000)), Buffer.from('b2e2cad4', 'hex')])
    expect(read(late, 4096).text.endsWith('测试')).toBe(true)
  })

  it('takes a byte-order mark off and reads UTF-8 before anything else', () => {
    expect(read(Buffer.from('\uFEFF测试'))).toEqual({ text: '测试', encoding: 'utf-8', guessed: false })
  })

  it.each(['caf\xe9\n', 'na\xefve r\xe9sum\xe9', 'broken \x81 byte \xff'])('says that windows-1252 is a guess: %j', (text) => {
    expect(read(Buffer.from(text, 'latin1'))).toMatchObject({ encoding: 'windows-1252', guessed: true })
  })

  it('takes the encoding that a page declares only if it reads', () => {
    const japanese = iconv.encode('これは日本語', 'shift_jis')
    expect(read(japanese, 3, 'shift_jis').text).toBe('これは日本語')
    expect(read(Buffer.from('测试'), 3, 'shift_jis').text).toBe('测试')
    expect(read(Buffer.from('测试'), 3, 'no-such-encoding').text).toBe('测试')
  })
})

describe('lines', () => {
  it('end with CR, LF or CRLF, wherever the parts are cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'bc', '\r', '\n', '\r\n', ''), { maxLength: 30 }),
        fc.integer({ min: 1, max: 5 }),
        (pieces, size) => {
          const text = pieces.join('')
          const parts = Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size))
          const expected = text.split(/\r\n|\r|\n/)
          if (expected.at(-1) === '') expected.pop()
          expect([...linesOf(parts)]).toEqual(expected.map((line, index) => ({ text: line, number: index + 1 })))
        },
      ),
    )
  })

  it('come in parts when they are long, never inside a character', () => {
    const parts = [...linesOf(['𠮷'.repeat(100_000), '𠮷\nnext'])]
    expect(parts.some((part) => /\p{Surrogate}/u.test(part.text))).toBe(false)
    expect(parts.map((part) => part.text).join('')).toBe(`${'𠮷'.repeat(100_001)}next`)
    expect([parts[0]!.number, parts.at(-2)!.number, parts.at(-1)!.number]).toEqual([1, 1, 2])
  })
})
