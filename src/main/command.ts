import { app } from 'electron'
import { commandLineUrl } from './places.ts'

const commands = new Set([
  'index',
  'documents',
  'extract',
  'split',
  'search',
  'ask',
  'models',
  'pull',
  'remove',
  'show',
  'status',
  'doctor',
  'serve',
  'demo',
  'help',
  '--help',
  '--version',
])

/** The command line's arguments when the program was started with a command, else null: the app is wanted. */
export function commandOf(argv: string[], packaged: boolean): string[] | null {
  const given = argv
    .slice(packaged ? 1 : 2)
    .filter((argument) => !argument.startsWith('--inspect') && !argument.startsWith('--remote-debugging'))
  return given.some((argument) => commands.has(argument)) ? given : null
}

/** Runs the same command line as a terminal does; the app that has the library open does its work. */
export async function runCommand(args: string[]): Promise<void> {
  const { runCommandLine } = (await import(/* @vite-ignore */ commandLineUrl.href)) as { runCommandLine(args: string[]): Promise<number> }
  app.exit(await runCommandLine(args))
}
