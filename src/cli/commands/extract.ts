import type { Command } from 'commander'
import type { ReasonCode } from '../../contract/library.ts'
import type { Run } from '../cli.ts'
import { filled } from '../options.ts'
import { jsonResult, oneLine, placeText, plain, result, say } from '../output.ts'
import { reachable } from '../reachable.ts'
import { exitCodes } from '../run.ts'

const recognisable = new Set<ReasonCode>(['scanned', 'garbled', 'no-text'])

export function addExtract(siku: Command, run: Run): void {
  siku
    .command('extract')
    .description('what Siku reads in a file: its text with places, without indexing it')
    .argument('<file>', 'a path', filled)
    .option('--no-ocr', 'leave pages without text as they are: no text recognition')
    .option('--password <password>', 'opens a locked PDF', filled)
    .option('--strict', 'exit with 3 when it could not be read')
    .addHelpText('after', '\nExamples:\n  $ siku extract lease.pdf\n  $ siku extract --json lease.pdf | jq -r .sections[0].text')
    .action((file: string, _options, command: Command) =>
      run(command, async ({ open, globals, words, signal }) => {
        const path = await reachable(file, words)
        const { client } = await open()
        const { ocr, password } = command.opts<{ ocr: boolean; password?: string }>()
        let read = await client.documents.extract({ path, ocr: false, password }, { signal })
        // Recognising takes seconds a page: it is said before it is begun.
        if (ocr && read.reason !== null && recognisable.has(read.reason.code)) {
          if (!globals.quiet) say(words.recognisingPages)
          read = await client.documents.extract({ path, ocr, password }, { signal })
        }
        const { kind, status, reason, sections, inner } = read
        if (globals.json) jsonResult({ path: read.path, kind, status, reason, sections, inner })
        else {
          for (const section of sections) result(`── ${placeText(section.place, words)} ──\n${plain(section.text)}\n`)
          if (inner.length > 0) result(`── ${words.attached} ──\n${inner.map(oneLine).join('\n')}\n`)
          if (reason !== null) say(`${words.status[status]}: ${reason.message}`)
        }
        return globals.strict && status === 'failed' ? exitCodes.someFailed : exitCodes.done
      }),
    )
}
