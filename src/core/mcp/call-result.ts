import { z } from 'zod'

/** Longer results are cut here; the agent's own limit for what a model reads is far lower. */
export const maximalResult = 500_000

const partSchema = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.enum(['image', 'audio']), mimeType: z.string().default('?'), data: z.string() }),
  z.object({
    type: z.literal('resource'),
    resource: z.object({ uri: z.string(), mimeType: z.string().optional(), text: z.string().optional() }),
  }),
  z.object({ type: z.literal('resource_link'), uri: z.string(), name: z.string().default('') }),
])

/** Loose where servers differ: an unknown part is named, not refused. */
export const callResultSchema = z.looseObject({
  content: z.array(z.unknown()).default([]),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().default(false),
})

/** What a model reads of a result: texts as they are, everything else named; the structured form where there is no text. */
export function resultText({ content, structuredContent }: z.output<typeof callResultSchema>): string {
  const parts = content.map(partText).filter((text) => text !== '')
  const text = parts.length === 0 && structuredContent !== undefined ? JSON.stringify(structuredContent) : parts.join('\n\n')
  if (text.length <= maximalResult) return text === '' ? '(no content)' : text
  return `${text.slice(0, maximalResult)}\n[cut: the result has ${text.length} characters]`
}

function partText(raw: unknown): string {
  const part = partSchema.safeParse(raw)
  if (!part.success) return '[a part of an unknown kind]'
  switch (part.data.type) {
    case 'text':
      return part.data.text
    case 'image':
    case 'audio':
      return `[${part.data.type}: ${part.data.mimeType}, ${Math.floor((part.data.data.length * 3) / 4)} bytes]`
    case 'resource': {
      const { uri, mimeType, text } = part.data.resource
      return text === undefined ? `[resource: ${uri}${mimeType === undefined ? '' : `, ${mimeType}`}]` : `[resource: ${uri}]\n${text}`
    }
    case 'resource_link':
      return `[resource: ${[part.data.name, part.data.uri].filter((each) => each !== '').join(', ')}]`
  }
}
