import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { SikuError } from '../../contract/errors.ts'
import { acquireWriterLock, listBackups, restoreAtStart, restoreLibrary } from '../../core/store/store.ts'
import type { Run } from '../cli.ts'
import { filled } from '../options.ts'
import { jsonResult, oneLine, result, say } from '../output.ts'
import { localeOf, wordsFor, type Words } from '../words.ts'

/** A path, or else the name of one in the backups folder. */
function backupAt(given: string, dataDir: string, words: Words): string {
  if (existsSync(resolve(given))) return resolve(given)
  const { directory, backups } = listBackups(dataDir)
  const named = backups.find(({ name }) => name === given)
  if (named !== undefined) return join(directory, named.name)
  throw new SikuError('not-found', words.restore.none(oneLine(resolve(given))), { hint: words.restore.noneHint(oneLine(directory)) })
}

export function addRestore(siku: Command, run: Run): void {
  const { restore } = wordsFor(localeOf(process.env))
  siku
    .command('restore')
    .description(restore.does)
    .argument('<file>', restore.from, filled)
    .addHelpText('after', restore.after)
    .action((given: string, _options: unknown, command: Command) =>
      run(command, async ({ globals, words, dataDir }) => {
        const file = backupAt(given, dataDir, words)
        // Held throughout, so that no host begins in the middle of it.
        const lock = await acquireWriterLock(dataDir)
        if (lock === null) throw new SikuError('busy', words.restore.running, { hint: words.restore.runningHint, retryable: true })
        try {
          const replaced = await restoreLibrary({ dataDir, file, now: Date.now })
          // Nothing that was chosen before replaces it again at the next start.
          restoreAtStart(dataDir, null)
          if (globals.json) return jsonResult({ restored: file, replaced })
          result(words.restore.done(oneLine(file)))
          if (replaced !== null && !globals.quiet) say(words.restore.kept(oneLine(replaced)))
        } finally {
          lock.release()
        }
      }),
    )
}
