import type { DocumentKind, Reason } from '../../../contract/library.ts'

const unread: Reason = { code: 'unsupported-kind', message: 'Files of this kind are not read yet.' }

/** Formats that nobody here reads, by the ending of their names, each with what can be done about it. */
const remedies: readonly [kinds: readonly DocumentKind[], endings: RegExp, message: string][] = [
  [['archive', 'unknown'], /\.ofd$/i, 'OFD documents are not read; save it as PDF.'],
  [['archive', 'unknown'], /\.pages$/i, 'Pages documents are not read; export it as PDF or .docx.'],
  [['archive', 'unknown'], /\.numbers$/i, 'Numbers documents are not read; export it as .xlsx.'],
  [['archive', 'unknown'], /\.key$/i, 'Keynote presentations are not read; export it as PDF or .pptx.'],
  [['archive', 'unknown'], /\.(?:xmind|mmap)$/i, 'Mind maps are not read; export it as PDF or Markdown.'],
  [['archive', 'sheet', 'unknown'], /\.xlsb$/i, 'Binary workbooks (.xlsb) are not read; save it as .xlsx.'],
  [['unknown'], /\.(?:msg|oft)$/i, 'Outlook messages (.msg) are not read; save it as .eml.'],
  [['unknown'], /(?:^|[/\\])winmail\.dat$|\.tnef$/i, 'Mails packed by Outlook (winmail.dat) are not read; ask for what is in it as files.'],
  [['unknown'], /\.(?:pst|ost)$/i, 'Outlook’s mailboxes are not read; save its mails as .eml.'],
  [['unknown'], /\.(?:mobi|azw3?|prc)$/i, 'Kindle books are not read; convert it to EPUB.'],
  [['unknown'], /\.(?:caj|kdh|nh)$/i, 'CAJ documents are not read; save it as PDF.'],
  [['unknown'], /\.(?:dwg|dxf|vsdx?)$/i, 'Drawings of this kind are not read; save it as PDF.'],
]

/** What a file says that is of a known kind nobody reads; null for an archive, and for all that is read. */
export function foreignReason(name: string, kind: DocumentKind): Reason | null {
  const found = remedies.find(([kinds, endings]) => kinds.includes(kind) && endings.test(name))
  return found === undefined ? null : { code: 'unsupported-kind', message: found[2] }
}

/** Of a file whose kind is not known. */
export function unreadReason(name: string): Reason {
  return foreignReason(name, 'unknown') ?? unread
}
