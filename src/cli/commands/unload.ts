import type { Command } from 'commander'
import { z } from 'zod'
import type { Run } from '../cli.ts'
import { filled } from '../options.ts'
import { bytes, jsonResult, plain, result } from '../output.ts'
import { providerFor } from '../providers.ts'

const optionsSchema = z.object({ provider: z.string().optional() })

/** Below `siku models`. */
export function addUnload(models: Command, run: Run): void {
  models
    .command('unload')
    .description('have a provider (Ollama) take a model out of memory; it stays on the disk')
    .argument('<name>', 'as the provider calls it', filled)
    .option('--provider <id>', 'which provider, when there are several', filled)
    .addHelpText('after', '\nExample:\n  $ siku models unload qwen3:4b')
    .action((name: string, given: unknown, command: Command) =>
      run(command, async ({ open, globals, signal }) => {
        const { client } = await open()
        const state = await client.models.state({ refresh: true }, { signal })
        const provider = providerFor(state, optionsSchema.parse(given).provider)
        const known = state.providers.find((each) => each.provider.id === provider.id)?.models
        const freedBytes = known?.find(({ ref }) => ref.model === name || ref.model === `${name}:latest`)?.loadedBytes ?? 0
        await client.models.unload({ providerId: provider.id, name }, { signal })
        if (globals.json) jsonResult({ provider: provider.id, name, unloaded: true, freedBytes })
        else result(`${plain(name)}: −${bytes(freedBytes)}`)
      }),
    )
}
