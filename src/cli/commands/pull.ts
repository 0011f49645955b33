import type { Command } from 'commander'
import { z } from 'zod'
import type { Run } from '../cli.ts'
import { filled } from '../options.ts'
import { bytes, clock, jsonResult, plain, result } from '../output.ts'
import { createProgressBar } from '../progress-bar.ts'
import { providerFor } from '../providers.ts'

const optionsSchema = z.object({ provider: z.string().optional() })

export function addPull(siku: Command, run: Run): void {
  siku
    .command('pull')
    .description('have a provider (Ollama) fetch a model')
    .argument('<name>', 'as the provider calls it', filled)
    .option('--provider <id>', 'which provider, when there are several', filled)
    .addHelpText('after', '\nExample:\n  $ siku pull qwen3:4b')
    .action((name: string, given: unknown, command: Command) =>
      run(command, async ({ open, globals, words, signal }) => {
        const { client } = await open()
        const provider = providerFor(await client.models.state({ refresh: false }, { signal }), optionsSchema.parse(given).provider)
        const bar = createProgressBar(process.stderr, globals.quiet)
        const startedAt = performance.now()
        let [firstBytes, total] = [null as number | null, 0]
        try {
          for await (const { status, completedBytes, totalBytes } of await client.models.pull(
            { providerId: provider.id, name },
            { signal },
          )) {
            if (completedBytes !== null) firstBytes ??= completedBytes
            const rate = completedBytes === null ? 0 : ((completedBytes - (firstBytes ?? 0)) / (performance.now() - startedAt)) * 1000
            total = Math.max(total, totalBytes ?? 0)
            bar.update({
              label: plain(status),
              fraction: completedBytes === null || !totalBytes ? null : completedBytes / totalBytes,
              parts:
                completedBytes === null || !totalBytes
                  ? []
                  : [
                      `${bytes(completedBytes)}/${bytes(totalBytes)}`,
                      ...(rate > 0 ? [words.perSecond(bytes(rate)), words.left(clock(((totalBytes - completedBytes) / rate) * 1000))] : []),
                    ],
            })
          }
        } finally {
          bar.end()
        }
        if (globals.json)
          jsonResult({
            provider: provider.id,
            name,
            sizeBytes: total === 0 ? null : total,
            elapsedMs: Math.round(performance.now() - startedAt),
          })
        else result(`${name}: ${words.installed}`)
      }),
    )
}
