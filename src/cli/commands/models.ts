import type { Command } from 'commander'
import type { ModelsState } from '../../contract/models.ts'
import type { Run } from '../cli.ts'
import { bytes, count, jsonResult, plain, result, table } from '../output.ts'
import type { Words } from '../words.ts'
import { addCopy } from './copy.ts'
import { addUnload } from './unload.ts'

export function addModels(siku: Command, run: Run): void {
  const models = siku
    .command('models')
    .description('what each provider offers, whether it answers, and which model will')
    .addHelpText('after', '\nExamples:\n  $ siku models\n  $ siku models --json | jq -r .providers[].models[].ref.model')
    .action((_options, command: Command) =>
      run(command, async ({ open, globals, words, signal }) => {
        const { client } = await open()
        const state = await client.models.state({ refresh: true }, { signal })
        if (globals.json) jsonResult(state)
        else result(describe(state, words))
      }),
    )
  addCopy(models, run)
  addUnload(models, run)
}

function describe({ providers, effective, embedding }: ModelsState, words: Words): string {
  const blocks = providers.map(({ provider, reachable, version, advice, error, models }) => {
    const head = `${plain(provider.name)} · ${reachable ? words.reachable : words.unreachable}${version === null ? '' : ` · ${version}`}${error === null ? '' : `\n  ${error.message}${error.hint === undefined ? '' : `\n  ${error.hint}`}`}${advice === null ? '' : `\n  ${plain(advice)}`}`
    const rows = models.map((model) => [
      `  ${effective?.providerId === model.ref.providerId && effective.model === model.ref.model ? '●' : ' '} ${plain(model.ref.model)}`,
      model.sizeBytes === null ? '' : bytes(model.sizeBytes),
      model.quantisation ?? '',
      model.contextLength === null ? '' : count(model.contextLength),
      model.capabilities.join(', '),
      model.loadedBytes === null ? '' : `RAM ${bytes(model.loadedBytes)}`,
    ])
    return rows.length === 0 ? head : `${head}\n${table(rows)}`
  })
  const answers = effective === null ? words.noModel : `● ${words.chosen}`
  return [...blocks, `${answers}\nembedding: ${embedding.key} (${embedding.state})`].join('\n\n')
}
