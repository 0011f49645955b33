import fc from 'fast-check'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import ReactMarkdown from 'react-markdown'
import { expect, test } from 'vitest'
import { escapeQuoted } from './quoted.ts'

function render(text: string): string {
  return renderToStaticMarkup(createElement(ReactMarkdown, null, escapeQuoted(text)))
}

function textOf(html: string): string {
  const signs: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'" }
  return html.replace(/<[^>]*>/g, '').replace(/&(?:amp|lt|gt|quot|#x27);/g, (sign) => signs[sign] ?? '')
}

test('signs of Markdown in a quotation stay the signs that they are, and an address is no link', () => {
  for (const line of [
    '…<1@>E@?2.*A-#3%(4%56#* and _this_ and __that__ ~~gone~~',
    'see https://example.org/a_b_c or www.example.org or <mailto:a@example.org>',
    '1. first, 2) second, $$x^2$$, \\(y\\), `code`, ![p](q) and [l](m)',
    '# 2026 | a | b | \\ &amp; &copy;',
  ])
    expect(render(line)).toBe(`<p>${renderToStaticMarkup(createElement('i', null, line)).slice(3, -4)}</p>`)
})

test('whatever a document says in a line is shown as it is', () => {
  const line = fc
    .array(fc.constantFrom('*', '_', '`', '[', ']', '(', ')', '<', '>', '#', '$', '\\', '|', '~', '&', '.', '1', 'a', 'http://a.b', ' '), {
      minLength: 1,
      maxLength: 30,
    })
    .map((pieces) => pieces.join('').trim())
    .filter((text) => text !== '' && !text.startsWith('```'))
  fc.assert(
    fc.property(line, (text) => {
      expect(textOf(render(text))).toBe(text)
    }),
  )
})

test('the answer’s own list and its fenced code stay what they are', () => {
  expect(textOf(render('- *one*\n- two'))).toBe('\n*one*\ntwo\n')
  expect(render('- *one*\n- two')).toContain('<li>*one*</li>')
  expect(render('```\na * b\n```\n')).toContain('a * b')
})
