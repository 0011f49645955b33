import { createContext, memo, useContext, useEffect, useMemo, useState, type ReactNode } from 'react'
import ReactMarkdown, { type Components, type ExtraProps, type Options } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import remarkMath from 'remark-math'
import { Chip, useOpenMarker } from './chip.tsx'
import { CodeBlock } from './code-block.tsx'
import { Link } from './link.tsx'
import { rehypeMarks, type WeakSentence } from './marks.ts'
import { hasMath, prepareMath } from './math.ts'
import { escapeQuoted } from './quoted.ts'

export interface CitationActions {
  turnId: string
  /** `before` is the text of its block up to the chip; left out, the source as a whole is meant. */
  open: (marker: number, before?: string) => void
  label: (marker: number) => string
}
export const CitationContext = createContext<CitationActions>({ turnId: '', open: () => undefined, label: String })

const remarkPlugins: Options['remarkPlugins'] = [remarkGfm, [remarkMath, { singleDollarTextMath: false }]]

const noPlugins: Options['remarkPlugins'] = []

/** The text of the block that a chip stands in, up to the chip, other chips left out. */
function textBefore(chip: Element): string {
  const block = chip.closest('p, li, td, th, blockquote, h1, h2, h3, h4, h5, h6, [data-block]')
  if (block === null) return ''
  const range = document.createRange()
  range.setStart(block, 0)
  range.setEndBefore(chip)
  const copy = range.cloneContents()
  copy.querySelectorAll('.chip, .code-frame').forEach((each) => each.remove())
  return copy.textContent
}

function Cite({ 'data-marker': marker }: { 'data-marker'?: number | string }) {
  const { turnId, open, label } = useContext(CitationContext)
  const number = Number(marker)
  const on = useOpenMarker(turnId) === number
  return <Chip marker={number} label={label(number)} on={on} onOpen={(chip) => open(number, textBefore(chip))} />
}

/** Most characters that a cell keeps in one line, a Chinese one counted as two. */
const cellCharacters = 14

/** Chinese may break after each character: a column of a wide table keeps room for a few, or for all it has. */
function cellStyle(node: ExtraProps['node']): { minWidth: string } {
  const text = node === undefined ? '' : textOf(node)
  const width = [...text].reduce((sum, character) => sum + (/[\u2e80-\uffef]/.test(character) ? 2 : 1), 0)
  return { minWidth: `calc(${Math.min(width, cellCharacters) / 2}em + 24px)` }
}

function textOf(node: NonNullable<ExtraProps['node']>['children'][number]): string {
  if (node.type === 'text') return node.value
  return node.type === 'element' ? node.children.map(textOf).join('') : ''
}

const components: Components = {
  a: ({ href, children }) => <Link href={href ?? ''}>{children}</Link>,
  // An image in an answer is never loaded: it could tell its sender that it was read.
  img: ({ alt, src }) => <code>{`![${alt ?? ''}](${typeof src === 'string' ? src : ''})`}</code>,
  table: ({ children }) => (
    <div className="table-frame" tabIndex={0} role="group">
      <table>{children}</table>
    </div>
  ),
  th: ({ children, node, style }) => <th style={{ ...style, ...cellStyle(node) }}>{children}</th>,
  td: ({ children, node, style }) => <td style={{ ...style, ...cellStyle(node) }}>{children}</td>,
  pre: ({ children }) => <>{children}</>,
  code: ({ className = '', children, node }) => {
    const text = String(children ?? '')
    // A formula that waits for its library is shown as it was written, in its line.
    if (className.includes('language-math')) return <code>{text}</code>
    const block = className !== '' || text.includes('\n') || node?.position?.start.line !== node?.position?.end.line
    return block ? <CodeBlock code={text.replace(/\n$/, '')} language={/language-(\S+)/.exec(className)?.[1] ?? ''} /> : <code>{text}</code>
  },
  input: ({ checked }) => <span aria-hidden="true">{checked === true ? '☑' : '☐'} </span>,
  cite: Cite as Components['cite'],
}

type RehypePlugin = NonNullable<Options['rehypePlugins']>[number]
let katex: RehypePlugin | null = null

/** Formulas are set by a library that comes only when there is one. */
function useKatex(wanted: boolean): RehypePlugin | null {
  const [plugin, setPlugin] = useState<RehypePlugin | null>(() => katex)
  useEffect(() => {
    if (!wanted || plugin !== null) return
    let alive = true
    import('./katex.ts').then(
      (module) => {
        katex = [module.rehypeKatex, { throwOnError: false, trust: false, maxExpand: 200, maxSize: 20, errorColor: 'currentColor' }]
        if (alive) setPlugin(() => katex)
      },
      () => undefined,
    )
    return () => {
      alive = false
    }
  }, [wanted, plugin])
  return plugin
}

export interface BlockProps {
  text: string
  /** Unsupported sentences in this block as JSON, so that equal blocks stay equal. */
  weak?: string
  /** The markers that have sources, joined by commas. */
  markers?: string
  /** The text is quoted from documents: only its blocks are Markdown, no sign in a line means anything. */
  quoted?: boolean
}

/** One block of Markdown. Rendered once; a finished block keeps its DOM nodes while the answer goes on. */
export const MarkdownBlock = memo(function MarkdownBlock({ text, weak = '', markers = '', quoted = false }: BlockProps): ReactNode {
  const plugin = useKatex(!quoted && hasMath(text))
  const rehypePlugins = useMemo<Options['rehypePlugins']>(() => {
    const options = {
      weak: weak === '' ? [] : (JSON.parse(weak) as WeakSentence[]),
      markers: new Set(markers === '' ? [] : markers.split(',').map(Number)),
    }
    return [...(plugin === null ? [] : [plugin]), [rehypeMarks, options]]
  }, [plugin, weak, markers])
  return (
    <ReactMarkdown remarkPlugins={quoted ? noPlugins : remarkPlugins} rehypePlugins={rehypePlugins} components={components}>
      {quoted ? escapeQuoted(text) : prepareMath(text)}
    </ReactMarkdown>
  )
})
