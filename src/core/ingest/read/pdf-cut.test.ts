import { afterAll, expect, test } from 'vitest'
import { makePdf } from '../../../../test/fixtures/make-pdf.ts'
import { fileReader } from '../../../../test/fixtures/read-file.ts'
import { isCutOff } from './pdf-cut.ts'

const files = fileReader()
afterAll(() => files.close())

const whole = makePdf(['first', 'second', 'third'].map((word) => ({ texts: [{ x: 50, y: 600, text: `The ${word} page of the lease` }] })))
const inPieces = (bytes: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_none, index) => bytes.subarray(index * size, (index + 1) * size))

test('a document that lacks its end is never ready, wherever it was cut', async () => {
  expect((await files.read(whole, 'a.pdf')).end.status).toBe('ready')
  const end = whole.lastIndexOf('startxref')
  for (const cut of [end - 1, whole.indexOf('xref\n'), whole.indexOf('third') + 3]) {
    const read = await files.read(whole.subarray(0, cut), 'a.pdf')
    expect(read.text).toContain('The first page')
    expect(read.end).toMatchObject({ status: 'partial', reason: { code: 'damaged' } })
  }
  const holed = Buffer.concat([whole.subarray(0, end - 1), Buffer.alloc(whole.length - end)])
  expect((await files.read(holed, 'a.pdf')).end).toMatchObject({ status: 'partial', reason: { code: 'damaged' } })
})

test('an end before later parts is that of an earlier state; what somebody appended is no part', () => {
  const later = Buffer.concat([whole, Buffer.from('12 0 obj\n<< >>\nendobj\n')])
  const appended = Buffer.concat([whole, Buffer.from('\n<!-- an object: no obj 5 obj --> junk')])
  for (const size of [7, 100, 1 << 20]) {
    expect(isCutOff(inPieces(whole, size))).toBe(false)
    expect(isCutOff(inPieces(later, size))).toBe(true)
    expect(isCutOff(inPieces(appended, size))).toBe(false)
    expect(isCutOff(inPieces(Buffer.concat([later, Buffer.from('startxref\n9\n%%EOF')]), size))).toBe(false)
  }
})
