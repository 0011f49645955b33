/**
 * Formulas as text of one line, as people type them: `(a+b)/c`, `x^2`, `√(2a)`, `∑_(i=1)^n i`, `[1, 0; 0, 1]`. What binds more
 * than one sign stands in brackets, so that no structure is lost.
 */

interface Element {
  name: string
  /** Text of its own and of children that are no arguments. */
  text: string
  arguments: { role: string; text: string }[]
  /** Values of what stands in its properties. */
  properties: Record<string, string>
}

type Write = (element: Element) => string

/** Reads the elements of one formula by events. */
export interface FormulaReader {
  open(name: string, attributes: Record<string, string>): void
  /** Whether that was the end of the formula: nothing of it is open any more. */
  close(): boolean
  text(data: string): void
  /** The formula so far. */
  end(): string
}

const roles = new Set('num den e sup sub deg lim fName mr'.split(' '))

/** One sign, number or bracket needs no brackets of its own. */
function bound(text: string): string {
  const trimmed = text.trim()
  return trimmed === '' || /^(?:\p{L}\p{M}*|\d+(?:[.,]\d+)*|\p{S}|[∞…°′*'!])$/u.test(trimmed) || isBracketed(trimmed)
    ? trimmed
    : `(${trimmed})`
}

const closing: Record<string, string> = { '(': ')', '[': ']', '{': '}', '|': '|', '⟨': '⟩', '⌈': '⌉', '⌊': '⌋' }

/** One pair of brackets around all of it. */
function isBracketed(text: string): boolean {
  const last = closing[text.charAt(0)]
  if (last === undefined || last === '|' || text.length < 2 || !text.endsWith(last)) return false
  let depth = 0
  for (let at = 0; at < text.length - 1; at += 1) {
    if (text[at] === text[0]) depth += 1
    else if (text[at] === last) depth -= 1
    if (depth === 0) return false
  }
  return true
}

function scripts(base: string, sub: string, sup: string): string {
  // Names of functions are written with several letters.
  const named = /^\p{Ll}{2,}$/u.test(base.trim()) && sup === ''
  return `${named ? base.trim() : bound(base)}${sub === '' ? '' : `_${bound(sub)}`}${sup === '' ? '' : `^${bound(sup)}`}`
}

function root(radicand: string, degree: string): string {
  const known: Record<string, string> = { '': '√', '2': '√', '3': '∛', '4': '∜' }
  const inside = `(${radicand.trim()})`
  const sign = known[degree.trim()]
  return sign === undefined ? `root(${degree.trim()})${inside}` : `${sign}${isBracketed(radicand.trim()) ? radicand.trim() : inside}`
}

const accents: Record<string, string> = {
  '\u0302': '^',
  '\u0303': '~',
  '\u0304': '¯',
  '\u0305': '¯',
  '\u0307': '˙',
  '\u0308': '¨',
  '\u20d7': '→',
  '¯': '¯',
  '‾': '¯',
  '^': '^',
  '~': '~',
  '→': '→',
}
const marks: Record<string, string> = { '^': '\u0302', '~': '\u0303', '¯': '\u0304', '˙': '\u0307', '¨': '\u0308', '→': '\u20d7' }

/** x̄, or with its sign behind where it stands over more than one. */
function accented(base: string, sign: string): string {
  const plain = accents[sign] ?? sign
  const mark = marks[plain]
  return [...base.trim()].length === 1 && mark !== undefined ? (base.trim() + mark).normalize('NFC') : `${bound(base)}${plain}`
}

function argument({ arguments: list }: Element, role: string): string {
  return list
    .filter((each) => each.role === role)
    .map(({ text }) => text.trim())
    .join(', ')
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && !/^(?:0|false|off)$/.test(value)
}

/** Office Math (ECMA-376 part 1, 22.1), by the local names of its elements. */
const office: Record<string, Write> = {
  f: (element) => {
    const [top, below] = [argument(element, 'num'), argument(element, 'den')]
    return element.properties['type'] === 'noBar' ? `${top} ; ${below}` : `${bound(top)}/${bound(below)}`
  },
  sSup: (element) => scripts(argument(element, 'e'), '', argument(element, 'sup')),
  sSub: (element) => scripts(argument(element, 'e'), argument(element, 'sub'), ''),
  sSubSup: (element) => scripts(argument(element, 'e'), argument(element, 'sub'), argument(element, 'sup')),
  sPre: (element) => `${scripts('', argument(element, 'sub'), argument(element, 'sup'))} ${argument(element, 'e')}`,
  rad: (element) => root(argument(element, 'e'), isOn(element.properties['degHide']) ? '' : argument(element, 'deg')),
  nary: (element) => {
    const [sub, sup] = [argument(element, 'sub'), argument(element, 'sup')]
    return `${scripts(element.properties['chr'] ?? '∫', sub, sup)} ${argument(element, 'e')}`
  },
  d: (element) => {
    const { begChr = '(', sepChr = '|', endChr = ')' } = element.properties
    const parts = element.arguments.map(({ text }) => text.trim())
    // The brackets of a matrix are its own; those of a system stand around its lines.
    const [only] = parts
    if (parts.length === 1 && only !== undefined && isBracketed(only) && only.includes(';') && begChr !== '{')
      return begChr === '|' ? `|${only.slice(1, -1)}|` : only
    return `${begChr}${parts.join(sepChr)}${endChr}`
  },
  m: (element) => `[${element.arguments.map(({ text }) => text).join('; ')}]`,
  mr: (element) => element.arguments.map(({ text }) => text.trim()).join(', '),
  eqArr: (element) => element.arguments.map(({ text }) => text.replaceAll('&', '').trim()).join(' ; '),
  func: (element) => {
    const inside = argument(element, 'e')
    return `${argument(element, 'fName')}${isBracketed(inside) ? inside : ` ${bound(inside)}`}`
  },
  limLow: (element) => scripts(argument(element, 'e'), argument(element, 'lim'), ''),
  limUpp: (element) => scripts(argument(element, 'e'), '', argument(element, 'lim')),
  acc: (element) => accented(argument(element, 'e'), element.properties['chr'] ?? '\u0302'),
  bar: (element) => (element.properties['pos'] === 'top' ? accented(argument(element, 'e'), '¯') : `${bound(argument(element, 'e'))}_`),
}

const children = ({ arguments: list }: Element): string[] => list.map(({ text }) => text.trim())

/** MathML (presentation), by the names of its elements. Each child is an argument. */
const mathMl: Record<string, Write> = {
  mfrac: (element) => {
    const [top = '', below = ''] = children(element)
    return `${bound(top)}/${bound(below)}`
  },
  msup: (element) => scripts(children(element)[0] ?? '', '', children(element)[1] ?? ''),
  msub: (element) => scripts(children(element)[0] ?? '', children(element)[1] ?? '', ''),
  msubsup: (element) => scripts(children(element)[0] ?? '', children(element)[1] ?? '', children(element)[2] ?? ''),
  munder: (element) => scripts(children(element)[0] ?? '', children(element)[1] ?? '', ''),
  mover: (element) => {
    const [base = '', over = ''] = children(element)
    return accents[over] === undefined ? scripts(base, '', over) : accented(base, over)
  },
  munderover: (element) => scripts(children(element)[0] ?? '', children(element)[1] ?? '', children(element)[2] ?? ''),
  msqrt: (element) => root(children(element).join(''), ''),
  mroot: (element) => root(children(element)[0] ?? '', children(element)[1] ?? ''),
  mtable: (element) => `[${children(element).join('; ')}]`,
  mtr: (element) => children(element).join(', '),
  mlabeledtr: (element) => children(element).slice(1).join(', '),
  mfenced: (element) => {
    const { open = '(', close = ')', separators = ',' } = element.properties
    return `${open}${children(element).join(separators.trim().charAt(0))}${close}`
  },
  semantics: (element) => children(element)[0] ?? '',
  annotation: () => '',
  'annotation-xml': () => '',
  mspace: () => ' ',
  mphantom: () => '',
}

function local(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** Says that there is a formula, and nothing of it. */
const sayNothing = /^(?:(?:display|inline) )?(?:math(?:ml)?|formula|equation|image|公式)[\s\d.()-]*$/i

/** TeX, or a formula in words, without what only sets its size. */
function plainTex(tex: string): string {
  const flat = tex.replace(/\s+/g, ' ').trim()
  const style = /^\{\\(?:display|text)style\b([^]*)\}$/.exec(flat) ?? /^\\(?:display|text)style\b([^]*)$/.exec(flat)
  const plain = (style?.[1] ?? flat).trim()
  return sayNothing.test(plain) ? '' : plain
}

function createFormulaReader(kind: 'office' | 'mathml'): FormulaReader {
  const isOffice = kind === 'office'
  const stack: Element[] = [{ name: '', text: '', arguments: [], properties: {} }]
  /** How whoever wrote it says the formula in a line: in TeX, or else in the words for those who cannot see it. */
  let tex = ''
  let words = ''

  function written(element: Element): string {
    const write = (isOffice ? office : mathMl)[element.name]
    if (write !== undefined) return write(element)
    return isOffice ? element.text : element.text + element.arguments.map(({ text }) => text).join('')
  }
  return {
    open(name, attributes) {
      const tag = local(name)
      const properties = isOffice ? {} : attributes
      stack.push({ name: tag, text: '', arguments: [], properties })
      if (!isOffice && tag === 'math') words = plainTex(attributes['alttext'] ?? '')
      const value = attributes['m:val']
      const owner = stack.at(-3)
      // `m:fPr` and its like stand first in what they describe.
      if (isOffice && owner !== undefined && stack.at(-2)!.name.endsWith('Pr')) owner.properties[tag] = value ?? ''
    },
    close() {
      if (stack.length === 1) return true
      const element = stack.pop()!
      const parent = stack.at(-1)!
      const text = written(element)
      if (element.name === 'annotation' && /\btex\b/i.test(element.properties['encoding'] ?? '')) tex = plainTex(element.text)
      if (isOffice ? roles.has(element.name) : parent.name !== '') parent.arguments.push({ role: element.name, text })
      else parent.text += text
      return stack.length === 1
    },
    text(data) {
      const element = stack.at(-1)!
      if (isOffice || element.name === 'annotation') element.text += data
      // Applying a function is a blank, other signs that are not seen are nothing.
      else if (data.trim() !== '')
        element.text += data
          .trim()
          .replace(/\s+/g, ' ')
          .replaceAll('\u2061', ' ')
          .replace(/[\u2062-\u2064]/g, '')
    },
    end() {
      while (stack.length > 1) this.close()
      const { text } = stack[0]!
      stack[0]!.text = ''
      return tex || words || text.replace(/ {2,}/g, ' ').trim()
    },
  }
}

export const createOfficeFormula = (): FormulaReader => createFormulaReader('office')
export const createMathMl = (): FormulaReader => createFormulaReader('mathml')
