import type { Command } from 'commander'
import { z } from 'zod'
import type { Run } from '../cli.ts'
import { filled } from '../options.ts'
import { jsonResult, plain, result } from '../output.ts'
import { providerFor } from '../providers.ts'

const optionsSchema = z.object({ provider: z.string().optional() })

/** Below `siku models`. */
export function addCopy(models: Command, run: Run): void {
  models
    .command('copy')
    .description('give a model a second name at its provider (Ollama); nothing is stored twice')
    .argument('<from>', 'as the provider calls it', filled)
    .argument('<to>', 'the new name', filled)
    .option('--provider <id>', 'which provider, when there are several', filled)
    .addHelpText('after', '\nExample:\n  $ siku models copy qwen3:4b library:4b')
    .action((from: string, to: string, given: unknown, command: Command) =>
      run(command, async ({ open, globals, signal }) => {
        const { client } = await open()
        const provider = providerFor(await client.models.state({ refresh: false }, { signal }), optionsSchema.parse(given).provider)
        await client.models.copy({ providerId: provider.id, from, to }, { signal })
        if (globals.json) jsonResult({ provider: provider.id, from, to })
        else result(`${plain(from)} → ${plain(to)}`)
      }),
    )
}
