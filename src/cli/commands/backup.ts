import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { backupFile, copyLibrary } from '../../core/store/store.ts'
import type { Run } from '../cli.ts'
import { filled } from '../options.ts'
import { bytes, jsonResult, oneLine, result } from '../output.ts'
import { localeOf, wordsFor } from '../words.ts'

export function addBackup(siku: Command, run: Run): void {
  const { backup } = wordsFor(localeOf(process.env))
  siku
    .command('backup')
    .description(backup.does)
    .argument('[file]', backup.into, filled)
    .addHelpText('after', backup.after)
    .action((given: string | undefined, _options: unknown, command: Command) =>
      run(command, async ({ globals, words, dataDir }) => {
        const path = given === undefined ? backupFile(dataDir, Date.now()) : resolve(given)
        await copyLibrary({ dataDir, file: path })
        const sizeBytes = statSync(path).size
        if (globals.json) jsonResult({ path, sizeBytes })
        else result(words.backup.made(oneLine(path), bytes(sizeBytes)))
      }),
    )
}
