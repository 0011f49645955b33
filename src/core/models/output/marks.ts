import type { Reading, Source } from './source.ts'

/** What a mark in a model's text means. `call`: calls follow. `stray`: the end of one, or of the turn; nothing by itself. */
export type MarkKind = 'think' | 'think-end' | 'call' | 'function' | 'invoke' | 'named' | 'section' | 'harmony' | 'harmony-end' | 'stray'

export interface Mark {
  kind: MarkKind
  /** As the table has it: small letters, plain bars and underscores. */
  open: string
  /** As the model wrote it. */
  text: string
}

/**
 * Tags and special tokens that models write: Qwen, Hermes, Granite, Phi, LFM2, GLM, MiniMax, InternLM, Mistral, Llama,
 * DeepSeek, Kimi, gpt-oss; and the tags of thoughts.
 */
const table: Record<MarkKind, string[]> = {
  think: ['<think>', '<thinking>', '◁think▷', '[think]', '<seed:think>', '<|begin_of_thought|>'],
  'think-end': ['</think>', '</thinking>', '◁/think▷', '[/think]', '</seed:think>', '<|end_of_thought|>'],
  call: [
    ...['<tool_call>', '<tool_calls>', '<toolcall>', '<tool_use>', '<function_call>', '<function_calls>', '<functioncall>', '<tools>'],
    ...['<|tool_call|>', '<|tool_call>', '<|tool_call_start|>', '<minimax:tool_call>', '[tool_calls]', '<|python_tag|>', 'functools['],
    ...['<|plugin|>', '<|action_start|><|plugin|>', '<|action_start|> <|plugin|>'],
  ],
  function: ['<function='],
  invoke: ['<invoke name='],
  named: ['<|tool_call_begin|>'],
  section: ['<|tool_calls_begin|>', '<|tool_calls_section_begin|>', '<|tool_call_section_begin|>'],
  harmony: ['<|channel|>', '<|start|>'],
  'harmony-end': ['<|end|>', '<|return|>', '<|call|>', '<|message|>'],
  stray: [
    ...[
      '</tool_call>',
      '</tool_calls>',
      '</toolcall>',
      '</tool_use>',
      '</function_call>',
      '</function_calls>',
      '</functioncall>',
      '</tools>',
    ],
    ...[
      '<|/tool_call|>',
      '<tool_call|>',
      '<|tool_call_end|>',
      '</minimax:tool_call>',
      '[/tool_calls]',
      '<|action_end|>',
      '</function>',
      '</invoke>',
    ],
    ...['<|tool_calls_end|>', '<|tool_calls_section_end|>', '<|tool_call_section_end|>'],
    ...['<|im_end|>', '<|eom_id|>', '<|eot_id|>', '<|endoftext|>', '<|end_of_text|>', '<|end_of_sentence|>', '<end_of_turn>', '</s>'],
  ],
}

export interface Marks {
  /** The longest mark that begins here, not taken; null when none does. */
  find(source: Source): Reading<Mark | null>
}

export function createMarks(): Marks {
  const all = (Object.keys(table) as MarkKind[]).flatMap((kind) => table[kind].map((open) => ({ kind, open })))
  const beginnings = new Map<string, typeof all>()
  for (const mark of all) {
    const start = mark.open.slice(0, 2)
    beginnings.set(start, [...(beginnings.get(start) ?? []), mark])
  }
  // Most of what begins like a mark is none by its second character already.
  const seconds = new Set([...beginnings.keys()].flatMap((start) => [start.charAt(1), start.charAt(1).toUpperCase()]).concat('｜'))
  return {
    *find(source) {
      if (source.at + 1 < source.text.length && !seconds.has(source.text.charAt(source.at + 1))) return null
      const candidates = beginnings.get(plain(yield* source.peek(2)))
      if (candidates === undefined) return null
      for (let count = 3; ; count += 1) {
        const written = yield* source.peek(count)
        const seen = plain(written)
        const open = candidates.some((mark) => mark.open.length > seen.length && mark.open.startsWith(seen))
        if (open && written.length === count) continue
        const found = candidates.filter((mark) => seen.startsWith(mark.open)).sort((a, b) => b.open.length - a.open.length)[0]
        return found === undefined ? null : { ...found, text: written.slice(0, found.open.length) }
      }
    },
  }
}

/** One character for one, so that lengths stay. */
function plain(text: string): string {
  return text
    .replaceAll('｜', '|')
    .replaceAll('▁', '_')
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** Texts that begin like thoughts whose opening tag was in the template. Small letters. */
const thoughtStarts = [
  ...['okay, the user', 'okay, so', 'okay, let me', "okay, let's", 'okay, i ', 'ok, the user', 'ok, so', 'ok, let me', 'alright, ', 'hmm'],
  ...[
    'the user ',
    'we need to ',
    'we have to ',
    'let me think',
    'first, the user',
    'first, i need',
    'so the user',
    '嗯',
    '好的，用户',
    '好，用户',
  ],
  ...['首先，用户', '用户'],
]

/** Whether the text begins like thoughts; nothing is taken. */
export function* beginsLikeThoughts(source: Source): Reading<boolean> {
  for (let count = 1; ; count += 1) {
    const written = yield* source.peek(count)
    const seen = written.toLowerCase()
    if (thoughtStarts.some((start) => seen.startsWith(start))) return true
    if (written.length < count || !thoughtStarts.some((start) => start.startsWith(seen))) return false
  }
}
