/** A folder of files that are made to harm whoever opens them. */
import { execFileSync } from 'node:child_process'
import { truncateSync, writeFileSync } from 'node:fs'
import { platform } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { book, deck, laugh, laughs, lying, sheet } from '../test/fixtures/hostile-files.ts'
import { makeDocx, packed, wordParagraph } from '../test/fixtures/make-office.ts'
import { assemblePdf, onePagePdf, pdfStream } from '../test/fixtures/make-pdf.ts'

const million = 1_000_000
const gigabyte = 1 << 30
const terabyte = 2 ** 40

/** Of pages that all show the same words. */
function pages(kids: string, count: number): Buffer {
  return assemblePdf(
    new Map<number, Buffer | string>([
      [1, '<< /Type /Catalog /Pages 2 0 R >>'],
      [2, `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`],
      [3, '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 500 700] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>'],
      [4, pdfStream('BT /F1 12 Tf 50 600 Td (The words of a page) Tj ET')],
      [5, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'],
      [6, '<< /Type /Pages /Kids [2 0 R] /Count 5 >>'],
    ]),
  )
}

const files: Record<string, () => Buffer | string> = {
  'bomb.docx': () => packed({ 'word/document.xml': Buffer.alloc(300 << 20) }),
  'bomb.xlsx': () => sheet(Buffer.alloc(300 << 20)),
  'bomb.pptx': () => deck(Buffer.alloc(300 << 20)),
  'bomb.epub': () => book(Buffer.alloc(300 << 20)),
  'lies.docx': () => lying(packed({ 'word/document.xml': Buffer.alloc(300 << 20) })),
  'lies.pptx': () => lying(deck(Buffer.alloc(300 << 20))),
  'lies.epub': () => lying(book(Buffer.alloc(300 << 20))),
  'laughs.docx': () => packed({ 'word/document.xml': `${laughs}<w:p><w:t>x${laugh}y</w:t></w:p>` }),
  'laughs.xlsx': () => sheet(`${laughs}<sst><si><t>x${laugh}y</t></si></sst>`),
  'laughs.xml': () => `${laughs}<a>x${laugh}y</a>`,
  'slips.docx': () => packed({ '../../../slipped.txt': 'outside', 'word/document.xml': '<w:p><w:t>inside only</w:t></w:p>' }),
  'deep.html': () => `${'<div>'.repeat(10_000)}deep words`,
  'deeper.html': () => `${'<div>'.repeat(million)}deep words`,
  'deep.json': () => '['.repeat(million),
  'deep.xml': () => '<a>'.repeat(million),
  'deep.docx': () => packed({ 'word/document.xml': '<w:sdt>'.repeat(million) }),
  'parts.docx': () => makeDocx({ body: wordParagraph('word').repeat(100_000) }),
  'cell.xlsx': () => sheet(`<sst><si><t>${'cell '.repeat(20 * million)}</t></si></sst>`),
  'cell.csv': () => `a,b\n"${'cell '.repeat(20 * million)}",2\n`,
  'line.txt': () => 'word '.repeat(40 * million),
  'line.md': () => 'word '.repeat(40 * million),
  'line-zh.txt': () => '这是一行很长的文字没有换行'.repeat(5_200_000),
  'line.json': () => `{"a":"${'word '.repeat(40 * million)}"}`,
  'million.pdf': () => pages('3 0 R '.repeat(million), million),
  'claims.pdf': () => pages('3 0 R', million),
  'cycle.pdf': () => pages('3 0 R 6 0 R', 6),
  'bomb.pdf': () => onePagePdf(pdfStream(deflateSync(Buffer.alloc(gigabyte, 'BT (x) Tj ET\n')), '/Filter /FlateDecode')),
  'nested.pdf': () => {
    const packedThrice = deflateSync(deflateSync(deflateSync(Buffer.alloc(gigabyte, ' '))))
    return onePagePdf(pdfStream(packedThrice, '/Filter [/FlateDecode /FlateDecode /FlateDecode]'))
  },
  'filters.pdf': () => onePagePdf(pdfStream('BT ET', `/Filter [${'/FlateDecode '.repeat(5000)}]`)),
  'blanks.md': () => `[${' '.repeat(million)}\n${'> '.repeat(50_000)}\n${'`'.repeat(100_000)}\n${'|'.repeat(100_000)}\n`,
  'signs.txt': () => `${'，'.repeat(million)}\n${'1.'.repeat(500_000)}\n${'《'.repeat(million)}\n`,
  'good.md': () => 'The good document among them.',
}

export function makeHostileFiles(folder: string): void {
  for (const [name, make] of Object.entries(files)) writeFileSync(join(folder, name), make())
  for (const name of ['sparse.txt', 'sparse.pdf', 'sparse.csv']) {
    writeFileSync(join(folder, name), '')
    truncateSync(join(folder, name), terabyte)
  }
  if (platform() !== 'win32') execFileSync('mkfifo', [join(folder, 'pipe.txt')])
}
