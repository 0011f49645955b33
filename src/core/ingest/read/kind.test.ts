import { describe, expect, it } from 'vitest'
import type { Peek } from './format.ts'
import { kindOf } from './kind.ts'

function bytes(text: string, name: string): Peek {
  const held = Buffer.from(text, 'latin1')
  return { name, sizeBytes: held.length, at: (position, count) => held.subarray(position, position + count) }
}

describe('the kind of a document', () => {
  it.each([
    ['a name that lies about a PDF', 'notes.txt', '%PDF-1.7\n', 'pdf'],
    ['a PDF behind some rubbish', 'scan.pdf', 'HTTP/1.1 200 OK\r\n\r\n%PDF-1.4', 'pdf'],
    ['source that only speaks of PDFs', 'kind.ts', "const magic = '%PDF-1.7'", 'code'],
    ['a PDF that is damaged from its first byte', 'lost.pdf', '\0\0\0\0', 'pdf'],
    ['a login page saved as a PDF', 'paper.pdf', '<!DOCTYPE html><html>', 'html'],
    ['text that is called a PDF', 'notes.pdf', 'Only words, and no PDF at all.\n', 'text'],
    ['Chinese text that is called a PDF', 'notes.pdf', '\xb2\xe2\xca\xd4\xce\xc4\xd7\xd6', 'text'],
    ['UTF-16 text that is called a PDF', 'notes.pdf', '\xff\xfeh\0i\0', 'text'],
    ['rubbish without a zero that is called a PDF', 'noise.pdf', 'ab\xff\xff\x9c\xfe\x80', 'pdf'],
    ['a PDF cut off behind its first line', 'cut.pdf', '%PDF-1.7\n', 'pdf'],
    ['a page with a text ending', 'page.txt', '\n<!-- saved -->\n<!doctype HTML>\n', 'html'],
    ['a component that begins like a page', 'index.vue', '<!doctype html>', 'code'],
    ['a zip with a text ending', 'data.txt', 'PK\x03\x04', 'archive'],
    ['an office document', 'letter.docx', 'PK\x03\x04..word/document.xml', 'word'],
    ['a sheet that is called a letter', 'letter.docx', 'PK\x03\x04..xl/workbook.xml', 'sheet'],
    ['an office document without an ending', 'letter', 'PK\x03\x04..ppt/presentation.xml', 'slides'],
    ['a damaged office document', 'letter.docx', 'PK\x03\x04', 'word'],
    ['noise that is called a letter', 'letter.docx', '\0\x01\x02', 'word'],
    ['an open document', 'a.bin', 'PK\x03\x04....mimetypeapplication/vnd.oasis.opendocument.spreadsheet', 'sheet'],
    ['a book', 'a.zip', 'PK\x03\x04....mimetypeapplication/epub+zip', 'epub'],
    ['a table', 'a.csv', 'a,b\n1,2', 'sheet'],
    ['a workbook as XML', 'a.xls', '<?xml version="1.0"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>', 'sheet'],
    ['a web page that is called a sheet', 'report.xls', '<html><table>', 'html'],
    ['text that is called a letter', 'letter.doc', 'Dear all', 'text'],
    ['rich text that is called a letter', 'letter.doc', '{\\rtf1 Dear all}', 'word'],
    ['mail without an ending', 'message', 'From: a@b.c\nDate: now\nSubject: hi\n\nbody', 'mail'],
    ['a saved page', 'page.mht', 'From: <Saved by Blink>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n', 'html'],
    ['data', 'a.json', '{"a": 1}', 'data'],
    ['an image', 'photo', '\x89PNG\r\n\x1a\n', 'image'],
    ['a program', 'run', '\x7fELF', 'unknown'],
    ['bytes that are no text', 'notes.md', 'abc\0\x01\x02def', 'unknown'],
    ['UTF-16, whose zeros are no sign of binary', 'notes.txt', '\xff\xfeh\0i\0', 'text'],
    ['Markdown', 'README.md', '# Hi', 'markdown'],
    ['a name without ending', 'Makefile', 'all:\n', 'code'],
    ['text without ending', 'LICENSE', 'MIT License', 'text'],
    ['text with an ending nobody knows', 'notes.abc', 'some words', 'text'],
    ['GB18030 text', 'notes', '\xb2\xe2\xca\xd4', 'text'],
    ['an empty file', 'empty.pdf', '', 'pdf'],
  ])('is right for %s', (_what, name, content, kind) => {
    expect(kindOf(`/some/folder/${name}`, bytes(content, name))).toBe(kind)
  })

  it('goes by the name when there are no bytes to look at', () => {
    expect(['a.pdf', 'b.md', 'c.HTM', 'd.py', 'e.log', 'f.docx', '.gitignore'].map((name) => kindOf(name))).toEqual([
      'pdf',
      'markdown',
      'html',
      'code',
      'text',
      'word',
      'code',
    ])
  })
})
