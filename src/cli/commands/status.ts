import type { Command } from 'commander'
import type { Run } from '../cli.ts'
import { bytes, count, jsonResult, moment, plain, result, table } from '../output.ts'

export function addStatus(siku: Command, run: Run): void {
  siku
    .command('status')
    .description('what is indexed, and where')
    .addHelpText('after', '\nExample:\n  $ siku status --json')
    .action((_options, command: Command) =>
      run(command, async ({ open, globals, words, signal }) => {
        const { client } = await open()
        const status = await client.library.status({}, { signal })
        if (globals.json) return jsonResult(status)
        const folders = await client.folders.list({}, { signal })
        const documents = Object.entries(status.documents)
          .filter(([, number]) => number > 0)
          .map(([name, number]) => `${count(number)} ${words.status[name as keyof typeof words.status]}`)
        result(
          table([
            ['siku', status.version],
            ['home', plain(status.dataDir)],
            ['access', status.mode],
            ['folders', count(status.folders)],
            ...folders.map((folder) => [
              '',
              `${folder.path} · ${words.documents(count(folder.counts.ready + folder.counts.partial), count(folder.counts.total))}${folder.unreachableSince === null ? '' : ` · ${words.unreachableSince(moment(folder.unreachableSince))}`}`,
            ]),
            ['documents', documents.length === 0 ? '0' : documents.join(' · ')],
            ['passages', words.passages(count(status.embedded), count(status.passages))],
            ...(status.pagesToRecognise === 0 ? [] : [['ocr', words.pagesLeft(count(status.pagesToRecognise))]]),
            ['index', status.vectorIndex],
            ['embedding', status.embeddingModel],
            ['size', bytes(status.sizeBytes)],
          ]),
        )
      }),
    )
}
