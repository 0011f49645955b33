import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { reasonCodeSchema } from '../../contract/library.ts'

const here = dirname(fileURLToPath(import.meta.url))
const renderer = join(here, '..')

function keysOf(value: unknown, prefix: string): string[] {
  if (typeof value === 'string') return [prefix]
  return Object.entries(value as Record<string, unknown>).flatMap(([key, inner]) => keysOf(inner, prefix === '' ? key : `${prefix}.${key}`))
}

function words(locale: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const file of readdirSync(join(here, locale))) {
    const content = JSON.parse(readFileSync(join(here, locale, file), 'utf8')) as Record<string, unknown>
    for (const key of keysOf(content, '')) {
      const text = key.split('.').reduce<unknown>((value, part) => (value as Record<string, unknown>)[part], content)
      found.set(`${file.replace('.json', '')}.${key}`, text as string)
    }
  }
  return found
}

/** Chinese has one plural form, English two: what is compared is the word without its form. */
function bare(key: string): string {
  return key.replace(/_(one|other)$/, '')
}

const en = words('en')
const zh = words('zh')

test('every reason has its words, short and long, and a remedy in both languages', () => {
  const wanted = reasonCodeSchema.options.flatMap((code) => ['reasonShort', 'reason', 'remedy'].map((group) => `library.${group}.${code}`))
  expect(wanted.filter((key) => !en.has(key) || !zh.has(key))).toEqual([])
  const known = [...en.keys()].filter((key) => /^library\.(?:reasonShort|reason|remedy)\./.test(key))
  expect(known.filter((key) => !wanted.includes(key))).toEqual([])
  // Chinese words are Chinese, and not the English ones left as they were.
  expect(wanted.filter((key) => !/\p{Script=Han}/u.test(zh.get(key) ?? ''))).toEqual([])
})

test('no key is lacking in one language, and no word is empty', () => {
  const [english, chinese] = [new Set([...en.keys()].map(bare)), new Set([...zh.keys()].map(bare))]
  expect([...english].filter((key) => !chinese.has(key))).toEqual([])
  expect([...chinese].filter((key) => !english.has(key))).toEqual([])
  expect([...en, ...zh].filter(([, text]) => text.trim() === '')).toEqual([])
})

test('every counted word has the forms its language needs', () => {
  const lacking = [...en.keys()]
    .filter((key) => /_(one|other)$/.test(key))
    .flatMap((key) => ['one', 'other'].map((form) => `${bare(key)}_${form}`))
  expect(lacking.filter((key) => !en.has(key))).toEqual([])
  expect([...zh.keys()].filter((key) => key.endsWith('_one'))).toEqual([])
})

test('a word asks for the same values in both languages', () => {
  const values = (text: string) => [...new Set(text.match(/\{\{\w+\}\}/g) ?? [])].sort().join()
  const differing = [...zh].filter(([key, text]) => {
    const other = en.get(key)
    const less = (one: string, two: string) =>
      values(one)
        .split(',')
        .every((value) => value === '' || values(two).includes(value) || value === '{{count}}' || value === '{{name}}')
    return other !== undefined && !(less(text, other) && less(other, text))
  })
  expect(differing.map(([key]) => key)).toEqual([])
})

function sources(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) return entry.name === 'words' ? [] : sources(path)
    return /\.tsx?$/.test(entry.name) && !entry.name.includes('.test.') ? [path] : []
  })
}

const spoken = new Set(['aria-label', 'aria-description', 'aria-valuetext', 'title', 'alt', 'label', 'detail', 'placeholder', 'text'])
/** Not words: addresses and patterns to type, names of services and of programs. */
const allowed = [/^https?:\/\//, /^\*\.bak/, /^Ctrl/, /^(whisper-1|API_TOKEN|npx|-y\n@modelcontextprotocol\/server-everything)$/]
const han = /\p{Script=Han}/u
/** Names that are the same in every language, and sets of characters that are data. */
const hanAllowed: Record<string, RegExp> = {
  'parts/mark-words.ts': /^[^。]*$|[。！？]/u,
}

function literalsIn(path: string): string[] {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX)
  const name = relative(renderer, path).replaceAll('\\', '/')
  const found: string[] = []
  function note(node: ts.Node, text: string) {
    if (!/\p{L}{2,}/u.test(text) || allowed.some((pattern) => pattern.test(text))) return
    found.push(`${name}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${text.trim()}`)
  }
  function textOf(node: ts.Node): string | null {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text
    if (ts.isTemplateExpression(node)) return [node.head.text, ...node.templateSpans.map((span) => span.literal.text)].join(' ')
    return null
  }
  /** Literals that an expression may come to, not those it is asked with. */
  function results(node: ts.Node): ts.Node[] {
    if (ts.isConditionalExpression(node)) return [...results(node.whenTrue), ...results(node.whenFalse)]
    if (ts.isBinaryExpression(node)) {
      const sign = node.operatorToken.getText()
      if (sign === '&&') return results(node.right)
      return ['||', '??', '+'].includes(sign) ? [...results(node.left), ...results(node.right)] : []
    }
    if (ts.isParenthesizedExpression(node)) return results(node.expression)
    return [node]
  }
  function visit(node: ts.Node) {
    if (ts.isJsxText(node)) note(node, node.text)
    if (ts.isJsxExpression(node) && node.expression !== undefined && (ts.isJsxElement(node.parent) || ts.isJsxFragment(node.parent))) {
      for (const result of results(node.expression)) note(result, textOf(result) ?? '')
    }
    if (ts.isJsxAttribute(node) && spoken.has(node.name.getText()) && node.initializer !== undefined) {
      const value = ts.isJsxExpression(node.initializer) ? node.initializer.expression : node.initializer
      if (value !== undefined) for (const result of results(value)) note(result, textOf(result) ?? '')
    }
    const text = textOf(node)
    if (text !== null && han.test(text) && hanAllowed[name]?.test(text) !== true) note(node, `${text} `.padEnd(3, 'x'))
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

test('no component holds a word of its own: every text comes from the resources', () => {
  expect(sources(renderer).flatMap(literalsIn)).toEqual([])
})
