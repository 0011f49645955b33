import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import XLSX from '@e965/xlsx'
import { makeMail } from '../fixtures/make-mail.ts'
import { makeDocx, packed, wordParagraph, wordTable } from '../fixtures/make-office.ts'
import { scannedPdf, textPng } from '../fixtures/page-picture.ts'
import { makePdf } from '../fixtures/make-pdf.ts'

/** One document of a kind, and where a citation of what it says must open. */
export interface KindOfDocument {
  name: string
  question: string
  /** Words of the sentence that answers. */
  answer: string
  /** What marks them in the reader. */
  mark: string
  /** The mark is a box over a picture: it has no words. */
  boxed?: true
}

const ports = [
  'Alnmouth',
  'Brixworth',
  'Calderby',
  'Dunholme',
  'Elsfield',
  'Farnley',
  'Gretham',
  'Hexworth',
  'Ingleton',
  'Jevington',
  'Kelby',
]
const more = ['Langport', 'Morvale', 'Netherby', 'Oakmoor', 'Penarth', 'Quorndon', 'Ravensby', 'Silverdale']
const masters =
  'Orla Finch,Piers Holt,Quentin Ames,Rhoda Vance,Silas Crane,Tabitha Moss,Ulric Penn,Verity Lowe,Wilfred Nash,Xenia Boyd,Yorick Dale,Zelda Hart,Amos Reed,Beryl Stone,Cyril Webb,Edgar Frost,Dulcie Marsh,Flora Birch,Gilbert Shaw'.split(
    ',',
  )

const filler = (about: string, count: number): string[] =>
  Array.from(
    { length: count },
    (_none, index) =>
      `Remark ${index + 1} about ${about}: the weather was ${index % 2 === 0 ? 'mild' : 'rough'} and nothing of note arrived that day.`,
  )

const relation = (id: string, type: string, target: string): string =>
  `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`
const slide = (...texts: string[]): string =>
  `<p:sld><p:cSld><p:spTree>${texts
    .map(
      (text, index) =>
        `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${index === 0 ? 'title' : 'body'}"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`,
    )
    .join('')}</p:spTree></p:cSld></p:sld>`

function makeSlides(slides: string[]): Buffer {
  return packed({
    'ppt/presentation.xml': `<p:presentation><p:sldIdLst>${slides.map((_slide, index) => `<p:sldId id="${256 + index}" r:id="rId${index + 1}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': `<Relationships>${slides.map((_slide, index) => relation(`rId${index + 1}`, 'slide', `slides/slide${index + 1}.xml`)).join('')}</Relationships>`,
    ...Object.fromEntries(slides.map((text, index) => [`ppt/slides/slide${index + 1}.xml`, text])),
  })
}

function makeBook(chapters: string[][]): Buffer {
  const items = chapters.map((_chapter, index) => `<item id="c${index}" href="c${index}.xhtml" media-type="application/xhtml+xml"/>`)
  return packed({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="a.opf"/></rootfiles></container>',
    'a.opf': `<package><metadata><dc:title>Ports</dc:title></metadata><manifest>${items.join('')}</manifest><spine>${items.map((_item, index) => `<itemref idref="c${index}"/>`).join('')}</spine></package>`,
    ...Object.fromEntries(
      chapters.map(([title = '', ...texts], index) => [
        `c${index}.xhtml`,
        `<html><body><h1>${title}</h1>${texts.map((text) => `<p>${text}</p>`).join('')}</body></html>`,
      ]),
    ),
  })
}

function makeWorkbook(rows: string[][]): Buffer {
  const book = XLSX.utils.book_new()
  XLSX.utils.book_append_sheet(
    book,
    XLSX.utils.aoa_to_sheet([
      ['Item', 'Price'],
      ['Rope', '12'],
      ['Buoy', '40'],
    ]),
    'Prices',
  )
  XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(rows), 'Masters')
  return XLSX.write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer
}

/** A folder with a document of every kind that has a place of its own, each saying one thing far from its beginning. */
export async function makeKinds(parent: string): Promise<{ folder: string; documents: KindOfDocument[] }> {
  const folder = join(parent, 'Every kind')
  mkdirSync(folder, { recursive: true })
  const documents: KindOfDocument[] = []
  const names = [...ports, ...more]
  /** One more document, which says the sentence. */
  function next(name: string, mark: string, boxed?: true): { sentence: string; port: string; master: string } {
    const port = names[documents.length] ?? ''
    const master = masters[documents.length] ?? ''
    const sentence = `The harbour master of ${port} is ${master}.`
    documents.push({
      name,
      question: `Who is the harbour master of ${port}?`,
      answer: master,
      mark,
      ...(boxed === undefined ? {} : { boxed }),
    })
    return { sentence, port, master }
  }
  async function add(
    name: string,
    mark: string,
    make: (sentence: string, port: string, master: string) => string | Buffer | Promise<string | Buffer>,
    boxed?: true,
  ) {
    const { sentence, port, master } = next(name, mark, boxed)
    writeFileSync(join(folder, name), await make(sentence, port, master))
  }
  const quote = '#reader-body mark[data-kind="quote"]'
  const page = (lines: string[]) => ({ texts: lines.map((text, index) => ({ x: 40, y: 650 - index * 18, text: text.slice(0, 90) })) })
  await add(
    'leaflet.pdf',
    '.pdf-page[data-page="3"] .pdf-quote',
    (sentence, port) =>
      makePdf([page(filler('piers', 25)), page(filler('tides', 25)), page([...filler('boats', 12), sentence, `${port} has two piers.`])]),
    true,
  )
  await add(
    'scan.pdf',
    '.pdf-page[data-page="2"] .pdf-mark',
    (sentence) =>
      scannedPdf([
        ['A page about ropes and knots.', 'Nothing else.'],
        ['Harbours', sentence],
      ]),
    true,
  )
  await add('notice.png', '.pdf-mark', (sentence) => textPng(['Notice', sentence]), true)
  await add('letter.docx', quote, (sentence, port) =>
    makeDocx({
      body: [
        ...filler('letters', 40).map((text) => wordParagraph(text)),
        wordParagraph(`About ${port}`, '<w:pStyle w:val="Heading1"/>'),
        wordParagraph(sentence),
        wordTable([
          ['Pier', 'Length'],
          ['North', '120'],
        ]),
      ].join(''),
      styles: '<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style>',
    }),
  )
  await add('ledger.xlsx', quote, (sentence, port) =>
    makeWorkbook([['Port', 'Remark'], ...filler('ledgers', 120).map((text, index) => [`Port ${index}`, text]), [port, sentence]]),
  )
  await add('table.csv', quote, (sentence, port) =>
    ['port,remark', ...filler('tables', 80).map((text, index) => `Quay ${index},"${text}"`), `${port},"${sentence}"`].join('\n'),
  )
  await add('deck.pptx', quote, (sentence) =>
    makeSlides([...filler('decks', 11).map((text, index) => slide(`Slide ${index + 1}`, text)), slide('Masters', sentence)]),
  )
  await add('book.epub', quote, (sentence) =>
    makeBook([
      ['Opening', ...filler('books', 30)],
      ['Masters', ...filler('chapters', 30), sentence, ...filler('ends', 10)],
    ]),
  )
  await add(
    'page.html',
    quote,
    (sentence) =>
      `<html><body><h1>Ports</h1>${filler('pages', 40)
        .map((text) => `<p>${text}</p>`)
        .join('')}<h2>Masters</h2><p>${sentence}</p></body></html>`,
  )
  await add('notes.md', quote, (sentence) => `# Notes\n\n${filler('notes', 40).join('\n\n')}\n\n## Masters\n\n${sentence}\n`)
  await add('plain.txt', quote, (sentence) => `${filler('plains', 60).join('\n\n')}\n\n${sentence}\n`)
  await add(
    'ports.py',
    // In its colours as well.
    `${quote}[style*="--code-"]`,
    (sentence) =>
      `${filler('code', 40)
        .map((text) => `# ${text}`)
        .join('\n')}\n\n\ndef master():\n    """${sentence}"""\n    return 1 + 2\n`,
  )
  await add('ports.json', quote, (sentence) => JSON.stringify({ remarks: filler('data', 40), master: sentence }, null, 2))
  await add('mail.eml', quote, (sentence) =>
    [
      'From: Ann <ann@example.org>',
      'To: Bob <bob@example.org>',
      'Subject: Masters',
      'Date: Mon, 2 Nov 2026 10:00:00 +0000',
      'Content-Type: text/plain; charset=utf-8',
      '',
      ...filler('mails', 20).flatMap((text) => [text, '']),
      sentence,
      '',
    ].join('\r\n'),
  )
  const annex = next('annex.pdf', '.pdf-page[data-page="2"] .pdf-quote', true)
  const stamp = next('stamp.png', '.pdf-mark', true)
  const rows = next('annex.csv', quote)
  await add('letters.eml', quote, async (sentence) =>
    makeMail(
      [
        { name: 'annex.pdf', bytes: makePdf([page(filler('annexes', 25)), page([...filler('seals', 12), annex.sentence])]) },
        { name: 'stamp.png', bytes: await textPng(['Stamp', stamp.sentence]), type: 'image/png' },
        { name: 'annex.csv', bytes: ['port,remark', `${rows.port},"${rows.sentence}"`].join('\n'), type: 'text/csv' },
      ],
      { subject: 'Letters', body: [...filler('letters', 8), sentence].join('\r\n\r\n') },
    ),
  )
  return { folder, documents }
}
