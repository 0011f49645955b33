import { afterAll, expect, test } from 'vitest'
import { onePagePdf, pdfStream } from '../../../../test/fixtures/make-pdf.ts'
import { fileReader } from '../../../../test/fixtures/read-file.ts'

const files = fileReader()
afterAll(() => files.close())

const shown = 'BT /F1 12 Tf 50 600 Td (The lease ends in May) Tj ET'
const utf16 = (text: string): string => `<feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`

function annotated(...annotations: string[]): Buffer {
  const numbers = annotations.map((_none, index) => 20 + index)
  const others = Object.fromEntries(annotations.map((body, index) => [20 + index, `<< /Type /Annot /Rect [50 500 90 520] ${body} >>`]))
  const page = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 500 700] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> /Annots [${numbers.map((number) => `${number} 0 R`).join(' ')}] >>`
  return onePagePdf(shown, { 3: page, ...others })
}

test('notes and texts on a page are read and marked as comments, with who wrote them; what stands there already, is hidden or only leads on is not', async () => {
  const { text, end } = await files.read(
    annotated(
      `/Subtype /Text /Contents ${utf16('请核对 日期')} /T ${utf16('李四')}`,
      '/Subtype /FreeText /DA (/Helv 12 Tf) /Contents (Ask the owner)',
      '/Subtype /Highlight /QuadPoints [50 600 90 600 50 610 90 610] /Contents (The lease ends)',
      '/Subtype /Text /F 2 /Contents (unseen)',
      '/Subtype /Link /Contents (a link)',
      '/Subtype /Popup /Contents (a popup)',
    ),
    'a.pdf',
  )
  expect(text).toContain('The lease ends in May')
  expect(text).toContain('Comment (李四): 请核对 日期')
  expect(text.match(/Ask the owner/g)).toHaveLength(1)
  expect(text).not.toMatch(/Comment: The lease|unseen|a link|a popup/)
  expect(end.status).toBe('ready')
})

test('the files that lie in a document are named', async () => {
  const catalog = '<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [(inner.txt) 20 0 R (b) 22 0 R] >> >> >>'
  const spec = (name: string, stream: number): string => `<< /Type /Filespec /F ${name} /UF ${name} /EF << /F ${stream} 0 R >> >>`
  const others = {
    1: catalog,
    20: spec('(inner.txt)', 21),
    21: pdfStream('hello', '/Type /EmbeddedFile'),
    22: spec(utf16('附件.xlsx'), 21),
  }
  const { text } = await files.read(onePagePdf(shown, others), 'a.pdf')
  expect(text).toBe('The lease ends in May\n\nAttached: inner.txt, 附件.xlsx')
})
