import type { Command } from 'commander'
import { z } from 'zod'
import type { Run } from '../cli.ts'
import { filled } from '../options.ts'
import { jsonResult, result } from '../output.ts'
import { providerFor } from '../providers.ts'

const optionsSchema = z.object({ provider: z.string().optional() })

export function addRemove(siku: Command, run: Run): void {
  siku
    .command('remove')
    .description('have a provider (Ollama) delete a model')
    .argument('<name>', 'as the provider calls it', filled)
    .option('--provider <id>', 'which provider, when there are several', filled)
    .addHelpText('after', '\nExample:\n  $ siku remove qwen3:4b')
    .action((name: string, given: unknown, command: Command) =>
      run(command, async ({ open, globals, words, signal }) => {
        const { client } = await open()
        const provider = providerFor(await client.models.state({ refresh: false }, { signal }), optionsSchema.parse(given).provider)
        await client.models.remove({ providerId: provider.id, name }, { signal })
        if (globals.json) jsonResult({ provider: provider.id, name, removed: true })
        else result(`${name}: ${words.removed}`)
      }),
    )
}
