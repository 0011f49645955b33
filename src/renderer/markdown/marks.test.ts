import { expect, test } from 'vitest'
import { rehypeMarks, type Root } from './marks.ts'

type Node = Root['children'][number]
type Element = Extract<Node, { type: 'element' }>

function paragraph(...children: Element['children']): Root {
  return { type: 'root', children: [{ type: 'element', tagName: 'p', properties: {}, children }] }
}
function element(tagName: string, text: string): Element {
  return { type: 'element', tagName, properties: {}, children: [{ type: 'text', value: text }] }
}
/** The tree as a short text: {weak} and <marker>. */
function say(node: Root | Node): string {
  if (node.type === 'text') return node.value
  if (node.type !== 'element' && node.type !== 'root') return ''
  const inner = node.children.map((child) => say(child)).join('')
  if (node.type === 'root' || node.tagName === 'p') return inner
  if (node.tagName === 'cite') return `<${inner}>`
  return node.properties['dataWeak'] !== undefined ? `{${inner}}` : `${node.tagName}(${inner})`
}
function mark(tree: Root, weak: string[] = [], markers = [1, 2]): string {
  rehypeMarks({ weak: weak.map((text, index) => ({ text, why: '', key: String(index) })), markers: new Set(markers) })(tree)
  return say(tree)
}

test('markers become chips, several in one bracket too, and a marker to nothing stays text', () => {
  expect(mark(paragraph({ type: 'text', value: 'A [1] b [1, 2] c [9] d[2]' }))).toBe('A <1> b <1><2> c [9] d<2>')
})

test('no blank stands between a chip and the full stop', () => {
  expect(mark(paragraph({ type: 'text', value: 'It is so [1] . And so [2].' }))).toBe('It is so <1>. And so <2>.')
})

test('markers in code are code', () => {
  expect(mark(paragraph(element('code', 'list[1]')))).toBe('code(list[1])')
})

test('an unsupported sentence is underlined through bold text and markers, and only it', () => {
  const tree = paragraph({ type: 'text', value: 'First one. The ' }, element('strong', 'deposit'), {
    type: 'text',
    value: ' is back[1] in a week. Last.',
  })
  expect(mark(tree, ['The **deposit** is back [1] in a week.'])).toBe('First one. {The }strong({deposit}){ is back<1> in a week.} Last.')
})

test('a Chinese sentence keeps its full stop under the line', () => {
  expect(mark(paragraph({ type: 'text', value: '甲。押金会退还。[1]乙。' }), ['押金会退还。'])).toBe('甲。{押金会退还。}<1>乙。')
})

test('an unsupported sentence of a list, with code and a link in it, is underlined; a heading and a table are not', () => {
  const item: Root = { type: 'root', children: [{ type: 'element', tagName: 'p', properties: {}, children: [] }] }
  const [inner] = item.children
  if (inner?.type === 'element') {
    inner.children = [
      { type: 'text', value: 'Run ' },
      element('code', 'make 2'),
      { type: 'text', value: ' as ' },
      element('a', 'told'),
      { type: 'text', value: '.' },
    ]
  }
  expect(mark(item, ['1. Run `make 2` as [told](https://example.org/a).'])).toBe('{Run }code(make 2){ as }a({told}).')
  expect(
    mark({ type: 'root', children: [element('h2', 'The deposit is back.'), element('table', 'It is late.')] }, [
      'The deposit is back.',
      'It is late.',
    ]),
  ).toBe('h2(The deposit is back.)table(It is late.)')
})

test('a formula keeps its place in the sentence and nothing is drawn into it', () => {
  const annotation: Element = { ...element('annotation', 'x_{15}'), properties: { encoding: 'application/x-tex' } }
  const math: Element = { type: 'element', tagName: 'math', properties: {}, children: [element('mi', 'x'), annotation] }
  const seen: Element = { ...element('span', 'x15'), properties: { className: ['katex-html'] } }
  const formula: Element = { type: 'element', tagName: 'span', properties: { className: ['katex'] }, children: [math, seen] }
  const tree = paragraph({ type: 'text', value: 'So ' }, formula, { type: 'text', value: ' holds. Next.' })
  expect(mark(tree, ['So \\(x_{15}\\) holds.'])).toBe('{So }span(math(mi(x)annotation(x_{15}))span(x15)){ holds.} Next.')
})

test('a sentence is found where it stands whole, not as the beginning of another word', () => {
  const tree = paragraph({ type: 'text', value: 'Of ' }, element('strong', 'bold'), { type: 'text', value: ' things. b' })
  expect(mark(tree, ['b'])).toBe('Of strong(bold) things. {b}')
  expect(mark(paragraph({ type: 'text', value: '甲。押金会退还。乙押金会退还。' }), ['押金会退还。'])).toBe(
    '甲。{押金会退还。}乙押金会退还。',
  )
})
