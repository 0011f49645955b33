import type { Command } from 'commander'
import type { Run } from '../cli.ts'
import { filled } from '../options.ts'
import { jsonResult, placeText, plain, result, say } from '../output.ts'
import { reachable } from '../reachable.ts'
import { exitCodes } from '../run.ts'

export function addExtract(siku: Command, run: Run): void {
  siku
    .command('extract')
    .description('what Siku reads in a file: its text with places, without indexing it')
    .argument('<file>', 'a path', filled)
    .option('--strict', 'exit with 3 when it could not be read')
    .addHelpText('after', '\nExamples:\n  $ siku extract lease.pdf\n  $ siku extract --json lease.pdf | jq -r .sections[0].text')
    .action((file: string, _options, command: Command) =>
      run(command, async ({ open, globals, words, signal }) => {
        const path = await reachable(file, words)
        const { client } = await open()
        const read = await client.documents.extract({ path }, { signal })
        const { kind, status, reason, sections } = read
        if (globals.json) jsonResult({ path: read.path, kind, status, reason, sections })
        else {
          for (const section of sections) result(`── ${placeText(section.place, words)} ──\n${plain(section.text)}\n`)
          if (reason !== null) say(`${words.status[status]}: ${reason.message}`)
        }
        return globals.strict && status === 'failed' ? exitCodes.someFailed : exitCodes.done
      }),
    )
}
