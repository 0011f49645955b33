import type { DocumentRow, Section } from '../../src/contract/library.ts'
import { makePdf } from '../fixtures/make-pdf.ts'
import { textPng, scannedPdf } from '../fixtures/page-picture.ts'
import { wavBytes } from '../fixtures/sound-bytes.ts'
import { createLibrary, progressOf, type FakeLibrary } from './fake-library.ts'

const heading = (path: string[], from: number, text: string): Section => ({
  place: { kind: 'section', heading: path, from, to: from },
  text,
})
const receipt = ['RECEIPT', 'Harbour Cafe, 12 March 2026', 'Two coffees        8.40', 'One cake           4.20', 'Total             12.60']
const letter = ['To the members of the club', 'The hall is closed from 4 to 9 May.', 'Keys are kept by Mrs Penn until then.']
const names = ['林小满', '陈立', 'Orla Finch', 'Piers Holt', '赵敏', 'Rhoda Vance']

interface Kind {
  kind: DocumentRow['kind']
  name: string
  sections: Section[]
  file?: () => Promise<Buffer>
  more?: Partial<DocumentRow>
  /** The mail that it is attached to. */
  in?: string
}

const page = (number: number, text: string): Section => ({ place: { kind: 'page', page: number }, text })

const kinds: Kind[] = [
  {
    kind: 'word',
    name: '年度总结.docx',
    sections: [
      heading(['年度总结'], 1, '年度总结'),
      heading(['年度总结'], 2, '今年图书角新增藏书三百二十册，借阅两千一百余次，比去年多四成。'),
      heading(['年度总结', '人员'], 3, '人员'),
      heading(['年度总结', '人员'], 4, '志愿者由六名增至九名，每周六上午轮值。'),
    ],
  },
  {
    kind: 'sheet',
    name: 'Expenses 2026.xlsx',
    sections: ['2026 H1', '2026 H2'].map((sheet) => ({
      place: { kind: 'sheet' as const, sheet, from: 1, to: 40 },
      text: [
        'Date · Person · For what · Amount',
        ...Array.from({ length: 39 }, (_none, at) =>
          [
            `2026-0${1 + (at % 6)}-${String(1 + (at % 28)).padStart(2, '0')}`,
            names[at % 6],
            at % 3 === 0 ? '住宿' : 'Train',
            `${120 + at * 17}.50`,
          ].join(' · '),
        ),
      ].join('\n'),
    })),
  },
  {
    kind: 'slides',
    name: 'Kiosk pitch.pptx',
    sections: ['Why a kiosk', 'What it costs', 'Next steps'].map((title, at) => ({
      place: { kind: 'slide' as const, slide: at + 1 },
      text: `${title}\nThe square has no place to sit and read.\nA kiosk of nine square metres is enough.`,
    })),
  },
  {
    kind: 'mail',
    name: 'Re: the keys.eml',
    sections: [
      {
        place: { kind: 'message', message: 'Re: the keys' },
        text: 'From: Orla Finch <orla@example.org>\nTo: 林小满 <lin@example.org>\nSubject: Re: the keys\nDate: 12 March 2026',
      },
      {
        place: { kind: 'message', message: 'Re: the keys' },
        text: 'The keys hang in the hall, beside the clock.\n\nWe are back on Sunday evening. Orla',
      },
    ],
  },
  {
    kind: 'image',
    name: 'receipt.png',
    sections: [page(1, receipt.join('\n'))],
    file: () => textPng(receipt),
    more: { pages: 1, pagesRecognised: 1 },
  },
  {
    kind: 'pdf',
    name: 'scanned letter.pdf',
    sections: [page(1, letter.join('\n')), page(2, receipt.join('\n'))],
    file: () => scannedPdf([letter, receipt]),
    more: { pages: 2, pagesRecognised: 2 },
  },
  {
    kind: 'pdf',
    name: 'sealed.pdf',
    sections: [page(1, 'The boiler is to be seen to before October.')],
    file: async () =>
      makePdf([{ texts: [{ x: 72, y: 700, text: 'The boiler is to be seen to before October.' }] }], {
        password: { user: 'secret', owner: 'owner' },
      }),
    more: { pages: 4, status: 'failed', reason: { code: 'encrypted', message: 'a password is needed' }, passages: 0, embedded: 0 },
  },
  {
    kind: 'sound',
    name: 'Meeting of 9 March.wav',
    sections: [
      [0, 'Good evening. First the roof, then the kiosk.'],
      [3, 'The roofer comes on Tuesday and wants the gate open at eight.'],
      [6, '报刊亭的租金每月六百元，从五月开始付。'],
    ].map(([from, said]) => ({ place: { kind: 'time' as const, from: Number(from), to: Number(from) + 3 }, text: String(said) })),
    file: async () => wavBytes(10),
  },
  {
    kind: 'image',
    name: 'receipt of the locksmith.png',
    sections: [page(1, receipt.join('\n'))],
    file: () => textPng(receipt),
    more: { pages: 1, pagesRecognised: 1 },
    in: 'Re: the keys.eml',
  },
  {
    kind: 'word',
    name: '钥匙登记表.docx',
    sections: [],
    more: { status: 'failed', reason: { code: 'damaged', message: 'no part of it can be read' }, passages: 0, embedded: 0 },
    in: 'Re: the keys.eml',
  },
]

const firstId = 500

function idOf(name: string): number {
  return firstId + kinds.findIndex((each) => each.name === name)
}

/** Adds the folder “Kinds” to a library. */
export function addKinds(library: FakeLibrary): void {
  const rows = kinds.map(({ kind, name, sections, more, in: mail }, index): DocumentRow => ({
    id: firstId + index,
    folderId: 9,
    path: `/home/lin/Kinds/${name}`,
    name,
    kind,
    status: 'ready',
    reason: null,
    title: null,
    pages: null,
    pagesToRecognise: 0,
    within: mail === undefined ? null : { documentId: idOf(mail), name: mail, filePath: `/home/lin/Kinds/${mail}` },
    passages: sections.length,
    embedded: sections.length,
    pagesRecognised: 0,
    characters: 900,
    sizeBytes: 20_000 + index * 1700,
    modifiedAt: Date.UTC(2026, 2, 12),
    language: 'en',
    unreachableSince: null,
    ...more,
  }))
  library.rows.push(...rows)
  const like = createLibrary('normal', '/').folders[0]
  if (like === undefined) throw new Error('The scripted library has no folder.')
  const { counts } = progressOf({ rows, folders: [] }, 'normal', 0)
  const passages = rows.reduce((sum, row) => sum + row.passages, 0)
  library.folders.push({ ...like, id: 9, path: '/home/lin/Kinds', name: 'Kinds', sample: false, counts, passages, embedded: passages })
}

/** What was read of such a document; null for any other. */
export function kindSections(row: DocumentRow): Section[] | null {
  const sections = kinds[row.id - firstId]?.sections
  return sections === undefined ? null : row.status === 'failed' ? [] : sections
}

/** The file of such a document, where the reader shows the file itself. */
export async function kindFile(documentId: number): Promise<Buffer | null> {
  return (await kinds[documentId - firstId]?.file?.()) ?? null
}
