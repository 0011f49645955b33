import type { Command } from 'commander'
import { z } from 'zod'
import type { AskRequest, TurnEvent } from '../../contract/answer.ts'
import { cancelled } from '../../contract/errors.ts'
import { approvePolicies, builtInNames, decideBy, decideByKey, mustBeAsked, type Decide } from '../agent-approvals.ts'
import { attachmentsOf } from '../agent-attachments.ts'
import { profileOf } from '../agent-profile.ts'
import { runTurn } from '../agent-turn.ts'
import { createTurnView } from '../agent-view.ts'
import { brokenEnd, type Asked } from '../asking.ts'
import { modelNamed } from '../model-named.ts'
import type { Run } from '../cli.ts'
import { filled, list, names, oneOf, wholeNumber } from '../options.ts'
import { jsonResult, sayProblem } from '../output.ts'
import { exitCodes, type CommandContext } from '../run.ts'
import { chooseNoteFolder } from '../note-folder.ts'
import { scopeOf } from '../scope.ts'
import { tellAnswer } from './ask.ts'

const optionsSchema = z.object({
  model: z.string().optional(),
  approve: z.enum(approvePolicies).optional(),
  maxSteps: z.number().optional(),
  tools: z.array(z.string()).optional(),
  agent: z.string().optional(),
  folder: z.string().optional(),
  notes: z.string().optional(),
  chat: z.string().optional(),
  attach: z.array(z.string()).default([]),
})
type Options = z.infer<typeof optionsSchema>

export function addAgent(siku: Command, run: Run): void {
  siku
    .command('agent')
    .description('does a task with tools: searching and reading the library, calculating, and what you allow it to')
    .argument('<task...>')
    .option('--model <name>', 'this model instead of the chosen one', filled)
    .option('--approve <what>', 'what is allowed without asking: none, reads or all; see below', oneOf(approvePolicies))
    .option('--max-steps <n>', 'at most so many rounds of the model', wholeNumber(1, 1000))
    .option('--tools <names>', 'only these, with commas between: search_library,calculate', names)
    .option('--agent <name>', 'a named agent: its words and its tools; see siku agents', filled)
    .option('--folder <path>', 'of the library, only what lies below this folder', filled)
    .option('--notes <folder>', 'from now on notes are written into this folder, as chosen in Settings', filled)
    .option('--chat <id>', 'go on with this chat, and with its agent', filled)
    .option('--attach <file>', 'give this file along; may be given again', list(filled))
    .addHelpText(
      'after',
      `
Approval: tools that only read the library run by themselves. For everything else you are asked by key, in a terminal;
elsewhere, and with --json, it is refused. --approve answers beforehand:
  none   nothing is allowed
  reads  built-in tools that fetch from the network (search_web, read_web_page, …), each call once; never a dangerous one
  all    WARNING: everything, each call once, also where private text, untrusted text and a way out come together.
         A page or a document could then send parts of your library away. Only for tasks and documents that you trust.
         What is remembered is still asked for (elsewhere refused) once the model has read text of others.

With --json, one event a line; the last is {"type":"turn-end", …}, also when the task could not even be begun.
Exit codes: 0 answered, 1 failed or not finished, 130 stopped.

Examples:
  $ siku agent "Which of my contracts end this year? Make a table."
  $ siku agent --approve reads "比较南京和成都今天的天气"
  $ siku agent --json --approve none --max-steps 5 --tools search_library,calculate "What do I pay in rent a year?"
  $ siku agent --notes ~/notes "Write a note of what the lease says about the deposit"
  $ siku agent --attach invoice.pdf "Is this what the contract says?"`,
    )
    .action((taskWords: string[], given: unknown, command: Command) => {
      const options = optionsSchema.parse(given)
      if (taskWords.join(' ').trim() === '') command.error('error: the task must not be empty', { exitCode: 2 })
      const isOwnAgent = options.agent !== undefined || options.tools !== undefined || options.maxSteps !== undefined
      if (options.chat !== undefined && isOwnAgent)
        command.error('error: --chat goes on with the agent of that chat: no --agent, --tools or --max-steps', { exitCode: 2 })
      return run(command, async (context) => {
        const startedAt = performance.now()
        let hasEnded = false
        const tellJson = (event: TurnEvent): void => {
          hasEnded = event.type === 'turn-end'
          jsonResult(event)
        }
        try {
          return await doTask(taskWords.join(' '), options, context, tellJson)
        } catch (error) {
          // The last line is the turn's end, also of one that never began.
          const problem = context.signal.aborted ? cancelled(error) : error
          if (context.globals.json && !hasEnded) tellJson(brokenEnd(0, problem, performance.now() - startedAt))
          throw error
        }
      })
    })
}

async function doTask(task: string, options: Options, context: CommandContext, tellJson: (event: TurnEvent) => void): Promise<number> {
  const { globals, words, signal } = context
  const { client } = await context.open()
  if (options.notes !== undefined) await chooseNoteFolder(client, options.notes, context)
  const request = await requestOf(task, options, context, client)
  const isLive = !globals.json && process.stdout.isTTY
  const view = createTurnView({ words, live: isLive, quiet: globals.quiet, steps: true })
  const decide = await decider(options, context, client, view.note)
  const asked = await runTurn(client, request, { signal, decide, note: view.note, onEvent: globals.json ? tellJson : view.show })
  if (!globals.json) tellAnswer(asked, words, { alreadyWritten: view.isWritten, quiet: globals.quiet })
  if (asked.error !== null) sayProblem(asked.error)
  return exitCodeOf(asked)
}

async function requestOf(task: string, options: Options, { words, signal }: CommandContext, client: Client): Promise<AskRequest> {
  const agent = await profileOf(client, options, words, signal)
  return {
    question: task,
    mode: 'agent',
    attachments: await attachmentsOf(options.attach, words),
    ...(agent === undefined ? {} : { agent }),
    ...(options.model === undefined ? {} : { model: await modelNamed(client, options.model, words, signal) }),
    ...(options.chat === undefined ? {} : { chatId: options.chat }),
    ...(options.folder === undefined ? {} : { scope: await scopeOf(client, options.folder, signal) }),
  }
}
type Client = Awaited<ReturnType<CommandContext['open']>>['client']

async function decider({ approve }: Options, context: CommandContext, client: Client, note: (text: string) => void): Promise<Decide> {
  const { globals, words, signal } = context
  const canAsk = process.stdin.isTTY && process.stderr.isTTY && !globals.json
  const byKey = canAsk ? decideByKey({ input: process.stdin, words, say: note, onInterrupt: () => process.emit('SIGINT', 'SIGINT') }) : null
  if (approve === undefined && byKey !== null) return byKey
  const decide = decideBy(approve ?? 'none', approve === 'reads' ? await builtInNames(client, signal) : new Set())
  return async (approval, over) => {
    const isForced = approve === 'all' && mustBeAsked(approval)
    if (isForced && byKey !== null) return byKey(approval, over)
    const decision = await decide(approval, over)
    if (decision === 'refuse' && !globals.quiet && !globals.json)
      note(`  ${isForced ? words.agent.refusedMemory : words.agent.refusedHere}`)
    return decision
  }
}

function exitCodeOf({ report: { outcome } }: Asked): number {
  if (outcome === 'stopped') return exitCodes.interrupted
  return outcome === 'failed' || outcome === 'incomplete' ? exitCodes.failed : exitCodes.done
}
