import type { Contact } from '../../src/contract/settings.ts'
import { readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import {
  sizeBands,
  type BreakdownCell,
  type Counts,
  type DocumentRow,
  type DocumentSort,
  type Folder,
  type IndexProgress,
  type Passage,
  type Scope,
  type Section,
} from '../../src/contract/library.ts'
import type { Hit } from '../../src/contract/search.ts'

/** A scripted library: the sample folder with its real files, and a big folder whose rows are made up by number. */
export type Scenario = 'normal' | 'empty' | 'busy' | 'broken' | 'own'

export const sampleFiles = [
  '房屋租赁合同.pdf',
  'Crema One manual.pdf',
  'Price list 2026.md',
  '会议纪要 社区图书角.md',
  '外婆的红烧肉.txt',
  '差旅报销制度.html',
  'code/retry-queue.ts',
  'code/water_bill.py',
  '家庭保险对比.md',
  'Meeting notes kiosk.md',
] as const

const kinds: Record<string, DocumentRow['kind']> = {
  '.pdf': 'pdf',
  '.md': 'markdown',
  '.txt': 'text',
  '.html': 'html',
  '.ts': 'code',
  '.py': 'code',
}
const noneLeftOut = { hidden: 0, dependencies: 0, ignored: 0, links: 0, unreadable: 0 }

function sampleRow(sampleDir: string, index: number): DocumentRow {
  const file = sampleFiles[index] ?? ''
  const pages = file.endsWith('.pdf') ? (index === 0 ? 3 : 5) : null
  return {
    id: index + 1,
    folderId: 1,
    path: join(sampleDir, file),
    name: basename(file),
    kind: kinds[extname(file)] ?? 'unknown',
    status: 'ready',
    reason: null,
    title: null,
    pages,
    passages: 6,
    embedded: 6,
    pagesRecognised: 0,
    pagesToRecognise: 0,
    characters: 2400,
    sizeBytes: 48_000 + index * 3100,
    modifiedAt: Date.UTC(2026, 2, 1 + index),
    language: /\p{Script=Han}/u.test(file) ? 'zh' : 'en',
    unreachableSince: null,
    within: null,
  }
}

const subjects = [
  '合同',
  '会议纪要',
  '设备清单',
  '报价',
  '说明书',
  '周报',
  'invoice',
  'field notes',
  'manual',
  'minutes',
  'thesis draft',
  'export',
]
const endings = ['.pdf', '.md', '.txt', '.html', '.py', '.ts']
const bigTotal = 20_000

function bigRow(index: number, scenario: Scenario): DocumentRow {
  const ending = index % 97 === 5 ? '.zip' : (endings[index % endings.length] ?? '.txt')
  const name = `${2015 + (index % 12)} ${subjects[index % subjects.length] ?? ''} ${String(index + 1).padStart(5, '0')}${ending}`
  const busy = scenario === 'busy' && index > 6500
  const base = { pages: ending === '.pdf' ? 3 + (index % 40) : null, title: null, modifiedAt: Date.UTC(2025, index % 12, 1 + (index % 28)) }
  const row = {
    ...base,
    id: 1000 + index,
    folderId: 2,
    path: `/home/lin/资料/${2015 + (index % 12)}/${name}`,
    name,
    kind: kinds[ending] ?? ('unknown' as const),
    status: 'ready' as DocumentRow['status'],
    reason: null as DocumentRow['reason'],
    passages: 4 + (index % 30),
    embedded: 4 + (index % 30),
    pagesRecognised: 0,
    pagesToRecognise: 0,
    characters: 1800 + index,
    sizeBytes: 1200 + ((index * 7919) % 4_000_000),
    language: index % 12 < 6 ? ('zh' as const) : ('en' as const),
    unreachableSince: null,
    within: null,
  }
  if (busy) return { ...row, status: index < 6504 ? 'reading' : 'waiting', passages: 0, embedded: 0 }
  if (ending === '.zip')
    return { ...row, status: 'skipped', reason: { code: 'unsupported-kind', message: 'zip' }, passages: 0, embedded: 0 }
  if (index % 211 === 0)
    return { ...row, status: 'failed', reason: { code: 'scanned', message: 'no text on any page' }, passages: 0, embedded: 0 }
  if (index % 157 === 0) return { ...row, status: 'partial', reason: { code: 'garbled', pages: '2, 5-9', message: 'garbled text' } }
  return row
}

function countsOf(rows: DocumentRow[]): Counts {
  const counts: Counts = { total: rows.length, waiting: 0, reading: 0, recognising: 0, ready: 0, partial: 0, failed: 0, skipped: 0 }
  for (const row of rows) counts[row.status] += 1
  return counts
}

export interface FakeLibrary {
  rows: DocumentRow[]
  folders: Folder[]
}

export function createLibrary(scenario: Scenario, sampleDir: string, documents = bigTotal): FakeLibrary {
  const sample = sampleFiles.map((_, index) => sampleRow(sampleDir, index))
  const big = scenario === 'own' || scenario === 'busy' ? Array.from({ length: documents }, (_, index) => bigRow(index, scenario)) : []
  const folder = (id: number, rows: DocumentRow[], more: Partial<Folder>): Folder => ({
    id,
    path: sampleDir,
    name: 'Sample library',
    single: false,
    sample: false,
    copied: false,
    state: 'following',
    counts: countsOf(rows),
    passages: rows.reduce((sum, row) => sum + row.passages, 0),
    embedded: rows.reduce((sum, row) => sum + row.embedded, 0),
    pagesToRecognise: 0,
    sizeBytes: rows.reduce((sum, row) => sum + row.sizeBytes, 0),
    leftOut: noneLeftOut,
    addedAt: Date.UTC(2026, 2, 1),
    unreachableSince: null,
    scannedAt: Date.UTC(2026, 2, 1),
    ...more,
  })
  if (scenario === 'empty') return { rows: [], folders: [] }
  const folders = [folder(1, sample, { sample: true })]
  if (big.length > 0) {
    const leftOut = { ...noneLeftOut, hidden: 14, dependencies: 3, ignored: 22, unreadable: 1 }
    folders.push(folder(2, big, { path: '/home/lin/资料', name: '资料', leftOut }))
    folders.push(folder(3, [], { path: '/media/usb/Archive', name: 'Archive', state: 'unreachable' }))
  }
  return { rows: [...big, ...sample], folders }
}

export function progressOf(library: FakeLibrary, scenario: Scenario, elapsedMs: number): IndexProgress {
  const counts = countsOf(library.rows)
  const busy = scenario === 'busy'
  return {
    type: 'index-progress',
    phase: busy ? 'reading' : 'idle',
    folders: library.folders,
    counts,
    passages: library.folders.reduce((sum, folder) => sum + folder.passages, 0),
    embedded: library.folders.reduce((sum, folder) => sum + folder.embedded, 0),
    pagesToRecognise: 0,
    current: busy ? library.rows.filter((row) => row.status === 'reading').map((row) => row.path) : [],
    elapsedMs,
    passagesPerSecond: busy ? 46.2 : null,
    remainingMs: busy ? 1_260_000 : null,
    trouble: null,
  }
}

function fileText(sampleDir: string, row: DocumentRow): string {
  if (row.folderId !== 1 || row.kind === 'pdf') return '第一段：这是由脚本写成的文字。\n\nSecond paragraph, written by a script.'
  return readFileSync(join(sampleDir, sampleFiles[row.id - 1] ?? ''), 'utf8')
}

export function sectionsOf(sampleDir: string, row: DocumentRow): Section[] {
  const text = fileText(sampleDir, row)
  if (row.kind === 'pdf') {
    return Array.from({ length: row.pages ?? 1 }, (_, page) => ({ place: { kind: 'page' as const, page: page + 1 }, text }))
  }
  if (row.kind === 'html') {
    const blocks = text.replace(/[\s\S]*<body[^>]*>/, '').match(/<(h\d|p|li|td)[^>]*>[\s\S]*?<\/\1>/g) ?? []
    let heading: string[] = []
    return blocks.map((block, index) => {
      const plain = block
        .replace(/<[^>]+>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim()
      if (/^<h/.test(block)) heading = [plain]
      return { place: { kind: 'section' as const, heading, from: index + 1, to: index + 1 }, text: plain }
    })
  }
  const sections: Section[] = []
  let from = 1
  let lines: string[] = []
  text.split('\n').forEach((line, index) => {
    if (line.trim() === '') {
      if (lines.length > 0) sections.push({ place: { kind: 'lines', from, to: index }, text: lines.join('\n') })
      lines = []
      return
    }
    if (lines.length === 0) from = index + 1
    lines.push(line)
  })
  if (lines.length > 0) sections.push({ place: { kind: 'lines', from, to: from + lines.length - 1 }, text: lines.join('\n') })
  return sections
}

export function passagesOf(sampleDir: string, row: DocumentRow): Passage[] {
  let start = 0
  return sectionsOf(sampleDir, row).map((section, ordinal) => {
    const passage = {
      id: row.id * 100 + ordinal,
      ordinal,
      text: section.text,
      tokens: Math.ceil(section.text.length / 3),
      place: section.place,
      heading: [],
      start,
      end: start + section.text.length,
    }
    start += section.text.length + 2
    return passage
  })
}

export function contactsOf(scenario: Scenario, at: number): Contact[] {
  if (scenario === 'empty') return []
  return [
    { host: '127.0.0.1:11434', purpose: 'Ollama', firstAt: at - 9e6, lastAt: at, count: 42, refused: 0 },
    { host: 'open.bigmodel.cn', purpose: 'OpenAI-compatible', firstAt: at - 9e6, lastAt: at, count: 3, refused: 2 },
  ]
}

export function breakdownOf(rows: DocumentRow[]): BreakdownCell[] {
  const cells = new Map<string, BreakdownCell>()
  for (const { kind, modifiedAt, sizeBytes } of rows) {
    const month = new Date(modifiedAt).toISOString().slice(0, 7)
    const band = sizeBands.findLastIndex((bytes) => sizeBytes >= bytes)
    const key = `${kind} ${month} ${band}`
    const cell = cells.get(key) ?? { kind, month, band, documents: 0, bytes: 0 }
    cells.set(key, { ...cell, documents: cell.documents + 1, bytes: cell.bytes + sizeBytes })
  }
  return [...cells.values()]
}

/** Passages of the sample that hold one of the words. */
export function findPassages(sampleDir: string, rows: DocumentRow[], query: string, most: number): Hit[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const found = rows
    .filter((row) => row.folderId === 1 && row.kind !== 'pdf')
    .flatMap((row) => passagesOf(sampleDir, row).map((passage) => ({ row, passage })))
    .filter(({ passage }) => words.some((word) => passage.text.toLowerCase().includes(word)))
  return found.slice(0, most).map(({ row, passage }, index) => ({
    rank: index + 1,
    score: 1 / (index + 1),
    path: row.path,
    place: passage.place,
    text: passage.text,
    passageId: passage.id,
    documentId: row.id,
    heading: passage.heading,
    alsoAt: [],
    unreachableSince: null,
  }))
}

interface RowFilter extends Scope {
  within?: number | undefined
  folderId?: number | undefined
  statuses?: DocumentRow['status'][] | undefined
  name?: string | undefined
  leastBytes?: number | undefined
  lessThanBytes?: number | undefined
}

/** As the real list and search choose documents. */
export function filterRows(rows: DocumentRow[], filter: RowFilter): DocumentRow[] {
  const { folderId, folderIds, statuses, kinds, name = '' } = filter
  return rows.filter(
    (row) =>
      (folderId === undefined || row.folderId === folderId) &&
      (filter.within === undefined || row.within?.documentId === filter.within) &&
      folderIds?.includes(row.folderId) !== false &&
      statuses?.includes(row.status) !== false &&
      kinds?.includes(row.kind) !== false &&
      row.path.toLowerCase().includes(name.toLowerCase()) &&
      row.modifiedAt >= (filter.modifiedFrom ?? -Infinity) &&
      row.modifiedAt < (filter.modifiedBefore ?? Infinity) &&
      row.sizeBytes >= (filter.leastBytes ?? 0) &&
      row.sizeBytes < (filter.lessThanBytes ?? Infinity),
  )
}

const statusOrder: DocumentRow['status'][] = ['failed', 'partial', 'skipped', 'reading', 'waiting', 'ready']
const sortKeys: Record<DocumentSort, (row: DocumentRow) => string | number> = {
  path: ({ path }) => path,
  name: ({ name }) => name.toLowerCase(),
  status: ({ status }) => statusOrder.indexOf(status),
  passages: ({ passages }) => passages,
  size: ({ sizeBytes }) => sizeBytes,
  date: ({ modifiedAt }) => modifiedAt,
}

/** As the real list orders documents. */
export function sortRows(
  rows: DocumentRow[],
  { sort, descending }: { sort?: DocumentSort | undefined; descending: boolean },
): DocumentRow[] {
  if (sort === undefined) return rows
  const key = sortKeys[sort]
  const way = descending ? -1 : 1
  return rows.toSorted((one, other) => (key(one) < key(other) ? -way : key(one) > key(other) ? way : one.path < other.path ? -1 : 1))
}
