import { z } from 'zod'
import type { Results } from '../results.ts'
import { defineTool, type Tool } from '../tool.ts'

/** Reads on in a result of this turn that was cut. */
export function createReadResult(results: Results): Tool {
  return defineTool({
    name: 'read_result',
    description: 'Reads on in a result that was cut, from a character on.',
    schema: z.object({
      call: z.string().describe('the call whose result was cut, as its note names it'),
      from: z.int().min(0).describe('the character to read on from'),
    }),
    access: 'read',
    limits: { maxCharacters: 12_000 },
    line: ({ call, from }, language) => (language === 'zh' ? `续读 ${call}，从第 ${from} 字起` : `Read on in ${call} from ${from}`),
    run({ call, from }) {
      const piece = results.read(call, from)
      if (piece === null) return { text: `No result is kept under “${call}”. There are: ${results.callIds.join(', ')}.`, failed: true }
      if (piece.text === '') return { text: `It ends at ${piece.of}: nothing comes after.`, failed: true }
      const rest = piece.to >= piece.of ? 'This is its end.' : `To read on: from ${piece.to} (of ${piece.of}).`
      return `${piece.text}\n\n(${rest})`
    },
  })
}
