import { z } from 'zod'
import { headerLength, idBits, noPiece, vocabularyMagic, vocabularyVersion, type VocabularyHead } from './vocabulary.ts'

const addedSchema = z.object({
  id: z.number().int(),
  content: z.string().min(1),
  single_word: z.literal(false),
  lstrip: z.literal(false),
  rstrip: z.literal(false),
  normalized: z.literal(false),
})
const replaceSchema = (regex: string, content: string) =>
  z.object({ type: z.literal('Replace'), pattern: z.object({ Regex: z.literal(regex) }), content: z.literal(content) })

/** Only what normalize.ts and segment.ts do is let through: another tokenizer must not compile to wrong ids. */
const tokenizerFileSchema = z.object({
  added_tokens: z.array(addedSchema),
  normalizer: z.object({
    type: z.literal('Sequence'),
    normalizers: z.tuple([
      replaceSchema('[\u0000-\u0008\u000b\u000e-\u001f\u007f\u200b-\u200f\ufeff]', ''),
      replaceSchema('[\t\n\r\f]', ' '),
      z.object({ type: z.literal('NFKC') }),
      replaceSchema(' {2,}', ' '),
    ]),
  }),
  pre_tokenizer: z.object({ type: z.literal('Metaspace'), replacement: z.literal('▁'), prepend_scheme: z.literal('always') }),
  model: z.object({
    type: z.literal('Unigram'),
    unk_id: z.number().int(),
    byte_fallback: z.literal(false).optional(),
    vocab: z.array(z.tuple([z.string().min(1), z.number()])),
  }),
})

interface Node {
  children: Map<number, Node>
  piece: number
}

/** The bytes of `tokenizer.bin`. The same for the same `tokenizer.json`, always. */
export function compileVocabulary(tokenizerJson: string): Uint8Array {
  const file = tokenizerFileSchema.parse(JSON.parse(tokenizerJson))
  const vocabulary = file.model.vocab
  if (vocabulary.length >= noPiece) throw new Error('too many pieces')
  for (const [piece, score] of vocabulary)
    if (Math.fround(score) !== score) throw new Error(`the score of ${piece} needs more than 32 bits`)
  const { numbers, trie, longestPiece } = buildTrie(vocabulary.map(([piece]) => piece))
  const cells = placeNodes(trie, numbers.size)
  const head: VocabularyHead = {
    unknownId: file.model.unk_id,
    longestPiece,
    added: file.added_tokens.map(({ content, id }) => ({ content, id })),
  }
  return assemble(
    head,
    numbers,
    cells,
    vocabulary.map(([, score]) => score),
  )
}

function buildTrie(pieces: string[]): { numbers: Map<number, number>; trie: Node; longestPiece: number } {
  const root: Node = { children: new Map(), piece: noPiece }
  const edges = new Map<number, number>()
  let longestPiece = 0
  pieces.forEach((piece, id) => {
    let node = root
    let length = 0
    for (const character of piece) {
      const codePoint = character.codePointAt(0)!
      let child = node.children.get(codePoint)
      if (child === undefined) {
        child = { children: new Map(), piece: noPiece }
        node.children.set(codePoint, child)
        edges.set(codePoint, (edges.get(codePoint) ?? 0) + 1)
      }
      node = child
      length++
    }
    if (node.piece !== noPiece) throw new Error(`the piece ${piece} comes twice`)
    node.piece = id
    longestPiece = Math.max(longestPiece, length)
  })
  // Frequent characters get small numbers: children lie close together.
  const ordered = [...edges].sort((a, b) => b[1] - a[1] || a[0] - b[0])
  if (ordered.length >= 1 << (32 - idBits)) throw new Error('too many characters')
  return { numbers: new Map(ordered.map(([codePoint], index) => [codePoint, index + 1])), trie: renumber(root, ordered), longestPiece }
}

function renumber(root: Node, ordered: [number, number][]): Node {
  const numbers = new Map(ordered.map(([codePoint], index) => [codePoint, index + 1]))
  const rename = (node: Node): void => {
    for (const child of node.children.values()) rename(child)
    node.children = new Map(
      [...node.children].map(([codePoint, child]): [number, Node] => [numbers.get(codePoint)!, child]).sort((a, b) => a[0] - b[0]),
    )
  }
  rename(root)
  return root
}

/** Large families first, while there is room for them; only children fill the holes. */
function placeNodes(root: Node, characters: number): Int32Array {
  const parents: Node[] = []
  const nodes: Node[] = [root]
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index]!
    if (node.children.size > 0) parents.push(node)
    for (const child of node.children.values()) nodes.push(child)
  }
  parents.sort((a, b) => b.children.size - a.children.size)
  const bases = new Map<Node, number>()
  const takenBases = new Set<number>()
  const room = nodes.length * 2 + characters
  const nextFree = Int32Array.from({ length: room + 1 }, (_, cell) => cell + 1)
  const previousFree = Int32Array.from({ length: room + 1 }, (_, cell) => cell - 1)
  const used = new Uint8Array(room + 1)
  const take = (cell: number): void => {
    used[cell] = 1
    nextFree[previousFree[cell]!] = nextFree[cell]!
    previousFree[nextFree[cell]!] = previousFree[cell]!
  }
  // Cell 0 is the root's and heads the list of free cells.
  let last = 0
  let start = 0
  let filling = false
  for (const node of parents) {
    const labels = [...node.children.keys()]
    const first = labels[0]!
    if (labels.length === 1 && !filling) {
      filling = true
      start = 0
    }
    let tried = 0
    let cell = nextFree[start]!
    const fits = (base: number): boolean => base >= 0 && !takenBases.has(base) && labels.every((label) => used[base + label] === 0)
    while (!fits(cell - first)) {
      cell = nextFree[cell]!
      tried++
    }
    const base = cell - first
    if (tried > 500) start = previousFree[cell]!
    bases.set(node, base)
    takenBases.add(base)
    for (const label of labels) {
      while (start === base + label) start = previousFree[start]!
      take(base + label)
    }
    last = Math.max(last, base + labels[labels.length - 1]!)
  }
  const cells = new Int32Array((last + characters + 2) * 2)
  const write = (node: Node, cell: number): void => {
    const base = bases.get(node)
    cells[cell * 2] = base ?? -1
    if (base === undefined) return
    for (const [label, child] of node.children) {
      cells[(base + label) * 2 + 1] = (label << idBits) | child.piece
      write(child, base + label)
    }
  }
  write(root, 0)
  return cells
}

function assemble(head: VocabularyHead, numbers: Map<number, number>, cells: Int32Array, scores: number[]): Uint8Array {
  const json = JSON.stringify(head)
  const headBytes = new TextEncoder().encode(json.padEnd(json.length + ((4 - (new TextEncoder().encode(json).length % 4)) % 4), ' '))
  const basic = new Uint16Array(65_536)
  const others: number[] = []
  for (const [codePoint, number] of numbers) {
    if (codePoint < 65_536) basic[codePoint] = number
    else others.push(codePoint, number)
  }
  const header = new Int32Array([vocabularyMagic, vocabularyVersion, headBytes.length, cells.length / 2, scores.length, others.length / 2])
  if (header.length !== headerLength) throw new Error('the header has another length')
  const parts = [header, headBytes, basic, new Int32Array(others), cells, new Float32Array(scores)]
  return Buffer.concat(parts.map((part) => new Uint8Array(part.buffer, part.byteOffset, part.byteLength)))
}
