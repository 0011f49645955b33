import type { ExtraProps } from 'react-markdown'

/** The tree that react-markdown hands to its plugins, as far as it matters here. */
type Element = NonNullable<ExtraProps['node']>
type ElementContent = Element['children'][number]
type Text = Extract<ElementContent, { type: 'text' }>
export interface Root {
  type: 'root'
  children: ElementContent[]
}

const marker = /\[(\d{1,3}(?:\s*[,，]\s*\d{1,3})*)\]/g
/** A blank that a model left between a marker and the sign that closes the sentence. */
const looseStop = /(\[\d{1,3}(?:\s*[,，]\s*\d{1,3})*\])\s+(?=[.,;:!?。，；：！？](?:\s|$))/g
const untouched = new Set(['pre', 'math', 'annotation'])
/** What states no sentence: nothing is underlined in it. */
const apart = new Set(['table', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'])

function isLetter(character: string): boolean {
  return /[\p{L}\p{N}]/u.test(character)
}

/** A text without its markers, spaces and signs: what stays the same however the sentence is dressed. */
export function bareLetters(text: string): string {
  return [...text.replace(marker, '')].filter(isLetter).join('').toLowerCase()
}

/** A sentence as it reads once rendered, bare: without the sign of a list before it or the address of a link in it. */
export function bareSentence(text: string): string {
  return bareLetters(text.replace(/^\s*(?:[>#*+-]+\s+|\d{1,3}[.)]\s+)+/, '').replace(/\]\([^)\s]*\)/g, ']'))
}

interface Run {
  parent: Element | Root
  node: Text
  /** Code and formulas keep their letters in the sentence but are not dressed; what is apart belongs to no sentence. */
  kind: 'text' | 'code' | 'apart'
}

function isFormula({ properties }: Element): boolean {
  return Array.isArray(properties['className']) && properties['className'].includes('katex')
}

/** Of a set formula only its source: that is what stands in the sentence. It is dressed by nothing. */
function formulaRuns(formula: Element, kind: Run['kind']): Run[] {
  for (const child of formula.children) {
    if (child.type !== 'element') continue
    const found =
      child.tagName === 'annotation'
        ? child.children.flatMap((node): Run[] =>
            node.type === 'text' ? [{ parent: child, node, kind: kind === 'text' ? 'code' : kind }] : [],
          )
        : formulaRuns(child, kind)
    if (found.length > 0) return found
  }
  return []
}

function textRuns(parent: Element | Root, runs: Run[], kind: Run['kind'] = 'text'): Run[] {
  for (const child of parent.children) {
    if (child.type === 'text') runs.push({ parent, node: child, kind })
    else if (child.type !== 'element') continue
    else if (isFormula(child)) runs.push(...formulaRuns(child, kind))
    else if (!untouched.has(child.tagName)) {
      textRuns(child, runs, child.tagName === 'code' ? 'code' : apart.has(child.tagName) ? 'apart' : kind)
    }
  }
  return runs
}

/** For every letter of the runs: which run and where in it. Letters inside markers don't count. */
function letterMap(runs: Run[]): { letters: string; at: { run: number; offset: number }[] } {
  let letters = ''
  const at: { run: number; offset: number }[] = []
  runs.forEach(({ node, kind }, run) => {
    if (kind === 'apart') return
    const hidden =
      kind === 'code' ? [] : [...node.value.matchAll(marker)].map((match) => [match.index, match.index + match[0].length] as const)
    for (let offset = 0; offset < node.value.length;) {
      const character = String.fromCodePoint(node.value.codePointAt(offset) ?? 32)
      if (isLetter(character) && !hidden.some(([from, to]) => offset >= from && offset < to)) {
        for (const unit of character.toLowerCase()) {
          letters += unit
          for (let each = 0; each < unit.length; each += 1) at.push({ run, offset })
        }
      }
      offset += character.length
    }
  })
  return { letters, at }
}

/** A sentence that its sources don't carry, and why in the user's words. */
export interface WeakSentence {
  text: string
  why: string
  /** Tells it from the others of its answer; it is on each of its underlined stretches. */
  key: string
}

interface Stretch {
  from: number
  to: number
  key: string
  why: string
}

/** Where the letters stand as something whole: "b" is not the beginning of "bold". */
function wholeAt(letters: string, at: { run: number; offset: number }[], bare: string): number {
  const adjoin = (one: number, other: number): boolean => {
    const [first, second] = [at[one], at[other]]
    if (first === undefined || second === undefined || first.run !== second.run) return false
    return second.offset - first.offset <= (/[\uD800-\uDBFF]/.test(letters[one] ?? '') ? 2 : 1)
  }
  for (let found = bare === '' ? -1 : letters.indexOf(bare); found >= 0; found = letters.indexOf(bare, found + 1))
    if (!adjoin(found - 1, found) && !adjoin(found + bare.length - 1, found + bare.length)) return found
  return -1
}

/** Stretches of each run that belong to an unsupported sentence. */
function weakStretches(runs: Run[], weak: WeakSentence[]): Map<number, Stretch[]> {
  const stretches = new Map<number, Stretch[]>()
  if (weak.length === 0) return stretches
  const { letters, at } = letterMap(runs)
  for (const sentence of weak) {
    const bare = bareSentence(sentence.text)
    const found = wholeAt(letters, at, bare)
    if (found < 0) continue
    const first = at[found]
    const last = at[found + bare.length - 1]
    if (first === undefined || last === undefined) continue
    for (let run = first.run; run <= last.run; run += 1) {
      const value = runs[run]?.node.value ?? ''
      const from = run === first.run ? first.offset : 0
      let to = run === last.run ? last.offset + 1 : value.length
      while (run === last.run && to < value.length && /[。！？!?.；;”"』」)）]/.test(value[to] ?? '')) to += 1
      stretches.set(run, [...(stretches.get(run) ?? []), { from, to, why: sentence.why, key: sentence.key }])
    }
  }
  return stretches
}

function weakElement(children: ElementContent[], why: string, key: string): Element {
  return { type: 'element', tagName: 'span', properties: { className: ['weak'], dataWeak: key, title: why }, children }
}

/** A stretch of text with its citation markers made into elements. */
function withMarkers(text: string, known: ReadonlySet<number>): ElementContent[] {
  const parts: ElementContent[] = []
  let from = 0
  for (const match of text.matchAll(marker)) {
    const numbers = (match[1] ?? '').split(/\s*[,，]\s*/).map(Number)
    if (!numbers.every((number) => known.has(number))) continue
    if (match.index > from) parts.push({ type: 'text', value: text.slice(from, match.index) })
    for (const number of numbers) {
      parts.push({
        type: 'element',
        tagName: 'cite',
        properties: { dataMarker: number },
        children: [{ type: 'text', value: String(number) }],
      })
    }
    from = match.index + match[0].length
  }
  if (from < text.length) parts.push({ type: 'text', value: text.slice(from) })
  return parts
}

function dress(value: string, stretches: Stretch[], known: ReadonlySet<number>): ElementContent[] {
  const parts: ElementContent[] = []
  let from = 0
  for (const { from: start, to: end, why, key } of [...stretches].sort((one, other) => one.from - other.from)) {
    if (start < from) continue
    parts.push(...withMarkers(value.slice(from, start), known))
    parts.push(weakElement(withMarkers(value.slice(start, end), known), why, key))
    from = end
  }
  parts.push(...withMarkers(value.slice(from), known))
  return parts
}

export interface MarkOptions {
  weak: WeakSentence[]
  /** Markers that have a source behind them; any other stays the text it is. */
  markers: ReadonlySet<number>
}

/** Makes citation markers into `cite` elements and underlines unsupported sentences, whatever dress the text wears. */
export function rehypeMarks({ weak, markers }: MarkOptions) {
  return (tree: Root): void => {
    const runs = textRuns(tree, [])
    for (const { node, kind } of runs) if (kind !== 'code') node.value = node.value.replace(looseStop, '$1')
    const stretches = weakStretches(runs, weak)
    runs.forEach(({ parent, node, kind }, run) => {
      if (kind === 'code') return
      const parts = dress(node.value, stretches.get(run) ?? [], markers)
      parent.children.splice(parent.children.indexOf(node), 1, ...parts)
    })
  }
}
