import type { Note, Turn } from '../../src/contract/answer.ts'

export interface OddAnswer {
  answer: string
  note?: Note
  step: 'generate' | 'extract'
  outcome: Turn['outcome'] & string
}

const columns = Array.from({ length: 30 }, (_, at) => at + 1)
const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
const wideTable = [
  row(columns.map((at) => `col${at}`)),
  row(columns.map(() => '---')),
  ...[1, 2, 3].map((line) => row(columns.map((at) => (at === 2 ? '七个工作日内无息退还' : String(1000 * line + at))))),
].join('\n')

const terms = (count: number, term: (at: number) => string): string => Array.from({ length: count }, (_, at) => term(at)).join(' + ')
const address = `https://example.org/${'a-long-part/'.repeat(20)}end`

/** Answers as they come seldom, by words of the question. */
const oddAnswers: readonly [words: string, answer: OddAnswer][] = [
  ['wide table', { answer: `The table.\n\n${wideTable}\n\nThe end.`, step: 'generate', outcome: 'answered' }],
  [
    'formulas',
    {
      answer: [
        `$$ S = ${terms(40, (at) => `\\frac{a_{${at}}}{b_{${at}}}`)} $$`,
        `Interest on \\(${terms(60, (at) => `x_{${at}}`)}\\) is paid.`,
        'Energy \\(E = mc^2\\), sum $$ \\sum_{i=1}^{n} \\frac{x_i^2}{2} $$ and the rest.',
      ].join('\n\n'),
      step: 'generate',
      outcome: 'answered',
    },
  ],
  ['an address', { answer: `See ${address} for more.`, step: 'generate', outcome: 'answered' }],
  [
    'goes round',
    {
      answer: `${'One thing after the other. '.repeat(200)}\n\n\`\`\`\nabcdef`,
      note: { code: 'repeats', message: 'The model repeats itself.' },
      step: 'generate',
      outcome: 'answered',
    },
  ],
  [
    'word for word',
    {
      answer: '…<1@>E?2.*A-#3%(4%56#* and __so__ on, see https://example.org/a_b_c [1]\n\n`x` and $$y$$ [2]',
      note: { code: 'model-failed', message: 'The model failed.' },
      step: 'extract',
      outcome: 'extractive',
    },
  ],
]

export function oddAnswer(question: string): OddAnswer | null {
  return oddAnswers.find(([words]) => question.includes(words))?.[1] ?? null
}
