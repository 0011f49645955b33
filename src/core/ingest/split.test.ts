import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loadTokenizer } from '../embed/embed.ts'
import { embeddedText } from '../search/search.ts'
import { linesOf } from './read/lines.ts'
import { readMarkdown } from './read/markdown.ts'
import { readCode, readText } from './read/plain.ts'
import type { ReadSection, Sections } from './read/read.ts'
import { splitByStructure, type SplitPassage, type SplitTokenizer } from './split.ts'

const tokenizer = await loadTokenizer(fileURLToPath(new URL('../../../resources', import.meta.url)))
const maxTokens = tokenizer.passageBudget

async function all(sections: Sections): Promise<ReadSection[]> {
  const list: ReadSection[] = []
  for await (const section of sections) list.push(section)
  return list
}

async function splitMarkdown(text: string): Promise<SplitPassage[]> {
  return splitByStructure(await all(readMarkdown(linesOf([text]))), tokenizer, { maxTokens })
}

/** Half of a character. */
const broken = /\p{Surrogate}/u

function words(count: number, from = 0): string {
  return Array.from({ length: count }, (_, index) => `word${from + index}`).join(' ')
}

/** What must hold for every text: verbatim, within the window, whole characters, nothing lost, and the ids of exactly the embedded text. */
function checkAll(sections: ReadSection[], passages: SplitPassage[], limit: number, using: SplitTokenizer): void {
  const text = sections.map((section, index) => (index === 0 ? '' : (section.joint ?? '\n\n')) + section.text).join('')
  const covered = new Uint8Array(text.length)
  for (const passage of passages) {
    expect(text.slice(passage.start, passage.end)).toBe(passage.text)
    expect(passage.tokenIds.length).toBeLessThanOrEqual(limit)
    expect(!broken.test(passage.text) || broken.test(text)).toBe(true)
    expect([...passage.tokenIds]).toEqual([...using.encode(embeddedText(passage.heading, passage.text))])
    covered.fill(1, passage.start, passage.end)
  }
  for (let index = 0; index < text.length; index++) if (covered[index] === 0) expect(text[index]).toMatch(/\s/)
}

const piece = fc.oneof(
  fc.constantFrom(
    '# Head\n',
    '## 标题二\n',
    '\n\n',
    '\n',
    '- item ',
    '1. ',
    '```\ncode()\n```\n',
    '| a | b |\n',
    '    ',
    '。',
    '！',
    '. ',
    ', ',
    '，',
    '👩‍👩‍👧‍👦',
    '𠮷',
    'é',
  ),
  fc.constantFrom(
    '这是一个句子，没有别的意思。',
    'The quick brown fox jumps over Dr. Smith. ',
    '知识',
    'x'.repeat(40),
    '漢字'.repeat(60),
    'antidisestablishmentarianism ',
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
)
const anyText = fc.array(piece, { maxLength: 120 }).map((parts) => parts.join(''))

describe('by structure', () => {
  it('keeps every promise on any Markdown', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, fc.integer({ min: 24, max: maxTokens }), async (text, limit) => {
        const sections = await all(readMarkdown(linesOf([text])))
        checkAll(sections, splitByStructure(sections, tokenizer, { maxTokens: limit }), limit, tokenizer)
      }),
      { numRuns: 150 },
    )
  })

  it('keeps every promise on any text and source', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, fc.integer({ min: 24, max: 200 }), fc.boolean(), async (text, limit, isCode) => {
        const lines = linesOf([text])
        const sections = await all(isCode ? readCode(lines) : readText(lines))
        checkAll(sections, splitByStructure(sections, tokenizer, { maxTokens: limit }), limit, tokenizer)
      }),
      { numRuns: 100 },
    )
  })

  it('leaves a document that fits the window in one passage', async () => {
    expect(await splitMarkdown(`${words(60)}\n\n${words(60, 60)}`)).toHaveLength(1)
  })

  it('gives each passage the path of its headings and its exact lines', async () => {
    const text =
      '# Lease\n\nIntroduction of some length here. ' +
      words(40) +
      '\n\n## Rent\n\nThe rent is 1,200. ' +
      words(40) +
      '\n\n# Annex\n\n' +
      words(80)
    const passages = await splitMarkdown(text)
    expect(passages.map((passage) => passage.heading)).toEqual([['Lease'], ['Lease', 'Rent'], ['Annex']])
    expect(passages[1]!.place).toEqual({ kind: 'lines', from: 5, to: 7, heading: ['Lease', 'Rent'] })
  })

  it('joins very small neighbours under the heading they share', async () => {
    const passages = await splitMarkdown('# Terms\n\n## One\n\nshort\n\n## Two\n\nalso short\n')
    expect(passages.map((passage) => [passage.heading, passage.text])).toEqual([
      [['Terms'], '# Terms\n\n## One\n\nshort\n\n## Two\n\nalso short'],
    ])
  })

  it('cuts long Chinese at sentences and repeats whole sentences at the border', async () => {
    const text = Array.from({ length: 60 }, (_, index) => `这是第${index}句话，说的是合同第${index}条的内容和它的例外情况。`).join('')
    const passages = await splitMarkdown(text)
    expect(passages.length).toBeGreaterThan(2)
    for (const passage of passages) expect(passage.text).toMatch(/^这.*。$/s)
    for (const [index, passage] of passages.slice(1).entries()) {
      const before = passages[index]!
      expect(passage.start).toBeLessThan(before.end)
      expect(before.end - passage.start).toBeLessThan(before.text.length / 3)
    }
  })

  it('does not take an abbreviation, an initial or a decimal for the end of a sentence', async () => {
    const sentence = 'Dr. J. Smith paid approx. 3.14 to the U.S. office, e.g. for stamps, as Fig. 2 shows in detail'
    const passages = await splitMarkdown(Array.from({ length: 40 }, (_, index) => `${sentence} (${index}).`).join(' '))
    for (const passage of passages) expect(passage.text).toMatch(/^Dr\. J\. Smith.*\(\d+\)\.$/s)
  })

  it('keeps a fence whole that fits, and cuts one that does not at its lines', async () => {
    const code = (lines: number): string =>
      '```js\n' + Array.from({ length: lines }, (_, index) => `call${index}(argument)`).join('\n') + '\n```'
    const small = await splitMarkdown(`${words(150)}\n\n${code(20)}\n\n${words(150)}`)
    expect(
      small
        .filter((passage) => passage.text.includes('```js') || passage.text.endsWith('```'))
        .every((passage) => passage.text.includes(code(20))),
    ).toBe(true)
    const large = await splitMarkdown(code(300))
    expect(large.length).toBeGreaterThan(3)
    for (const passage of large) for (const line of passage.text.split('\n')) expect(line).toMatch(/^(```|```js|call\d+\(argument\))$/)
  })

  it('never crosses a page, however small both are', () => {
    const page = (number: number, text: string): ReadSection => ({
      text,
      heading: [],
      place: { kind: 'page', page: number },
      blocks: [{ kind: 'paragraph', start: 0, end: text.length }],
      positions: {
        kind: 'page',
        page: number,
        lines: [{ start: 0, end: text.length, box: { page: number, x: 0.1, y: 0.1, width: 0.5, height: 0.02 } }],
      },
    })
    const passages = splitByStructure([page(1, 'first'), page(2, 'second')], tokenizer, { maxTokens })
    expect(passages.map((passage) => passage.place)).toEqual([
      { kind: 'page', page: 1, boxes: [{ page: 1, x: 0.1, y: 0.1, width: 0.5, height: 0.02 }] },
      { kind: 'page', page: 2, boxes: [{ page: 2, x: 0.1, y: 0.1, width: 0.5, height: 0.02 }] },
    ])
  })

  /** Pages of a text that goes on from one to the next, each a line. */
  function pagesOf(texts: readonly string[], joint: (index: number) => ReadSection['joint']): ReadSection[] {
    return texts.map((text, index) => {
      const page = index + 1
      const box = { page, x: 0.1, y: 0.1, width: 0.5, height: 0.02 }
      const between = index === 0 ? undefined : joint(index)
      return {
        text,
        heading: [],
        place: { kind: 'page', page },
        blocks: [{ kind: 'paragraph', start: 0, end: text.length }],
        positions: { kind: 'page', page, lines: [{ start: 0, end: text.length, box }] },
        ...(between === undefined ? {} : { joint: between }),
      }
    })
  }

  it('goes over the border of two pages where the text does, and says where the second begins', () => {
    const passages = splitByStructure(
      pagesOf(['The rent is', 'due monthly.'], () => ' '),
      tokenizer,
      { maxTokens },
    )
    const box = { x: 0.1, y: 0.1, width: 0.5, height: 0.02 }
    expect(passages.map(({ text, place }) => [text, place])).toEqual([
      [
        'The rent is due monthly.',
        { kind: 'page', page: 1, toPage: 2, pageStarts: [{ page: 2, at: 12 }], boxes: [1, 2].map((page) => ({ page, ...box })) },
      ],
    ])
  })

  it('splits pages that go on as it splits the whole text, however the pages cut it', () => {
    const sentences = Array.from({ length: 400 }, (_, index) => `Sentence ${index} says that clause ${index % 7} holds for a while.`)
    const text = sentences.join(' ')
    const cuts = Array.from({ length: 9 }, (_, index) => text.indexOf(' ', index * 2500))
    const pages = cuts.map((cut, index) => text.slice(index === 0 ? 0 : cut + 1, cuts[index + 1]))
    const sections = pagesOf(pages, () => ' ')
    const passages = splitByStructure(sections, tokenizer, { maxTokens })
    checkAll(sections, passages, maxTokens, tokenizer)
    for (const passage of passages) {
      expect(passage.text).toMatch(/^Sentence .*\.$/s)
      expect(passage.tokens).toBeGreaterThan(200)
    }
  })

  it('keeps every promise on pages, whatever stands between them', async () => {
    const page = fc.tuple(anyText, fc.constantFrom<ReadSection['joint'][]>('', ' ', '\n\n', undefined))
    await fc.assert(
      fc.property(fc.array(page, { maxLength: 8 }), fc.integer({ min: 24, max: 200 }), (pages, limit) => {
        const texts = pages.map(([text]) => text.trim()).filter((text) => text !== '')
        const sections = pagesOf(texts, (index) => pages[index]![1])
        checkAll(sections, splitByStructure(sections, tokenizer, { maxTokens: limit }), limit, tokenizer)
      }),
      { numRuns: 150 },
    )
  })

  it('gives a passage of a page the headings that all of it stands under', () => {
    const text = `Part\n\n${words(300)}.\n\nOther\n\n${words(300)}.`
    const other = text.indexOf('Other')
    const section: ReadSection = {
      text,
      heading: ['Title', 'Before'],
      headings: [
        { offset: 0, path: ['Title', 'Part'] },
        { offset: other, path: ['Title', 'Other'] },
      ],
      place: { kind: 'page', page: 1 },
      blocks: [
        { kind: 'heading', start: 0, end: 4 },
        { kind: 'paragraph', start: 6, end: other - 2 },
        { kind: 'heading', start: other, end: other + 5 },
        { kind: 'paragraph', start: other + 7, end: text.length },
      ],
      positions: { kind: 'page', page: 1, lines: [] },
    }
    const passages = splitByStructure([section], tokenizer, { maxTokens })
    expect(new Set(passages.map((passage) => passage.heading.join('/')))).toEqual(new Set(['Title/Part', 'Title/Other']))
    checkAll([section], passages, maxTokens, tokenizer)
  })

  it('gives the remarks of a mail passages of few paragraphs, and keeps a short mail whole', () => {
    const mailOf = (paragraphs: readonly string[]): ReadSection => {
      const place = { kind: 'message' as const, message: 'Letters' }
      let end = -2
      const blocks = paragraphs.map((paragraph) => {
        const start = end + 2
        end = start + paragraph.length
        return { kind: 'paragraph' as const, start, end }
      })
      return { text: paragraphs.join('\n\n'), heading: ['Letters'], place, positions: place, blocks }
    }
    const remarks = Array.from(
      { length: 16 },
      (_, index) => `Remark ${index} is about pier ${index * 7} and what the crane there needs before spring.`,
    )
    const section = mailOf(remarks)
    const passages = splitByStructure([section], tokenizer, { maxTokens })
    checkAll([section], passages, maxTokens, tokenizer)
    expect(passages.length).toBeGreaterThan(2)
    for (const passage of passages) {
      expect(passage.text.split('\n\n').every((paragraph) => remarks.includes(paragraph))).toBe(true)
      expect(passage.tokens).toBeLessThan(100)
      expect(passage.heading).toEqual(['Letters'])
    }
    expect(splitByStructure([mailOf(remarks.slice(0, 3))], tokenizer, { maxTokens })).toHaveLength(1)
  })

  it('is not quadratic on one line of two million characters', async () => {
    const sections = await all(readText(linesOf(['知识库'.repeat(600_000)])))
    let count = 0
    const counting: SplitTokenizer = {
      encode: (text) => ((count += text.length), tokenizer.encode(text)),
      encodeWithOffsets: (text) => ((count += text.length), tokenizer.encodeWithOffsets(text)),
    }
    const passages = splitByStructure(sections, counting, { maxTokens })
    expect(passages.length).toBeGreaterThan(1000)
    expect(count).toBeLessThan(1_800_000 * 4)
  })
})
