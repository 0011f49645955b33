import type { Command } from 'commander'
import type { Run } from '../cli.ts'
import { notOffered, offered } from '../model-named.ts'
import { filled } from '../options.ts'
import { bytes, count, jsonResult, plain, result, table } from '../output.ts'

export function addShow(siku: Command, run: Run): void {
  siku
    .command('show')
    .description('what is known of a model: size, family, quantisation, context length, what it can do')
    .argument('<name>', 'as the provider calls it', filled)
    .addHelpText('after', '\nExample:\n  $ siku show qwen3:4b')
    .action((name: string, _options, command: Command) =>
      run(command, async ({ open, globals, words, signal }) => {
        const { client } = await open()
        const state = await client.models.state({ refresh: true }, { signal })
        const listed = offered(state.providers, name)
        if (listed === null) throw notOffered(state.providers, name, words)
        const { provider } = state.providers.find((each) => each.provider.id === listed.ref.providerId) ?? {}
        // Only Ollama tells more of a model than its listing.
        const model =
          provider?.kind === 'ollama'
            ? await client.models.show({ providerId: listed.ref.providerId, name: listed.ref.model }, { signal })
            : listed
        if (globals.json) return jsonResult(model)
        const rows: [string, string | null][] = [
          ['model', model.ref.model],
          ['provider', model.ref.providerId],
          ['size', model.sizeBytes === null ? null : bytes(model.sizeBytes)],
          ['family', model.family],
          ['parameters', model.parameters],
          ['quantisation', model.quantisation],
          ['context', model.contextLength === null ? null : count(model.contextLength)],
          ['can', model.capabilities.join(', ')],
          ['memory', model.loadedBytes === null ? null : bytes(model.loadedBytes)],
          ['runs', model.remote ? 'on somebody else’s machine' : null],
        ]
        result(table(rows.flatMap(([key, value]) => (value === null || value === '' ? [] : [[key, plain(value)]]))))
      }),
    )
}
