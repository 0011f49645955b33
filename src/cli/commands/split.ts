import type { Command } from 'commander'
import { z } from 'zod'
import { counted } from '../../contract/counted.ts'
import { splitStrategySchema } from '../../contract/library.ts'
import type { Run } from '../cli.ts'
import { filled, oneOf, wholeNumber } from '../options.ts'
import { jsonResult, placeText, plain, result } from '../output.ts'
import { reachable } from '../reachable.ts'

const optionsSchema = z.object({
  strategy: splitStrategySchema.optional(),
  maxTokens: z.number().optional(),
  overlap: z.number().optional(),
})

export function addSplit(siku: Command, run: Run): void {
  siku
    .command('split')
    .description('the passages that a file is split into, without indexing it')
    .argument('<file>', 'a path', filled)
    .option(
      '--strategy <strategy>',
      'structure (headings, paragraphs, sentences) or lines (the classic line-wise rule)',
      oneOf(splitStrategySchema.options),
    )
    .option('--max-tokens <n>', 'the longest passage', wholeNumber(16, 100_000))
    .option('--overlap <n>', 'what a passage repeats of the one before', wholeNumber(0, 50_000))
    .addHelpText(
      'after',
      '\nExamples:\n  $ siku split notes.md\n  $ siku split --strategy lines --max-tokens 600 --overlap 150 --json notes.md',
    )
    .action((file: string, given: unknown, command: Command) =>
      run(command, async ({ open, globals, words, signal }) => {
        const { strategy, maxTokens, overlap } = optionsSchema.parse(given)
        const path = await reachable(file, words)
        const { client } = await open()
        const pieces = await client.documents.split(
          {
            path,
            ...(strategy === undefined ? {} : { strategy }),
            ...(maxTokens === undefined ? {} : { maxTokens }),
            ...(overlap === undefined ? {} : { overlap }),
          },
          { signal },
        )
        if (globals.json) return jsonResult(pieces)
        for (const piece of pieces)
          result(`── ${piece.ordinal} · ${placeText(piece.place, words)} · ${counted(piece.tokens, 'token')} ──\n${plain(piece.text)}\n`)
      }),
    )
}
