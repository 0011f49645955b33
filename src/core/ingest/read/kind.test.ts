import { describe, expect, it } from 'vitest'
import { kindOf } from './kind.ts'

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')

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
    ['a zip with a text ending', 'data.txt', 'PK\x03\x04', 'unknown'],
    ['an office document', 'letter.docx', 'PK\x03\x04', 'unknown'],
    ['an image', 'photo', '\x89PNG\r\n', 'unknown'],
    ['bytes that are no text', 'notes.md', 'abc\0\x01\x02def', 'unknown'],
    ['UTF-16, whose zeros are no sign of binary', 'notes.txt', '\xff\xfeh\0i\0', 'text'],
    ['Markdown', 'README.md', '# Hi', 'markdown'],
    ['a name without ending', 'Makefile', 'all:\n', 'code'],
    ['text without ending', 'LICENSE', 'MIT License', 'text'],
    ['text with an ending nobody knows', 'notes.abc', 'some words', 'text'],
    ['GB18030 text', 'notes', '\xb2\xe2\xca\xd4', 'text'],
    ['an empty file', 'empty.pdf', '', 'pdf'],
  ])('is right for %s', (_what, name, content, kind) => {
    expect(kindOf(`/some/folder/${name}`, bytes(content))).toBe(kind)
  })

  it('goes by the name when there are no bytes to look at', () => {
    expect(['a.pdf', 'b.md', 'c.HTM', 'd.py', 'e.log', 'f.docx', '.gitignore'].map((name) => kindOf(name))).toEqual([
      'pdf',
      'markdown',
      'html',
      'code',
      'text',
      'unknown',
      'code',
    ])
  })
})
