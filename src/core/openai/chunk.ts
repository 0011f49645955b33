import { z } from 'zod'

/** A piece of an answer, however its server wrote it. */
export interface ChatChunk {
  text: string
  /** Not part of the protocol: DeepSeek, Qwen, llama.cpp and vLLM say `reasoning_content`, others `reasoning`. */
  thinking: string
  /** Pieces of calls as they came. */
  calls: unknown[]
  /** As the server says it; null while the answer goes on. */
  finish: string | null
  usage: ChunkUsage | null
}

export interface ChunkUsage {
  promptTokens: number | null
  completionTokens: number | null
  totalTokens: number | null
}

const partSchema = z.looseObject({ text: z.string().optional().catch(undefined), thinking: z.unknown().optional() })
const saidSchema = z.looseObject({
  content: z.unknown().optional(),
  reasoning_content: z.unknown().optional(),
  reasoning: z.unknown().optional(),
  refusal: z.unknown().optional(),
  tool_calls: z.array(z.unknown()).nullish().catch(null),
  /** What calls were before there could be several. */
  function_call: z.looseObject({}).nullish().catch(null),
})
const chunkSchema = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        delta: saidSchema.nullish().catch(null),
        /** Some servers send the whole in a stream, too. */
        message: saidSchema.nullish().catch(null),
        finish_reason: z.string().nullish().catch(null),
      }),
    )
    .nullish()
    .catch(null),
  usage: z.looseObject({}).nullish().catch(null),
})

const troubleSchema = z.looseObject({
  choices: z.undefined().optional(),
  message: z.string().min(1),
  code: z.union([z.string(), z.number()]).optional(),
})

/** What a chunk says is wrong, in the shape that DashScope and Zhipu have for it; null for one that says nothing of the kind. */
export function troubleOf(value: unknown): string | null {
  return troubleSchema.safeParse(value).data?.message ?? null
}

export function readChunk(value: unknown): ChatChunk {
  const { choices, usage } = chunkSchema.safeParse(value).data ?? {}
  const choice = choices?.[0]
  const said = choice?.delta ?? choice?.message
  const content = contentOf(said?.content)
  const refusal = typeof said?.refusal === 'string' ? said.refusal : ''
  const told = [said?.reasoning_content, said?.reasoning].find((each) => typeof each === 'string') as string | undefined
  return {
    text: content.text + refusal,
    thinking: (told ?? '') + content.thinking,
    calls: said?.tool_calls ?? (said?.function_call ? [{ index: 0, function: said.function_call }] : []),
    finish: choice?.finish_reason ?? null,
    usage: usage ? usageOf(usage) : null,
  }
}

/** A text, or parts of one: Mistral's thoughts are parts that hold parts. */
function contentOf(content: unknown): { text: string; thinking: string } {
  if (typeof content === 'string') return { text: content, thinking: '' }
  if (!Array.isArray(content)) return { text: '', thinking: '' }
  const all = { text: '', thinking: '' }
  for (const each of content) {
    const part = partSchema.safeParse(each).data
    if (part?.thinking !== undefined) all.thinking += typeof part.thinking === 'string' ? part.thinking : contentOf(part.thinking).text
    else all.text += part?.text ?? ''
  }
  return all
}

function usageOf(usage: Record<string, unknown>): ChunkUsage {
  const count = (...names: string[]): number | null => {
    const value = names.map((name) => usage[name]).find((each) => each !== undefined && each !== null)
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
    return typeof number === 'number' && Number.isFinite(number) ? number : null
  }
  return {
    promptTokens: count('prompt_tokens', 'input_tokens'),
    completionTokens: count('completion_tokens', 'output_tokens'),
    totalTokens: count('total_tokens'),
  }
}
