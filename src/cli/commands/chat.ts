import { addAbortSignal } from 'node:stream'
import type { Command } from 'commander'
import { z } from 'zod'
import { assertNever } from '../../contract/errors.ts'
import type { Decide } from '../agent-approvals.ts'
import { decideBy, decideByKey } from '../agent-approvals.ts'
import { runTurn } from '../agent-turn.ts'
import { createTurnView } from '../agent-view.ts'
import { failedReport } from '../asking.ts'
import { modelNamed } from '../model-named.ts'
import { createPrompt } from '../chat-lines.ts'
import { readInput, type ChatState } from '../chat-loop.ts'
import type { Run } from '../cli.ts'
import { linesOf } from '../lines.ts'
import { filled } from '../options.ts'
import { jsonResult, result, say, sayProblem } from '../output.ts'
import { asErrorValue, exitCodes, type CommandContext } from '../run.ts'
import type { SharedCore } from '../../server/server.ts'
import { tellAnswer } from './ask.ts'

const optionsSchema = z.object({
  model: z.string().optional(),
  agentMode: z.boolean().default(false),
  /** Commander's `--no-agent` gives false. */
  agent: z.boolean().default(true),
  chat: z.string().optional(),
})
type Options = z.infer<typeof optionsSchema>

export function addChat(siku: Command, run: Run): void {
  siku
    .command('chat')
    .description('a conversation in the terminal; exit, quit or 退出 leave')
    .option('--model <name>', 'this model instead of the chosen one', filled)
    .option('--agent-mode', 'the agent answers, with tools (as it is, when there is a model)')
    .option('--no-agent', 'the library answers, with citations; no tools')
    .option('--chat <id>', 'go on with this chat', filled)
    .addHelpText(
      'after',
      `
In a terminal, tools are shown as they run, and what would write, run or leave this machine is asked by key.
From a pipe, each line is a question; answers go to stdout in order, and whatever would be asked is refused.
With --json, each answer is one document on a line, as of siku ask --json.
Ctrl-C stops the answer, a second one leaves. /help shows what else can be said.

Examples:
  $ siku chat
  $ siku chat --no-agent --chat 5d0c…
  $ printf '押金什么时候退？\\nAnd who pays for repairs?\\n' | siku chat --no-agent`,
    )
    .action((given: unknown, command: Command) =>
      run(command, async (context) => {
        const { client } = await context.open()
        return converse(client, optionsSchema.parse(given), context)
      }),
    )
}

async function converse(client: SharedCore['client'], options: Options, context: CommandContext): Promise<number> {
  const { words, signal, globals } = context
  const isInteractive = process.stdin.isTTY && process.stderr.isTTY
  const history: string[] = []
  const state: ChatState = {
    chatId: options.chat,
    mode: await firstMode(client, options, context),
    model: options.model === undefined ? undefined : await modelNamed(client, options.model, words, signal),
  }
  if (options.chat !== undefined) {
    const chat = await client.chats.get({ chatId: options.chat }, { signal })
    history.push(...chat.history.map(({ question }) => question).reverse())
  }
  if (isInteractive && !globals.quiet) say(`${words.chat.welcome}\n${words.chat.modes[state.mode]}`)

  const decide: Decide = isInteractive ? (approval, over) => byKey(approval, over) : decideBy('none', new Set())
  let note: (text: string) => void = say
  const byKey = decideByKey({
    input: process.stdin,
    words,
    say: (text) => note(text),
    onInterrupt: () => process.emit('SIGINT', 'SIGINT'),
  })

  let hasFailed = false
  for await (const line of isInteractive ? typedLines(createPrompt(words.chat.prompt, history, signal)) : pipedLines(signal)) {
    const input = readInput(line)
    switch (input.kind) {
      case 'nothing':
        break
      case 'leave':
        return leave()
      case 'help':
        say(words.chat.help)
        break
      case 'new':
        state.chatId = undefined
        say(words.chat.newChat)
        break
      case 'mode':
        state.mode = input.mode
        say(words.chat.modes[input.mode])
        break
      case 'model':
        await orSay(async () => {
          state.model = await modelNamed(client, input.name, words, signal)
          say(words.chat.modelNow(state.model.model))
        })
        break
      case 'unknown':
        say(words.chat.noCommand(input.name))
        break
      case 'question':
        await orSay(() => answer(input.text), refused)
        break
      default:
        assertNever(input)
    }
    if (signal.aborted) break
  }
  return leave()

  function leave(): number {
    if (isInteractive && state.chatId !== undefined && !globals.quiet) say(words.chat.goOn(state.chatId))
    return hasFailed && !isInteractive ? exitCodes.failed : exitCodes.done
  }

  /** What goes wrong with one question does not end the conversation. */
  async function orSay(work: () => Promise<void>, instead?: () => void): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (signal.aborted) throw error
      hasFailed = true
      instead?.()
      sayProblem(asErrorValue(error))
    }
  }

  /** Who reads documents counts on one for each question. */
  function refused(): void {
    if (globals.json) jsonResult(failedReport())
  }

  async function answer(question: string): Promise<void> {
    const stopping = new AbortController()
    const onEnd = (): void => stopping.abort()
    signal.addEventListener('abort', onEnd, { once: true })
    if (isInteractive) {
      context.onInterrupt(() => {
        if (stopping.signal.aborted) process.exit(exitCodes.interrupted)
        say(`\n${words.stopping}`)
        stopping.abort()
      })
    }
    try {
      const isAgent = state.mode === 'agent'
      const view = createTurnView({
        words,
        live: !globals.json && process.stdout.isTTY,
        quiet: globals.quiet,
        steps: isAgent,
        // The answer itself begins with it.
        leaveOut: new Set(['not-in-library']),
      })
      note = view.note
      const asked = await runTurn(
        client,
        {
          question,
          mode: state.mode,
          ...(state.chatId === undefined ? {} : { chatId: state.chatId }),
          ...(state.model === undefined ? {} : { model: state.model }),
        },
        { signal: stopping.signal, decide, note: view.note, onEvent: view.show },
      )
      state.chatId = asked.chatId
      if (asked.report.outcome === 'failed') hasFailed = true
      if (globals.json) jsonResult(asked.report)
      else {
        tellAnswer(asked, words, { alreadyWritten: view.isWritten, quiet: globals.quiet })
        // An empty line stands between answers.
        result('')
      }
      if (asked.error !== null) sayProblem(asked.error)
    } finally {
      context.onInterrupt(null)
      note = say
      signal.removeEventListener('abort', onEnd)
    }
  }
}

/** Without a model there is no agent: unless it was asked for, the library answers with extracts. */
async function firstMode(
  client: SharedCore['client'],
  options: Options,
  { signal, words, globals }: CommandContext,
): Promise<ChatState['mode']> {
  if (!options.agent) return 'answer'
  if (options.agentMode || options.model !== undefined) return 'agent'
  const { effective } = await client.models.state({ refresh: false }, { signal })
  if (effective !== null) return 'agent'
  if (!globals.quiet) say(words.noModel)
  return 'answer'
}

async function* typedLines(read: () => Promise<string | null>): AsyncGenerator<string, void> {
  for (let line = await read(); line !== null; line = await read()) yield line
}

async function* pipedLines(signal: AbortSignal): AsyncGenerator<string, void> {
  addAbortSignal(signal, process.stdin)
  yield* linesOf(process.stdin)
}
