import type { Command } from 'commander'
import { z } from 'zod'
import { fromCallError, type ErrorValue } from '../contract/errors.ts'
import { dataDirectory, nodeDeps, openShared, type NodeHostOptions, type SharedCore } from '../server/server.ts'
import { say, sayProblem } from './output.ts'
import { localeOf, wordsFor, type Words } from './words.ts'

export const exitCodes = { done: 0, failed: 1, wrongUse: 2, someFailed: 3, interrupted: 130 } as const

const globalsSchema = z.object({
  home: z.string().optional(),
  json: z.boolean().default(false),
  debug: z.boolean().default(false),
  quiet: z.boolean().default(false),
  strict: z.boolean().default(false),
})

export interface CommandContext {
  readonly globals: z.infer<typeof globalsSchema>
  readonly words: Words
  /** Aborted by the first Ctrl-C. */
  readonly signal: AbortSignal
  /** What Ctrl-C does instead of ending the work; null: that again. */
  onInterrupt(handler: (() => void) | null): void
  readonly dataDir: string
  readonly builtDir: URL
  /** The library: in this process, in the host that has it open, or for reading only. Says which when it is not this one. */
  open(options?: { dataDir?: string; host?: 'browser' | 'terminal'; desktop?: NodeHostOptions['desktop'] }): Promise<SharedCore>
}

/** Asked to end by the user: the first Ctrl-C ends the work, the second leaves at once. */
function watchSignals(words: Words): { signal: AbortSignal; onInterrupt: CommandContext['onInterrupt']; end(): void } {
  const controller = new AbortController()
  let ownInterrupt: (() => void) | null = null
  const onSignal = (name: NodeJS.Signals) => {
    if (name === 'SIGINT' && ownInterrupt !== null) return ownInterrupt()
    if (controller.signal.aborted) process.exit(exitCodes.interrupted)
    if (process.stderr.isTTY) say(`\n${words.stopping}`)
    controller.abort()
  }
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const name of names) process.on(name, onSignal)
  return {
    signal: controller.signal,
    onInterrupt: (handler) => void (ownInterrupt = handler),
    end() {
      for (const name of names) process.off(name, onSignal)
    },
  }
}

/** Errors reach a client as values with `code` and `data`; whatever the transport, they are one kind here. */
export function asErrorValue(error: unknown): ErrorValue {
  return fromCallError(error).toValue()
}

function report(error: unknown, debug: boolean): void {
  const problem = asErrorValue(error)
  sayProblem(problem)
  if (debug) say(`      (${problem.code}) ${problem.message}`)
  if (debug && error instanceof Error) say(error.stack ?? '')
}

/** Runs one command over an opened library and says how it went as an exit code. Whatever happens, the library is closed. */
export async function runCommand(
  builtDir: URL,
  command: Command,
  work: (context: CommandContext) => Promise<number | undefined | void>,
  takeOver: () => void,
): Promise<number> {
  const globals = globalsSchema.parse(command.optsWithGlobals())
  const words = wordsFor(localeOf(process.env))
  const { signal, onInterrupt, end } = watchSignals(words)
  takeOver()
  const opened: SharedCore[] = []
  const dataDir = dataDirectory(globals.home, process.env)
  const context: CommandContext = {
    globals,
    words,
    signal,
    onInterrupt,
    dataDir,
    builtDir,
    async open(options = {}) {
      const deps = nodeDeps({
        builtDir,
        dataDir: options.dataDir ?? dataDir,
        host: options.host ?? 'terminal',
        desktop: options.desktop,
        ...(globals.debug
          ? { echo: (level, message, details) => say(`[${level}] ${message} ${details === undefined ? '' : JSON.stringify(details)}`) }
          : {}),
      })
      const shared = await openShared(deps)
      opened.push(shared)
      if (shared.explanation !== null && !globals.quiet) say(shared.explanation)
      return shared
    },
  }
  let code: number
  try {
    code = (await work(context)) ?? exitCodes.done
    if (signal.aborted) code = exitCodes.interrupted
  } catch (error) {
    if (signal.aborted || asErrorValue(error).code === 'cancelled') {
      say(words.interrupted)
      code = exitCodes.interrupted
    } else {
      report(error, globals.debug)
      code = exitCodes.failed
    }
  }
  try {
    const onWait = (): void => {
      if (!globals.quiet) say(words.stillAnswering)
    }
    for (const shared of opened) {
      // A question that was interrupted here is nobody else's.
      await shared.whenServed(signal, onWait)
      await shared.close()
    }
  } catch (error) {
    report(error, globals.debug)
    if (code === exitCodes.done) code = exitCodes.failed
  }
  end()
  return code
}
