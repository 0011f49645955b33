import type { Command } from 'commander'
import type { Run } from '../cli.ts'
import { jsonResult, plain, result } from '../output.ts'
import { exitCodes } from '../run.ts'

const signs = { ok: '✓', info: '·', warning: '!', error: '✗' } as const

export function addDoctor(siku: Command, run: Run): void {
  siku
    .command('doctor')
    .description('what is reachable, what is wrong and how to mend it')
    .option('--strict', 'exit with 1 when something is wrong')
    .addHelpText('after', '\nExample:\n  $ siku doctor')
    .action((_options, command: Command) =>
      run(command, async ({ open, globals, signal }) => {
        const { client } = await open()
        const report = await client.doctor.run({}, { signal })
        if (globals.json) jsonResult(report)
        else {
          for (const { level, message, remedy } of report.findings)
            result(`${signs[level]} ${plain(message)}${remedy === null ? '' : `\n  → ${plain(remedy)}`}`)
        }
        return globals.strict && !report.ok ? exitCodes.failed : exitCodes.done
      }),
    )
}
