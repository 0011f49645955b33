/** The same text in the formats that are compared. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { chromiumPath } from '../test/fakes/chromium.ts'
import { makeDocx, packed, wordParagraph } from '../test/fixtures/make-office.ts'
import { assemblePdf, makePdf, pdfStream, type PdfText } from '../test/fixtures/make-pdf.ts'

export interface PlacedText {
  text: string
  page: number
}

export interface Made {
  name: string
  bytes: Buffer | string
  /** Of each paragraph, its lines; absent: the format has no pages, or who made it does not say which. */
  lines?: PlacedText[][]
  /** Pages that are pictures. */
  pages?: number
}

/** The text as every format has it: what a font without embedded letters cannot show is left out of all. */
export function plainText(text: string, chinese: boolean): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  if (chinese) return flat.normalize('NFKC').replace(/[^\u0020-\u007e\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]/g, '')
  return flat
    .normalize('NFKD')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[–—]/g, '-')
    .replace(/[^\u0020-\u007e]/g, '')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function wrapped(text: string, most: number, chinese: boolean): string[] {
  if (chinese) return text.match(new RegExp(`.{1,${most}}`, 'gu')) ?? []
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length + 1 > most) {
      lines.push(line)
      line = ''
    }
    line = line === '' ? word : `${line} ${word}`
  }
  if (line !== '') lines.push(line)
  return lines
}

interface LaidOut {
  pages: { texts: PdfText[] }[]
  /** Of each paragraph, its lines. */
  lines: PlacedText[][]
}

/** Pages of 500 by 700 points. */
function laidOut(paragraphs: readonly string[], columns: 1 | 2, chinese: boolean): LaidOut {
  const most = chinese ? (columns === 1 ? 40 : 19) : columns === 1 ? 78 : 36
  const pages: { texts: PdfText[] }[] = [{ texts: [] }]
  let column = 0
  let y = 650
  const lines = paragraphs.map((paragraph) => {
    const own: PlacedText[] = []
    for (const text of wrapped(paragraph, most, chinese)) {
      if (y < 60) {
        y = 650
        column += 1
        if (column === columns) {
          column = 0
          pages.push({ texts: [] })
        }
      }
      pages.at(-1)!.texts.push({ x: 40 + column * 220, y, text, size: 10, font: chinese ? 'chinese' : 'latin' })
      own.push({ text, page: pages.length })
      y -= 14
    }
    y -= 10
    return own
  })
  return { pages, lines }
}

function pdf(paragraphs: readonly string[], columns: 1 | 2, chinese: boolean): Made {
  const { pages, lines } = laidOut(paragraphs, columns, chinese)
  return { name: 'a.pdf', bytes: makePdf(pages), lines }
}

const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--hide-scrollbars']

function withPage<Result>(html: string, work: (url: string, directory: string) => Result): Result {
  const directory = mkdtempSync(join(tmpdir(), 'siku-format-'))
  try {
    writeFileSync(join(directory, 'page.html'), `<meta charset="utf-8">${html}`)
    return work(`file://${join(directory, 'page.html')}`, directory)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function runChromium(args: readonly string[]): void {
  if (chromiumPath === null) throw new Error('printed and scanned pages need a Chromium: SIKU_CHROMIUM names it')
  execFileSync(chromiumPath, [...flags, ...args], { stdio: 'ignore', timeout: 120_000 })
}

/** As a browser prints it: justified columns, broken words, the letters that are used in the file. */
function printed(paragraphs: readonly string[], chinese: boolean): Made {
  const style =
    'body{columns:2;column-gap:24pt;font:10pt/1.4 "DejaVu Serif","Noto Serif CJK SC";text-align:justify;hyphens:auto}p{margin:0 0 8pt}@page{size:A5;margin:40pt}'
  const body = paragraphs.map((text) => `<p>${escaped(text)}</p>`).join('')
  const html = `<html lang="${chinese ? 'zh-CN' : 'en'}"><style>${style}</style><body>${body}`
  const bytes = withPage(html, (url, directory) => {
    const path = join(directory, 'page.pdf')
    runChromium(['--no-pdf-header-footer', `--print-to-pdf=${path}`, url])
    return readFileSync(path)
  })
  return { name: 'a.pdf', bytes }
}

/** At 200 dots per inch. */
const scan = { scale: 200 / 72, width: 500, height: 700 }

async function scanned(paragraphs: readonly string[], chinese: boolean): Promise<Made> {
  const { pages, lines } = laidOut(paragraphs, 1, chinese)
  const [width, height] = [Math.round(scan.width * scan.scale), Math.round(scan.height * scan.scale)]
  const drawn = pages.map(({ texts }, index) => {
    const spans = texts.map(
      ({ x, y, text, size }) => `<text x="${x}" y="${scan.height - y + index * scan.height}" font-size="${size}">${escaped(text)}</text>`,
    )
    return spans.join('')
  })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height * pages.length}" viewBox="0 0 ${scan.width} ${scan.height * pages.length}" font-family="DejaVu Sans Condensed, Noto Sans CJK SC">${drawn.join('')}</svg>`
  const png = withPage(`<style>body{margin:0}</style>${svg}`, (url, directory) => {
    const path = join(directory, 'page.png')
    runChromium([`--window-size=${width},${height * pages.length}`, `--screenshot=${path}`, url])
    return readFileSync(path)
  })
  const pictures: Buffer[] = []
  for (let index = 0; index < pages.length; index += 1)
    pictures.push(
      await sharp(png)
        .extract({ left: 0, top: index * height, width, height })
        .greyscale()
        .jpeg({ quality: 70 })
        .toBuffer(),
    )
  return { name: 'a.pdf', bytes: picturePdf(pictures, width, height), lines, pages: pages.length }
}

function picturePdf(pictures: readonly Buffer[], width: number, height: number): Buffer {
  const objects = new Map<number, Buffer | string>([
    [1, '<< /Type /Catalog /Pages 2 0 R >>'],
    [2, `<< /Type /Pages /Count ${pictures.length} /Kids [${pictures.map((_, index) => `${3 + index * 3} 0 R`).join(' ')}] >>`],
  ])
  const size = `/Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /DCTDecode`
  pictures.forEach((picture, index) => {
    const number = 3 + index * 3
    const resources = `/Resources << /XObject << /P ${number + 2} 0 R >> >>`
    objects.set(
      number,
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${scan.width} ${scan.height}] ${resources} /Contents ${number + 1} 0 R >>`,
    )
    objects.set(number + 1, pdfStream(`q ${scan.width} 0 0 ${scan.height} 0 0 cm /P Do Q`))
    objects.set(number + 2, pdfStream(picture, `/Type /XObject /Subtype /Image ${size}`))
  })
  return assemblePdf(objects)
}

/** The fonts of the first two PDFs are not in the file. */
export const formats: Record<string, (paragraphs: readonly string[], chinese: boolean) => Made | Promise<Made>> = {
  text: (paragraphs) => ({ name: 'a.txt', bytes: paragraphs.join('\n\n') }),
  markdown: (paragraphs) => ({ name: 'a.md', bytes: paragraphs.join('\n\n') }),
  docx: (paragraphs) => ({ name: 'a.docx', bytes: makeDocx({ body: paragraphs.map((each) => wordParagraph(escaped(each))).join('') }) }),
  html: (paragraphs) => ({
    name: 'a.html',
    bytes: `<meta charset="utf-8"><body>${paragraphs.map((each) => `<p>${escaped(each)}</p>`).join('\n')}`,
  }),
  epub: (paragraphs) => ({
    name: 'a.epub',
    bytes: packed({
      mimetype: 'application/epub+zip',
      'META-INF/container.xml': '<container><rootfiles><rootfile full-path="a.opf"/></rootfiles></container>',
      'a.opf':
        '<package><metadata/><manifest><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c"/></spine></package>',
      'c.xhtml': `<html><body>${paragraphs.map((each) => `<p>${escaped(each)}</p>`).join('')}</body></html>`,
    }),
  }),
  'pdf, one column': (paragraphs, chinese) => pdf(paragraphs, 1, chinese),
  'pdf, two columns': (paragraphs, chinese) => pdf(paragraphs, 2, chinese),
  'pdf, printed': printed,
  'pdf, scanned': scanned,
}
