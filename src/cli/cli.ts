import { Command, CommanderError } from 'commander'
import { version } from '../server/server.ts'
import { addAgent } from './commands/agent.ts'
import { addAsk } from './commands/ask.ts'
import { addBackup } from './commands/backup.ts'
import { addChat } from './commands/chat.ts'
import { addDemo } from './commands/demo.ts'
import { addDoctor } from './commands/doctor.ts'
import { addDocuments } from './commands/documents.ts'
import { addExtract } from './commands/extract.ts'
import { addIndex } from './commands/index-paths.ts'
import { addMcp } from './commands/mcp.ts'
import { addAgents } from './commands/agents.ts'
import { addMemory } from './commands/memory.ts'
import { addModels } from './commands/models.ts'
import { addPull } from './commands/pull.ts'
import { addRemove } from './commands/remove.ts'
import { addRestore } from './commands/restore.ts'
import { addSearch } from './commands/search.ts'
import { addServe } from './commands/serve.ts'
import { addShow } from './commands/show.ts'
import { addSplit } from './commands/split.ts'
import { addStatus } from './commands/status.ts'
import { filled, refuseUnknownBelow } from './options.ts'
import { exitCodes, runCommand, type CommandContext } from './run.ts'

/** Hangs a command's work on it. The exit code of the command that ran is what the program answers with. */
export type Run = (command: Command, work: (context: CommandContext) => Promise<number | undefined | void>) => Promise<void>

const builtDir = new URL('.', import.meta.url)

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((done) => stream.write('', () => done()))
}

/**
 * The command line: arguments without node and script in, exit code out. `takeOver` is called once a command watches for
 * signals itself: who watched for them until then lets go.
 */
export async function runCommandLine(args: string[], takeOver: () => void = () => undefined): Promise<number> {
  let code: number = exitCodes.done
  const run: Run = async (command, work) => {
    code = await runCommand(builtDir, command, work, takeOver)
  }
  // A reader that has seen enough (`| head`) ends the command without a word.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(exitCodes.done)
  })
  try {
    await program(run).parseAsync(args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 ? exitCodes.done : exitCodes.wrongUse
  }
  await flushed(process.stdout)
  await flushed(process.stderr)
  return code
}

/** A command with others below it takes no words itself. */
function refuseWords(_hooked: Command, acting: Command): void {
  if (acting.commands.length > 0) refuseUnknownBelow(acting)
}

function program(run: Run): Command {
  const siku = new Command('siku')
  siku
    .description('A private library on your own computer that answers, with citations that open the page.')
    .version(version)
    .option('--home <directory>', 'where the library lives (else SIKU_HOME, else the usual application-data place)', filled)
    .option('--json', 'exactly one JSON document on stdout; none when there is no result (exit 1 or 2), the reason is on stderr')
    .option('--quiet', 'no progress, no remarks')
    .option('--debug', 'details of what happens, and of what went wrong')
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .showHelpAfterError('(siku --help shows how it is used)')
    .exitOverride()
    .addHelpText(
      'after',
      `
Exit codes: 0 done, 1 could not be done, 2 wrong use, 3 done but some documents failed (only with --strict), 130 interrupted.

Examples:
  $ siku index ~/Documents/lease ~/papers
  $ siku search "notice period" -k 5
  $ siku ask "押金什么时候退还？"
  $ siku agent "Which of my contracts end this year?"
  $ siku serve`,
    )
  const commands = [
    addIndex,
    addDocuments,
    addExtract,
    addSplit,
    addSearch,
    addAsk,
    addAgent,
    addChat,
    addAgents,
    addMemory,
    addModels,
    addPull,
    addRemove,
    addShow,
    addStatus,
    addDoctor,
    addBackup,
    addRestore,
    addServe,
    addMcp,
    addDemo,
  ]
  for (const add of commands) add(siku, run)
  for (const command of siku.commands.flatMap((each) => [each, ...each.commands])) command.exitOverride()
  for (const command of siku.commands) if (command.commands.length > 0) command.allowExcessArguments().hook('preAction', refuseWords)
  return siku
}
