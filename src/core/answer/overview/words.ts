import type { DocumentKind, Language } from '../../../contract/library.ts'

/** The words in which an overview is told. Numbers come in as they are to be shown. */
export interface OverviewWords {
  occurrences(words: string, count: string, documents: string): string
  documentsWith(words: string, documents: string): string
  times(count: string): string
  countedText(lookedAt: string, total: string, unread: string | null, complete: boolean): string
  files(count: string): string
  filesListed(count: string): string
  filesChanged(count: string): string
  pages(pages: string, files: string): string
  size(size: string, files: string): string
  /** `ending` without its dot; empty where the name has none. */
  fileKind(name: string, ending: string, kind: DocumentKind, size: string): string
  fileAdded(name: string, at: string): string
  fileBasis(): string
  more(count: string): string
  summaryBasis(unit: 'sections' | 'documents', lookedAt: string, total: string): string
  nothing(): string
}

function plural(count: string, one: string, many = `${one}s`): string {
  return `${count} ${count === '1' ? one : many}`
}

const englishKinds: Record<DocumentKind, string> = {
  pdf: 'PDF',
  word: 'a text document',
  sheet: 'tables',
  slides: 'slides',
  epub: 'a book',
  html: 'a web page or XML',
  markdown: 'Markdown',
  text: 'plain text',
  code: 'source code',
  data: 'data',
  mail: 'mail',
  image: 'a picture',
  sound: 'a recording',
  archive: 'an archive',
  unknown: 'nothing that is known',
}

const chineseKinds: Record<DocumentKind, string> = {
  pdf: ' PDF ',
  word: '文字文档',
  sheet: '表格',
  slides: '幻灯片',
  epub: '电子书',
  html: '网页或 XML ',
  markdown: ' Markdown ',
  text: '纯文本',
  code: '源代码',
  data: '数据',
  mail: '邮件',
  image: '图片',
  sound: '录音',
  archive: '压缩包',
  unknown: '未知类型',
}

const english: OverviewWords = {
  occurrences: (words, count, documents) => `“${words}” stands in the text ${plural(count, 'time')}, in ${plural(documents, 'document')}.`,
  documentsWith: (words, documents) => `${plural(documents, 'document')} ${documents === '1' ? 'has' : 'have'} “${words}” in the text.`,
  times: (count) => plural(count, 'time'),
  countedText: (lookedAt, total, unread, complete) =>
    `Counted in the whole text of ${lookedAt} of ${plural(total, 'document')}${complete ? '' : ' before time ran out: there may be more'}.${unread === null ? '' : ` ${plural(unread, 'document')} ${unread === '1' ? 'is' : 'are'} not read.`}`,
  files: (count) => `${plural(count, 'file')}.`,
  filesListed: (count) => `${plural(count, 'file')}:`,
  filesChanged: (count) => `${plural(count, 'file')} changed:`,
  pages: (pages, files) => `${plural(pages, 'page')} in ${plural(files, 'file')}.`,
  size: (size, files) => `${size} in ${plural(files, 'file')}.`,
  fileKind: (name, ending, kind, size) =>
    `${name} is ${ending === '' ? '' : `a .${ending} file, `}read as ${englishKinds[kind]} (${size}).`,
  fileAdded: (name, at) => `${name} was added to the library at ${at}.`,
  fileBasis: () => 'From what the library knows of its files.',
  more: (count) => `And ${count} more.`,
  summaryBasis: (unit, lookedAt, total) => `Made from ${lookedAt} of ${plural(total, unit === 'sections' ? 'section' : 'document')}.`,
  nothing: () => 'There are none.',
}

const chinese: OverviewWords = {
  occurrences: (words, count, documents) => `“${words}”在 ${documents} 份文件里共出现 ${count} 次。`,
  documentsWith: (words, documents) => `${documents} 份文件的正文里有“${words}”。`,
  times: (count) => `${count} 次`,
  countedText: (lookedAt, total, unread, complete) =>
    `在 ${total} 份文件中查了 ${lookedAt} 份的全文${complete ? '' : '，时间已到，可能还有'}。${unread === null ? '' : `另有 ${unread} 份未读出。`}`,
  files: (count) => `共 ${count} 个文件。`,
  filesListed: (count) => `共 ${count} 个文件：`,
  filesChanged: (count) => `有 ${count} 个文件变动：`,
  pages: (pages, files) => `${files} 个文件共 ${pages} 页。`,
  size: (size, files) => `${files} 个文件共 ${size}。`,
  fileKind: (name, ending, kind, size) => `${name} ${ending === '' ? '' : `是 .${ending} 文件，`}按${chineseKinds[kind]}读取（${size}）。`,
  fileAdded: (name, at) => `${name} 于 ${at} 加入文库。`,
  fileBasis: () => '依据文库记录的文件信息。',
  more: (count) => `另有 ${count} 个。`,
  summaryBasis: (unit, lookedAt, total) =>
    `依据 ${total} ${unit === 'sections' ? '节' : '份文件'}中的 ${lookedAt} ${unit === 'sections' ? '节' : '份'}写成。`,
  nothing: () => '没有。',
}

export function overviewWords(language: Language): OverviewWords {
  return language === 'zh' ? chinese : english
}

/** 1,204; decimals as they are, at most six of them. */
export function shownNumber(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 6 })
}

export function shownSize(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let size = bytes
  let unit = 0
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000
    unit += 1
  }
  return `${size.toLocaleString('en-US', { maximumFractionDigits: unit === 0 ? 0 : 1 })} ${units[unit]}`
}

/** The day and minute in this machine's time zone. */
export function shownTime(at: number): string {
  const date = new Date(at)
  const two = (part: number): string => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`
}
