import { afterAll, expect, test } from 'vitest'
import { fileReader } from '../../../../test/fixtures/read-file.ts'
import { packed } from '../../../../test/fixtures/make-office.ts'

const files = fileReader()
const { read } = files
afterAll(() => files.close())

const shape = (type: string, ...paragraphs: string[]): string =>
  `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr><p:txBody>${paragraphs.map((text) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`).join('')}</p:txBody></p:sp>`

const relation = (id: string, type: string, target: string): string =>
  `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`

function makePptx(slides: string[], order: number[], more: Record<string, string> = {}): Buffer {
  const parts: Record<string, string> = {
    'ppt/presentation.xml': `<p:presentation><p:sldIdLst>${order.map((number) => `<p:sldId id="${255 + number}" r:id="rId${number}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': `<Relationships>${[...new Set([...slides.keys(), ...order.map((number) => number - 1)])].map((index) => relation(`rId${index + 1}`, 'slide', `slides/slide${index + 1}.xml`)).join('')}</Relationships>`,
    ...more,
  }
  for (const [index, slide] of slides.entries())
    parts[`ppt/slides/slide${index + 1}.xml`] = `<p:sld><p:cSld><p:spTree>${slide}</p:spTree></p:cSld></p:sld>`
  return packed(parts)
}

test('slides come in the order in which they are shown, not by their names, and a hidden 10 is not before 2', async () => {
  const slides = Array.from({ length: 12 }, (_none, index) => shape('title', `Slide ${index + 1}`))
  const order = [1, 2, 10, 3, 4, 5, 6, 7, 8, 9, 11, 12]
  const { sections, kind, end } = await read(makePptx(slides, order), 'deck.pptx')
  expect([kind, end.pages, end.title]).toEqual(['slides', 12, 'Slide 1'])
  expect(sections.map(({ text }) => text)).toEqual(order.map((number) => `Slide ${number}`))
  expect(sections[2]?.place).toEqual({ kind: 'slide', slide: 3 })
  const unlisted = await read(makePptx(slides, []), 'unlisted.pptx')
  expect(unlisted.sections.map(({ text }) => text)).toEqual(slides.map((_slide, index) => `Slide ${index + 1}`))
})

test('a slide gives its title, body, tables and notes, and leaves out numbers and dates', async () => {
  const cell = (text: string, properties = ''): string =>
    `<a:tc ${properties}><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`
  const table = `<p:graphicFrame><a:tbl><a:tr>${cell('城市')}${cell('人口')}</a:tr><a:tr>${cell('南京')}${cell('940')}</a:tr><a:tr>${cell('', 'vMerge="1"')}${cell('941')}</a:tr></a:tbl></p:graphicFrame>`
  const slide = shape('title', '市场') + shape('body', 'first', 'second') + table + shape('sldNum', '7') + shape('ftr', 'confidential')
  const more = {
    'ppt/slides/_rels/slide1.xml.rels': `<Relationships>${relation('rId2', 'notesSlide', '../notesSlides/notesSlide1.xml')}</Relationships>`,
    'ppt/notesSlides/notesSlide1.xml': `<p:notes>${shape('body', 'Say this aloud.')}${shape('sldNum', '7')}</p:notes>`,
  }
  const { sections } = await read(makePptx([slide], [1], more), 'deck.pptx')
  expect(sections.map(({ text }) => text)).toEqual([
    '市场\n\n- first\n- second\n\n城市 | 人口\n城市: 南京 | 人口: 940\n城市: 南京 | 人口: 941\n\nNotes: Say this aloud.',
  ])
})

test('a hidden slide is read and marked; tables keep their place and their header; formulas and comments are read', async () => {
  const cell = (text: string, properties = ''): string =>
    `<a:tc ${properties}><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`
  const row = (...cells: string[]): string => `<a:tr>${cells.join('')}</a:tr>`
  const table = `<p:graphicFrame><a:tbl><a:tblPr firstRow="1"/>${row(cell('名称'), cell('说明'), cell('备注'))}${row(cell('甲', 'gridSpan="2"'), cell('', 'hMerge="1"'), cell('乙'))}</a:tbl></p:graphicFrame>`
  const formula =
    '<a14:m><m:oMathPara><m:oMath><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath></m:oMathPara></a14:m>'
  const body = `<mc:AlternateContent><mc:Choice Requires="a14"><p:sp><p:txBody><a:p><a:r><a:t>f = </a:t></a:r>${formula}</a:p></p:txBody></p:sp></mc:Choice><mc:Fallback><p:sp/></mc:Fallback></mc:AlternateContent>`
  const more = {
    'ppt/slides/slide2.xml': `<p:sld show="0"><p:cSld><p:spTree>${shape('body', 'unseen')}</p:spTree></p:cSld></p:sld>`,
    'ppt/slides/_rels/slide1.xml.rels': `<Relationships>${relation('rId2', 'comments', '../comments/comment1.xml')}${relation('rId3', 'diagramData', '../diagrams/data1.xml')}</Relationships>`,
    'ppt/comments/comment1.xml': '<p:cmLst><p:cm authorId="0"><p:text>Is this so?</p:text></p:cm></p:cmLst>',
    'ppt/diagrams/data1.xml': '<dgm:dataModel><dgm:pt><dgm:t><a:p><a:r><a:t>step one</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:dataModel>',
  }
  const bytes = makePptx([table + body], [1, 2], more)
  const { sections } = await read(bytes, 'deck.pptx')
  expect(sections.map(({ text }) => text)).toEqual([
    '名称 | 说明 | 备注\n名称 / 说明: 甲 | 备注: 乙\n\nf = x^2\n\nstep one\n\nComment: Is this so?',
    'Hidden slide\n\nunseen',
  ])
})

test('an open presentation gives its pages with titles and notes', async () => {
  const page = (title: string, body: string, notes: string): string =>
    `<draw:page><draw:frame presentation:class="title"><draw:text-box><text:p>${title}</text:p></draw:text-box></draw:frame>` +
    `<draw:frame><draw:text-box><text:list><text:list-item><text:p>${body}</text:p></text:list-item></text:list></draw:text-box></draw:frame>` +
    `<presentation:notes><draw:frame><draw:text-box><text:p>${notes}</text:p></draw:text-box></draw:frame></presentation:notes></draw:page>`
  const content = `<office:document-content><office:presentation>${page('One', 'a', 'n1')}${page('二', 'b', '')}</office:presentation></office:document-content>`
  const bytes = packed({ mimetype: 'application/vnd.oasis.opendocument.presentation', 'content.xml': content })
  const { sections } = await read(bytes, 'deck.odp')
  expect(sections.map(({ text, place }) => [text, place])).toEqual([
    ['One\n\n- a\n\nNotes: n1', { kind: 'slide', slide: 1 }],
    ['二\n\n- b', { kind: 'slide', slide: 2 }],
  ])
})

function makeEpub(more: Record<string, string> = {}): Buffer {
  const opf = (title: string, ids: string[], toc: string): string =>
    `<package><metadata><dc:title>${title}</dc:title></metadata><manifest>${ids.map((id) => `<item id="${id}" href="text/${encodeURIComponent(id)}.xhtml" media-type="application/xhtml+xml"/>`).join('')}${toc}</manifest><spine toc="ncx">${ids.map((id) => `<itemref idref="${id}"/>`).join('')}</spine></package>`
  const chapter = (heading: string, text: string): string =>
    `<html><head><title>x</title></head><body><h1>${heading}</h1><p>${text}</p><script/></body></html>`
  return packed({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container><rootfiles><rootfile full-path="A/a.opf"/><rootfile full-path="B/b.opf"/></rootfiles></container>',
    'A/a.opf': opf('First book', ['z', 'a'], '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'),
    'A/toc.ncx':
      '<ncx><navMap><navPoint><navLabel><text>Opening</text></navLabel><content src="text/z.xhtml#top"/></navPoint></navMap></ncx>',
    'A/text/z.xhtml': chapter('One', 'It begins.'),
    'A/text/a.xhtml': chapter('Two', 'It goes on.'),
    'B/b.opf': opf('第二本', ['章 一'], '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'),
    'B/nav.xhtml': `<html><nav><a href="text/${encodeURIComponent('章 一')}.xhtml">开篇</a></nav></html>`,
    'B/text/章 一.xhtml': chapter('一', '从这里开始。'),
    ...more,
  })
}

test('a book gives its chapters in the order of the spine, with the titles of its contents, and more than one book', async () => {
  const { sections, kind, end } = await read(makeEpub(), 'books.epub')
  expect([kind, end.status, end.title, end.pages]).toEqual(['epub', 'ready', 'First book', 3])
  expect(sections.map(({ text, place }) => [text, place])).toEqual([
    ['One\n\nIt begins.', { kind: 'chapter', chapter: 'First book › Opening', from: 1, to: 2 }],
    ['Two\n\nIt goes on.', { kind: 'chapter', chapter: 'First book › Two', from: 1, to: 2 }],
    ['一\n\n从这里开始。', { kind: 'chapter', chapter: '第二本 › 开篇', from: 1, to: 2 }],
  ])
})

test.each([
  [
    'a protected book',
    makeEpub({ 'META-INF/encryption.xml': '<encryption><CipherReference URI="A/text/z.xhtml"/></encryption>' }),
    'a.epub',
    'failed',
    'encrypted',
  ],
  ['a book that lacks a chapter', makeEpub({ 'A/text/a.xhtml': '' }).subarray(), 'a.epub', 'ready', undefined],
  ['a cut book', makeEpub().subarray(0, 400), 'a.epub', 'failed', 'damaged'],
  ['a presentation without slides', packed({ 'ppt/presentation.xml': '<p:presentation/>' }), 'a.pptx', 'failed', 'damaged'],
  ['a bomb', packed({ 'ppt/presentation.xml': new Uint8Array(300 << 20) }), 'a.pptx', 'failed', 'too-large'],
])('%s is told apart', async (_what, bytes, name, status, code) => {
  const { end } = await read(bytes, name)
  expect([end.status, end.reason?.code]).toEqual([status, code])
})
